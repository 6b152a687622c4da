//! The `http_inject` runtime: an agent behind an endpoint that takes turns over HTTP.
//!
//! All routes are `POST` with a JSON object that says `"wt_inject": 1`, below the address of the settings. Headers of the settings
//! go with every request; redirects are not followed, and nothing is tried again.
//!
//! # `/wt/inject`
//! ```json
//! {"wt_inject": 1, "session_id": "4f1c…", "text": "How many orders?", "timeout_s": 60.0}
//! ```
//! is answered within `timeout_s`, with status 200 and content type `application/json`:
//! ```json
//! {"wt_inject": 1, "reply": "75 orders", "tool_calls": [{"name": "lookup", "arguments": {"id": 7}}], "error": null}
//! ```
//! `tool_calls` is there also when it is empty. What goes wrong in the agent is told in `error`, with status 200. Five seconds after
//! `timeout_s` the bench stops waiting. Fields that one side does not know are ignored. Anything else is out of contract and
//! fails the run.
//!
//! # `/wt/reset`
//! Back to the first state: every session is forgotten. Done with status 200 or 204; a JSON body with an `error` is a failed reset.
//! A pack with tool servers hands over where they are recorded, as MCP over streamable HTTP; calls there are witnessed, while
//! `tool_calls` of a reply are the agent's own word.
//! ```json
//! {"wt_inject": 1, "tools": [{"name": "crm", "url": "http://127.0.0.1:40213/mcp/…"}]}
//! ```
//!
//! # `/wt/reference`, optional
//! Puts decisions in the place of the agent's model, in the words of a reference case:
//! ```json
//! {"wt_inject": 1, "decisions": [{"tool_calls": [{"name": "lookup", "arguments": {"id": 7}}]}, {"content": "75 orders"}]}
//! ```
//! The list replaces what is left of an earlier one. A case with `turns` hands one list over before each user turn; one with
//! `decisions` hands all of them over before the first. An empty list gives the agent its own model back. Without the field nothing
//! changes: that asks whether the route is there. Status 404 or 501 means that the model cannot be replaced. A model that is asked
//! beyond the list has failed, which is an `error` of the turn. Replies may tell `decisions_left`; then the bench knows whether the
//! script was used up.
//!
//! # `/wt/surface`, optional
//! What the model is told besides the conversation: `system_instructions` (each with `type` and `content`), `tool_definitions`,
//! `extra_segments` (each with `name` and `content`). Status 404 or 501 means that it is not told.
//!
//! # Several cases at once
//! With `max_concurrency` above 1 every request says a `case_id`, and sessions, tools and decisions of one case are no other's.
//!
//! [`conformance`] says rule by rule what an endpoint keeps of this.

mod agent;
pub mod conformance;
mod contract;
mod endpoint;
mod exchange;
mod plugin;
mod protocol;
mod runtime;
mod script;
mod settings;
mod surface;

pub use plugin::{plugin, secrets};
