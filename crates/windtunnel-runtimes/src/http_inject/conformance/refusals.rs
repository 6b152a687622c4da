//! Requests that no endpoint should take for a turn.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::finding::{Finding, Rule};
use super::visit::Visit;

const MALFORMED: Rule = Rule {
    name: "refuses-malformed",
    demands: "a request that is no turn is refused with a status of 400 to 499",
};
const VERSIONS: Rule = Rule {
    name: "refuses-versions",
    demands: "a request of an unknown version, or of none, is refused with a status of 400 to 499",
};

pub(super) async fn check(visit: &mut Visit<'_>) -> Vec<Finding> {
    // Where one is taken for a turn after all, a script answers it for nothing.
    let _ = visit.says(&["hello"; 5]).await;
    let turn = visit.turn_body("wt-conformance-5", "Hello.", visit.turn_limit);
    let changed = |field: &str, value: Option<Value>| {
        let mut turn = turn.clone();
        match (value, turn.as_object_mut()) {
            (Some(value), _) => turn[field] = value,
            (None, Some(fields)) => drop(fields.remove(field)),
            (None, None) => {}
        }
        turn.to_string()
    };
    let malformed = [
        ("no text", changed("text", None)),
        ("a text that is a number", changed("text", Some(json!(7)))),
        ("no session_id", changed("session_id", None)),
        ("a body that is no JSON", "{\"wt_inject\": 1, ".to_owned()),
    ];
    let versions = [
        ("wt_inject = 2", changed("wt_inject", Some(json!(2)))),
        ("no wt_inject", changed("wt_inject", None)),
    ];
    vec![refused(visit, MALFORMED, &malformed).await, refused(visit, VERSIONS, &versions).await]
}

async fn refused(visit: &Visit<'_>, rule: Rule, requests: &[(&str, String)]) -> Finding {
    let (mut kept, mut broken) = (Vec::new(), Vec::new());
    for (what, body) in requests {
        match visit.malformed(body.clone()).await {
            Ok(answer) if answer.status.is_client_error() && answer.status != StatusCode::NOT_FOUND => {
                kept.push(format!("{what}: {}", answer.status.as_u16()));
            }
            Ok(answer) => broken.push(format!("{what}: {}", answer.status)),
            Err(lost) => broken.push(format!("{what}: {lost}")),
        }
    }
    if broken.is_empty() { rule.kept(kept.join(", ")) } else { rule.broken(broken.join(", ")) }
}
