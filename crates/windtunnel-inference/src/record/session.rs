//! A recorded session: what was decided, called and answered, without secrets.

use windtunnel_api::artifact::evidence::{Evidence, ToolCall};
use windtunnel_api::counted;
use windtunnel_api::recording::{Exchange, RECORDING_VERSION, Recording};
use windtunnel_api::tool_name::{self, Served};
use windtunnel_api::universe::{Universe, UniverseTool};
use windtunnel_spi::{ServedTool, Stamp, Stamped};

use super::conversation::{self, Conversation, RecordedTurn, SideRequest};
use super::events;
use super::log::Seen;
use super::reading::{self, Request};
use super::redaction::Redaction;
use super::universe;
use crate::script::ServedNames;

/// What others saw of the session that a recorder did not: nothing, unless a bench ran the agent.
#[derive(Debug, Clone, Default)]
pub struct Witnessed {
    /// When each user turn began, and what was said.
    pub turns: Vec<(Stamp, String)>,
    /// The calls that reached the tool servers.
    pub calls: Vec<Stamped<ToolCall>>,
    /// The tool servers by name, with the tools that they serve.
    pub served: Vec<(String, Vec<ServedTool>)>,
}

/// A recorded session.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The turns of the conversation.
    pub turns: Vec<RecordedTurn>,
    /// Requests that were no part of it.
    pub side: Vec<SideRequest>,
    /// The tools that were offered or served.
    pub tools: Vec<RecordedTool>,
    /// The requests to the provider, in their order.
    pub exchanges: Vec<Exchange>,
    /// What was asked and called, in the order it was witnessed.
    pub events: Vec<Evidence>,
    /// What could not be understood, or is not as it came.
    pub problems: Vec<String>,
    redaction: Redaction,
}

/// A tool that was offered to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedTool {
    /// The server that serves it; none where the name it is offered under does not tell.
    pub server: Option<String>,
    /// Its description.
    pub tool: UniverseTool,
}

impl Session {
    /// Understands what was seen.
    pub(super) fn of(seen: Vec<Seen>, mut witnessed: Witnessed, redaction: Redaction) -> Self {
        let (mut exchanges, mut requests) = (Vec::new(), Vec::new());
        for seen in seen {
            let (exchange, request) = reading::read(seen, &redaction);
            exchanges.push(exchange);
            requests.extend(request);
        }
        for (_, prompt) in &mut witnessed.turns {
            *prompt = redaction.text(prompt);
        }
        for call in &mut witnessed.calls {
            redaction.value(&mut call.value.args);
            redaction.value(&mut call.value.result);
            call.value.redact(|text| redaction.text(text));
        }
        let names = Names::of(&witnessed);
        let bare = |called: &str| names.bare(called).1;
        let Conversation { turns, side, mut problems } =
            conversation::follow(&requests, &witnessed.turns, bare);
        let failed = requests.iter().filter(|request| request.answer.is_err()).count();
        if failed > 0 {
            problems.push(format!(
                "{} got no answer that can be scripted; the recording says why",
                counted(failed, "request")
            ));
        }
        let unread = exchanges.iter().filter(|exchange| exchange.wire.is_some()).count() - requests.len();
        if unread > 0 {
            problems
                .push(format!("{} could not be read; the recording says why", counted(unread, "request")));
        }
        let events = events(&requests, &witnessed, &names);
        let tools = tools(&requests, witnessed, &names, &redaction);
        Self { turns, side, tools, exchanges, events, problems, redaction }
    }

    /// How many requests asked a model for an answer.
    pub fn requests(&self) -> usize {
        self.exchanges.iter().filter(|exchange| exchange.wire.is_some()).count()
    }

    /// The witnessed tool calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.events.iter().filter_map(|event| match event {
            Evidence::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// A universe per tool server, in which the calls are answered as they were; without a name for calls that no server is known of.
    /// Only where there was a call.
    pub fn universes(&self) -> Vec<(Option<String>, Universe)> {
        let mut servers: Vec<Option<&str>> = Vec::new();
        for call in self.calls() {
            let server = Some(call.server.as_str()).filter(|server| !server.is_empty());
            if !servers.contains(&server) {
                servers.push(server);
            }
        }
        let universe = |server: Option<&str>| {
            let tools = self.tools.iter().filter(|tool| tool.server.as_deref() == server);
            let calls = self.calls().filter(|call| call.server == server.unwrap_or_default());
            let tools = tools.map(|tool| tool.tool.clone()).collect();
            (server.map(str::to_owned), universe::universe(tools, calls))
        };
        servers.into_iter().map(universe).collect()
    }

    /// The session as it is kept.
    pub fn recording(&self, name: &str) -> Recording {
        Recording {
            windtunnel_recording: RECORDING_VERSION,
            name: name.to_owned(),
            exchanges: self.exchanges.clone(),
            events: self.events.clone(),
        }
    }

    /// What takes the secrets of this session out of other texts.
    pub fn redaction(&self) -> &Redaction {
        &self.redaction
    }
}

/// What offered names mean.
struct Names {
    /// Servers and their tools.
    served: Vec<(String, String)>,
    reach: ServedNames,
}

impl Names {
    fn of(witnessed: &Witnessed) -> Self {
        let pairs = witnessed
            .served
            .iter()
            .flat_map(|(server, tools)| tools.iter().map(|tool| (server.clone(), tool.name.clone())));
        let reach = witnessed.served.iter().map(|(server, tools)| {
            (server.clone(), tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>())
        });
        Self { served: pairs.collect(), reach: ServedNames::new(reach) }
    }

    /// The server and the bare name of an offered name.
    fn bare(&self, called: &str) -> (Option<String>, String) {
        let servers: Vec<&str> = self.served.iter().map(|(server, _)| server.as_str()).collect();
        let tools: Vec<&str> = self.served.iter().map(|(_, tool)| tool.as_str()).collect();
        let served = Served { servers: &servers, tools: &tools };
        if let Some((server, tool)) =
            self.served.iter().find(|(_, tool)| tool_name::matches(called, tool, &served))
        {
            return (Some(server.clone()), tool.clone());
        }
        // Nobody else writes names like this.
        let decorated = called.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        let plain = |(server, tool): &(&str, &str)| is_plain(server) && !tool.is_empty();
        match decorated.filter(|parts| self.served.is_empty() && plain(parts)) {
            Some((owner, tool)) => (Some(owner.to_owned()), tool.to_owned()),
            None => (None, called.to_owned()),
        }
    }
}

/// Whether a text can be the name of a tool server.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Everything that was witnessed, in order. Calls that a recorder saw are its own to tell.
fn events(requests: &[Request], witnessed: &Witnessed, names: &Names) -> Vec<Evidence> {
    let owner = |called: &str| {
        let (server, tool) = names.bare(called);
        (server.unwrap_or_default(), tool)
    };
    let call = |call: &Stamped<ToolCall>| Stamped {
        stamp: call.stamp,
        at_ms: call.at_ms,
        value: Evidence::ToolCall(call.value.clone()),
    };
    let (mut events, _) = events::events(requests, &names.reach, owner);
    events.extend(witnessed.calls.iter().map(call));
    events.sort_by_key(|event| event.stamp);
    events.into_iter().map(|event| event.value).collect()
}

fn tools(
    requests: &[Request],
    witnessed: Witnessed,
    names: &Names,
    redaction: &Redaction,
) -> Vec<RecordedTool> {
    let mut tools: Vec<RecordedTool> = Vec::new();
    for (server, served) in witnessed.served {
        for mut served in served {
            redaction.value(&mut served.definition);
            let tool = universe::tool(&served.definition);
            tools.extend(tool.map(|tool| RecordedTool { server: Some(server.clone()), tool }));
        }
    }
    for definition in requests.iter().flat_map(|request| &request.surface.tool_definitions) {
        let Some(mut tool) = universe::tool(definition) else { continue };
        let (server, name) = names.bare(&tool.name);
        tool.name = name;
        if !tools.iter().any(|known| known.server == server && known.tool.name == tool.name) {
            tools.push(RecordedTool { server, tool });
        }
    }
    tools
}
