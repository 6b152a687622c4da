//! What a test asserts, compiled.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use windtunnel_doc::{Diagnostics, Fault, Path, nearest};
use windtunnel_pattern::{Sequence, excerpt};

use crate::assertion::EventPattern;
use crate::config::Params;

use super::Expected;

/// `[assertions]`: what is asserted of each agent that is named there, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Assertions {
    agents: IndexMap<String, AgentAssertions>,
}

/// `[assertions.<agent>]`.
#[derive(Debug, Clone)]
pub struct AgentAssertions {
    /// How its run is expected to end.
    pub outcome: Expected,
    /// The events that are expected of it, in order.
    pub events: Sequence,
}

/// The keys of `[assertions.<agent>]`.
const KEYS: [&str; 2] = ["outcome", "events"];

impl Assertions {
    /// Compiles the section. `agents` are the names that it may speak of.
    ///
    /// # Errors
    /// Everything that is wrong with it, at its places: unknown keys and agents, patterns that do not compile, and under
    /// `outcome = "asserted"` a list that nothing but the end of the run could settle.
    pub fn parse<'a>(
        section: &Params,
        agents: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Diagnostics> {
        match Self::of_value(section.value(), agents) {
            Ok(assertions) => Ok(assertions),
            Err(faults) => section.diagnose(faults).map(|()| Self::default()),
        }
    }

    /// The same for a section that no file holds. The paths of the faults begin with the agent's name.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn of_value<'a>(
        section: &Value,
        agents: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Vec<Fault>> {
        let known: Vec<&str> = agents.into_iter().collect();
        let mut parser = Parser { faults: Vec::new() };
        let agents = parser.section(section, &known);
        if parser.faults.is_empty() { Ok(Self { agents }) } else { Err(parser.faults) }
    }

    /// The agents, each with what is asserted of it.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &AgentAssertions)> {
        self.agents.iter().map(|(agent, assertions)| (agent.as_str(), assertions))
    }

    /// What is asserted of an agent.
    pub fn of(&self, agent: &str) -> Option<&AgentAssertions> {
        self.agents.get(agent)
    }

    /// Whether any agent is stopped by its verdict, so that the run is ended as soon as every agent named here has one.
    pub fn stop_the_run(&self) -> bool {
        self.agents.values().any(|assertions| assertions.outcome.stops())
    }
}

/// Collects faults on the way; what has one is left out.
struct Parser {
    faults: Vec<Fault>,
}

impl Parser {
    fn section(&mut self, section: &Value, known: &[&str]) -> IndexMap<String, AgentAssertions> {
        let root = Path::root();
        let Some(agents) = self.table(section, &root, "a table for each agent") else {
            return IndexMap::new();
        };
        let mut parsed = IndexMap::new();
        for (agent, assertions) in agents {
            let at = root.clone().then(agent.as_str());
            if !known.contains(&agent.as_str()) {
                self.faults.push(unknown_agent(agent, known, at.clone()));
            }
            if let Some(assertions) = self.agent(assertions, &at) {
                parsed.insert(agent.clone(), assertions);
            }
        }
        parsed
    }

    fn agent(&mut self, assertions: &Value, at: &Path) -> Option<AgentAssertions> {
        let table = self.table(assertions, at, "a table of outcome and events")?;
        for key in table.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            let message = format!("unknown field {key:?}; expected one of {}", KEYS.join(", "));
            self.faults.push(did_you_mean(at, key, message, &KEYS));
        }
        let outcome = match table.get("outcome") {
            None => Some(Expected::AnyEnd),
            Some(outcome) => self.outcome(outcome, &at.clone().then("outcome")),
        };
        let none = Value::Array(Vec::new());
        let at = at.clone().then("events");
        let events = EventPattern::parse_list(table.get("events").unwrap_or(&none), &at);
        let events = events.map_err(|faults| self.faults.extend(faults)).ok();
        let (outcome, events) = (outcome?, events?);
        if let Some(index) = events.open_end().filter(|_| outcome.stops()) {
            self.faults.push(never_settles(&events, index, at));
        }
        Some(AgentAssertions { outcome, events })
    }

    fn outcome(&mut self, outcome: &Value, at: &Path) -> Option<Expected> {
        const WORDS: [&str; 2] = ["completed", "asserted"];
        const EXPECTED: &str = r#"expected "completed", "asserted" or { exited = "<text>" }"#;
        match outcome {
            Value::String(word) => match word.as_str() {
                "completed" => return Some(Expected::Completed),
                "asserted" => return Some(Expected::Asserted),
                _ => {
                    let fault = Fault::new(at.clone(), format!("unknown outcome {word:?}; {EXPECTED}"));
                    self.faults.push(match nearest(word, WORDS) {
                        Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
                        None => fault,
                    });
                }
            },
            Value::Object(table) => match table.get("exited") {
                Some(Value::String(text)) if table.len() == 1 => {
                    return Some(Expected::Exited(text.clone()));
                }
                Some(other) if table.len() == 1 => self.faults.push(
                    Fault::new(at.clone().then("exited"), format!("expected a text, found {}", shown(other)))
                        .with_help("write the text of the value that the brain ends with"),
                ),
                _ => {
                    for key in table.keys().filter(|key| *key != "exited") {
                        let message = format!("unknown field {key:?}; expected exited alone");
                        self.faults.push(did_you_mean(at, key, message, &["exited"]));
                    }
                    if table.is_empty() {
                        self.faults.push(Fault::new(at.clone(), EXPECTED));
                    }
                }
            },
            other => self.faults.push(Fault::new(at.clone(), format!("{EXPECTED}, found {}", shown(other)))),
        }
        None
    }

    fn table<'v>(&mut self, value: &'v Value, at: &Path, what: &str) -> Option<&'v Map<String, Value>> {
        let table = value.as_object();
        if table.is_none() {
            self.faults.push(Fault::new(at.clone(), format!("expected {what}, found {}", shown(value))));
        }
        table
    }
}

/// A value as a fault shows it.
fn shown(value: &Value) -> String {
    excerpt(value, 60)
}

fn unknown_agent(agent: &str, known: &[&str], at: Path) -> Fault {
    let known_text = if known.is_empty() { "there is none".to_owned() } else { known.join(", ") };
    let message = format!("there is no agent {agent:?}; agents: {known_text}");
    let fault = Fault::new(at, message).at_key();
    match nearest(agent, known.iter().copied()) {
        Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
        None => fault,
    }
}

fn did_you_mean(at: &Path, key: &str, message: String, known: &[&str]) -> Fault {
    let fault = Fault::new(at.clone().then(key), message).at_key();
    match nearest(key, known.iter().copied()) {
        Some(meant) => fault.with_help(format!("did you mean {meant:?}?")),
        None => fault,
    }
}

fn never_settles(events: &Sequence, index: usize, at: Path) -> Fault {
    let expectation = events.expectation(index).unwrap_or_default();
    Fault::new(
        at.then(index),
        format!("only the end of the run can settle {expectation}, but an asserted agent is stopped before"),
    )
    .with_help("write an event behind it that ends it, or expect outcome = \"completed\"")
}
