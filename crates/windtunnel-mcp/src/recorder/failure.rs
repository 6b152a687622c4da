//! What an agent sees of a tool that is made to fail.

use serde_json::{Value, json};
use windtunnel_spi::InjectedFailure;

/// What stands in for the tool's answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Injection {
    /// This `result`.
    Result(Value),
    /// No answer at all.
    Silence,
}

/// The stand-in for an answer of the tool, called with these arguments.
pub(crate) fn injection(failure: InjectedFailure, tool: &str, args: &Value) -> Injection {
    match failure {
        InjectedFailure::MalformedJson => {
            Injection::Result(text(r#"{"status": "ok", "result": {"items": [{"id": 1, "na"#))
        }
        InjectedFailure::EmptyUnexpected => Injection::Result(json!({ "content": [] })),
        InjectedFailure::SchemaError => Injection::Result(rejection(tool, args)),
        InjectedFailure::Timeout => Injection::Silence,
    }
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// Rejects the arguments in the words of a schema validator, naming one that is there.
fn rejection(tool: &str, args: &Value) -> Value {
    let first = args.as_object().and_then(|args| args.iter().next());
    let why = match first {
        Some((name, value)) => format!("{value} is not valid for `{name}`"),
        None => "a required property is missing".to_owned(),
    };
    let mut result = text(&format!("Input validation error in {tool}: {why}"));
    result["isError"] = Value::Bool(true);
    result
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    fn evidence(failure: InjectedFailure) -> Outcome {
        match injection(failure, "lookup", &json!({"id": 7})) {
            Injection::Result(result) => Outcome::of_result(&result.to_string()).unwrap(),
            Injection::Silence => Outcome::Error("silence".to_owned()),
        }
    }

    #[test]
    fn every_failure_is_what_its_name_says() {
        let Outcome::Result(Value::String(text)) = evidence(InjectedFailure::MalformedJson) else {
            panic!("a text")
        };
        assert!(serde_json::from_str::<Value>(&text).is_err());
        assert_eq!(evidence(InjectedFailure::EmptyUnexpected), Outcome::Result(json!([])));
        assert_eq!(
            evidence(InjectedFailure::SchemaError),
            Outcome::Error("Input validation error in lookup: 7 is not valid for `id`".to_owned())
        );
        assert_eq!(evidence(InjectedFailure::Timeout), Outcome::Error("silence".to_owned()));
    }
}
