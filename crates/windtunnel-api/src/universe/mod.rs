//! Universe files: recorded tool calls that are served again.
//!
//! `*.universe.json`, with `windtunnel_universe: 1`. A call finds its recording by its arguments; what is asked beyond the
//! recordings is a miss, which a policy answers and evidence shows.
//!
//! ```
//! use windtunnel_api::universe::Universe;
//! use windtunnel_doc::{Document, Format, Limits};
//!
//! let text = r#"{
//!   "windtunnel_universe": 1,
//!   "tools": [{"name": "get_order", "input_schema": {"type": "object"}}],
//!   "recordings": [{"tool_name": "get_ordr", "args": {"id": 7}, "result": {"status": "paid"}}]
//! }"#;
//! let document = Document::parse("orders.universe.json", text, Format::Json, &Limits::default())?;
//! assert_eq!(
//!     Universe::of_document(&document).unwrap_err().to_string(),
//!     "orders.universe.json:4:32: recordings[0].tool_name: no tool is called \"get_ordr\"; did you mean \"get_order\"?"
//! );
//! # Ok::<(), windtunnel_doc::Diagnostics>(())
//! ```

pub mod canonical;
mod check;
mod slips;
mod spec;

pub use spec::{MatchMode, Matching, MissPolicy, RecordedCall, UNIVERSE_VERSION, Universe, UniverseTool};
