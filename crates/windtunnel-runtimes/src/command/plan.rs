//! The settings of a command runtime, checked before anything runs.

use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_api::config::{CommandRuntime, PromptVia, ReplyVia};
use windtunnel_spi::RuntimeError;

use crate::program::{Placeholder, Program, Settings};
use crate::settings::wrong;

/// Checked settings.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) program: Arc<Program>,
    pub(super) prompt: PromptVia,
    pub(super) reply: ReplyVia,
}

impl Plan {
    pub(super) fn new(name: &str, spec: &CommandRuntime, dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Self::checked(name, spec, dir).map_err(|message| wrong(name, &message))
    }

    fn checked(name: &str, spec: &CommandRuntime, dir: &Utf8Path) -> Result<Self, String> {
        let settings = Settings {
            command: &spec.command,
            cwd: spec.cwd.as_ref(),
            env: &spec.env,
            pass_env: &spec.pass_env,
            install: spec.install.as_ref(),
            inference: spec.inference.as_ref(),
            tools: spec.tools.as_ref(),
            hands_over_tools: false,
            turn_timeout_s: spec.turn_timeout_s,
            aside: &spec.aside,
        };
        let program = Program::checked(name, &settings, dir)?;
        let plan = Self { program: Arc::new(program), prompt: spec.prompt, reply: spec.reply };
        plan.check_prompt()?;
        Ok(plan)
    }

    fn check_prompt(&self) -> Result<(), String> {
        let held = self.program.holds(&Placeholder::Prompt);
        match self.prompt {
            PromptVia::Arg if !held => {
                Err("prompt = \"arg\" needs {prompt} in an argument of command".to_owned())
            }
            PromptVia::Stdin | PromptVia::Jsonl if held => {
                Err("command holds {prompt}, which is only filled in with prompt = \"arg\"".to_owned())
            }
            PromptVia::Jsonl if self.reply == ReplyVia::Stdout => Err(
                "prompt = \"jsonl\" keeps the process, which cannot answer with all of its output: add reply = \"jsonl\""
                    .to_owned(),
            ),
            PromptVia::Arg | PromptVia::Stdin | PromptVia::Jsonl => Ok(()),
        }
    }
}
