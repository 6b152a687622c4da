//! The inference seam of one case: its script, and the evidence of every request.

mod case_script;
mod history;
mod inference;
mod log;
mod own_calls;
mod request;

pub use self::case_script::CaseScript;
pub(crate) use self::history::{MAX_ANSWERS, Said};
pub use self::inference::InferenceSeam;
pub(crate) use self::log::EvidenceLog;
pub use self::own_calls::ToolResult;
pub(crate) use self::own_calls::{OwnCall, OwnCalls};
pub(crate) use self::request::SeamRequest;
