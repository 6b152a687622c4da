//! Which tables are event assertions: the kinds, their fields, and the names that events can have.

use serde_json::{Map, Value};
use windtunnel_doc::{Fault, Path, nearest};
use windtunnel_pattern::{Options, Pattern};

use crate::exchange::Event;
use crate::host::trace::OPS;

/// The kinds of events, and the fields of each beside `kind`.
pub(super) const KINDS: [(&str, &[&str]); 5] = [
    ("call", &["op", "detail"]),
    ("returned", &["op", "detail"]),
    ("inbound", &["event", "payload"]),
    ("opened", &["source"]),
    ("closed", &["source", "reason"]),
];

/// What sources of events are called.
pub(super) const SOURCES: [&str; 8] =
    ["chat-stream", "timer", "tool-call", "resource-list", "resource", "endpoint", "agent", "lifecycle"];

/// Why sources are closed.
pub(super) const REASONS: [&str; 3] = ["ended", "cancelled", "failed"];

/// Operators that say something of a plain value; an event is none.
const PLAIN_OPERATORS: [&str; 7] = ["$eq", "$re", "$exists", "$gt", "$gte", "$lt", "$lte"];

/// Collects what is wrong with assertions beyond the pattern language: what it makes of reserved keys is said by its compiler.
#[derive(Default)]
pub(super) struct Checker {
    pub(super) faults: Vec<Fault>,
}

impl Checker {
    /// An element of a list: an event, or a sentinel over one.
    pub(super) fn element(&mut self, element: &Value, at: &Path) {
        let operands = |key: &str| element.get(key).map(|operand| (operand, at.clone().then(key)));
        let sentinels = ["$while", "$until", "$never"].into_iter().filter_map(operands);
        let times =
            operands("$times").and_then(|(operand, at)| operand.get("of").map(|of| (of, at.then("of"))));
        let mut is_plain = true;
        for (operand, at) in sentinels.chain(times) {
            is_plain = false;
            if operand.as_object().is_none_or(|any| !any.is_empty()) {
                self.event(operand, &at);
            }
        }
        if is_plain {
            self.event(element, at);
        }
    }

    /// One event.
    pub(super) fn event(&mut self, assertion: &Value, at: &Path) {
        match assertion {
            Value::Object(operators) if operators.keys().any(|key| is_reserved(key)) => {
                self.operators(operators, at);
            }
            Value::Object(fields) => self.fields(fields, at),
            other => {
                let message = format!("expected an event, a table with a \"kind\", found {}", noun(other));
                self.faults.push(Fault::new(at.clone(), message));
            }
        }
    }

    fn operators(&mut self, operators: &Map<String, Value>, at: &Path) {
        for (key, operand) in operators {
            let at = at.clone().then(key.as_str());
            match (key.as_str(), operand) {
                ("$any" | "$all", Value::Array(events)) => {
                    for (index, event) in events.iter().enumerate() {
                        self.event(event, &at.clone().then(index));
                    }
                }
                ("$not", event) => self.event(event, &at),
                (plain, _) if PLAIN_OPERATORS.contains(&plain) => self.faults.push(
                    Fault::new(at, format!("{plain:?} says nothing of an event")).at_key().with_help(
                        "write a table with a \"kind\", or join such tables with $any, $all or $not",
                    ),
                ),
                _ => {}
            }
        }
    }

    fn fields(&mut self, fields: &Map<String, Value>, at: &Path) {
        let Some(kind) = self.kind(fields, at) else { return };
        for (name, value) in fields.iter().filter(|(name, _)| *name != "kind") {
            let at = at.clone().then(name.as_str());
            match (kind, name.as_str()) {
                ((kind, known), name) if !known.contains(&name) => {
                    self.faults.push(unknown_field(kind, known, name, at));
                }
                (_, "op") => self.texts(value, &at, &|text| {
                    let is_known =
                        if is_word(text) { OPS.contains(&text) } else { !matches_none(text, &OPS) };
                    (!is_known).then(|| impossible("no recorded call is named", text, &OPS))
                }),
                (_, "event") => self.texts(value, &at, &|text| {
                    let is_known = Event::KINDS.contains(&text);
                    (!is_known).then(|| impossible("no event is called", text, &Event::KINDS))
                }),
                (_, "source") => self.texts(value, &at, &|text| {
                    matches_none(text, &SOURCES).then(|| impossible("no source is called", text, &SOURCES))
                }),
                (_, "reason") => self.texts(value, &at, &|text| {
                    matches_none(text, &REASONS).then(|| impossible("no source is closed as", text, &REASONS))
                }),
                (("returned", _), "detail") => self.table(value, &at, &["result", "error"]),
                (_, "payload") => self.table(value, &at, &["kind", "data"]),
                _ => self.table(value, &at, &[]),
            }
        }
    }

    /// The assertion's kind and the fields it may have.
    fn kind(
        &mut self,
        fields: &Map<String, Value>,
        at: &Path,
    ) -> Option<(&'static str, &'static [&'static str])> {
        let names = KINDS.map(|(name, _)| name);
        let fault = match fields.get("kind") {
            None => {
                let message = format!("an event needs a \"kind\": one of {}", names.join(", "));
                let slip = fields.keys().find(|key| nearest(key, ["kind"]).is_some());
                match slip {
                    Some(slip) => Fault::new(at.clone().then(slip.as_str()), message)
                        .at_key()
                        .with_help("did you mean \"kind\"?"),
                    None => Fault::new(at.clone(), message),
                }
            }
            Some(Value::String(kind)) => {
                let known = KINDS.into_iter().find(|(name, _)| name == kind);
                if known.is_some() {
                    return known;
                }
                let (message, help) = impossible("no event has the kind", kind, &names);
                let fault = Fault::new(at.clone().then("kind"), message);
                help.into_iter().fold(fault, Fault::with_help)
            }
            Some(other) => {
                let message = format!("\"kind\" is one of {}; found {}", names.join(", "), noun(other));
                Fault::new(at.clone().then("kind"), message)
            }
        };
        self.faults.push(fault);
        None
    }

    /// A text, or operators over texts; `refuse` says what is wrong with one of them.
    fn texts(
        &mut self,
        value: &Value,
        at: &Path,
        refuse: &impl Fn(&str) -> Option<(String, Option<String>)>,
    ) {
        match value {
            Value::String(text) => {
                if let Some((message, help)) = refuse(text) {
                    let fault = Fault::new(at.clone(), message);
                    self.faults.push(help.into_iter().fold(fault, Fault::with_help));
                }
            }
            Value::Object(operators) if operators.keys().any(|key| is_reserved(key)) => {
                for key in ["$any", "$all"] {
                    let texts = operators.get(key).and_then(Value::as_array);
                    for (index, text) in texts.into_iter().flatten().enumerate() {
                        self.texts(text, &at.clone().then(key).then(index), refuse);
                    }
                }
            }
            other => {
                let message = format!("expected a text, found {}", noun(other));
                self.faults.push(Fault::new(at.clone(), message));
            }
        }
    }

    /// A table with these keys, or any if there are none, or operators over such a table.
    fn table(&mut self, value: &Value, at: &Path, known: &[&str]) {
        let Value::Object(fields) = value else {
            let message = format!("expected a table, found {}; nothing else can match", noun(value));
            self.faults.push(Fault::new(at.clone(), message));
            return;
        };
        let unknown =
            |key: &&String| !is_reserved(key) && !known.is_empty() && !known.contains(&key.as_str());
        for key in fields.keys().filter(unknown) {
            let fault = Fault::new(
                at.clone().then(key.as_str()),
                format!("unknown field {key:?}; expected one of {}", known.join(", ")),
            );
            self.faults.push(match nearest(key, known.iter().copied()) {
                Some(meant) => fault.at_key().with_help(did_you_mean(meant)),
                None if known.contains(&"data") => {
                    fault.at_key().with_help("what an event carries is in its \"data\"")
                }
                None => fault.at_key(),
            });
        }
    }
}

/// A field that events of this kind do not have.
fn unknown_field(kind: &str, known: &[&str], name: &str, at: Path) -> Fault {
    let owners: Vec<_> =
        KINDS.iter().filter(|(_, fields)| fields.contains(&name)).map(|(kind, _)| *kind).collect();
    let message = format!("unknown field {name:?} of {kind:?}; expected one of kind, {}", known.join(", "));
    let fault = Fault::new(at, message).at_key();
    match nearest(name, known.iter().copied()) {
        Some(meant) => fault.with_help(did_you_mean(meant)),
        None if owners.is_empty() => fault,
        None => fault.with_help(format!("events of the kind {} have it", owners.join(" and "))),
    }
}

/// What is wrong with a name that none of the known ones is, and the one that was probably meant.
fn impossible(refusal: &str, found: &str, known: &[&str]) -> (String, Option<String>) {
    let message = format!("{refusal} {found:?}; expected one of {}", known.join(", "));
    (message, nearest(found, known.iter().copied()).map(did_you_mean))
}

/// Whether a regular expression is found in none of the names. One that does not compile is somebody else's fault.
fn matches_none(regex: &str, names: &[&str]) -> bool {
    let compiled = Pattern::compile(&Value::from(regex), &Options::new());
    compiled.is_ok_and(|pattern| !names.iter().any(|name| pattern.matches(&Value::from(*name))))
}

/// Whether a text is compared whole where names of calls are.
fn is_word(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn did_you_mean(meant: &str) -> String {
    format!("did you mean {meant:?}?")
}

fn is_reserved(key: &str) -> bool {
    key.starts_with('$')
}

fn noun(value: &Value) -> String {
    match value {
        Value::Object(_) => "a table".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::String(text) => format!("text {text:?}"),
        plain => plain.to_string(),
    }
}
