//! Compiling the patterns of a scenario, all faults at once.

use serde_json::{Value, json};
use windtunnel_doc::{Fault, Path, nearest};
use windtunnel_pattern::{
    FaultKind, FieldRule, Options, Pattern, PatternErrors, PatternFault, Segment, Sequence,
};

use crate::events::BARE_NAMES;

/// Compiles patterns and keeps the faults of all of them.
pub(crate) struct Compiler {
    faults: Vec<Fault>,
    over_events: Options,
    over_values: Options,
    over_requests: Options,
}

impl Compiler {
    /// Begins with the faults that are known already.
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self {
            faults,
            over_events: event_options(),
            over_values: Options::new(),
            over_requests: request_options(),
        }
    }

    /// A pattern over one event.
    pub(crate) fn event(&mut self, pattern: &Value, path: &Path) -> Option<Pattern> {
        if !pattern.is_object() {
            let expected =
                "expected a pattern of an event, such as { kind = \"tool_call\", tool = \"lookup\" }";
            self.fault(Fault::new(path.clone(), format!("this matches no event; {expected}")));
            return None;
        }
        let compiled = Pattern::compile(pattern, &self.over_events);
        let known = self.faults.len();
        self.refuse_impossible(pattern, path);
        let is_possible = self.faults.len() == known;
        self.keep(compiled, path).filter(|_| is_possible)
    }

    /// A list over the events.
    pub(crate) fn events(&mut self, elements: &[Value], path: &Path) -> Option<Sequence> {
        let compiled = Sequence::compile(elements, &self.over_events);
        let known = self.faults.len();
        for (index, element) in elements.iter().enumerate() {
            self.refuse_impossible(element, &path.clone().then(index));
        }
        let is_possible = self.faults.len() == known;
        self.keep(compiled, path).filter(|_| is_possible)
    }

    /// A pattern over an observed value.
    pub(crate) fn value(&mut self, pattern: &Value, path: &Path) -> Option<Pattern> {
        let compiled = Pattern::compile(pattern, &self.over_values);
        self.keep(compiled, path)
    }

    /// A pattern over a request for permission.
    pub(crate) fn request(&mut self, pattern: &Value, path: &Path) -> Option<Pattern> {
        let compiled = Pattern::compile(pattern, &self.over_requests);
        self.keep(compiled, path)
    }

    /// Another fault.
    pub(crate) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// A pattern that only an equal value matches.
    pub(crate) fn equal(&mut self, value: &Value, path: &Path) -> Option<Pattern> {
        self.value(&json!({ "$eq": value }), path)
    }

    /// What was compiled, if there was no fault.
    pub(crate) fn finish<T>(self, compiled: T) -> Result<T, Vec<Fault>> {
        if self.faults.is_empty() { Ok(compiled) } else { Err(self.faults) }
    }

    /// A fault for each identifier that a pattern asks for and no event can have.
    ///
    /// Below a key with `$` stand patterns over the same event, or lists of them; `$times` names its pattern `of`.
    fn refuse_impossible(&mut self, pattern: &Value, path: &Path) {
        match pattern {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let at = path.clone().then(key.as_str());
                    match value.get("of") {
                        Some(of) if key == "$times" => self.refuse_impossible(of, &at.then("of")),
                        _ if key.starts_with('$') => self.refuse_impossible(value, &at),
                        _ => self.faults.extend(unknown(key, &at).or_else(|| impossible(key, value, at))),
                    }
                }
            }
            Value::Array(patterns) => {
                for (index, pattern) in patterns.iter().enumerate() {
                    self.refuse_impossible(pattern, &path.clone().then(index));
                }
            }
            _ => {}
        }
    }

    fn keep<T>(&mut self, compiled: Result<T, PatternErrors>, path: &Path) -> Option<T> {
        match compiled {
            Ok(compiled) => Some(compiled),
            Err(errors) => {
                self.faults.extend(pattern_faults(&errors, path));
                None
            }
        }
    }
}

/// The faults of the pattern at a path of a document.
pub fn pattern_faults(errors: &PatternErrors, path: &Path) -> Vec<Fault> {
    let located = |fault: &PatternFault| {
        let inner = fault.path().segments().iter().map(|segment| match segment {
            Segment::Key(key) => windtunnel_doc::Segment::Key(key.clone()),
            Segment::Index(index) => windtunnel_doc::Segment::Index(*index),
        });
        let mut located = Fault::new(path.join(&inner.collect()), fault.message());
        located.help = fault.help();
        if matches!(fault.kind(), FaultKind::UnknownKey { .. }) { located.at_key() } else { located }
    };
    errors.faults().iter().map(located).collect()
}

/// Identifiers of events compare whole, and `tool` by the tool-name rule.
fn event_options() -> Options {
    Options::new()
        .whole_fields(["kind", "server", "source", "role", "wire", "witness"])
        .field("tool", FieldRule::custom(is_tool))
}

/// Identifiers of requests for permission compare whole. The tool has its bare name already.
fn request_options() -> Options {
    Options::new().whole_fields(["tool", "kind"])
}

/// The fields of events that have one of a few values, with these values.
const CLOSED: [(&str, &[&str]); 3] = [
    ("kind", &["turn", "inference", "tool_call", "claimed_call", "observation", "warning"]),
    ("role", &["system", "user", "assistant", "tool"]),
    ("witness", &["recorder", "seam"]),
];

/// The fields of events of any kind.
const FIELDS: [&str; 19] = [
    "kind", "role", "content", "wire", "model", "messages", "tools", "decision", "server", "tool", "args",
    "result", "error", "ms", "witness", "extra", "source", "value", "text",
];

/// The fault of a field that no event has: a pattern with it matches nothing, and what is never to be passes.
fn unknown(field: &str, path: &Path) -> Option<Fault> {
    if FIELDS.contains(&field) || field == BARE_NAMES {
        return None;
    }
    let fault =
        Fault::new(path.clone(), format!("no event has a field {field:?}; they have {}", FIELDS.join(", ")));
    let fault = fault.at_key();
    Some(match nearest(field, FIELDS) {
        Some(nearest) => fault.with_help(format!("did you mean {nearest:?}?")),
        None => fault,
    })
}

/// The fault of a plain text that no event has in this field.
fn impossible(field: &str, value: &Value, path: Path) -> Option<Fault> {
    let (_, known) = CLOSED.iter().find(|(name, _)| *name == field)?;
    let found = value.as_str().filter(|found| !known.contains(found))?;
    let fault =
        Fault::new(path, format!("no event has the {field} {found:?}; expected one of {}", known.join(", ")));
    Some(match nearest(found, known.iter().copied()) {
        Some(nearest) => fault.with_help(format!("did you mean {nearest:?}?")),
        None => fault,
    })
}

fn is_tool(bare: &str, event: &Value) -> bool {
    let is_bare = |name: &Value| name.as_str() == Some(bare);
    event.get("tool").is_some_and(is_bare)
        || event.get(BARE_NAMES).and_then(Value::as_array).is_some_and(|names| names.iter().any(is_bare))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use windtunnel_api::Evidence;
    use windtunnel_api::artifact::evidence::{Role, ToolCall};

    use super::*;
    use crate::fixture;

    #[expect(clippy::needless_pass_by_value, reason = "`json!(…)` reads best in place")]
    fn matches(pattern: Value, event: Value) -> bool {
        Compiler::new(vec![]).event(&pattern, &Path::root()).unwrap().matches(&event)
    }

    #[test]
    fn identifiers_of_events_compare_whole_and_texts_are_searched() {
        for (field, value) in [
            ("kind", "tool_call"),
            ("server", "crm"),
            ("source", "db"),
            ("role", "user"),
            ("wire", "acp"),
            ("witness", "seam"),
        ] {
            let longer = format!("{value}s");
            assert!(matches(json!({ field: value }), json!({ field: value })), "{field}");
            assert!(!matches(json!({ field: value }), json!({ field: longer })), "{field}");
        }
        assert!(matches(json!({"content": "one$"}), json!({"content": "done"})));
        assert!(matches(json!({"args": {"kind": "safe"}}), json!({"args": {"kind": "unsafe"}})));
    }

    #[test]
    fn the_known_fields_are_those_that_events_have() {
        let call = fixture::call("crm", "lookup", json!({}), json!("ok"));
        let events = [
            Evidence::Turn { role: Role::User, content: String::new() },
            Evidence::Inference {
                wire: String::new(),
                model: String::new(),
                messages: Vec::new(),
                tools: Vec::new(),
                decision: Value::Null,
            },
            Evidence::ToolCall(ToolCall { extra: Some(json!({})), ..call }),
            Evidence::ClaimedCall { tool: String::new(), args: Value::Null },
            Evidence::Observation { source: String::new(), value: Value::Null },
            Evidence::Warning { text: String::new() },
        ];
        let fields = events.iter().flat_map(|event| {
            let Value::Object(fields) = json!(event) else { panic!("an object") };
            fields.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        });
        let fields: BTreeSet<String> = fields.collect();
        assert_eq!(fields, FIELDS.map(str::to_owned).into());
    }

    #[test]
    fn what_matches_no_event_is_refused() {
        let fault = |pattern: Value| {
            let mut compiler = Compiler::new(vec![]);
            assert!(compiler.event(&pattern, &Path::root().then("never")).is_none(), "{pattern}");
            let faults = compiler.finish(()).unwrap_err();
            format!(
                "{}: {} {}",
                faults[0].path,
                faults[0].message,
                faults[0].help.clone().unwrap_or_default()
            )
        };
        for pattern in [json!(5), json!("tool_call"), json!([])] {
            assert!(fault(pattern).starts_with("never: this matches no event; expected a pattern"));
        }
        for (pattern, at, help) in [
            (json!({"kind": "tool_call", "tol": "refund"}), "never.tol", "did you mean \"tool\"?"),
            (
                json!({"$all": [{"$not": {"content": "x"}}, {"sever": "crm"}]}),
                "never.\"$all\"[1].sever",
                "did you mean \"server\"?",
            ),
        ] {
            let fault = fault(pattern);
            assert!(
                fault.starts_with(&format!("{at}: no event has a field")) && fault.ends_with(help),
                "{fault}"
            );
        }
    }

    #[test]
    fn the_tool_compares_by_the_names_it_means() {
        let decorated = json!({"tool": "mcp__crm__lookup", BARE_NAMES: ["crm__lookup", "lookup"]});
        assert!(matches(json!({"tool": "lookup"}), decorated.clone()));
        assert!(matches(json!({"tool": "mcp__crm__lookup"}), decorated.clone()));
        assert!(!matches(json!({"tool": "look"}), decorated.clone()));
        assert!(matches(json!({"tool": {"$any": ["other", "lookup"]}}), decorated));
        assert!(!matches(json!({"tool": "lookup"}), json!({"tool": "client_lookup"})));
    }

    #[test]
    fn a_pattern_that_no_event_can_match_is_a_fault_at_its_value() {
        let mut compiler = Compiler::new(vec![]);
        assert!(
            compiler.event(&json!({"kind": "tool_cal", "args": {"kind": "any"}}), &Path::root()).is_none()
        );
        assert!(
            compiler.event(&json!({"$any": [{"role": "user"}, {"role": "agent"}]}), &Path::root()).is_none()
        );
        let list = [
            json!({"kind": {"$re": "^t"}}),
            json!({"$never": {"witness": "Recorder"}}),
            json!({"$times": {"of": {"kind": "turns"}, "min": 2}}),
        ];
        assert!(compiler.events(&list, &Path::root().then("trajectory")).is_none());
        assert!(compiler.value(&json!({"kind": "anything"}), &Path::root()).is_some());
        let faults = compiler.finish(()).unwrap_err();
        let shown = faults.iter().map(|fault| {
            format!("{}: {}; {}", fault.path, fault.message, fault.help.as_deref().unwrap_or("no help"))
        });
        insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r#"
        kind: no event has the kind "tool_cal"; expected one of turn, inference, tool_call, claimed_call, observation, warning; did you mean "tool_call"?
        "$any"[1].role: no event has the role "agent"; expected one of system, user, assistant, tool; no help
        trajectory[1]."$never".witness: no event has the witness "Recorder"; expected one of recorder, seam; did you mean "recorder"?
        trajectory[2]."$times".of.kind: no event has the kind "turns"; expected one of turn, inference, tool_call, claimed_call, observation, warning; did you mean "turn"?
        "#);
    }

    #[test]
    fn the_values_of_closed_fields_are_those_of_the_evidence() {
        use serde_json::from_value;
        use windtunnel_api::{Evidence, Witness, artifact::evidence::Role};
        let errors = [
            from_value::<Evidence>(json!({"kind": "?"})).unwrap_err(),
            from_value::<Role>(json!("?")).unwrap_err(),
            from_value::<Witness>(json!("?")).unwrap_err(),
        ];
        for ((field, values), error) in CLOSED.iter().zip(errors) {
            let error = error.to_string();
            let known: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
            assert_eq!(known, *values, "{field}: {error}");
        }
    }

    #[test]
    fn every_fault_has_the_path_of_its_field() {
        let mut compiler = Compiler::new(vec![Fault::new(Path::root().then("name"), "known before")]);
        let policy = Path::root().then("policies").then(1).then("never");
        assert!(compiler.event(&json!({"args": {"content": "(", "n": {"$gtt": 1}}}), &policy).is_none());
        assert!(
            compiler
                .events(&[json!({}), json!({"kind": {"$re": "["}})], &Path::root().then("trajectory"))
                .is_none()
        );
        let paths: Vec<_> =
            compiler.finish(()).unwrap_err().iter().map(|fault| fault.path.to_string()).collect();
        assert_eq!(
            paths,
            [
                "name",
                "policies[1].never.args.content",
                "policies[1].never.args.n.\"$gtt\"",
                "trajectory[1].kind.\"$re\""
            ]
        );
    }
}
