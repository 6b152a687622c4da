//! A check of one observed value, as the outcome layer and policies use it.

use serde_json::Value;
use windtunnel_api::scenario::ObservationCheck;
use windtunnel_doc::{Path, nearest};
use windtunnel_pattern::{Pattern, excerpt};

use crate::findings::Finding;
use crate::patterns::Compiler;
use crate::text::excerpt::list;
use crate::view::View;

/// Characters of an observed value that a message shows.
const SHOWN: usize = 200;

/// Keys of an observed object that a message lists.
const KEYS_SHOWN: usize = 20;

/// A compiled check.
#[derive(Debug)]
pub(crate) struct Observed {
    source: String,
    pointer: String,
    expected: Expected,
}

#[derive(Debug)]
enum Expected {
    Matches(Pattern),
    Exists(bool),
}

impl Observed {
    /// The check at `path`, if it has no fault. Whether exactly one expectation is given is for [`Scenario::validate`] to say.
    ///
    /// [`Scenario::validate`]: windtunnel_api::Scenario::validate
    pub(crate) fn compile(check: &ObservationCheck, path: &Path, compiler: &mut Compiler) -> Option<Self> {
        let pattern = match (&check.equals, &check.matches) {
            (Some(value), _) => Some(compiler.equal(value, &path.clone().then("equals"))?),
            (None, Some(pattern)) => Some(compiler.value(pattern, &path.clone().then("matches"))?),
            (None, None) => None,
        };
        let expected = pattern.map(Expected::Matches).or(check.exists.map(Expected::Exists))?;
        Some(Self { source: check.source.clone(), pointer: check.path.clone(), expected })
    }

    pub(crate) fn judge(&self, view: &View<'_>) -> Finding {
        let Self { source, pointer, expected } = self;
        let Some(observed) = view.observation(source) else {
            return Err(nothing_observed(source, &view.observed()));
        };
        let place = format!("observations.{source}{pointer}");
        let value = observed.pointer(pointer);
        match expected {
            Expected::Matches(pattern) => match value {
                None => {
                    Err(format!("{place}: expected {pattern}, found nothing; {}", missing(observed, pointer)))
                }
                Some(value) => match pattern.explain(value) {
                    None => Ok(format!("{place} is {pattern}")),
                    Some(mismatch) => Err(format!("{place}: {mismatch}")),
                },
            },
            Expected::Exists(true) => match value {
                Some(Value::Null) => Err(format!("{place}: expected a value, found null")),
                Some(_) => Ok(format!("{place} is there")),
                None => {
                    Err(format!("{place}: expected a value, found nothing; {}", missing(observed, pointer)))
                }
            },
            Expected::Exists(false) => match value {
                None | Some(Value::Null) => Ok(format!("{place} is absent")),
                Some(value) => Err(format!("{place}: expected nothing, found {}", excerpt(value, SHOWN))),
            },
        }
    }
}

/// A probe that captured nothing proves nothing, not even that something is absent.
pub(crate) fn nothing_observed(source: &str, observed: &[&str]) -> String {
    if observed.is_empty() {
        return format!("nothing was observed as {source:?}; there is no observation at all");
    }
    format!("nothing was observed as {source:?}; there is {}", list(observed))
}

/// How far a pointer leads, and what is there instead.
fn missing(root: &Value, pointer: &str) -> String {
    let stops = pointer.rmatch_indices('/').find_map(|(end, _)| {
        let reached = pointer.get(..end)?;
        Some((reached, root.pointer(reached)?, pointer.get(end + 1..)?))
    });
    let Some((reached, value, rest)) = stops else {
        return format!("{pointer:?} is no JSON Pointer");
    };
    let wanted = rest.split('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
    let at = if reached.is_empty() { "the observation" } else { reached };
    match value {
        Value::Object(members) => {
            let keys: Vec<&str> = members.keys().map(String::as_str).collect();
            match nearest(&wanted, keys.iter().copied()) {
                Some(near) => format!("{at} has no {wanted:?}; did you mean {near:?}?"),
                None if keys.is_empty() => format!("{at} is empty"),
                None => {
                    let more = if keys.len() > KEYS_SHOWN { ", …" } else { "" };
                    format!("{at} has no {wanted:?}; it has {}{more}", list(keys.iter().take(KEYS_SHOWN)))
                }
            }
        }
        Value::Array(items) => format!("{at} has {} items and no {wanted:?}", items.len()),
        plain => format!("{at} is {}", excerpt(plain, SHOWN)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    fn judge(check: Value, observed: Value) -> Finding {
        let mut trace = fixture::trace();
        trace.observations.insert("ws".into(), observed);
        let events = crate::events::events(&trace);
        let check: ObservationCheck = serde_json::from_value(check).unwrap();
        let mut compiler = Compiler::new(vec![]);
        let observed = Observed::compile(&check, &Path::root(), &mut compiler);
        compiler.finish(observed.unwrap()).unwrap().judge(&View::new(&trace, &events))
    }

    #[test]
    fn values_are_compared_by_value_pattern_or_presence() {
        let observed =
            json!({"files": {"out.md": {"text": "safe", "size": 4}, "a/b": {}, "~": 1}, "rows": [1, null]});
        for (check, passed) in [
            (json!({"path": "/files/out.md/size", "equals": 4.0}), true),
            (json!({"path": "/files/out.md/size", "equals": "4"}), false),
            (json!({"path": "/files/out.md", "equals": {"size": 4, "text": "safe"}}), true),
            (json!({"path": "/files/out.md", "equals": {"text": "safe"}}), false),
            (json!({"path": "/files/out.md", "matches": {"text": "^sa"}}), true),
            (json!({"path": "/files/out.md", "matches": {"text": "^af"}}), false),
            (json!({"path": "/files/a~1b", "exists": true}), true),
            (json!({"path": "/files/~0", "exists": true}), true),
            (json!({"path": "/files/other", "exists": true}), false),
            (json!({"path": "/files/other", "exists": false}), true),
            (json!({"path": "/rows/0", "exists": false}), false),
            (json!({"path": "/rows/1", "exists": true}), false),
            (json!({"path": "/rows/1", "exists": false}), true),
            (json!({"path": "/rows/-", "exists": false}), true),
            (json!({"path": "", "matches": {"rows": []}}), true),
        ] {
            let mut check = check;
            check["source"] = json!("ws");
            assert_eq!(judge(check.clone(), observed.clone()).is_ok(), passed, "{check}");
        }
    }

    #[test]
    fn a_failure_says_where_and_what_is_there_instead() {
        let observed = json!({"files": {"out.md": {"text": "UNSAFE"}}, "rows": [1]});
        for (check, expected) in [
            (
                json!({"source": "ws", "path": "/files/out.md", "matches": {"text": "^safe"}}),
                r#"observations.ws/files/out.md: text: expected /^safe/, found "UNSAFE""#,
            ),
            (
                json!({"source": "ws", "path": "/files/out.mb", "exists": true}),
                r#"observations.ws/files/out.mb: expected a value, found nothing; /files has no "out.mb"; did you mean "out.md"?"#,
            ),
            (
                json!({"source": "ws", "path": "/x/y", "equals": 1}),
                r#"observations.ws/x/y: expected 1, found nothing; the observation has no "x"; it has "files", "rows""#,
            ),
            (
                json!({"source": "ws", "path": "/rows/3", "exists": true}),
                r#"observations.ws/rows/3: expected a value, found nothing; /rows has 1 items and no "3""#,
            ),
            (
                json!({"source": "ws", "path": "/rows/0/id", "exists": true}),
                "observations.ws/rows/0/id: expected a value, found nothing; /rows/0 is 1",
            ),
            (
                json!({"source": "ws", "path": "/rows", "exists": false}),
                "observations.ws/rows: expected nothing, found [1]",
            ),
        ] {
            assert_eq!(judge(check, observed.clone()).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_probe_that_captured_nothing_does_not_prove_absence() {
        let found = judge(json!({"source": "db", "path": "/rows", "exists": false}), json!({}));
        assert_eq!(found.unwrap_err(), r#"nothing was observed as "db"; there is "ws""#);
    }
}
