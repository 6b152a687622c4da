//! Scripted faults as they go over a socket.

use hyper::{Response, StatusCode};
use windtunnel_api::{FaultKind, InferenceFault};

use super::answer;
use super::stream::{Ending, Hangup, Outgoing};
use crate::chat::ChatReply;
use crate::script::fault_message;
use crate::wire::{Protocol, ReplyTo, WireError};

/// What a fault answers to the request of this number; `reply` is what the answer would have been, where the fault needs it.
///
/// ```text
/// kind         | streamed                                | whole
/// status       | the provider's error with that status   | the same
/// disconnect   | nothing, the connection is closed       | the same
/// cut          | half of the events, then closed         | half of the promised length, then closed
/// stream_error | half of the events, then an error event | the provider's error
/// malformed    | half of the events, then one is broken  | half of the document, as if it were all
/// stall        | half of the events, then nothing        | half of the promised length, then nothing
/// truncated    | an answer that ends for its length      | the same
/// ```
pub(super) fn response(
    fault: &InferenceFault,
    reply: Option<&ChatReply>,
    protocol: &dyn Protocol,
    to: &ReplyTo<'_>,
    number: u64,
) -> Result<Response<Outgoing>, Hangup> {
    let status = fault.status.unwrap_or_else(|| protocol.failing_status());
    let message = fault_message(fault, status);
    let error = WireError::new(status, &message).to_request(number);
    let reply = match (fault.kind, reply) {
        (FaultKind::Disconnect, _) => return Err(Hangup),
        (FaultKind::Status, _) | (_, None) => {
            let mut response = answer::response(status, protocol.error(&error));
            answer::retry_after(&mut response, fault);
            return Ok(response);
        }
        (_, Some(reply)) => reply,
    };
    Ok(match fault.kind {
        FaultKind::StreamError => {
            let (status, payload) = protocol.failing_reply(reply, to, &error);
            answer::response(status, payload)
        }
        FaultKind::Cut => answer::broken(protocol.reply(reply, to), Ending::Cut),
        FaultKind::Stall => answer::broken(protocol.reply(reply, to), Ending::Never),
        FaultKind::Malformed => answer::malformed(&protocol.reply(reply, to), protocol.malformed_frame()),
        FaultKind::Truncated | FaultKind::Status | FaultKind::Disconnect => {
            answer::response(StatusCode::OK.as_u16(), protocol.reply(reply, to))
        }
    })
}
