//! What the checks of a run look at.

use std::cell::OnceCell;

use serde_json::Value;
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::{Evidence, Trace};
use windtunnel_pattern::{Reason, Sequence, Verdict};

use crate::calls::Calls;
use crate::events;
use crate::text::folded::Folded;
use crate::tools::Tools;

/// A trace with everything that several checks need of it, worked out once.
pub(crate) struct View<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) events: &'t [Evidence],
    pub(crate) tools: Tools<'t>,
    pub(crate) calls: Calls<'t>,
    /// The last assistant turn, also when it is empty.
    pub(crate) answer: Option<Folded<'t>>,
    values: OnceCell<Vec<Value>>,
}

impl<'t> View<'t> {
    pub(crate) fn new(trace: &'t Trace, events: &'t [Evidence]) -> Self {
        let answer = events.iter().rev().find_map(|event| match event {
            Evidence::Turn { role: Role::Assistant, content } => Some(Folded::new(content)),
            _ => None,
        });
        Self {
            trace,
            events,
            tools: Tools::new(&trace.served_tools, events),
            calls: Calls::new(trace, events),
            answer,
            values: OnceCell::new(),
        }
    }

    /// The events as patterns see them; made only for scenarios that have a pattern.
    pub(crate) fn values(&self) -> &[Value] {
        self.values.get_or_init(|| events::values(self.events, &self.tools))
    }

    /// Holds a sequence against all events.
    pub(crate) fn run(&self, sequence: &Sequence) -> Verdict {
        let mut matcher = sequence.matcher();
        for value in self.values() {
            matcher.push(value);
        }
        matcher.finish().map_err(|mut failure| {
            if let Reason::Forbidden { at, found } | Reason::TooMany { at, found, .. } = &mut failure.reason {
                *found = self.values().get(*at).map(events::shown).unwrap_or_default();
            }
            failure
        })
    }

    /// What a probe captured last. A writer that keeps events may still add observations beside them.
    pub(crate) fn observation(&self, name: &str) -> Option<&Value> {
        let observed = self.events.iter().rev().find_map(|event| match event {
            Evidence::Observation { source, value } if source == name => Some(value),
            _ => None,
        });
        observed.or_else(|| self.trace.observations.get(name))
    }

    /// The names of all observations, each once, in order.
    pub(crate) fn observed(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let sources = self.events.iter().filter_map(|event| match event {
            Evidence::Observation { source, .. } => Some(source.as_str()),
            _ => None,
        });
        for name in sources.chain(self.trace.observations.keys().map(String::as_str)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    #[test]
    fn the_answer_is_the_last_assistant_turn_even_if_it_is_empty() {
        let mut trace = fixture::answered([], "first");
        for (content, expected) in [("second", "second"), ("", "")] {
            trace.events.push(Evidence::Turn { role: Role::User, content: "again".into() });
            trace.events.push(Evidence::Turn { role: Role::Assistant, content: content.into() });
            let view = View::new(&trace, &trace.events);
            assert_eq!(view.answer.unwrap().original(), expected);
        }
        trace.events.clear();
        assert!(View::new(&trace, &trace.events).answer.is_none());
    }

    #[test]
    fn the_last_observation_of_a_source_counts() {
        let mut trace = fixture::trace();
        for value in [1, 2] {
            trace.events.push(Evidence::Observation { source: "db".into(), value: json!(value) });
        }
        trace.observations.insert("db".into(), json!(0));
        trace.observations.insert("judge".into(), json!("PASS"));
        let view = View::new(&trace, &trace.events);
        assert_eq!(view.observation("db"), Some(&json!(2)));
        assert_eq!(view.observation("judge"), Some(&json!("PASS")));
        assert_eq!(view.observation("other"), None);
        assert_eq!(view.observed(), ["db", "judge"]);
    }
}
