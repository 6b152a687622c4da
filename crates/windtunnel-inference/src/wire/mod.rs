//! Provider wires: how a request is read and an answer written. One module per wire, behind one trait.

mod address;
mod anthropic_messages;
mod error;
mod events;
pub(crate) mod openai_chat;
mod openai_responses;
mod payload;
mod pieces;
mod protocol;
mod request;
mod value;

pub(crate) use self::address::{asks_for_web_socket, base_url, below_version, of_path, speaker, variables};
pub(crate) use self::error::WireError;
pub(crate) use self::events::EventWriter;
pub(crate) use self::payload::Payload;
pub(crate) use self::protocol::Protocol;
pub(crate) use self::request::{Delivery, Operation, ReplyTo, ToolForm, WireRequest};

/// The id of a request, by its number.
pub(crate) fn request_id(number: u64) -> String {
    format!("req_wt_{number}")
}

/// The moment every answer says it was made at, in seconds since the Unix epoch, so that two runs are the same.
pub(crate) const CREATED: u64 = 1_767_225_600;

/// Every wire that is spoken. The first one speaks where a client does not say which it expects.
pub(crate) const ALL: [&dyn Protocol; 3] =
    [&openai_chat::OpenAiChat, &openai_responses::OpenAiResponses, &anthropic_messages::AnthropicMessages];
