//! A host for tests of brains: it writes down what it is asked, and answers from a script.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Brain, BrainError, Runtime, STACK_BYTES};
use crate::exchange::{
    ChatDelta, ChatReply, ChatRequest, Envelope, ResourceContent, ResourceInfo, ResourceTemplate, Tool,
    ToolResult,
};
use crate::host::trace::to_value;
use crate::host::{Host, HostError, HostResult, StopReason, StopSignal};

/// The script of a fake host, and what it was asked.
#[derive(Default)]
pub(super) struct FakeHost {
    pub(super) stop: StopSignal,
    pub(super) script: Script,
    inbox: Mutex<VecDeque<Envelope>>,
    calls: Mutex<Vec<(&'static str, Value)>>,
    memory: Mutex<BTreeMap<String, String>>,
}

/// What a fake host answers.
#[derive(Default)]
pub(super) struct Script {
    pub(super) reply: ChatReply,
    pub(super) tools: Vec<Tool>,
    pub(super) result: ToolResult,
    pub(super) resources: Vec<ResourceInfo>,
    pub(super) contents: Vec<ResourceContent>,
    pub(super) templates: Vec<ResourceTemplate>,
    pub(super) inbox: Vec<Envelope>,
}

impl FakeHost {
    pub(super) fn new(mut script: Script) -> Arc<Self> {
        let inbox = Mutex::new(std::mem::take(&mut script.inbox).into());
        Arc::new(Self { script, inbox, ..Self::default() })
    }

    /// The calls so far.
    pub(super) fn calls(&self) -> Vec<(&'static str, Value)> {
        lock(&self.calls).clone()
    }

    /// The calls so far, one a line.
    pub(super) fn told(&self) -> String {
        let lines: Vec<_> = self.calls().iter().map(|(op, detail)| format!("{op} {detail}")).collect();
        lines.join("\n")
    }

    fn call(&self, op: &'static str, detail: impl Serialize) -> HostResult<()> {
        lock(&self.calls).push((op, to_value(detail)));
        match self.stop.requested() {
            Some(reason) => Err(HostError::Stopped(reason)),
            None => Ok(()),
        }
    }

    /// Only back ends called `p` and `t` exist, of kind `fake`.
    fn kind_of(name: &str, known: &str, what: &str) -> HostResult<String> {
        if name == known {
            Ok("fake".to_owned())
        } else {
            Err(HostError::failed(format!("no such {what} \"{name}\"")))
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test panics with the lock held")
}

/// Runs a script as an agent does: on a thread with a stack of [`STACK_BYTES`].
pub(super) fn run(
    runtime: &dyn Runtime,
    script: &str,
    host: &Arc<FakeHost>,
) -> Result<Option<String>, BrainError> {
    let brain = load(runtime, script)?;
    let host: Arc<dyn Host> = Arc::clone(host) as _;
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || brain.run(&host))
        .expect("a thread")
        .join()
        .expect("a brain never panics")
}

/// Loads a script from a file of its own.
pub(super) fn load(runtime: &dyn Runtime, script: &str) -> Result<Arc<dyn Brain>, BrainError> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), script).expect("the script is written");
    runtime.load(Utf8Path::from_path(file.path()).expect("UTF-8")).map_err(|error| match error {
        BrainError::Malformed { line, column, message, .. } => {
            BrainError::Malformed { path: "brain".to_owned(), line, column, message }
        }
        error => error,
    })
}

/// Interrupts a script that would never end by itself, and says how long it then took to end.
pub(super) fn interrupted(
    runtime: &dyn Runtime,
    script: &str,
) -> (Result<Option<String>, BrainError>, Duration) {
    let host = FakeHost::new(Script::default());
    let stop = host.stop.clone();
    let at = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        let at = Instant::now();
        stop.interrupt(StopReason::Stopped);
        at
    });
    let result = run(runtime, script, &host);
    let ended = Instant::now();
    (result, ended.saturating_duration_since(at.join().expect("it sleeps")))
}

impl Host for FakeHost {
    fn stop(&self) -> &StopSignal {
        &self.stop
    }

    fn provider_kind(&self, provider: &str) -> HostResult<String> {
        Self::kind_of(provider, "p", "provider")
    }

    fn list_models(&self, provider: &str) -> HostResult<Vec<String>> {
        self.call("list_models", json!({"provider": provider}))?;
        Ok(vec!["small".to_owned(), "large".to_owned()])
    }

    fn chat(&self, _provider: &str, request: ChatRequest) -> HostResult<ChatReply> {
        self.call("chat", request)?;
        Ok(self.script.reply.clone())
    }

    fn chat_stream(&self, _provider: &str, request: ChatRequest) -> HostResult<String> {
        self.call("chat_stream", request)?;
        Ok("stream-1".to_owned())
    }

    fn is_open(&self, id: &str) -> bool {
        id == "stream-1"
    }

    fn cancel(&self, id: &str) {
        lock(&self.calls).push(("cancel", json!({"id": id})));
    }

    fn tooling_kind(&self, tooling: &str) -> HostResult<String> {
        Self::kind_of(tooling, "t", "tooling")
    }

    fn list_tools(&self, _tooling: &str) -> HostResult<Vec<Tool>> {
        self.call("list_tools", json!({}))?;
        Ok(self.script.tools.clone())
    }

    fn call_tool(&self, _tooling: &str, tool: &str, arguments: Value) -> HostResult<String> {
        self.call("call_tool", json!({"tool": tool, "arguments": arguments}))?;
        Ok("call-1".to_owned())
    }

    fn call_tool_blocking(&self, _tooling: &str, tool: &str, arguments: Value) -> HostResult<ToolResult> {
        self.call("call_tool_blocking", json!({"tool": tool, "arguments": arguments}))?;
        Ok(self.script.result.clone())
    }

    fn list_resources(&self, _tooling: &str) -> HostResult<Vec<ResourceInfo>> {
        self.call("list_resources", json!({}))?;
        Ok(self.script.resources.clone())
    }

    fn read_resource(&self, _tooling: &str, uri: &str) -> HostResult<Vec<ResourceContent>> {
        self.call("read_resource", json!({"uri": uri}))?;
        Ok(self.script.contents.clone())
    }

    fn list_resource_templates(&self, _tooling: &str) -> HostResult<Vec<ResourceTemplate>> {
        self.call("list_resource_templates", json!({}))?;
        Ok(self.script.templates.clone())
    }

    fn subscribe_resource_list(&self, _tooling: &str) -> HostResult<String> {
        self.call("subscribe_resource_list", json!({}))?;
        Ok("list-1".to_owned())
    }

    fn unsubscribe_resource_list(&self, _tooling: &str, id: &str) -> HostResult<()> {
        self.call("unsubscribe_resource_list", json!({"id": id}))
    }

    fn subscribe_resource(&self, _tooling: &str, uri: &str) -> HostResult<String> {
        self.call("subscribe_resource", json!({"uri": uri}))?;
        Ok("resource-1".to_owned())
    }

    fn unsubscribe_resource(&self, _tooling: &str, id: &str) -> HostResult<()> {
        self.call("unsubscribe_resource", json!({"id": id}))
    }

    fn log(&self, level: &str, message: &str) {
        lock(&self.calls).push(("log", json!({"level": level, "message": message})));
    }

    fn whoami(&self) -> String {
        "alice".to_owned()
    }

    fn time_now(&self) -> i64 {
        1_700_000_000_000
    }

    fn time_format(&self, ts: i64, format: &str) -> HostResult<String> {
        Ok(format!("{ts} as {format}"))
    }

    fn wait_for(&self, ms: u64) -> HostResult<String> {
        self.call("wait_for", json!({"ms": ms}))?;
        Ok("timer-1".to_owned())
    }

    fn wait_until(&self, ts: i64) -> HostResult<String> {
        self.call("wait_until", json!({"ts": ts}))?;
        Err(HostError::failed("timestamp must be in the future"))
    }

    fn wait_cron(&self, spec: &str) -> HostResult<String> {
        self.call("wait_cron", json!({"spec": spec}))?;
        Ok("timer-2".to_owned())
    }

    fn cancel_timer(&self, id: &str) -> HostResult<()> {
        self.call("cancel_timer", json!({"id": id}))
    }

    fn sleep_for(&self, ms: u64) -> HostResult<()> {
        self.call("sleep_for", json!({"ms": ms}))
    }

    fn sleep_until(&self, ts: i64) -> HostResult<()> {
        self.call("sleep_until", json!({"ts": ts}))
    }

    fn sleep_cron(&self, spec: &str) -> HostResult<()> {
        self.call("sleep_cron", json!({"spec": spec}))
    }

    fn subscribe_lifecycle(&self) -> HostResult<String> {
        self.call("subscribe_lifecycle", json!({}))?;
        Ok("lifecycle-1".to_owned())
    }

    fn unsubscribe_lifecycle(&self, id: &str) -> HostResult<()> {
        self.call("unsubscribe_lifecycle", json!({"id": id}))
    }

    fn subscribe_agent(&self, agent: &str) -> HostResult<String> {
        self.call("subscribe_agent", json!({"agent": agent}))?;
        Ok("agent-1".to_owned())
    }

    fn unsubscribe_agent(&self, id: &str) -> HostResult<()> {
        self.call("unsubscribe_agent", json!({"id": id}))
    }

    fn send_agent(&self, agent: &str, payload: &str) -> HostResult<()> {
        self.call("send_agent", json!({"agent": agent, "payload": payload}))
    }

    fn subscribe_endpoint(&self, model: &str) -> HostResult<String> {
        self.call("subscribe_endpoint", json!({"model": model}))?;
        Ok("endpoint-1".to_owned())
    }

    fn unsubscribe_endpoint(&self, id: &str) -> HostResult<()> {
        self.call("unsubscribe_endpoint", json!({"id": id}))
    }

    fn stream_endpoint(&self, session: &str, delta: ChatDelta) -> HostResult<()> {
        self.call("stream_endpoint", json!({"session": session, "delta": delta}))
    }

    fn recv(&self) -> HostResult<Envelope> {
        self.try_recv()?.ok_or_else(|| HostError::failed("no event available"))
    }

    fn try_recv(&self) -> HostResult<Option<Envelope>> {
        match self.stop.requested() {
            Some(reason) => Err(HostError::Stopped(reason)),
            None => Ok(lock(&self.inbox).pop_front()),
        }
    }

    fn new_uuid(&self) -> String {
        "uuid-1".to_owned()
    }

    fn memory_get(&self, key: &str) -> HostResult<Option<String>> {
        self.call("memory_get", json!({"key": key}))?;
        Ok(lock(&self.memory).get(key).cloned())
    }

    fn memory_set(&self, key: &str, value: &str) -> HostResult<()> {
        self.call("memory_set", json!({"key": key, "value": value}))?;
        lock(&self.memory).insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn memory_remove(&self, key: &str) -> HostResult<bool> {
        self.call("memory_remove", json!({"key": key}))?;
        Ok(lock(&self.memory).remove(key).is_some())
    }
}
