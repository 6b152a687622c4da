//! Compiling the patterns of a scenario, all faults at once.

use serde_json::{Value, json};
use windtunnel_doc::{Fault, Path};
use windtunnel_pattern::{FaultKind, FieldRule, Options, Pattern, PatternErrors, Segment, Sequence};

use crate::events::BARE_NAMES;

/// Compiles patterns and keeps the faults of all of them.
pub(crate) struct Compiler {
    faults: Vec<Fault>,
    over_events: Options,
    over_values: Options,
}

impl Compiler {
    /// Begins with the faults that are known already.
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self { faults, over_events: event_options(), over_values: Options::new() }
    }

    /// A pattern over one event.
    pub(crate) fn event(&mut self, pattern: &Value, path: &Path) -> Option<Pattern> {
        let compiled = Pattern::compile(pattern, &self.over_events);
        self.keep(compiled, path)
    }

    /// A list over the events.
    pub(crate) fn events(&mut self, elements: &[Value], path: &Path) -> Option<Sequence> {
        let compiled = Sequence::compile(elements, &self.over_events);
        self.keep(compiled, path)
    }

    /// A pattern over an observed value.
    pub(crate) fn value(&mut self, pattern: &Value, path: &Path) -> Option<Pattern> {
        let compiled = Pattern::compile(pattern, &self.over_values);
        self.keep(compiled, path)
    }

    /// A pattern that only an equal value matches.
    pub(crate) fn equal(&mut self, value: &Value, path: &Path) -> Option<Pattern> {
        self.value(&json!({ "$eq": value }), path)
    }

    /// What was compiled, if there was no fault.
    pub(crate) fn finish<T>(self, compiled: T) -> Result<T, Vec<Fault>> {
        if self.faults.is_empty() { Ok(compiled) } else { Err(self.faults) }
    }

    fn keep<T>(&mut self, compiled: Result<T, PatternErrors>, path: &Path) -> Option<T> {
        match compiled {
            Ok(compiled) => Some(compiled),
            Err(errors) => {
                for fault in errors.faults() {
                    let inner = fault.path().segments().iter().map(|segment| match segment {
                        Segment::Key(key) => windtunnel_doc::Segment::Key(key.clone()),
                        Segment::Index(index) => windtunnel_doc::Segment::Index(*index),
                    });
                    let mut located = Fault::new(path.join(&inner.collect()), fault.message());
                    located.help = fault.help();
                    if matches!(fault.kind(), FaultKind::UnknownKey { .. }) {
                        located = located.at_key();
                    }
                    self.faults.push(located);
                }
                None
            }
        }
    }
}

/// Identifiers of events compare whole, and `tool` by the tool-name rule.
fn event_options() -> Options {
    Options::new()
        .whole_fields(["kind", "server", "source", "role", "wire", "witness"])
        .field("tool", FieldRule::custom(is_tool))
}

fn is_tool(bare: &str, event: &Value) -> bool {
    let is_bare = |name: &Value| name.as_str() == Some(bare);
    event.get("tool").is_some_and(is_bare)
        || event.get(BARE_NAMES).and_then(Value::as_array).is_some_and(|names| names.iter().any(is_bare))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let prefix = &value[..value.len() - 1];
            assert!(matches(json!({ field: value }), json!({ field: value })), "{field}");
            assert!(!matches(json!({ field: prefix }), json!({ field: value })), "{field}");
        }
        assert!(matches(json!({"content": "one$"}), json!({"content": "done"})));
        assert!(matches(json!({"args": {"kind": "safe"}}), json!({"args": {"kind": "unsafe"}})));
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
