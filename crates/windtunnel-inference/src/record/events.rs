//! What was asked and called, in the order it was witnessed.

use windtunnel_api::Evidence;
use windtunnel_spi::Stamped;

use super::reading::Request;
use crate::script::ServedNames;
use crate::seam::OwnCall;

/// What was seen of a session, and of calls without a result.
pub(super) struct Events {
    /// The requests, and the calls of tools whose results came back in one of them.
    pub(super) seen: Vec<Stamped<Evidence>>,
    /// The calls that were decided, but of which no result came back.
    pub(super) unanswered: Vec<OwnCall>,
}

/// The events of requests; `named` says whose tool an offered name means. Calls that reach a tool server are left to its recorder.
pub(super) fn events(
    requests: &[Request],
    reach: &ServedNames,
    named: impl Fn(&str) -> (String, String),
) -> Events {
    let mut events: Vec<Stamped<Evidence>> = Vec::new();
    let mut expected: Vec<(&str, OwnCall)> = Vec::new();
    for request in requests {
        for result in &request.results {
            if let Some(index) = expected.iter().position(|(id, _)| *id == result.call_id) {
                let (_, call) = expected.remove(index);
                events.push(call.answered(result.clone(), request.at));
            }
        }
        events.push(request.evidence());
        let Ok(reply) = &request.answer else { continue };
        for call in &reply.tool_calls {
            if !reach.reaches_server(&call.name, &request.read.offered) {
                let ((server, tool), args) = (named(&call.name), call.arguments_value());
                expected.push((&call.id, OwnCall { server, tool, args, asked: request.at }));
            }
        }
    }
    events.sort_by_key(|event| event.stamp);
    Events { seen: events, unanswered: expected.into_iter().map(|(_, call)| call).collect() }
}
