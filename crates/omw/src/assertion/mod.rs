//! Event assertions: what a test, or a gate of a mock, says about the events of a trace.
//!
//! One assertion is a table with a `kind` and, all optional, the fields of that kind:
//!
//! | `kind` | fields |
//! |---|---|
//! | `call` | `op`: a word that is the call's name, or a regular expression; `detail`: a pattern over its arguments |
//! | `returned` | `op`; `detail`: a pattern over `{result}` or `{error}` |
//! | `inbound` | `event`: the event's name, whole; `payload`: a pattern over the tagged event, `{kind, data}` |
//! | `opened` | `source`: a regular expression |
//! | `closed` | `source`, `reason`: regular expressions |
//!
//! Such tables may be joined by `$any`, `$all` and `$not`. In a list they may stand under `$while`, `$until`, `$never` and `$times`,
//! where `{}` is any event. What could match no event at all is a fault, since a misspelt `$never` would hold for ever; only `op` is
//! not held against the calls that there are.
//!
//! ```
//! use omw::assertion::EventPattern;
//! use serde_json::json;
//! use windtunnel_doc::Path;
//!
//! let at = Path::root().then("after");
//! let pattern = EventPattern::parse(&json!({"kind": "inbound", "event": "chat-end"}), &at).unwrap().into_pattern();
//! assert!(pattern.matches(&json!({"kind": "inbound", "event": "chat-end", "payload": {"kind": "chat-end"}})));
//!
//! let faults = EventPattern::parse(&json!({"kind": "inbound", "evnt": "chat-end"}), &at).unwrap_err();
//! assert_eq!(faults[0].path.to_string(), "after.evnt");
//! assert_eq!(faults[0].help.as_deref(), Some("did you mean \"event\"?"));
//! ```

mod check;
mod pattern;
mod schema;
#[cfg(test)]
mod tests;

pub use pattern::EventPattern;
