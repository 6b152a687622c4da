//! An agent that the bench runs live, with the tools of a pack behind their recorders.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8Path;
use indexmap::IndexMap;
use tokio::sync::mpsc;
use windtunnel_api::Scenario;
use windtunnel_api::config::{Config, InferenceVia, LoopRuntime, RuntimeSpec, Wire};
use windtunnel_api::event::CaseStatus;
use windtunnel_api::exit::Exit;
use windtunnel_discovery::{Found, load_pack};
use windtunnel_gate::Checks;
use windtunnel_inference::record::Recorder;
use windtunnel_runner::{RuntimeChoice, Runtimes, SuiteOptions, SweepCases, SweepOptions, sweep};

use super::source::Source;
use super::watched::{Watch, WatchedPlugin};
use super::{Recorded, start, upstreams, variable};
use crate::App;
use crate::args::{ExecuteArgs, GlobalArgs, RecordArgs, SelectArgs};
use crate::commands::execute::{self, block_on};
use crate::commands::scope::Scope;
use crate::config::Settings;
use crate::error::CliError;

pub(super) fn record(
    app: &App,
    global: &GlobalArgs,
    args: &RecordArgs,
    path: &Utf8Path,
    name: &str,
) -> Result<Recorded, CliError> {
    let (mut scope, source) = scope(app, global, args, path, name)?;
    let pack = scope
        .packs()
        .into_iter()
        .next()
        .ok_or_else(|| CliError::usage(format!("{path} is no pack"), "name a folder with a pack.toml"))?;
    let runtime = scope.runtime_of_pack(&pack, args.runtime.as_deref());
    execute::runtimes(app, &scope, &BTreeSet::from([runtime.clone()]))?.get(&runtime)?;
    block_on(2, async {
        let told = Told::of(&scope.settings.config, &runtime)?;
        let recorder = start(args, told.upstreams(args)?).await?;
        told.redirect(&mut scope.settings.config, &runtime, &recorder);
        run(app, &scope, source, &runtime, &recorder).await
    })
}

/// The one scenario that is run: only what is asked, since nothing is judged yet.
fn scope(
    app: &App,
    global: &GlobalArgs,
    args: &RecordArgs,
    path: &Utf8Path,
    name: &str,
) -> Result<(Scope, Source), CliError> {
    let (source, asked) = if let Some(scenario) = &args.scenario {
        let select = SelectArgs {
            paths: vec![path.to_owned()],
            scenario: vec![scenario.clone()],
            ..SelectArgs::default()
        };
        let mut selected = Scope::resolve_packs(app, global, &select, None)?.found;
        let (Some(found), None) = (selected.pop(), selected.pop()) else {
            return Err(CliError::usage(
                format!("{scenario:?} selects several scenarios"),
                "one at a time is recorded",
            ));
        };
        let asked = found.scenario().as_ref().clone();
        (Source::of_scenario(path, found), asked)
    } else {
        if args.prompt.is_empty() {
            return Err(CliError::usage(
                "nothing says what the agent is asked",
                "add --prompt 'Refund order A-17.', or --scenario with the name of a scenario of the pack",
            ));
        }
        let scenario = Scenario { user_turns: args.prompt.clone(), ..Scenario::new(name, "") };
        (Source::of_pack(path, load_pack(path)?), scenario)
    };
    let scenario = Scenario {
        prompt: asked.prompt,
        user_turns: asked.user_turns,
        permissions: asked.permissions,
        sampler: asked.sampler,
        requires_files: asked.requires_files,
        requires_tools: asked.requires_tools,
        ..Scenario::new(name, "")
    };
    let settings = Settings::load(global.config.as_deref(), &[path.to_owned()])?;
    let found = Found::new(&source.pack, scenario, Checks::new())?;
    Ok((Scope { found: vec![found], ..Scope::of(settings) }, source))
}

/// How a runtime's agent is told where its model is.
struct Told {
    wire: Wire,
    /// Where it would have gone by its settings.
    base_url: Option<String>,
}

impl Told {
    fn of(config: &Config, runtime: &str) -> Result<Self, CliError> {
        let cannot = |why: &str| {
            CliError::usage(
                format!("the runtime {runtime} cannot be recorded with a pack: {why}"),
                "start the agent yourself and record it without a pack: `wt record --out DIR -- COMMAND`",
            )
        };
        match config.runtimes.get(runtime) {
            Some(RuntimeSpec::Command(spec)) => Self::by(spec.inference.as_ref(), &spec.env),
            Some(RuntimeSpec::Acp(spec)) => Self::by(spec.inference.as_ref(), &spec.env),
            Some(RuntimeSpec::Loop(spec)) => {
                Ok(Self { wire: Wire::OpenAiChat, base_url: spec.base_url.clone() })
            }
            None if runtime == "loop" => Ok(Self { wire: Wire::OpenAiChat, base_url: None }),
            Some(RuntimeSpec::HttpInject(_)) => {
                return Err(cannot(
                    "its agent runs elsewhere, where nobody can tell it another model endpoint",
                ));
            }
            Some(RuntimeSpec::InMemory(_)) => return Err(cannot("it asks no model")),
            None if runtime == "in_memory" => return Err(cannot("it asks no model")),
            Some(RuntimeSpec::Omw(_)) => {
                return Err(cannot("its providers stand in a configuration of their own"));
            }
            None => return Err(cannot("wt.toml does not say how its agent is told where the model is")),
        }
        .map_err(cannot)
    }

    fn by(inference: Option<&InferenceVia>, env: &IndexMap<String, String>) -> Result<Self, &'static str> {
        let inference = inference
            .ok_or("nothing says how its agent is told where the model is: set `inference` in wt.toml")?;
        if let Some(upstream) = &inference.upstream {
            return Ok(Self { wire: inference.wire, base_url: Some(upstream.clone()) });
        }
        let named = inference.base_url_env.as_deref();
        let set = named.and_then(|name| env.get(name));
        let expanded = set.and_then(|template| windtunnel_child::expand(template, "base_url_env").ok());
        let base_url = expanded.map(|expanded| expanded.value.expose().to_owned());
        Ok(Self { wire: inference.wire, base_url: base_url.or_else(|| named.and_then(variable)) })
    }

    fn upstreams(&self, args: &RecordArgs) -> Result<windtunnel_inference::record::Upstreams, CliError> {
        let own = |wires: &[Wire], name: &str| {
            self.base_url.clone().filter(|_| wires.contains(&self.wire)).or_else(|| variable(name))
        };
        let openai = own(&[Wire::OpenAiChat, Wire::OpenAiResponses], "OPENAI_BASE_URL");
        let anthropic = own(&[Wire::AnthropicMessages], "ANTHROPIC_BASE_URL");
        upstreams(args, openai.as_deref(), anthropic.as_deref())
    }

    /// Lets the runtime's agent ask the recorder.
    fn redirect(&self, config: &mut Config, runtime: &str, recorder: &Recorder) {
        let address = recorder.base_url(self.wire);
        let spec = config
            .runtimes
            .entry(runtime.to_owned())
            .or_insert_with(|| RuntimeSpec::Loop(LoopRuntime::default()));
        match spec {
            RuntimeSpec::Loop(spec) => spec.base_url = Some(address),
            RuntimeSpec::Command(spec) => tell(spec.inference.as_mut(), &mut spec.env, address),
            RuntimeSpec::Acp(spec) => tell(spec.inference.as_mut(), &mut spec.env, address),
            RuntimeSpec::InMemory(_) | RuntimeSpec::Omw(_) | RuntimeSpec::HttpInject(_) => {}
        }
    }
}

/// Puts the recorder where the real model is, and lets the program have its key.
fn tell(inference: Option<&mut InferenceVia>, env: &mut IndexMap<String, String>, address: String) {
    let Some(inference) = inference else { return };
    inference.upstream = Some(address);
    // Not into an argument, which everybody on the machine can read.
    if let Some(name) = inference.api_key_env.as_deref().filter(|name| variable(name).is_some()) {
        env.entry(name.to_owned()).or_insert_with(|| format!("${{{name}}}"));
    }
}

async fn run(
    app: &App,
    scope: &Scope,
    source: Source,
    runtime: &str,
    recorder: &Recorder,
) -> Result<Recorded, CliError> {
    let wanted = BTreeSet::from([runtime.to_owned()]);
    let runtimes = execute::runtimes(app, scope, &wanted)?;
    let watch = Watch::default();
    let plugin = WatchedPlugin::new(Arc::clone(runtimes.get(runtime)?), watch.clone());
    let (_folder, runs_dir) = execute::scratch()?;
    let bench = execute::bench(app, scope, &ExecuteArgs::default(), &runs_dir)?;
    let choice = RuntimeChoice { asked: Some(runtime.to_owned()), default: runtime.to_owned() };
    let options = SweepOptions {
        suite: SuiteOptions { jobs: 1, fail_fast: false, runtime: choice },
        runs: 1,
        label: "record".to_owned(),
        git_sha: None,
    };
    let mut interrupts = execute::interrupts()?;
    let (events, _nobody) = mpsc::unbounded_channel();
    let runtimes = Runtimes::new().with(Arc::new(plugin));
    let cases = SweepCases { scenarios: scope.found.clone(), beside: Vec::new() };
    let outcome = sweep(&bench, &runtimes, cases, &options, &events, &mut interrupts).await;
    bench.close();
    let outcome = outcome?;
    if let Some(report) = outcome.cases.iter().find(|report| report.status != CaseStatus::Passed) {
        let exit = if outcome.ended.is_interrupt() { Exit::Interrupted } else { Exit::Failure };
        let output =
            report.output.iter().map(|output| format!("\n{}:\n{}", output.source, output.text.trim_end()));
        let reason = format!("the agent failed: {}{}", report.detail, output.collect::<String>());
        return Ok(Recorded::Failed { exit, reason: windtunnel_report::block(&reason).to_string() });
    }
    let session = recorder.take(watch.witnessed()).await;
    let session = session.map_err(|error| CliError::Usage { message: error.to_string(), help: None })?;
    let asked = scope.found.first().map(Found::scenario);
    Ok(Recorded::Session {
        session: Box::new(session),
        source: Some(source),
        runtime: Some(runtime.to_owned()),
        permissions: asked.map(|asked| asked.permissions.clone()).unwrap_or_default(),
        failed: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_into_its_variable_and_never_into_an_argument() {
        let own = IndexMap::from([("CARGO_PKG_NAME".to_owned(), "own".to_owned())]);
        for (name, before, after) in [
            ("CARGO_PKG_NAME", IndexMap::new(), Some("${CARGO_PKG_NAME}")),
            ("CARGO_PKG_NAME", own, Some("own")),
            ("NO_SUCH_KEY", IndexMap::new(), None),
        ] {
            let mut inference =
                InferenceVia { api_key_env: Some(name.to_owned()), ..InferenceVia::default() };
            let mut env = before;
            tell(Some(&mut inference), &mut env, "http://recorder".to_owned());
            assert_eq!(inference.upstream.as_deref(), Some("http://recorder"));
            assert_eq!(env.values().next().map(String::as_str), after);
        }
    }
}
