//! The settings of a runtime of programs that speak the protocol, checked before anything runs.

use std::sync::Arc;

use camino::Utf8Path;
use windtunnel_api::config::AcpRuntime;
use windtunnel_api::scenario::permission::PermissionAnswer;
use windtunnel_spi::RuntimeError;

use crate::program::{Placeholder, Program, Settings};
use crate::settings::wrong;

/// Checked settings.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) program: Arc<Program>,
    pub(super) auth_method: Option<String>,
    pub(super) permission: PermissionAnswer,
}

impl Plan {
    pub(super) fn new(name: &str, spec: &AcpRuntime, dir: &Utf8Path) -> Result<Self, RuntimeError> {
        Self::checked(name, spec, dir).map_err(|message| wrong(name, &message))
    }

    fn checked(name: &str, spec: &AcpRuntime, dir: &Utf8Path) -> Result<Self, String> {
        let settings = Settings {
            command: &spec.command,
            cwd: spec.cwd.as_ref(),
            env: &spec.env,
            pass_env: &spec.pass_env,
            install: spec.install.as_ref(),
            inference: spec.inference.as_ref(),
            tools: spec.tools.as_ref(),
            hands_over_tools: true,
            turn_timeout_s: spec.turn_timeout_s,
            aside: &spec.aside,
        };
        let program = Program::checked(name, &settings, dir)?;
        if program.holds(&Placeholder::Prompt) {
            return Err("command holds {prompt}, but what the user says goes into the session".to_owned());
        }
        Ok(Self {
            program: Arc::new(program),
            auth_method: spec.auth_method.clone(),
            permission: spec.permission,
        })
    }
}
