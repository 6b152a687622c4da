//! Stand-ins for the model: scripted endpoints over real provider wires, and the same script inside this process.
//!
//! A [`script`] is a state machine without I/O: a request goes in, the answer comes out. A [`seam`] puts one script and the
//! evidence of one case behind a lock. Two doors lead to it: the [`server`], which speaks provider wires on loopback, and
//! [`model::ScriptedModel`] for agents that live in this process. The other side is here too: a [`model::OpenAiChat`]
//! client for live runs, and a [`judge`] over any model. [`serve`](mod@serve) offers a script file as an endpoint, and [`record`] passes
//! requests on to a real one and keeps what it saw.
//!
//! Below it are [`windtunnel_api`] and [`windtunnel_spi`]; the runtimes above it decide which door their agents use.
//!
//! ```
//! use windtunnel_api::{ReferenceDecision, ReferenceToolCall};
//! use windtunnel_inference::script::{Answer, Ask, Script, ServedNames};
//!
//! let decisions = vec![
//!     ReferenceDecision::calls([ReferenceToolCall::new("lookup", [("id", 7.into())])]),
//!     ReferenceDecision::says("75 orders"),
//! ];
//! let served = ServedNames::new([("crm", ["lookup"])]);
//! let mut script = Script::new(vec![decisions], served);
//! script.begin_turn();
//!
//! let offered = ["mcp__crm__lookup".to_owned()];
//! let step = script.ask(&Ask::offering(&offered));
//! let Answer::Decision(reply) = &*step.answer else { unreachable!() };
//! assert_eq!(reply.tool_calls[0].name, "mcp__crm__lookup", "a scripted name is sent as the agent offers it");
//! assert_eq!(script.progress().consumed, 1);
//! ```

mod chat;
pub mod judge;
pub mod model;
pub mod record;
pub mod script;
pub mod seam;
pub mod serve;
pub mod server;
mod wire;

pub use chat::{CallRequest, ChatReply, Stop, TokenUsage};
pub use judge::OpenAiJudge;
pub use model::{ChatRequest, Model, ModelError, OpenAiChat, Recording, Retrying, ScriptedModel, Tools};
pub use script::{Asides, ServedNames};
pub use seam::{CaseScript, InferenceSeam};
pub use server::{ScriptedCase, ScriptedServer, ServerError};
