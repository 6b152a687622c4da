//! Documents of answers, as strict as clients need them.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::exchange::{ChatDelta, ChatReply, ToolCall, ToolCallDelta};
use crate::openai::{Call, CallNumbers, Kind, TooManyCalls};

/// What all documents of one answer begin with.
#[derive(Debug)]
pub(super) struct Heading {
    id: String,
    model: String,
    /// Unique among the calls of a conversation, also where an agent names none.
    call_prefix: String,
}

impl Heading {
    pub(super) fn new(session: &str, model: String) -> Self {
        Self { id: format!("chatcmpl-{session}"), model, call_prefix: format!("call_{session}") }
    }

    fn call_id(&self, index: u32) -> String {
        format!("{}_{index}", self.call_prefix)
    }

    fn document<C: Serialize>(&self, object: &'static str, choices: C, usage: Option<&str>) -> String {
        let document = Document {
            id: &self.id,
            object,
            created: 0,
            model: &self.model,
            choices,
            usage: usage.and_then(|usage| serde_json::from_str(usage).ok()),
        };
        // Texts and numbers alone; they always serialize.
        serde_json::to_string(&document).unwrap_or_default()
    }

    /// The document of a whole answer.
    pub(super) fn whole(&self, reply: ChatReply) -> String {
        let ChatReply { content, reasoning, tool_calls, finish_reason, usage } = reply;
        let tool_calls = (0..).zip(tool_calls).map(|(index, call)| {
            let id = if call.id.is_empty() { self.call_id(index) } else { call.id };
            Call::from(ToolCall { id, ..call })
        });
        let message = Message {
            role: "assistant",
            content,
            reasoning_content: reasoning,
            tool_calls: tool_calls.collect(),
        };
        let choice = WholeChoice { index: 0, message, finish_reason };
        self.document("chat.completion", [choice], usage.as_deref())
    }
}

#[derive(Serialize)]
struct Document<'a, C> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct WholeChoice {
    index: u32,
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Serialize)]
struct Message {
    role: &'static str,
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
}

/// Makes the chunks of a streamed answer.
#[derive(Debug)]
pub(super) struct Chunks {
    heading: Heading,
    has_begun: bool,
    numbers: CallNumbers,
    /// Of each call that has begun, whether it has arguments.
    calls: Vec<bool>,
}

impl Chunks {
    pub(super) fn new(heading: Heading) -> Self {
        Self { heading, has_begun: false, numbers: CallNumbers::default(), calls: Vec::new() }
    }

    /// The chunk of a piece, and one for its usage where it has any.
    pub(super) fn take(&mut self, delta: ChatDelta) -> Result<(String, Option<String>), TooManyCalls> {
        let ChatDelta { content, reasoning, tool_calls, finish_reason, usage } = delta;
        let mut pieces = Vec::with_capacity(tool_calls.len());
        for piece in tool_calls {
            let piece = self.numbers.take(piece.into())?;
            pieces.push(self.piece(piece));
        }
        if finish_reason.is_some() {
            self.complete(&mut pieces);
        }
        let delta = Delta {
            role: (!std::mem::replace(&mut self.has_begun, true)).then_some("assistant"),
            content,
            reasoning_content: reasoning,
            tool_calls: pieces,
        };
        let choice = ChunkChoice { index: 0, delta, finish_reason };
        let chunk = self.heading.document("chat.completion.chunk", [choice], None);
        let usage = usage.map(|usage| {
            let no_choices: [(); 0] = [];
            self.heading.document("chat.completion.chunk", no_choices, Some(&usage))
        });
        Ok((chunk, usage))
    }

    /// A call's first piece has everything that a client needs; later ones do not even say `null`, which some take for a new value.
    fn piece(&mut self, piece: ToolCallDelta) -> Piece {
        let ToolCallDelta { index, id, name, arguments } = piece;
        let arguments = arguments.unwrap_or_default();
        let has_arguments = !arguments.is_empty();
        if let Some(has_some) = usize::try_from(index).ok().and_then(|place| self.calls.get_mut(place)) {
            *has_some |= has_arguments;
            return Piece { index, id: None, kind: None, function: Function { name, arguments } };
        }
        self.calls.push(has_arguments);
        let id = id.unwrap_or_else(|| self.heading.call_id(index));
        let function = Function { name: Some(name.unwrap_or_default()), arguments };
        Piece { index, id: Some(id), kind: Some(Kind::Function), function }
    }

    /// Calls without any arguments get empty ones: no text at all is not JSON.
    fn complete(&self, pieces: &mut Vec<Piece>) {
        for index in
            (0..).zip(&self.calls).filter(|(_, has_arguments)| !**has_arguments).map(|(index, _)| index)
        {
            let arguments = "{}".to_owned();
            if let Some(piece) = pieces.iter_mut().find(|piece| piece.index == index) {
                piece.function.arguments = arguments;
            } else {
                pieces.push(Piece {
                    index,
                    id: None,
                    kind: None,
                    function: Function { name: None, arguments },
                });
            }
        }
    }
}

#[derive(Serialize)]
struct ChunkChoice {
    index: u32,
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Serialize)]
struct Delta {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Piece>,
}

#[derive(Serialize)]
struct Piece {
    index: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    function: Function,
}

#[derive(Serialize)]
struct Function {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    arguments: String,
}
