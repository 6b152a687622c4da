//! What a chain comes to, hook by hook.

use super::messages::{heard, heard_of};
use crate::hook::{Effort, Outcome, Selection};

/// The outcome of a chain in which no hook declared one.
const PASS: &str = "pass";

/// What a chain decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::runtime) enum Decision {
    /// Nothing is in the way. Edges are chosen by the outcome.
    Pass {
        /// The last one that a hook declared.
        outcome: String,
    },
    /// Somebody else has to do something first.
    Wait {
        /// What is waited for.
        messages: Vec<String>,
    },
    /// Going on is refused.
    Block {
        /// The hook that refused.
        hook: String,
        /// Everything that is in the way.
        messages: Vec<String>,
    },
}

/// What came of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::runtime) struct Heard {
    /// What it decided.
    pub(in crate::runtime) decision: Decision,
    /// Which phases are walked, if a hook asks for it. Taken over if the chain passed.
    pub(in crate::runtime) selection: Option<Selection>,
    /// The account that a checklist was posted with, if one was.
    pub(in crate::runtime) account: Option<String>,
}

/// What a hook means for its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The next hook runs.
    On,
    /// It could not do its work, which decides nothing; the next hook runs.
    Degraded(String),
    /// The chain is over.
    Decided(Decision),
}

/// What a chain has come to so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    declared: Option<String>,
}

impl Tally {
    /// What the end of a hook means: what came of it, or why it failed.
    ///
    /// | effort      | end                        | means                             |
    /// |-------------|----------------------------|-----------------------------------|
    /// | gate        | pass                       | on, with the outcome it declares  |
    /// | gate        | skip                       | on                                |
    /// | gate        | wait                       | decided: wait                     |
    /// | gate        | block                      | decided: block                    |
    /// | gate        | failed                     | decided: block                    |
    /// | best effort | pass without outcome, skip | on                                |
    /// | best effort | pass with one, wait, block | degraded: it is not its to decide |
    /// | best effort | failed                     | degraded                          |
    pub(super) fn hear(&mut self, hook: &str, effort: Effort, end: Result<Outcome, String>) -> Meaning {
        match (effort, end) {
            (_, Ok(outcome)) => self.done(hook, effort, outcome),
            (Effort::Gate, Err(failure)) => block(hook, vec![heard_of(format!("{hook} failed: {failure}"))]),
            (Effort::BestEffort, Err(failure)) => Meaning::Degraded(heard_of(failure)),
        }
    }

    fn done(&mut self, hook: &str, effort: Effort, outcome: Outcome) -> Meaning {
        match (effort, outcome) {
            (_, Outcome::Skip | Outcome::Pass { on: None }) => Meaning::On,
            (Effort::Gate, Outcome::Pass { on }) => {
                self.declared = on;
                Meaning::On
            }
            (Effort::Gate, Outcome::Wait { messages }) => {
                Meaning::Decided(Decision::Wait { messages: heard(messages) })
            }
            (Effort::Gate, Outcome::Block { findings }) if findings.is_empty() => {
                block(hook, vec![format!("{hook} refused, and did not say why")])
            }
            (Effort::Gate, Outcome::Block { findings }) => block(hook, heard(findings)),
            (Effort::BestEffort, Outcome::Pass { on: Some(on) }) => {
                Meaning::Degraded(format!("it declared {on:?}, which only a gate can"))
            }
            (Effort::BestEffort, Outcome::Wait { messages: why } | Outcome::Block { findings: why }) => {
                let why = heard(why).join("; ");
                Meaning::Degraded(heard_of(format!("it decided, which only a gate can: {why}")))
            }
        }
    }

    /// The outcome that was declared last.
    pub(super) fn declared(&self) -> Option<&String> {
        self.declared.as_ref()
    }

    /// What the chain decides when no hook did.
    pub(super) fn end(self) -> Decision {
        Decision::Pass { outcome: self.declared.unwrap_or_else(|| PASS.to_owned()) }
    }
}

fn block(hook: &str, messages: Vec<String>) -> Meaning {
    Meaning::Decided(Decision::Block { hook: hook.to_owned(), messages })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn heard(effort: Effort, end: Result<Outcome, String>) -> Meaning {
        Tally::default().hear("gate", effort, end)
    }

    #[test]
    fn a_gate_that_passes_or_skips_lets_the_chain_go_on() {
        assert_eq!(heard(Effort::Gate, Ok(Outcome::pass())), Meaning::On);
        assert_eq!(heard(Effort::Gate, Ok(Outcome::Skip)), Meaning::On);
    }

    #[test]
    fn the_outcome_is_the_last_that_a_gate_declared() {
        let mut tally = Tally::default();
        for outcome in [
            Outcome::Pass { on: Some("first".to_owned()) },
            Outcome::Pass { on: Some("second".to_owned()) },
            Outcome::pass(),
            Outcome::Skip,
        ] {
            assert_eq!(tally.hear("gate", Effort::Gate, Ok(outcome)), Meaning::On);
        }
        assert_eq!(tally.end(), Decision::Pass { outcome: "second".to_owned() });
        assert_eq!(Tally::default().end(), Decision::Pass { outcome: "pass".to_owned() });
    }

    #[test]
    fn a_gate_that_waits_or_blocks_decides() {
        let messages = texts(&["a", "b"]);
        assert_eq!(
            heard(Effort::Gate, Ok(Outcome::Wait { messages: messages.clone() })),
            Meaning::Decided(Decision::Wait { messages: messages.clone() })
        );
        assert_eq!(
            heard(Effort::Gate, Ok(Outcome::Block { findings: messages.clone() })),
            block("gate", messages)
        );
        assert_eq!(
            heard(Effort::Gate, Ok(Outcome::Block { findings: Vec::new() })),
            block("gate", texts(&["gate refused, and did not say why"]))
        );
    }

    #[test]
    fn no_more_is_heard_of_a_hook_than_can_be_kept() {
        let said = || vec!["x".repeat(1 << 20); 100];
        let block = Outcome::Block { findings: said() };
        for end in [Ok(block.clone()), Ok(Outcome::Wait { messages: said() }), Err("x".repeat(1 << 20))] {
            let Meaning::Decided(Decision::Block { messages, .. } | Decision::Wait { messages }) =
                heard(Effort::Gate, end)
            else {
                panic!("it decided nothing");
            };
            assert!(messages.iter().map(String::len).sum::<usize>() < 32 << 10);
        }
        for end in [Ok(block), Err("x".repeat(1 << 20))] {
            let Meaning::Degraded(error) = heard(Effort::BestEffort, end) else { panic!("it decided") };
            assert!(error.len() < 1 << 10);
        }
    }

    #[test]
    fn a_gate_that_fails_blocks() {
        let end = Err("no disk".to_owned());
        assert_eq!(heard(Effort::Gate, end), block("gate", texts(&["gate failed: no disk"])));
    }

    #[test]
    fn best_effort_that_fails_is_degraded() {
        let end = Err("no disk".to_owned());
        assert_eq!(heard(Effort::BestEffort, end), Meaning::Degraded("no disk".to_owned()));
    }

    #[test]
    fn best_effort_decides_nothing() {
        let mut tally = Tally::default();
        for (outcome, why) in [
            (
                Outcome::Pass { on: Some("approved".to_owned()) },
                "it declared \"approved\", which only a gate can",
            ),
            (Outcome::Wait { messages: texts(&["a"]) }, "it decided, which only a gate can: a"),
            (Outcome::Block { findings: texts(&["a", "b"]) }, "it decided, which only a gate can: a; b"),
        ] {
            let meaning = tally.hear("note", Effort::BestEffort, Ok(outcome));
            assert_eq!(meaning, Meaning::Degraded(why.to_owned()));
        }
        assert_eq!(tally.end(), Decision::Pass { outcome: "pass".to_owned() });
    }
}
