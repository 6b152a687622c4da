//! What an agent asks, and the answer.

use super::{Step, Text, Walk};
use crate::event::ProcessEvent;
use crate::runtime::Verdict;
use crate::state::{Question, Status};

impl Walk<'_> {
    /// Why nothing can be asked; none if something can.
    pub(in crate::runtime) fn refuse_question(&mut self, question: &str) -> Option<Step> {
        let verdict = if self.state.status == Status::Complete {
            self.say(format!("the walk is over: it was completed at {}", self.state.current_node));
            Verdict::Noop
        } else if question.trim().is_empty() {
            self.say("the question is empty");
            Verdict::Refused
        } else if self.refuses([Text::Question(question)]) {
            Verdict::Refused
        } else {
            return None;
        };
        let next = self.answer(verdict);
        Some(self.step(next))
    }

    /// A question was asked; until it is answered the gate is not. Another question takes the place of one that is open.
    pub(in crate::runtime) fn asked(&mut self, question: &str, comment_posted: bool) -> Step {
        self.tell(ProcessEvent::AwaitingInput { question: question.to_owned(), comment_posted });
        let status = self.state.question.take().map_or(self.state.status, |open| open.status);
        self.state.question = Some(Question { text: question.to_owned(), status });
        self.state.status = Status::Waiting;
        self.say(format!("a question is open: {question}"));
        let next = self.answer(Verdict::Wait);
        self.step(next)
    }

    /// Why nothing can be replied; none if something can.
    pub(in crate::runtime) fn refuse_reply(&mut self, text: &str, actor: &str) -> Option<Step> {
        if text.trim().is_empty() {
            self.say("the reply is empty");
        } else if !self.refuses([Text::Reply(text), Text::Name(actor)]) {
            return None;
        }
        let next = self.answer(Verdict::Refused);
        Some(self.step(next))
    }

    /// A reply was delivered: the item stands as it did before it was asked for.
    pub(in crate::runtime) fn replied(&mut self, actor: &str) -> Step {
        self.tell(ProcessEvent::ReplySent { actor: actor.to_owned() });
        if let Some(question) = self.state.question.take() {
            self.state.status = question.status;
        }
        let next = self.answer(Verdict::Pass);
        self.step(next)
    }
}
