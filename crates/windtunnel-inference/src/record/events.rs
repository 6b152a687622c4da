//! What was asked and called, in the order it was witnessed.

use windtunnel_api::Evidence;
use windtunnel_spi::Stamped;

use super::reading::Request;
use crate::script::ServedNames;
use crate::seam::{OwnCall, OwnCalls};

/// The requests, and the calls of tools whose results came back in one of them; and the calls that were decided, but of which no result
/// came back. `named` says whose tool an offered name means.
///
/// Calls that reach a tool server are left to its recorder.
pub(super) fn events(
    requests: &[Request],
    reach: &ServedNames,
    named: impl Fn(&str) -> (String, String),
) -> (Vec<Stamped<Evidence>>, OwnCalls) {
    let mut events = Vec::new();
    let mut expected = OwnCalls::default();
    for request in requests {
        events.extend(expected.witnessed(request.results.clone(), request.at));
        events.push(request.evidence());
        let Ok(reply) = &request.answer else { continue };
        for call in &reply.tool_calls {
            if !reach.reaches_server(&call.name, &request.read.offered) {
                let (server, tool) = named(&call.name);
                expected.expect(&call.id, OwnCall { server, tool, ..OwnCall::of(call, request.at) });
            }
        }
    }
    events.sort_by_key(|event| event.stamp);
    (events, expected)
}
