//! The `acp` runtime: any program that speaks the [Agent Client Protocol] on its standard input and output.
//!
//! The bench is the client: it starts the program, opens a session in the case's workspace, hands it the recorded tool servers and
//! sends every user turn as a prompt. One process and one session last for a run; a reset ends the process, and the next turn
//! starts a fresh one.
//!
//! # The reply
//! The texts of the turn's `agent_message_chunk` updates, joined as they come; a tool call or a new message between two of them
//! begins a new paragraph. Thoughts and plans are no part of it. The turn's `tool_call` updates are claimed calls: they count
//! where nothing witnessed the call. A call whose permission was refused is not claimed.
//!
//! | stop reason | the turn |
//! |---|---|
//! | `end_turn` | the reply |
//! | `max_tokens`, `max_turn_requests`, `refusal` | the reply so far, and a warning in the evidence |
//! | `cancelled` after the answer `cancel` to a request for permission | the reply so far, and a warning |
//! | `cancelled` otherwise | fails: nobody asked for it |
//!
//! # Permissions
//! Requests are answered by the scenario's rules, else by the runtime's `permission`. Each request is an observation of the
//! source `permission`: `{tool, args, title, kind, answer, option}`. The tool and the arguments are those of the call as the agent
//! reported it before, where it did; the title is the request's. Once a turn is cancelled, every further request of it is answered so.
//!
//! # What the client offers
//! `fs/read_text_file` and `fs/write_text_file` inside the workspace, links resolved. No terminals: agents that get none run
//! commands themselves, and those end with the case.
//!
//! Standard output belongs to the protocol: any other line on it fails the turn.
//!
//! [Agent Client Protocol]: https://agentclientprotocol.com

mod agent;
mod client_side;
mod connection;
mod files;
mod permission;
mod plan;
mod runtime;
mod transport;
mod turn_log;

pub use runtime::AcpAgents;
