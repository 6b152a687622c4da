//! The tools of an agent: which are offered under which names, and how they are called.

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::{join_all, try_join_all};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use windtunnel_inference::{CallRequest, Tools};
use windtunnel_spi::{RuntimeError, RuntimeErrorKind, ToolHandle};

use super::mcp::{self, Call, McpClient, McpError};

/// The tool servers of an agent, connected when they are first needed.
pub(super) struct Toolbox {
    servers: Vec<Server>,
    offer: Option<Arc<Offer>>,
}

struct Server {
    handle: Arc<dyn ToolHandle>,
    client: Option<McpClient>,
}

/// What is offered to the model, and what it means.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Offer {
    pub(super) tools: Tools,
    /// Offered name to server and tool.
    routes: HashMap<String, Route>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Route {
    server: usize,
    tool: String,
}

impl Toolbox {
    pub(super) fn new(handles: Vec<Arc<dyn ToolHandle>>) -> Self {
        let servers = handles.into_iter().map(|handle| Server { handle, client: None }).collect();
        Self { servers, offer: None }
    }

    /// What is offered. The first time, all servers are connected and asked for their tools.
    pub(super) async fn offer(&mut self) -> Result<Arc<Offer>, RuntimeError> {
        if let Some(offer) = &self.offer {
            return Ok(Arc::clone(offer));
        }
        let listed = try_join_all(self.servers.iter_mut().map(Server::list)).await?;
        let names: Vec<&str> = self.servers.iter().map(|server| server.handle.server()).collect();
        let offer = Offer::of(&names, &listed)
            .map_err(|message| RuntimeError::new(RuntimeErrorKind::Start, message))?;
        Ok(Arc::clone(self.offer.insert(Arc::new(offer))))
    }

    /// Makes calls at the same time; their texts in the order of the calls.
    pub(super) async fn call(&mut self, offer: &Offer, calls: &[CallRequest]) -> Vec<String> {
        let planned: Vec<Result<Planned<'_>, String>> = calls.iter().map(|call| offer.plan(call)).collect();
        let planned = &planned;
        let of_servers = self.servers.iter_mut().enumerate().map(|(index, server)| async move {
            let mine = planned.iter().enumerate().filter_map(|(position, plan)| {
                let plan = plan.as_ref().ok().filter(|plan| plan.route.server == index)?;
                Some((position, Call { name: &plan.route.tool, arguments: plan.arguments }))
            });
            let (positions, calls): (Vec<usize>, Vec<Call<'_>>) = mine.unzip();
            let texts = server.call(&calls).await;
            positions.into_iter().zip(texts).collect::<Vec<_>>()
        });
        let mut by_position: HashMap<usize, String> =
            join_all(of_servers).await.into_iter().flatten().collect();
        let text = |(position, plan): (usize, &Result<Planned<'_>, String>)| match plan {
            Ok(_) => by_position.remove(&position).unwrap_or_default(),
            Err(message) => message.clone(),
        };
        planned.iter().enumerate().map(text).collect()
    }

    /// Closes all connections.
    pub(super) fn disconnect(&mut self) {
        for server in &mut self.servers {
            server.client = None;
        }
    }
}

impl Server {
    async fn connected(&mut self) -> Result<&mut McpClient, String> {
        let client = if let Some(client) = self.client.take() {
            client
        } else {
            let stream = self.handle.connect().await.map_err(|error| error.to_string())?;
            McpClient::initialize(stream).await.map_err(|error| self.blame(&error))?
        };
        Ok(self.client.insert(client))
    }

    async fn list(&mut self) -> Result<Vec<Value>, RuntimeError> {
        let listed = match self.connected().await {
            Ok(client) => client.list_tools().await.map_err(|error| self.blame(&error)),
            Err(message) => Err(message),
        };
        listed.map_err(|message| RuntimeError::new(RuntimeErrorKind::Start, message))
    }

    /// Makes calls of this server; one text each.
    async fn call(&mut self, calls: &[Call<'_>]) -> Vec<String> {
        if calls.is_empty() {
            return Vec::new();
        }
        match self.outcomes(calls).await {
            Ok(outcomes) => outcomes.iter().map(mcp::text_of).collect(),
            Err(message) => vec![format!("error: {message}"); calls.len()],
        }
    }

    async fn outcomes(&mut self, calls: &[Call<'_>]) -> Result<Vec<Result<Value, McpError>>, String> {
        let outcomes = match self.connected().await?.call(calls).await {
            // The server was refreshed since the last call. Nothing of this one reached it, so it can be made again.
            Err(McpError::NotSent) => {
                self.client = None;
                self.connected().await?.call(calls).await
            }
            outcomes => outcomes,
        };
        outcomes.map_err(|error| {
            self.client = None;
            self.blame(&error)
        })
    }

    fn blame(&self, error: &McpError) -> String {
        format!("tool server {}: {error}", self.handle.server())
    }
}

/// A call that can be made.
#[derive(Debug)]
struct Planned<'a> {
    route: &'a Route,
    arguments: &'a RawValue,
}

impl Offer {
    /// Tools as they are offered: under their own name, or as `server__tool` where several servers have that name.
    ///
    /// # Errors
    /// Two tools would be offered under one name.
    fn of(servers: &[&str], listed: &[Vec<Value>]) -> Result<Self, String> {
        let name_of = |tool: &Value| tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut owners: HashMap<String, usize> = HashMap::new();
        for tool in listed.iter().flatten() {
            *owners.entry(name_of(tool)).or_default() += 1;
        }
        let mut offer = Self::default();
        for (server, (server_name, tools)) in servers.iter().zip(listed).enumerate() {
            for definition in tools {
                let tool = name_of(definition);
                let shared = owners.get(&tool).is_some_and(|owners| *owners > 1);
                let offered = if shared { format!("{server_name}__{tool}") } else { tool.clone() };
                offer.add(&offered, Route { server, tool }, definition)?;
            }
        }
        Ok(offer)
    }

    fn add(&mut self, offered: &str, route: Route, definition: &Value) -> Result<(), String> {
        let description = definition.get("description").and_then(Value::as_str);
        let parameters = definition
            .get("inputSchema")
            .cloned()
            .unwrap_or_else(|| json!({"type": "object", "properties": {}}));
        self.tools.offer(offered, description, parameters);
        match self.routes.insert(offered.to_owned(), route) {
            None => Ok(()),
            Some(_) => {
                Err(format!("two tools would be offered as `{offered}`; rename one of them or its server"))
            }
        }
    }

    /// Where a call goes, or what the model is told instead.
    fn plan<'a>(&'a self, call: &'a CallRequest) -> Result<Planned<'a>, String> {
        let Some(route) = self.routes.get(&call.name) else {
            let names = self.tools.names();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!("error: there is no tool `{}`; available: {known}", call.name));
        };
        let text = if call.arguments.trim().is_empty() { "{}" } else { call.arguments.as_str() };
        let no_object = |error: serde_json::Error| {
            format!("error: the arguments of `{}` are not a JSON object: {error}", call.name)
        };
        serde_json::from_str::<Map<String, Value>>(text).map_err(no_object)?;
        let arguments = serde_json::from_str(text).map_err(no_object)?;
        Ok(Planned { route, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Value {
        json!({"name": name, "description": "d", "inputSchema": {"type": "object"}})
    }

    fn call(name: &str, arguments: &str) -> CallRequest {
        CallRequest { id: "c".to_owned(), name: name.to_owned(), arguments: arguments.to_owned() }
    }

    #[test]
    fn names_are_decorated_only_where_servers_share_them() {
        let listed = [vec![tool("lookup"), tool("send")], vec![tool("lookup")]];
        let offer = Offer::of(&["crm", "shop"], &listed).unwrap();
        assert_eq!(offer.tools.names(), ["crm__lookup", "send", "shop__lookup"]);
        assert_eq!(
            offer.plan(&call("shop__lookup", "{}")).unwrap().route,
            &Route { server: 1, tool: "lookup".to_owned() }
        );
    }

    #[test]
    fn two_tools_of_one_offered_name_are_refused() {
        let twice = Offer::of(&["crm"], &[vec![tool("lookup"), tool("lookup")]]).unwrap_err();
        assert_eq!(twice, "two tools would be offered as `crm__lookup`; rename one of them or its server");
    }

    #[test]
    fn definitions_reach_the_model_as_functions() {
        let offer = Offer::of(&["crm"], &[vec![tool("lookup"), json!({"name": "bare"})]]).unwrap();
        let expected = json!([
            {"type": "function", "function": {"name": "lookup", "description": "d", "parameters": {"type": "object"}}},
            {"type": "function", "function": {"name": "bare", "parameters": {"type": "object", "properties": {}}}},
        ]);
        assert_eq!(Value::from(offer.tools.definitions().to_vec()), expected);
    }

    #[test]
    fn calls_that_cannot_be_made_tell_the_model_why() {
        let offer = Offer::of(&["crm"], &[vec![tool("lookup")]]).unwrap();
        for (bad, told) in [
            (call("search", "{}"), "error: there is no tool `search`; available: lookup"),
            (
                call("lookup", "[1]"),
                "error: the arguments of `lookup` are not a JSON object: invalid type: sequence, expected a map at line 1 column 0",
            ),
        ] {
            assert_eq!(offer.plan(&bad).unwrap_err(), told);
        }
        assert_eq!(offer.plan(&call("lookup", "")).unwrap().arguments.get(), "{}");
    }
}
