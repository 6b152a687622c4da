//! The settings of a command runtime, checked and taken apart before anything runs.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::config::{CommandRuntime, PromptVia, ReplyVia, ToolsVia};
use windtunnel_child::{Command, Environment};
use windtunnel_inference::Asides;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind};

use super::argument::{Argument, Placeholder};
use super::config_file::Template;

/// Checked settings.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) spec: CommandRuntime,
    /// The folder of the configuration file.
    pub(super) dir: Utf8PathBuf,
    pub(super) arguments: Vec<Argument>,
    /// The environment without what a case adds.
    pub(super) environment: Environment,
    pub(super) asides: Asides,
    pub(super) template: Option<Template>,
    pub(super) turn_limit: Option<Duration>,
}

impl Plan {
    pub(super) fn new(name: &str, spec: &CommandRuntime, dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Self::checked(name, spec, dir).map_err(|message| wrong(name, &message))
    }

    fn checked(name: &str, spec: &CommandRuntime, dir: &Utf8Path) -> Result<Self, String> {
        let arguments = arguments(&spec.command)?;
        let template = match spec.tools.as_ref().and_then(|tools| tools.config_file.as_ref()) {
            Some(file) => Some(
                Template::read(dir.join(&file.template)).map_err(|e| format!("tools.config_file: {e}"))?,
            ),
            None => None,
        };
        let turn_limit = match spec.turn_timeout_s {
            Some(seconds) => Some(
                Duration::try_from_secs_f64(seconds)
                    .ok()
                    .filter(|limit| !limit.is_zero())
                    .ok_or_else(|| format!("turn_timeout_s: expected seconds above 0, found {seconds}"))?,
            ),
            None => None,
        };
        let plan = Self {
            name: name.to_owned(),
            spec: spec.clone(),
            dir: dir.to_owned(),
            arguments,
            environment: Environment::of(&spec.pass_env, &spec.env).map_err(|error| error.to_string())?,
            asides: Asides::compile(&spec.aside).map_err(|errors| errors.to_string())?,
            template,
            turn_limit,
        };
        plan.check_prompt()?;
        plan.check_inference()?;
        if plan.holds(&Placeholder::ConfigFile) && plan.template.is_none() {
            return Err("command holds {config_file}, but there is no tools.config_file".to_owned());
        }
        plan.command(Vec::new(), &plan.dir).find_program().map_err(|error| format!("command: {error}"))?;
        Ok(plan)
    }

    /// Whether an argument holds this placeholder.
    pub(super) fn holds(&self, placeholder: &Placeholder) -> bool {
        self.arguments.iter().flat_map(Argument::placeholders).any(|held| held == placeholder)
    }

    /// Whether the program is told where tool servers are, one way or another.
    pub(super) fn tells_servers(&self) -> bool {
        let is_url = |placeholder: &Placeholder| matches!(placeholder, Placeholder::McpUrl(_));
        self.spec.tools.as_ref().is_some_and(|tools| *tools != ToolsVia::default())
            || self.arguments.iter().flat_map(Argument::placeholders).any(is_url)
    }

    /// The program with these arguments, in this folder unless the settings name one.
    pub(super) fn command(&self, filled: Vec<String>, workspace: &Utf8Path) -> Command {
        let argv = if filled.is_empty() { self.spec.command.clone() } else { filled };
        let cwd = self.spec.cwd.as_ref().map_or_else(|| workspace.to_owned(), |cwd| self.dir.join(cwd));
        Command::new(argv, cwd).program_dir(&self.dir).source("agent").env(self.environment.clone())
    }

    fn check_prompt(&self) -> Result<(), String> {
        let held = self.holds(&Placeholder::Prompt);
        match self.spec.prompt {
            PromptVia::Arg if !held => {
                Err("prompt = \"arg\" needs {prompt} in an argument of command".to_owned())
            }
            PromptVia::Stdin | PromptVia::Jsonl if held => {
                Err("command holds {prompt}, which is only filled in with prompt = \"arg\"".to_owned())
            }
            PromptVia::Jsonl if self.spec.reply == ReplyVia::Stdout => Err(
                "prompt = \"jsonl\" keeps the process, which cannot answer with all of its output: add reply = \"jsonl\""
                    .to_owned(),
            ),
            PromptVia::Arg | PromptVia::Stdin | PromptVia::Jsonl => Ok(()),
        }
    }

    /// A scripted model is of no use to a program that does not know where it is.
    fn check_inference(&self) -> Result<(), String> {
        let Some(inference) = &self.spec.inference else {
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
}

/// An error in the settings of the named runtime.
pub(super) fn wrong(name: &str, message: &str) -> RuntimeError {
    RuntimeError::new(RuntimeErrorKind::Config, format!("runtimes.{name}: {message}"))
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
