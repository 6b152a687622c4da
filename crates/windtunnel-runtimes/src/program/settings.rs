//! The settings of a program, checked and taken apart before anything runs.

use std::io::ErrorKind;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use windtunnel_api::config::{Aside, InferenceVia, Install, ToolsVia};
use windtunnel_child::{Command, Environment};
use windtunnel_inference::record::Upstreams;
use windtunnel_inference::{Asides, ScriptedServer};
use windtunnel_spi::{RuntimeError, ToolAccess};

use super::argument::{Argument, Placeholder};
use super::config_file::Template;
use crate::settings::{turn_limit, wrong};

/// The settings that every runtime of programs has, as they are written.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) command: &'a [String],
    pub(crate) cwd: Option<&'a Utf8PathBuf>,
    pub(crate) env: &'a IndexMap<String, String>,
    pub(crate) pass_env: &'a [String],
    pub(crate) install: Option<&'a Install>,
    pub(crate) inference: Option<&'a InferenceVia>,
    pub(crate) tools: Option<&'a ToolsVia>,
    /// Whether the runtime itself tells the program every tool server, besides `tools`.
    pub(crate) hands_over_tools: bool,
    pub(crate) turn_timeout_s: Option<f64>,
    pub(crate) aside: &'a [Aside],
}

/// Checked settings.
#[derive(Debug)]
pub(crate) struct Program {
    /// The runtime's name.
    name: String,
    /// The folder of the configuration file.
    dir: Utf8PathBuf,
    command: Vec<String>,
    cwd: Option<Utf8PathBuf>,
    pub(crate) arguments: Vec<Argument>,
    /// The environment without what a case adds.
    pub(crate) environment: Environment,
    pub(crate) inference: Option<InferenceVia>,
    /// Where the real model is, as far as that is known.
    pub(crate) upstreams: Option<Upstreams>,
    /// The listener of all scripted models.
    pub(crate) server: ScriptedServer,
    pub(crate) tools: Option<ToolsVia>,
    hands_over_tools: bool,
    pub(crate) template: Option<Template>,
    pub(crate) turn_limit: Option<Duration>,
    pub(crate) asides: Asides,
}

impl Program {
    /// By what the program is told where its model is.
    pub(crate) fn model_told_by(&self) -> Option<&str> {
        let inference = self.inference.as_ref()?;
        Some(inference.base_url_env.as_deref().unwrap_or("{base_url}"))
    }

    pub(crate) fn checked(name: &str, settings: &Settings<'_>, dir: &Utf8Path) -> Result<Self, String> {
        let arguments = arguments(settings.command)?;
        let template = match settings.tools.and_then(|tools| tools.config_file.as_ref()) {
            Some(file) => Some(
                Template::read(dir.join(&file.template)).map_err(|e| format!("tools.config_file: {e}"))?,
            ),
            None => None,
        };
        let environment =
            Environment::of(settings.pass_env, settings.env).map_err(|error| error.to_string())?;
        let upstreams = settings.inference.map(|inference| upstreams(inference, &environment)).transpose()?;
        let program = Self {
            name: name.to_owned(),
            dir: dir.to_owned(),
            command: settings.command.to_vec(),
            cwd: settings.cwd.cloned(),
            arguments,
            environment,
            inference: settings.inference.cloned(),
            upstreams: upstreams.flatten(),
            server: ScriptedServer::new(),
            tools: settings.tools.cloned(),
            hands_over_tools: settings.hands_over_tools,
            template,
            turn_limit: turn_limit(settings.turn_timeout_s)?,
            asides: Asides::compile(settings.aside).map_err(|errors| errors.to_string())?,
        };
        program.check_inference()?;
        program.check_variables()?;
        if program.holds(&Placeholder::ConfigFile) && program.template.is_none() {
            return Err("command holds {config_file}, but there is no tools.config_file".to_owned());
        }
        if let Some(install) = settings.install {
            check_installed(install, dir)?;
        }
        if let Some(cwd) = settings.cwd {
            check_folder(&dir.join(cwd)).map_err(|message| format!("cwd: {message}"))?;
        }
        program
            .command(Vec::new(), &program.dir)
            .find_program()
            .map_err(|error| format!("command: {error}"))?;
        Ok(program)
    }

    /// Whether an argument holds this placeholder.
    pub(crate) fn holds(&self, placeholder: &Placeholder) -> bool {
        self.arguments.iter().flat_map(Argument::placeholders).any(|held| held == placeholder)
    }

    /// Whether the program is told where tool servers are, one way or another.
    pub(crate) fn tells_servers(&self) -> bool {
        let is_url = |placeholder: &Placeholder| matches!(placeholder, Placeholder::McpUrl(_));
        self.hands_over_tools
            || self.tools.as_ref().is_some_and(|tools| *tools != ToolsVia::default())
            || self.arguments.iter().flat_map(Argument::placeholders).any(is_url)
    }

    /// What it knows of tool servers; with `tools = {}` the settings say that it brings its own tools.
    pub(crate) fn tool_access(&self) -> ToolAccess {
        match (self.tells_servers(), &self.tools) {
            (true, _) => ToolAccess::Told,
            (false, Some(_)) => ToolAccess::OwnTools,
            (false, None) => ToolAccess::Unsaid,
        }
    }

    /// The program with these arguments, in this folder unless the settings name one.
    pub(crate) fn command(&self, filled: Vec<String>, workspace: &Utf8Path) -> Command {
        let argv = if filled.is_empty() { self.command.clone() } else { filled };
        let cwd = self.cwd.as_ref().map_or_else(|| workspace.to_owned(), |cwd| self.dir.join(cwd));
        Command::new(argv, cwd).program_dir(&self.dir).source("agent").env(self.environment.clone())
    }

    /// A variable without a name, or with a value in it, reaches no program.
    fn check_variables(&self) -> Result<(), String> {
        let inference = self.inference.iter().flat_map(|inference| {
            [
                ("inference.base_url_env", &inference.base_url_env),
                ("inference.api_key_env", &inference.api_key_env),
            ]
        });
        let tools = self.tools.iter().flat_map(|tools| {
            let file = tools.config_file.iter().flat_map(|file| {
                [("tools.config_file.env", &file.env), ("tools.config_file.folder_env", &file.folder_env)]
            });
            std::iter::once(("tools.url_env", &tools.url_env)).chain(file)
        });
        let named = inference.chain(tools).filter_map(|(field, name)| Some((field, name.as_deref()?)));
        let wrong = |name: &str| name.is_empty() || name.contains(['=', '\0']);
        match named.into_iter().find(|(_, name)| wrong(name)) {
            Some((field, name)) => Err(format!("{field}: expected the name of a variable, found {name:?}")),
            None => Ok(()),
        }
    }

    /// A scripted model is of no use to a program that does not know where it is.
    fn check_inference(&self) -> Result<(), String> {
        let Some(inference) = &self.inference else {
            let held = [Placeholder::BaseUrl, Placeholder::ApiKey].into_iter().find(|held| self.holds(held));
            return match held {
                Some(held) => {
                    Err(format!("command holds {held}, but there is no inference to fill it in from"))
                }
                None => Ok(()),
            };
        };
        let told = inference.base_url_env.is_some()
            || self.holds(&Placeholder::BaseUrl)
            || self.template.as_ref().is_some_and(Template::uses_base_url);
        if told {
            return Ok(());
        }
        Err("inference: nothing tells the program where the model is: set base_url_env, or put {base_url} into command"
            .to_owned())
    }

    /// Why nobody sees what the program's model is asked in a live run.
    pub(crate) fn unseen(&self) -> String {
        let told = if self.inference.is_some() {
            "set inference.upstream to the base URL of its model"
        } else {
            "set inference, which says how it is told where its model is"
        };
        format!(
            "the model of the runtime {} is asked where nobody sees it: {told}, so that we stand in between",
            self.name
        )
    }

    /// Why nobody saw anything, although we stood in front of the program's model.
    pub(crate) fn unasked(&self) -> String {
        let told = self.model_told_by().unwrap_or("{base_url}");
        format!(
            "nothing was asked at the address of its model that the runtime {} is told of: does the program read {told}?",
            self.name
        )
    }

    /// An error in the settings.
    pub(crate) fn wrong(&self, message: &str) -> RuntimeError {
        wrong(&self.name, message)
    }
}

/// | `upstream` | the variable of `base_url_env` | the real model |
/// |---|---|---|
/// | set | any | there |
/// | | set for the program | there |
/// | | not set, and one that the provider's own clients read | the public provider |
/// | | else | unknown: the program knows a way of its own |
fn upstreams(inference: &InferenceVia, environment: &Environment) -> Result<Option<Upstreams>, String> {
    let variable = inference.base_url_env.as_deref();
    let set = variable.and_then(|name| environment.get(name)?.to_str()).filter(|value| !value.is_empty());
    let (field, base_url) = match (&inference.upstream, variable, set) {
        (Some(upstream), _, _) => ("inference.upstream", upstream.as_str()),
        (None, Some(name), Some(value)) => (name, value),
        (None, name, _) => return Ok(name.and_then(Upstreams::without_variable)),
    };
    let upstreams = Upstreams::of_client(inference.wire, base_url);
    upstreams.map(Some).map_err(|error| format!("{field}: {error}"))
}

/// What is missing is said with what makes it.
fn check_installed(Install { makes, command }: &Install, dir: &Utf8Path) -> Result<(), String> {
    if dir.join(makes).exists() {
        return Ok(());
    }
    Err(format!("it is not installed: {makes} is missing in {dir}; there, this installs it: `{command}`"))
}

fn check_folder(folder: &Utf8Path) -> Result<(), String> {
    match folder.metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(format!("expected a folder, and {folder} is a file")),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(format!("there is no folder {folder}")),
        Err(error) => Err(format!("the folder {folder} cannot be looked at: {error}")),
    }
}

fn arguments(command: &[String]) -> Result<Vec<Argument>, String> {
    let parse = |(index, argument): (usize, &String)| {
        Argument::parse(argument).map_err(|message| format!("command[{index}]: {message}"))
    };
    let arguments = command.iter().enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
    match arguments.first() {
        None => Err("command is empty: write [\"program\", \"argument\", …]".to_owned()),
        Some(program) if program.placeholders().next().is_some() => {
            Err("command[0]: the program itself cannot hold a placeholder".to_owned())
        }
        Some(_) => Ok(arguments),
    }
}
