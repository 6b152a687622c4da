//! What one case adds to the settings: addresses, arguments, variables and the configuration file.

use std::env;
use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_child::Environment;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind, ToolHandle};

use super::argument::Placeholder;
use super::config_file::{RenderedFile, Server, Variables};
use super::plan::{Plan, wrong};

/// The key that a program gets for the scripted model, which takes any.
pub(super) const API_KEY: &str = "sk-windtunnel-scripted";

/// The settings as they are for one case.
#[derive(Debug)]
pub(super) struct AgentWorld {
    pub(super) environment: Environment,
    servers: Vec<Server>,
    base_url: Option<String>,
    config_file: Option<RenderedFile>,
}

impl AgentWorld {
    /// Without a base URL it is a live run.
    pub(super) async fn new(
        plan: &Plan,
        tools: &[Arc<dyn ToolHandle>],
        base_url: Option<&str>,
        workspace: &Utf8Path,
    ) -> Result<Self, RuntimeError> {
        let servers = servers(plan, tools).await?;
        let mut world = Self {
            environment: plan.environment.clone(),
            servers,
            base_url: base_url.map(str::to_owned),
            config_file: None,
        };
        world.render_config_file(plan, workspace)?;
        world.environment = world.variables(plan)?;
        Ok(world)
    }

    /// Fills in a placeholder that does not depend on the turn.
    pub(super) fn value(&self, plan: &Plan, placeholder: &Placeholder) -> Result<String, RuntimeError> {
        let live = || {
            let message = format!(
                "command holds {placeholder}, which only a self-test fills in: for live runs let the program read it from a \
                 variable (inference.base_url_env, pass_env)"
            );
            wrong(&plan.name, &message)
        };
        match placeholder {
            Placeholder::BaseUrl => self.base_url.clone().ok_or_else(live),
            Placeholder::ApiKey => self.base_url.as_ref().map(|_| API_KEY.to_owned()).ok_or_else(live),
            Placeholder::McpUrl(None) => Ok(self.only_server(plan, "{mcp_url}")?.url.clone()),
            Placeholder::McpUrl(Some(name)) => {
                Ok(self.server(plan, name, &placeholder.to_string())?.url.clone())
            }
            Placeholder::ConfigFile => {
                let path = self.config_file.as_ref().map(|file| file.path.to_string());
                path.ok_or_else(|| {
                    wrong(&plan.name, "command holds {config_file}, but there is no tools.config_file")
                })
            }
            Placeholder::Prompt => Err(wrong(&plan.name, "command holds {prompt} without prompt = \"arg\"")),
        }
    }

    fn render_config_file(&mut self, plan: &Plan, workspace: &Utf8Path) -> Result<(), RuntimeError> {
        let Some(template) = &plan.template else { return Ok(()) };
        let base_url = self.base_url.as_deref();
        let variables = Variables {
            servers: self.servers.clone(),
            base_url,
            api_key: base_url.map(|_| API_KEY),
            workspace: workspace.as_str(),
        };
        let rendered =
            template.render(&variables).map_err(|e| wrong(&plan.name, &format!("tools.config_file: {e}")))?;
        self.config_file = Some(rendered);
        Ok(())
    }

    /// The settings' environment with what the case adds.
    fn variables(&self, plan: &Plan) -> Result<Environment, RuntimeError> {
        let mut added: Vec<(&str, &str)> = Vec::new();
        if let (Some(inference), Some(base_url)) = (&plan.spec.inference, &self.base_url) {
            added.extend(inference.base_url_env.as_deref().map(|name| (name, base_url.as_str())));
            added.extend(inference.api_key_env.as_deref().map(|name| (name, API_KEY)));
        }
        if let Some(tools) = &plan.spec.tools {
            // A pack without tools is no mistake: its scenarios are conversations.
            if let (Some(name), false) = (&tools.url_env, self.servers.is_empty()) {
                added.push((name, &self.only_server(plan, &format!("tools.url_env {name}"))?.url));
            }
            for (name, server) in &tools.url_envs {
                added.push((name, &self.server(plan, server, &format!("tools.url_envs.{name}"))?.url));
            }
            if let (Some(told), Some(file)) = (&tools.config_file, &self.config_file) {
                added.extend(told.env.as_deref().map(|name| (name, file.path.as_str())));
                added.extend(told.folder_env.as_deref().map(|name| (name, file.folder().as_str())));
            }
        }
        added
            .into_iter()
            .try_fold(self.environment.clone(), |environment, (name, value)| {
                environment.set_plain(name, value)
            })
            .map_err(|error| wrong(&plan.name, &error.to_string()))
    }

    fn only_server(&self, plan: &Plan, wanted_by: &str) -> Result<&Server, RuntimeError> {
        match self.servers.as_slice() {
            [server] => Ok(server),
            [] => {
                Err(wrong(&plan.name, &format!("{wanted_by} wants the tool server, but the pack has none")))
            }
            several => {
                let names = names(several);
                Err(wrong(
                    &plan.name,
                    &format!(
                        "{wanted_by} wants the one tool server, but the pack has several ({names}): use tools.url_envs, \
                         {{mcp_url:<server>}} or tools.config_file"
                    ),
                ))
            }
        }
    }

    fn server(&self, plan: &Plan, name: &str, wanted_by: &str) -> Result<&Server, RuntimeError> {
        self.servers.iter().find(|server| server.name == name).ok_or_else(|| {
            let has = if self.servers.is_empty() { "none".to_owned() } else { names(&self.servers) };
            wrong(&plan.name, &format!("{wanted_by} wants the tool server `{name}`; the pack has {has}"))
        })
    }
}

fn names(servers: &[Server]) -> String {
    servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The servers with their addresses, if the program is told any.
async fn servers(plan: &Plan, tools: &[Arc<dyn ToolHandle>]) -> Result<Vec<Server>, RuntimeError> {
    if !plan.tells_servers() {
        return Ok(Vec::new());
    }
    let ours =
        env::current_exe().map_or_else(|_| "wt".to_owned(), |path| path.to_string_lossy().into_owned());
    let mut servers = Vec::with_capacity(tools.len());
    for tool in tools {
        let url = tool.url().await.map_err(|error| {
            RuntimeError::new(RuntimeErrorKind::Start, "a tool server has no address for the agent")
                .with_source(error)
        })?;
        let bridge = vec![ours.clone(), "mcp-bridge".to_owned(), url.clone()];
        servers.push(Server { name: tool.server().to_owned(), url, bridge });
    }
    Ok(servers)
}
