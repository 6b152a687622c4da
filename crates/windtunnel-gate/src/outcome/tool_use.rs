//! `requires_tool_use`: a run without any call fails, even if the facts are there.

use crate::calls::Calls;
use crate::findings::Finding;

pub(crate) fn check(calls: &Calls<'_>) -> Finding {
    if calls.list.is_empty() {
        Err(format!("requires_tool_use: expected a tool call; {calls}"))
    } else {
        Ok(format!("requires_tool_use: {calls}"))
    }
}
