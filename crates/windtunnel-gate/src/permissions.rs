//! A scenario's answers to an agent that asks for permission.

use serde::Serialize;
use serde_json::Value;
use windtunnel_api::scenario::permission::{PermissionAnswer, PermissionRule};
use windtunnel_doc::{Fault, Path, nearest};
use windtunnel_pattern::Pattern;

use crate::patterns::Compiler;

/// A scenario's rules, compiled for a runtime whose agents ask before they act.
///
/// ```
/// use serde_json::json;
/// use windtunnel_api::scenario::permission::{PermissionAnswer, PermissionRule};
/// use windtunnel_gate::{PermissionRequest, Permissions};
///
/// let rule = PermissionRule { pattern: json!({"tool": "send_mail"}), answer: PermissionAnswer::Reject };
/// let rules = Permissions::compile(&[rule]).map_err(|faults| format!("{faults:?}"))?;
/// let args = json!({"to": "everyone"});
/// let request = PermissionRequest { tool: "send_mail", args: &args, title: "Send a mail", kind: "other" };
/// assert_eq!(rules.answer(&request), Some(PermissionAnswer::Reject));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Permissions(Vec<(Pattern, PermissionAnswer)>);

/// What an agent asks permission for.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PermissionRequest<'a> {
    /// The tool: its bare name where it is one of the tool servers'.
    pub tool: &'a str,
    /// The arguments.
    pub args: &'a Value,
    /// What the agent would show a person.
    pub title: &'a str,
    /// The kind of action, as the agent's protocol names it.
    pub kind: &'a str,
}

impl Permissions {
    /// Compiles the rules.
    ///
    /// # Errors
    /// All faults of all patterns, each with the path of its field, such as `permissions[0].pattern.title`.
    pub fn compile(rules: &[PermissionRule]) -> Result<Self, Vec<Fault>> {
        let mut compiler = Compiler::new(Vec::new());
        let rules = Self(compile(rules, &mut compiler));
        compiler.finish(rules)
    }

    /// The answer of the first rule that matches.
    pub fn answer(&self, request: &PermissionRequest<'_>) -> Option<PermissionAnswer> {
        // Texts and a JSON value have a JSON form.
        let request = serde_json::to_value(request).unwrap_or_default();
        self.0.iter().find(|(pattern, _)| pattern.matches(&request)).map(|(_, answer)| *answer)
    }
}

/// The fields of a request.
const FIELDS: [&str; 4] = ["tool", "args", "title", "kind"];

/// Leaves the faults of the rules with the compiler.
pub(crate) fn check(rules: &[PermissionRule], compiler: &mut Compiler) {
    compile(rules, compiler);
}

fn compile(rules: &[PermissionRule], compiler: &mut Compiler) -> Vec<(Pattern, PermissionAnswer)> {
    let path = |index| Path::root().then("permissions").then(index).then("pattern");
    let rule = |(index, rule): (usize, &PermissionRule)| {
        fields(&rule.pattern, &path(index), compiler);
        Some((compiler.request(&rule.pattern, &path(index))?, rule.answer))
    };
    rules.iter().enumerate().filter_map(rule).collect()
}

/// A pattern that no request could match is a mistake.
fn fields(pattern: &Value, path: &Path, compiler: &mut Compiler) {
    let Value::Object(fields) = pattern else {
        let fault = Fault::new(path.clone(), "expected a table of the fields of a request");
        return compiler
            .fault(fault.with_help("write { tool = \"…\" }, or another of tool, args, title, kind"));
    };
    for name in fields.keys().filter(|name| !name.starts_with('$') && !FIELDS.contains(&name.as_str())) {
        let fault = Fault::new(path.clone().then(name.as_str()), format!("a request has no field {name:?}"));
        let meant =
            nearest(name, FIELDS).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        compiler.fault(fault.at_key().with_help(format!("its fields are {}{meant}", FIELDS.join(", "))));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rule(pattern: Value, answer: PermissionAnswer) -> PermissionRule {
        PermissionRule { pattern, answer }
    }

    #[test]
    fn the_first_rule_that_matches_answers() {
        let rules = Permissions::compile(&[
            rule(json!({"tool": "mail", "args": {"to": "@example\\.org$"}}), PermissionAnswer::Allow),
            rule(json!({"tool": "mail"}), PermissionAnswer::Reject),
            rule(json!({"kind": "execute", "title": "(?i)delete"}), PermissionAnswer::Cancel),
        ])
        .unwrap();
        let inside = json!({"to": "jo@example.org"});
        let outside = json!({"to": "jo@example.com"});
        let none = json!({});
        for (tool, args, title, kind, expected) in [
            ("mail", &inside, "Mail", "other", Some(PermissionAnswer::Allow)),
            ("mail", &outside, "Mail", "other", Some(PermissionAnswer::Reject)),
            ("mail_merge", &inside, "Mail", "other", None),
            ("bash", &none, "Delete it", "execute", Some(PermissionAnswer::Cancel)),
            ("bash", &none, "Delete it", "execute_all", None),
        ] {
            let request = PermissionRequest { tool, args, title, kind };
            assert_eq!(rules.answer(&request), expected, "{request:?}");
        }
    }

    #[test]
    fn a_pattern_that_is_no_table_of_known_fields_is_a_fault() {
        let faults = Permissions::compile(&[
            rule(json!({"tol": "mail", "args": {"anything": 1}}), PermissionAnswer::Allow),
            rule(json!("mail"), PermissionAnswer::Allow),
        ])
        .unwrap_err();
        let told = |fault: &Fault| {
            format!("{}: {}; {}", fault.path, fault.message, fault.help.as_deref().unwrap_or_default())
        };
        insta::assert_snapshot!(faults.iter().map(told).collect::<Vec<_>>().join("\n"), @r#"
        permissions[0].pattern.tol: a request has no field "tol"; its fields are tool, args, title, kind; did you mean "tool"?
        permissions[1].pattern: expected a table of the fields of a request; write { tool = "…" }, or another of tool, args, title, kind
        "#);
    }

    #[test]
    fn every_fault_has_the_path_of_its_rule() {
        let faults = Permissions::compile(&[
            rule(json!({"tool": "(not a regex"}), PermissionAnswer::Allow),
            rule(json!({"title": "("}), PermissionAnswer::Allow),
            rule(json!({"args": {"$nto": 1}}), PermissionAnswer::Allow),
        ])
        .unwrap_err();
        let paths: Vec<_> = faults.iter().map(|fault| fault.path.to_string()).collect();
        assert_eq!(paths, ["permissions[1].pattern.title", "permissions[2].pattern.args.\"$nto\""]);
    }
}
