//! Runtimes: what their settings say, and whether their agents can be set up.

use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::time::timeout;
use windtunnel_api::config::{RuntimeSpec, ToolsVia};
use windtunnel_child::Command;
use windtunnel_runner::Runtimes;
use windtunnel_spi::{
    AgentConfig, AgentRuntime, CaseWorld, RuntimeError, RuntimeErrorKind, ToolHandle, with_causes,
};

/// What the settings of a runtime come to here, with nothing started.
///
/// # Errors
/// What is wrong with them: a program, a folder or a template that is not there, a variable that `env` wants.
pub(super) fn described(name: &str, spec: &RuntimeSpec, base: &Utf8Path) -> Result<String, String> {
    windtunnel_runtimes::plugin(name, spec, base).map_err(|error| without_name(name, with_causes(&error)))?;
    let mut facts = vec![spec.kind().to_owned()];
    match spec {
        RuntimeSpec::Command(spec) => {
            program(&spec.command, spec.cwd.as_ref(), spec.tools.as_ref(), base, &mut facts);
            unset(&spec.pass_env, &mut facts);
        }
        RuntimeSpec::Acp(spec) => {
            program(&spec.command, spec.cwd.as_ref(), spec.tools.as_ref(), base, &mut facts);
            unset(&spec.pass_env, &mut facts);
        }
        RuntimeSpec::Omw(spec) => facts.push(format!("{} for the model {}", spec.config, spec.model)),
        RuntimeSpec::HttpInject(spec) => facts.push(format!("at {}", spec.url)),
        RuntimeSpec::Loop(_) | RuntimeSpec::InMemory(_) => {}
    }
    Ok(facts.join(", "))
}

fn program(
    argv: &[String],
    cwd: Option<&Utf8PathBuf>,
    tools: Option<&ToolsVia>,
    base: &Utf8Path,
    facts: &mut Vec<String>,
) {
    if let Ok(program) = Command::new(argv, base).find_program() {
        facts.push(format!("program {program}"));
    }
    facts.extend(cwd.map(|cwd| format!("in {cwd}")));
    let template = tools.and_then(|tools| tools.config_file.as_ref());
    facts.extend(template.map(|file| format!("template {}", file.template)));
}

/// Variables that are passed on and are not there. An agent may do without.
fn unset(pass_env: &[String], facts: &mut Vec<String>) {
    let unset: Vec<&str> =
        pass_env.iter().map(String::as_str).filter(|name| std::env::var_os(name).is_none()).collect();
    if !unset.is_empty() {
        facts.push(format!("not set (pass_env): {}", unset.join(" ")));
    }
}

/// A problem of a runtime that is named before it already.
pub(super) fn without_name(name: &str, problem: String) -> String {
    match problem.strip_prefix(&format!("runtimes.{name}: ")) {
        Some(rest) => rest.to_owned(),
        None => problem,
    }
}

/// Builds a runtime and sets an agent of it up.
///
/// # Errors
/// Why that is not possible.
pub(super) async fn set_up(
    runtimes: &Runtimes,
    name: &str,
    world: &CaseWorld,
    tools: &[Arc<dyn ToolHandle>],
) -> Result<(Arc<dyn AgentRuntime>, String), String> {
    let plugin = runtimes.get(name).map_err(|error| with_causes(&error))?;
    let limit = world.limits.start;
    let late = || RuntimeError::new(RuntimeErrorKind::Timeout, not_in_time(limit));
    let built = timeout(limit, plugin.build()).await.unwrap_or_else(|_| Err(late()));
    let runtime = built.map_err(|error| with_causes(&error))?;
    let selftest = if runtime.reference().is_some() { "can be self-tested" } else { "cannot be self-tested" };
    if let Err(error) = plugin.check_live() {
        // A self-test brings its own model.
        return Ok((runtime, format!("{selftest}; not ready for live runs: {}", with_causes(&error))));
    }
    let config = AgentConfig::new("wt-doctor", world.clone());
    let provisioned = timeout(limit, runtime.provision(config, tools.to_vec())).await;
    let mut agent = provisioned.unwrap_or_else(|_| Err(late())).map_err(|error| with_causes(&error))?;
    // An agent that does not end is killed when it is dropped.
    let _ = timeout(limit, agent.teardown()).await;
    drop(agent);
    Ok((runtime, format!("is set up, {selftest}")))
}

pub(super) fn not_in_time(limit: Duration) -> String {
    format!("did not answer within {} s (timeouts.start_s)", limit.as_secs_f64())
}
