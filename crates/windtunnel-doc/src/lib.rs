//! Spanned TOML, YAML and JSON documents, and one deserializer over them that reports every fault.
//!
//! This is the lowest crate: all others that read files read them through a [`Document`]. It knows
//! values and places, not what they mean; what a value means, and which [`Fault`]s it has, is said by
//! `windtunnel-api` and the crates above it.
//!
//! ```
//! use serde::Deserialize;
//! use windtunnel_doc::{Document, Fault, Format, Limits, Path};
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Pack {
//!     name: String,
//!     #[serde(default)]
//!     jobs: Option<u8>,
//! }
//!
//! let text = "nmae = \"quickstart\"\njobs = 1000\n";
//! let document = Document::parse("pack.toml", text, Format::Toml, &Limits::default())?;
//! let faults = document.decode::<Pack>().unwrap_err();
//! assert_eq!(
//!     faults.to_string(),
//!     "pack.toml:1:1: nmae: unknown field \"nmae\"; expected one of name, jobs; did you mean \"name\"?\n\
//!      pack.toml:2:8: jobs: expected an integer from 0 to 255, found integer 1000"
//! );
//!
//! let document = Document::parse("pack.toml", "name = \"\"", Format::Toml, &Limits::default())?;
//! let pack: Pack = document.decode()?;
//! let empty = Fault::new(Path::root().then("name"), "a pack needs a name");
//! let faults = if pack.name.is_empty() { vec![empty] } else { Vec::new() };
//! assert_eq!(
//!     document.diagnose(faults).unwrap_err().to_string(),
//!     "pack.toml:1:8: name: a pack needs a name"
//! );
//! # Ok::<(), windtunnel_doc::Diagnostics>(())
//! ```

mod decode;
mod diagnostic;
mod diagnostics;
mod document;
mod fault;
mod format;
mod limits;
mod nearest;
mod node;
mod parse;
mod path;
mod source;

pub use diagnostic::Diagnostic;
pub use diagnostics::{Diagnostics, Report};
pub use document::Document;
pub use fault::{At, Fault};
pub use format::Format;
pub use limits::Limits;
pub use nearest::nearest;
pub use node::{Key, Node, NodeValue};
pub use path::{Path, Segment};
pub use source::Position;
