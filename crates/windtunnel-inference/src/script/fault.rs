//! What scripted failures say.

use hyper::StatusCode;
use windtunnel_api::InferenceFault;

/// The message of a scripted error of this status, over a socket or not.
pub(crate) fn fault_message(fault: &InferenceFault, status: u16) -> String {
    fault.message.clone().unwrap_or_else(|| {
        let reason = match status {
            529 => Some("Overloaded"),
            _ => StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()),
        };
        format!("{} (scripted)", reason.unwrap_or("Error"))
    })
}
