//! What one case adds to the settings: addresses, arguments, variables and the configuration file.

use std::env;
use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_child::Environment;
use windtunnel_spi::{RuntimeError, ToolHandle};

use super::argument::Placeholder;
use super::config_file::{RenderedFile, Variables};
use super::model::Model;
use super::settings::Program;
use crate::addresses::{ToolAddress, addresses};

pub(crate) use super::config_file::Server;

/// The key that a program gets for the scripted model, which takes any.
const API_KEY: &str = "sk-windtunnel-scripted";

/// The settings as they are for one case.
#[derive(Debug)]
pub(crate) struct AgentWorld {
    pub(crate) environment: Environment,
    /// The tool servers, where the program is told any.
    pub(crate) servers: Vec<Server>,
    base_url: Option<String>,
    /// A key that the scripted model takes; the real one is not ours to tell.
    api_key: Option<&'static str>,
    config_file: Option<RenderedFile>,
}

impl AgentWorld {
    pub(crate) async fn new(
        program: &Program,
        tools: &[Arc<dyn ToolHandle>],
        model: &Model,
        workspace: &Utf8Path,
    ) -> Result<Self, RuntimeError> {
        let servers = servers(program, tools).await?;
        let mut world = Self {
            environment: program.environment.clone(),
            servers,
            base_url: model.base_url().map(str::to_owned),
            api_key: model.is_scripted().then_some(API_KEY),
            config_file: None,
        };
        world.render_config_file(program, workspace)?;
        world.environment = world.variables(program)?;
        Ok(world)
    }

    /// The arguments with every placeholder filled in; `prompt` is what the turn asks, where an argument says it.
    pub(crate) fn argv(&self, program: &Program, prompt: &str) -> Result<Vec<String>, RuntimeError> {
        let value = |placeholder: &Placeholder| self.value(program, placeholder, prompt);
        program.arguments.iter().map(|argument| argument.fill(value)).collect()
    }

    fn value(
        &self,
        program: &Program,
        placeholder: &Placeholder,
        prompt: &str,
    ) -> Result<String, RuntimeError> {
        match placeholder {
            Placeholder::BaseUrl => self.base_url.clone().ok_or_else(|| {
                program.wrong(
                    "command holds {base_url}, and nothing says where the model of a live run is: set inference.upstream",
                )
            }),
            Placeholder::ApiKey => self.api_key.map(str::to_owned).ok_or_else(|| {
                program.wrong(
                    "command holds {api_key}, which only a self-test fills in: for live runs let the program read it from a \
                     variable (inference.api_key_env, pass_env)",
                )
            }),
            Placeholder::McpUrl(None) => Ok(self.only_server(program, "{mcp_url}")?.url.clone()),
            Placeholder::McpUrl(Some(name)) => {
                Ok(self.server(program, name, &placeholder.to_string())?.url.clone())
            }
            Placeholder::ConfigFile => {
                let path = self.config_file.as_ref().map(|file| file.path.to_string());
                path.ok_or_else(|| {
                    program.wrong("command holds {config_file}, but there is no tools.config_file")
                })
            }
            Placeholder::Prompt => Ok(prompt.to_owned()),
        }
    }

    fn render_config_file(&mut self, program: &Program, workspace: &Utf8Path) -> Result<(), RuntimeError> {
        let Some(template) = &program.template else { return Ok(()) };
        let variables = Variables {
            servers: self.servers.clone(),
            base_url: self.base_url.as_deref(),
            api_key: self.api_key,
            workspace: workspace.as_str(),
        };
        let rendered =
            template.render(&variables).map_err(|e| program.wrong(&format!("tools.config_file: {e}")))?;
        self.config_file = Some(rendered);
        Ok(())
    }

    /// The settings' environment with what the case adds.
    fn variables(&self, program: &Program) -> Result<Environment, RuntimeError> {
        let mut added: Vec<(&str, &str)> = Vec::new();
        if let (Some(inference), Some(base_url)) = (&program.inference, &self.base_url) {
            added.extend(inference.base_url_env.as_deref().map(|name| (name, base_url.as_str())));
            added.extend(inference.api_key_env.as_deref().zip(self.api_key));
        }
        if let Some(tools) = &program.tools {
            // A pack without tools is no mistake: its scenarios are conversations.
            if let (Some(name), false) = (&tools.url_env, self.servers.is_empty()) {
                added.push((name, &self.only_server(program, &format!("tools.url_env {name}"))?.url));
            }
            for (name, server) in &tools.url_envs {
                added.push((name, &self.server(program, server, &format!("tools.url_envs.{name}"))?.url));
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
            .map_err(|error| program.wrong(&error.to_string()))
    }

    fn only_server(&self, program: &Program, wanted_by: &str) -> Result<&Server, RuntimeError> {
        match self.servers.as_slice() {
            [server] => Ok(server),
            [] => Err(program.wrong(&format!("{wanted_by} wants the tool server, but the pack has none"))),
            several => {
                let names = names(several);
                Err(program.wrong(&format!(
                        "{wanted_by} wants the one tool server, but the pack has several ({names}): use tools.url_envs, \
                         {{mcp_url:<server>}} or tools.config_file"
                    ),
                ))
            }
        }
    }

    fn server(&self, program: &Program, name: &str, wanted_by: &str) -> Result<&Server, RuntimeError> {
        self.servers.iter().find(|server| server.name == name).ok_or_else(|| {
            let has = if self.servers.is_empty() { "none".to_owned() } else { names(&self.servers) };
            program.wrong(&format!("{wanted_by} wants the tool server `{name}`; the pack has {has}"))
        })
    }
}

fn names(servers: &[Server]) -> String {
    servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The servers with their addresses, if the program is told any.
async fn servers(program: &Program, tools: &[Arc<dyn ToolHandle>]) -> Result<Vec<Server>, RuntimeError> {
    if !program.tells_servers() {
        return Ok(Vec::new());
    }
    let ours =
        env::current_exe().map_or_else(|_| "wt".to_owned(), |path| path.to_string_lossy().into_owned());
    let server = |ToolAddress { name, url }: ToolAddress| {
        let bridge = vec![ours.clone(), "mcp-bridge".to_owned(), url.clone()];
        Server { name, url, bridge }
    };
    Ok(addresses(tools).await?.into_iter().map(server).collect())
}
