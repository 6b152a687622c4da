//! Messages that stand before a user turn, as the model sees them.

use serde_json::{Map, Value, json};
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::scenario::{Perturbation, PerturbationKind};
use windtunnel_spi::Message;

use super::handed::Inserted;
use super::target::Target;
use super::{made_up, named};

/// How a system message with saved memory begins.
const MEMORY: &str = "Relevant saved memory:";

/// What stands before one user turn.
#[derive(Debug, Default, PartialEq)]
pub(in crate::scenario) struct Earlier {
    memory: Vec<String>,
    messages: Vec<Message>,
    inserted: Vec<Inserted>,
}

impl Earlier {
    /// What is here, by perturbation.
    pub(in crate::scenario) fn inserted(&self) -> &[Inserted] {
        &self.inserted
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
        let id = format!("call_prior_{index}");
        let mut called = |arguments: &Map<String, Value>, result: String| {
            self.messages.extend(call(&id, &target.tool, arguments, result.clone()));
            vec![id.clone(), result]
        };
        let arguments = made_up::arguments(target);
        let (key, texts) = match perturbation.kind {
            Kind::BlankAssistantContent => {
                let texts = called(&arguments, made_up::result(target, &arguments).to_string());
                self.messages.push(Message::assistant(""));
                (("turn_idx", turn.to_string()), texts)
            }
            Kind::FallbackRenderLeak => {
                let raw = json!({ "name": target.tool, "arguments": arguments });
                let text = format!("tool: {raw}");
                self.messages.push(Message::assistant(&text));
                (("turn_idx", turn.to_string()), vec![text])
            }
            Kind::MalformedToolCall => {
                let misnamed = made_up::misnamed(arguments);
                let mut texts = called(&misnamed, String::new());
                texts.push(Value::from(misnamed).to_string());
                (("tool", target.tool.clone()), texts)
            }
            Kind::InjectSchemaRejectedCall => {
                let (arguments, why) = made_up::rejected(target);
                (("tool", target.tool.clone()), called(&arguments, why))
            }
            Kind::InjectPaginationTruncation => {
                let page = made_up::first_page(target, &arguments).to_string();
                (("turn_idx", turn.to_string()), called(&arguments, page))
            }
            Kind::InjectStaleMemory => {
                let key = perturbation.key.as_deref().unwrap_or_default();
                let value = perturbation.value.clone().unwrap_or_else(|| made_up::memory(key));
                let line = format!("{key}: {value}");
                self.memory.push(line.clone());
                (("key", key.to_owned()), vec![line])
            }
            Kind::InjectWrongPriorToolCall => {
                let result = made_up::result(target, &arguments).to_string();
                (("tool", target.tool.clone()), called(&arguments, result))
            }
            // These make a tool fail and put nothing into a history.
            Kind::MalformedJson | Kind::Timeout | Kind::EmptyUnexpected | Kind::SchemaError => return,
        };
        let is_system = perturbation.kind == Kind::InjectStaleMemory;
        self.inserted.push(Inserted::new(named(perturbation, key.0, key.1), texts, is_system));
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
