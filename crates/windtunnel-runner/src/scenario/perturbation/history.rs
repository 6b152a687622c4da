//! Messages that stand before a user turn, as the model sees them.

use serde_json::{Map, Value, json};
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::scenario::{Perturbation, PerturbationKind};
use windtunnel_spi::Message;

use super::target::Target;
use super::{made_up, marker};

/// How a system message with saved memory begins.
const MEMORY: &str = "Relevant saved memory:";

/// What stands before one user turn.
#[derive(Debug, Default, PartialEq)]
pub(in crate::scenario) struct Earlier {
    memory: Vec<String>,
    messages: Vec<Message>,
    markers: Vec<String>,
}

impl Earlier {
    /// The markers of what is here.
    pub(in crate::scenario) fn markers(&self) -> &[String] {
        &self.markers
    }

    /// The messages of the turn: what stands before it, and what the user says. All memory is in one system message.
    pub(in crate::scenario) fn then(&self, user: &str) -> Vec<Message> {
        let memory = (!self.memory.is_empty()).then(|| {
            let lines: Vec<String> = self.memory.iter().map(|line| format!("- {line}")).collect();
            Message::system(format!("{MEMORY}\n{}", lines.join("\n")))
        });
        memory.into_iter().chain(self.messages.iter().cloned()).chain([Message::user(user)]).collect()
    }

    /// Adds what a perturbation puts before the turn.
    ///
    /// ```text
    /// blank_assistant_content         a call with its result, and an assistant turn that says nothing
    /// fallback_render_leak            an assistant turn whose text is a raw call, `tool: {…}`
    /// malformed_tool_call             a call with misnamed arguments, and an empty result
    /// inject_wrong_prior_tool_call    a call of a plausible wrong tool, and a plausible wrong result
    /// inject_schema_rejected_call     a call with invalid values, and the error of a validator
    /// inject_pagination_truncation    a call, and the first page of its result, with `hasMore: true`
    /// inject_stale_memory             a line of memory
    /// ```
    pub(super) fn add(
        &mut self,
        index: usize,
        turn: usize,
        perturbation: &Perturbation,
        target: &Target<'_>,
    ) {
        use PerturbationKind as Kind;
        let mut called = |arguments: &Map<String, Value>, result: String| {
            self.messages.extend(call(&format!("call_prior_{index}"), &target.tool, arguments, result));
        };
        let arguments = made_up::arguments(target);
        let marker = match perturbation.kind {
            Kind::BlankAssistantContent => {
                called(&arguments, made_up::result(target, &arguments).to_string());
                self.messages.push(Message::assistant(""));
                marker(perturbation, "turn_idx", turn)
            }
            Kind::FallbackRenderLeak => {
                let raw = json!({ "name": target.tool, "arguments": arguments });
                self.messages.push(Message::assistant(format!("tool: {raw}")));
                marker(perturbation, "turn_idx", turn)
            }
            Kind::MalformedToolCall => {
                called(&made_up::misnamed(arguments), String::new());
                marker(perturbation, "tool", &target.tool)
            }
            Kind::InjectSchemaRejectedCall => {
                let (arguments, why) = made_up::rejected(target);
                called(&arguments, why);
                marker(perturbation, "tool", &target.tool)
            }
            Kind::InjectPaginationTruncation => {
                called(&arguments, made_up::first_page(target, &arguments).to_string());
                marker(perturbation, "turn_idx", turn)
            }
            Kind::InjectStaleMemory => {
                let key = perturbation.key.as_deref().unwrap_or_default();
                let value = perturbation.value.clone().unwrap_or_else(|| made_up::memory(key));
                self.memory.push(format!("{key}: {value}"));
                marker(perturbation, "key", key)
            }
            Kind::InjectWrongPriorToolCall => {
                called(&arguments, made_up::result(target, &arguments).to_string());
                marker(perturbation, "tool", &target.tool)
            }
            // These make a tool fail and put nothing into a history.
            Kind::MalformedJson | Kind::Timeout | Kind::EmptyUnexpected | Kind::SchemaError => return,
        };
        self.markers.push(marker);
    }
}

/// An earlier call and its result, as OpenAI Chat Completions writes them.
fn call(id: &str, tool: &str, arguments: &Map<String, Value>, result: String) -> [Message; 2] {
    let arguments = Value::from(arguments.clone()).to_string();
    let function = json!({ "name": tool, "arguments": arguments });
    let call = json!({ "id": id, "type": "function", "function": function });
    let asked = Message { tool_calls: vec![call], ..Message::assistant("") };
    let answered = Message {
        role: Role::Tool,
        content: result,
        tool_calls: Vec::new(),
        tool_call_id: Some(id.to_owned()),
    };
    [asked, answered]
}
