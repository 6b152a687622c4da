//! The pattern language and its incremental matcher over JSON values.
//!
//! One vocabulary serves every place where a test says what it expects to see: assertions over an agent's events,
//! trajectories and policies over a trace, gates that wait for something to happen. A [`Pattern`] is held against one
//! JSON value; a [`Sequence`] against values as they come, through a [`Matcher`] whose memory does not grow with their
//! number. A [`Window`] keeps the latest of them for the message of a failure.
//!
//! This crate knows JSON values and nothing of agents, files or async. It is the lowest of the crates that judge; what
//! the values mean is said by those that use it.
//!
//! # The language
//!
//! | pattern | matches |
//! |---|---|
//! | object | an object in which every named key is present and matches; `{}` any object and nothing else |
//! | string | a string in which the regular expression is found; never a non-string |
//! | number, boolean, null | an equal value; `3` equals `3.0`, integers compare exactly |
//! | array | an array that holds the elements as an ordered subsequence; `[]` any array |
//! | `{"$eq": v}` | a value equal to `v`, in which nothing is reserved |
//! | `{"$re": s}` | a string in which the regular expression is found |
//! | `{"$any": [P…]}`, `{"$all": [P…]}` | what matches one, or all, of the patterns |
//! | `{"$not": P}` | what is present and does not match `P` |
//! | `{"$exists": true}`, `{"$exists": false}` | what is present and not null; what is absent or null |
//! | `{"$gt": n}`, `$gte`, `$lt`, `$lte` | a number above, from, below, up to `n` |
//!
//! Keys that begin with `$` are reserved. Several in one object have to hold together. A key may be absent only where
//! the pattern admits it: `{"$any": [{"$exists": false}, "^ok$"]}` is a member that is absent, null or matches.
//! [`Options`] makes plain strings compare whole instead, in some fields or everywhere.
//!
//! A list, whether a [`Sequence`] or an array inside a pattern, is matched as a reader would follow it with a finger:
//! anchors take the earliest match and are never reconsidered.
//!
//! | element | meaning |
//! |---|---|
//! | `P`, `{"$until": P}` | an anchor: skip candidates until one matches, and consume it |
//! | `{"$while": P}` | consume the run of matches at the cursor, greedily; it may be empty |
//! | `{"$times": {"of": P, "min": a, "max": b}}` | the same, but the run has to have `a` to `b` matches (default 0 and no limit) |
//! | `{"$never": P}` | no candidate from here to the next anchor matches; without a next anchor, none to the end |
//!
//! A candidate that ends a run is tried against the next element. A `$never` also watches the runs written between it
//! and its anchor; an anchor's own match is never held against it. A list without anchors behind its last run is
//! settled as soon as the run's minimum is reached; a `$never` or a `max` at the end is settled by the end only.
//!
//! # Example
//!
//! ```
//! use serde_json::json;
//! use windtunnel_pattern::{Options, Sequence};
//!
//! let list = [
//!     json!({"kind": "call", "op": "chat"}),
//!     json!({"$never": {"kind": "error"}}),
//!     json!({"kind": "call", "detail": {"messages": [{"content": "final"}]}}),
//! ];
//! let sequence = Sequence::compile(&list, &Options::new().whole_fields(["kind"]))?;
//!
//! let mut matcher = sequence.matcher();
//! matcher.push(&json!({"kind": "call", "op": "chat"}));
//! matcher.push(&json!({"kind": "call", "detail": {"messages": [{"content": "hi"}, {"content": "done"}]}}));
//! assert_eq!(
//!     matcher.finish().unwrap_err().to_string(),
//!     "expectation [2] was not met: {kind: \"call\", detail: {messages: [{content: /final/}]}}\n  \
//!        cursor: 1 (2 seen)\n  \
//!        closest: [1] detail.messages[0].content: expected /final/, found \"hi\"",
//! );
//! # Ok::<(), windtunnel_pattern::PatternErrors>(())
//! ```

mod compile;
mod display;
mod error;
mod explain;
mod failure;
mod keyword;
pub mod limits;
mod matcher;
mod node;
mod options;
mod path;
mod pattern;
mod sequence;
mod steps;
mod text;
mod value;
mod window;

pub use error::{FaultKind, PatternErrors, PatternFault};
pub use explain::Mismatch;
pub use failure::{Closest, Failure, Reason, Verdict};
pub use matcher::{Matcher, Step};
pub use options::{CompareFn, FieldRule, Options};
pub use path::{Path, Segment};
pub use pattern::Pattern;
pub use sequence::Sequence;
pub use text::excerpt;
pub use window::{WINDOW_LEN, Window};
