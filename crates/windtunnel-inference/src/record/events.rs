//! What was asked and called, in the order it was witnessed.

use std::collections::HashMap;

use windtunnel_api::Evidence;
use windtunnel_spi::Stamped;

use super::reading::Request;
use crate::script::ServedNames;
use crate::seam::OwnCall;

/// The requests, and the calls of tools whose results came back in one of them; `named` says whose tool an offered name means.
///
/// Calls that reach a tool server are left to its recorder.
pub(super) fn events(
    requests: &[Request],
    reach: &ServedNames,
    named: impl Fn(&str) -> (String, String),
) -> Vec<Stamped<Evidence>> {
    let mut events: Vec<Stamped<Evidence>> = Vec::new();
    let mut expected: HashMap<&str, OwnCall> = HashMap::new();
    for request in requests {
        for result in &request.results {
            if let Some(call) = expected.remove(result.call_id.as_str()) {
                events.push(call.answered(result.clone(), request.at));
            }
        }
        events.push(request.evidence());
        let Ok(reply) = &request.answer else { continue };
        for call in &reply.tool_calls {
            if !reach.reaches_server(&call.name, &request.read.offered) {
                let ((server, tool), args) = (named(&call.name), call.arguments_value());
                expected.insert(&call.id, OwnCall { server, tool, args, asked: request.at });
            }
        }
    }
    events.sort_by_key(|event| event.stamp);
    events
}
