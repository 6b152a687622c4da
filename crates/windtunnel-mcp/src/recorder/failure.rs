//! What an agent sees of a tool that is made to fail.

use std::time::Duration;

use serde_json::{Value, json};
use windtunnel_spi::InjectedFailure;

/// What stands in for the tool's answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Injection {
    /// This `result`.
    Result(Value),
    /// No answer for this long, and then an error.
    Silence(Duration),
}

/// The stand-in for an answer of the tool, called with these arguments.
pub(crate) fn injection(failure: InjectedFailure, tool: &str, args: &Value) -> Injection {
    match failure {
        InjectedFailure::MalformedJson => {
            Injection::Result(text(r#"{"status": "ok", "result": {"items": [{"id": 1, "na"#))
        }
        InjectedFailure::EmptyUnexpected => Injection::Result(json!({ "content": [] })),
        InjectedFailure::SchemaError => Injection::Result(rejection(tool, args)),
        InjectedFailure::Timeout(hold) => Injection::Silence(hold),
    }
}

/// What a call ends with that was held for this long.
pub(crate) fn timed_out(hold: Duration) -> String {
    format!("Request timed out: the tool gave no answer within {} s", hold.as_secs_f64())
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
            Injection::Silence(hold) => Outcome::Error(timed_out(hold)),
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
        assert_eq!(
            evidence(InjectedFailure::Timeout(Duration::from_millis(1500))),
            Outcome::Error("Request timed out: the tool gave no answer within 1.5 s".to_owned())
        );
    }
}
