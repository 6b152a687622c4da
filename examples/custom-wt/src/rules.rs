//! What decides in the product. Rules are enough for this clerk; where a product asks a language model, its client is here.

use async_trait::async_trait;
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::clerk::{Call, ClerkError, Decision, Mind};

/// Looks an order up, and refunds it if that is asked for and it is paid.
pub(crate) struct Rules;

#[derive(Deserialize)]
struct Order {
    total: u64,
    paid: bool,
}

#[async_trait]
impl Mind for Rules {
    async fn decide(&self, conversation: &[Value], _tools: &[Tool]) -> Result<Decision, ClerkError> {
        let asked = conversation.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
        let (question, since) = match conversation.get(asked..) {
            Some([question, since @ ..]) => (question["content"].as_str().unwrap_or_default(), since),
            Some([]) | None => return Err(ClerkError::Mind("nobody has asked anything".to_owned())),
        };
        let results: Vec<&str> = since
            .iter()
            .filter(|message| message["role"] == "tool")
            .filter_map(|message| message["content"].as_str())
            .collect();
        Ok(next(question, &results))
    }
}

/// The next decision about a question, after these results.
fn next(question: &str, results: &[&str]) -> Decision {
    let words = || question.split(|letter: char| !letter.is_alphanumeric());
    let Some(number) = words().find_map(|word| word.parse::<u32>().ok()) else {
        return says("Which order is it about?".to_owned());
    };
    let Some(found) = results.first() else {
        return calls("read_file", json!({"path": format!("orders/{number}.json")}));
    };
    let Ok(Order { total, paid }) = serde_json::from_str(found) else {
        return says(format!("There is no order {number}."));
    };
    let refund = words().any(|word| word.eq_ignore_ascii_case("refund"));
    match (refund, paid, results.get(1)) {
        (false, _, _) => says(format!("Order {number} cost {total} EUR.")),
        (true, false, _) => says(format!("Order {number} is not paid, so there is nothing to refund.")),
        (true, true, None) => {
            let content = json!({"order": number, "amount": total}).to_string();
            calls("write_file", json!({"path": format!("refunds/{number}.json"), "content": content}))
        }
        (true, true, Some(_)) => says(format!("I refunded {total} EUR for order {number}.")),
    }
}

fn says(text: String) -> Decision {
    Decision { text: Some(text), calls: Vec::new() }
}

fn calls(tool: &str, arguments: Value) -> Decision {
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    let call = Call { id: format!("rule-{tool}"), tool: tool.to_owned(), arguments };
    Decision { text: None, calls: vec![call] }
}
