//! A surface as it was seen.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a model is told besides the conversation, as a trace keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// How it is known.
    pub status: SurfaceStatus,
    /// Instructions, in their order.
    pub system_instructions: Vec<Instruction>,
    /// The tools as they are offered, in their order and in the shape of the wire.
    pub tool_definitions: Vec<Value>,
    /// Whatever else is told.
    pub extra_segments: Vec<Segment>,
}

/// How a surface is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceStatus {
    /// Seen at our own inference seam.
    Rendered,
    /// The agent says so.
    Reported,
    /// Nobody knows.
    #[default]
    Unavailable,
    /// The agent reports something that is no surface.
    Invalid,
}

/// A piece of the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// Its type, as `text`.
    pub r#type: String,
    /// Its text.
    pub content: String,
}

/// A named piece of something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name.
    pub name: String,
    /// Its text.
    pub content: String,
}
