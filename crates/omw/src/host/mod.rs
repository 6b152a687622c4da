//! The host: what a brain may do, and what is recorded of it.

mod agent;
mod agent_host;
mod backends;
mod bus;
mod calendar;
mod delivery;
mod inbox;
mod memory;
mod pump;
mod recorder;
mod router;
pub mod seam;
mod shared;
mod sources;
mod stepper;
mod stop;
mod sync;
mod timers;
pub mod trace;
mod whereabouts;
mod world;

use serde_json::Value;

pub(crate) use agent::{Agent, RunEnd};
pub use stop::{StopReason, StopSignal};
pub(crate) use world::World;

use crate::exchange::{
    ChatDelta, ChatReply, ChatRequest, Envelope, ResourceContent, ResourceInfo, ResourceTemplate, Tool,
    ToolResult,
};

/// What a call of the host gives.
pub type HostResult<T> = Result<T, HostError>;

/// A call of the host that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// What was asked for cannot be done. A brain may catch it.
    #[error("{0}")]
    Failed(String),
    /// The agent is being stopped. A brain may catch it to tidy up; it is interrupted soon.
    #[error("{0}")]
    Stopped(StopReason),
}

impl HostError {
    /// A failure with its text.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }
}

/// What a brain may do. Every language offers these calls under the same names; all of them block the brain's own thread
/// and nothing else.
///
/// Calls are recorded before they are carried out, with their arguments, and again with what they returned, where a trace
/// is asked for. Ids are those that the opening call returned.
pub trait Host: Send + Sync {
    /// What tells the brain to end.
    fn stop(&self) -> &StopSignal;

    /// The kind of a provider: `openai`, `mock`, …. Not recorded.
    ///
    /// # Errors
    /// `no such provider "<name>"`; so do all calls that name one.
    fn provider_kind(&self, provider: &str) -> HostResult<String>;
    /// The models of a provider.
    fn list_models(&self, provider: &str) -> HostResult<Vec<String>>;
    /// Asks a model and waits for its whole answer.
    fn chat(&self, provider: &str, request: ChatRequest) -> HostResult<ChatReply>;
    /// Asks a model; its answer arrives as `chat-delta` events and a `chat-end`. The id is the stream's.
    fn chat_stream(&self, provider: &str, request: ChatRequest) -> HostResult<String>;

    /// Whether a stream, tool call or subscription of this agent is still open. Not recorded.
    fn is_open(&self, id: &str) -> bool;
    /// Cancels a stream or a tool call. An unknown id is ignored.
    fn cancel(&self, id: &str);

    /// The kind of a tooling: `mcp`, `mock`, …. Not recorded.
    ///
    /// # Errors
    /// `no such tooling "<name>"`; so do all calls that name one.
    fn tooling_kind(&self, tooling: &str) -> HostResult<String>;
    /// The tools of a server.
    fn list_tools(&self, tooling: &str) -> HostResult<Vec<Tool>>;
    /// Calls a tool; its result arrives as a `tool-result` or `error` event. The id is the call's.
    fn call_tool(&self, tooling: &str, tool: &str, arguments: Value) -> HostResult<String>;
    /// Calls a tool and waits for its result.
    fn call_tool_blocking(&self, tooling: &str, tool: &str, arguments: Value) -> HostResult<ToolResult>;
    /// The resources of a server.
    fn list_resources(&self, tooling: &str) -> HostResult<Vec<ResourceInfo>>;
    /// The contents of a resource.
    fn read_resource(&self, tooling: &str, uri: &str) -> HostResult<Vec<ResourceContent>>;
    /// The resource templates of a server.
    fn list_resource_templates(&self, tooling: &str) -> HostResult<Vec<ResourceTemplate>>;
    /// Asks for `resource-list-updated` events. The id is the subscription's.
    fn subscribe_resource_list(&self, tooling: &str) -> HostResult<String>;
    /// Ends such a subscription. An unknown id is ignored.
    fn unsubscribe_resource_list(&self, tooling: &str, id: &str) -> HostResult<()>;
    /// Asks for `resource-updated` events of one resource. The id is the subscription's.
    fn subscribe_resource(&self, tooling: &str, uri: &str) -> HostResult<String>;
    /// Ends such a subscription. An unknown id is ignored.
    fn unsubscribe_resource(&self, tooling: &str, id: &str) -> HostResult<()>;

    /// Writes to the log. Levels are `trace`, `debug`, `info`, `warn` and `error`; any other is `info`. Not recorded.
    fn log(&self, level: &str, message: &str);
    /// The agent's name.
    fn whoami(&self) -> String;
    /// Milliseconds since the epoch. Not recorded.
    fn time_now(&self) -> i64;
    /// A time, in milliseconds since the epoch, as text in UTC after a `strftime` format. Empty for a time that the calendar does not
    /// have. Not recorded.
    ///
    /// # Errors
    /// A format that is none.
    fn time_format(&self, ts: i64, format: &str) -> HostResult<String>;
    /// A `timer` event in so many milliseconds. The id is the timer's.
    fn wait_for(&self, ms: u64) -> HostResult<String>;
    /// A `timer` event at a time, in milliseconds since the epoch.
    ///
    /// # Errors
    /// `timestamp must be in the future`.
    fn wait_until(&self, ts: i64) -> HostResult<String>;
    /// A `timer` event when a cron schedule of 6 or 7 fields, seconds first, is next due; once.
    ///
    /// # Errors
    /// `invalid cron spec "<spec>": …`, `cron schedule yields no future fire time`.
    fn wait_cron(&self, spec: &str) -> HostResult<String>;
    /// Cancels a timer. An unknown id is ignored.
    fn cancel_timer(&self, id: &str) -> HostResult<()>;
    /// Sleeps so many milliseconds. A stop ends it early, without an error the first time.
    ///
    /// # Errors
    /// The stop reason from the second time on that a stop ends it in the same run of the brain, and after an interrupt.
    fn sleep_for(&self, ms: u64) -> HostResult<()>;
    /// Sleeps until a time, in milliseconds since the epoch. Errors as [`wait_until`](Self::wait_until).
    fn sleep_until(&self, ts: i64) -> HostResult<()>;
    /// Sleeps until a cron schedule is next due. Errors as [`wait_cron`](Self::wait_cron).
    fn sleep_cron(&self, spec: &str) -> HostResult<()>;

    /// Asks for `reload`, `shutdown` and failed reloads as `error` events. The id is the subscription's.
    ///
    /// # Errors
    /// `lifecycle already subscribed`.
    fn subscribe_lifecycle(&self) -> HostResult<String>;
    /// Ends the subscription. An unknown id is ignored.
    fn unsubscribe_lifecycle(&self, id: &str) -> HostResult<()>;
    /// Asks for the messages of another agent, or this one. The agent need not exist.
    fn subscribe_agent(&self, agent: &str) -> HostResult<String>;
    /// Ends such a subscription. An unknown id is ignored.
    fn unsubscribe_agent(&self, id: &str) -> HostResult<()>;
    /// Sends a message to an agent. It is dropped unless the target has subscribed to this agent; the trace says whether it was
    /// delivered.
    ///
    /// # Errors
    /// The target's inbox is full.
    fn send_agent(&self, agent: &str, payload: &str) -> HostResult<()>;
    /// Serves a model name of the endpoint: requests arrive as `endpoint-message` events.
    ///
    /// # Errors
    /// `the endpoint is not configured`, `model "<model>" is already subscribed`.
    fn subscribe_endpoint(&self, model: &str) -> HostResult<String>;
    /// Stops serving it.
    fn unsubscribe_endpoint(&self, id: &str) -> HostResult<()>;
    /// Answers a session. A finish reason ends it.
    ///
    /// # Errors
    /// `unknown endpoint session`, `endpoint session belongs to another agent`, `endpoint session receiver closed`, `the endpoint is
    /// not configured`.
    fn stream_endpoint(&self, session: &str, delta: ChatDelta) -> HostResult<()>;

    /// The next event, waiting for it. Not recorded; the event is.
    ///
    /// # Errors
    /// `no event available` after the time limit; the stop reason when the agent is stopped.
    fn recv(&self) -> HostResult<Envelope>;
    /// The next event, if there is one. Not recorded; the event is.
    fn try_recv(&self) -> HostResult<Option<Envelope>>;

    /// A new random id. Not recorded.
    fn new_uuid(&self) -> String;
    /// What is remembered under a key.
    fn memory_get(&self, key: &str) -> HostResult<Option<String>>;
    /// Remembers a value. It survives reloads, and ends with the process.
    fn memory_set(&self, key: &str, value: &str) -> HostResult<()>;
    /// Forgets a value, and says whether there was one.
    fn memory_remove(&self, key: &str) -> HostResult<bool>;
}
