//! The pointer, put somewhere by a person.

use super::{Chain, Next, Step, Text, Walk};
use crate::event::ProcessEvent;
use crate::runtime::Verdict;

impl Walk<'_> {
    /// Puts the pointer to a node, which is then walked even if it was to be skipped.
    pub(in crate::runtime) fn force(&mut self, to: &str, by: &str, reason: &str) -> Step {
        let next = self.forced(to, by.trim(), reason.trim());
        self.step(next)
    }

    fn forced(&mut self, to: &str, by: &str, reason: &str) -> Next {
        let Some(target) = self.graph.node(to) else {
            self.say_unknown(to);
            return self.answer(Verdict::Refused);
        };
        if by.is_empty() || reason.is_empty() {
            self.say("the pointer is put somewhere by hand only if it is said by whom and why");
            return self.answer(Verdict::Refused);
        }
        if self.refuses([Text::Name(by), Text::Reason(reason)]) {
            return self.answer(Verdict::Refused);
        }
        self.tell(ProcessEvent::Forced {
            node: self.state.current_node.clone(),
            to: to.to_owned(),
            by: by.to_owned(),
            reason: reason.to_owned(),
        });
        self.state.skips.shift_remove(to);
        if target.opt_in {
            self.state.opted_in.insert(to.to_owned());
        }
        self.verdict = Some(Verdict::Pass);
        self.put(target);
        Next::Run(Chain::Entry)
    }
}
