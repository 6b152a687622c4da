//! Taking the surfaces of scenarios, from what their agents really send.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8PathBuf;
use indexmap::IndexMap;
use serde_json::Value;
use tokio::sync::mpsc;
use windtunnel_api::event::CaseStatus;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_api::{ReferenceKind, Scenario};
use windtunnel_discovery::Found;
use windtunnel_gate::Checks;
use windtunnel_runner::world::ROOT_PREFIX;
use windtunnel_runner::{SelftestOptions, selftest};
use windtunnel_spi::{Hook, HookArtifact, HookPoint};

use crate::App;
use crate::args::ExecuteArgs;
use crate::commands::execute;
use crate::commands::scope::Scope;
use crate::error::CliError;

/// The surfaces of a pack's scenarios.
pub(super) struct PackSurfaces {
    pub(super) name: String,
    pub(super) dir: Utf8PathBuf,
    pub(super) scenarios: IndexMap<String, Surface>,
}

/// What was seen, and of which scenarios nothing could be.
pub(super) struct Taken {
    pub(super) packs: Vec<PackSurfaces>,
    /// The scenarios without a golden case, each with its pack.
    pub(super) unseen: Vec<String>,
}

/// Plays the first golden case of every scenario and keeps what its agent told the model.
pub(super) async fn surfaces(app: &App, scope: Scope, runtime: Option<&str>) -> Result<Taken, CliError> {
    let mut packs: IndexMap<String, PackSurfaces> = IndexMap::new();
    let (mut cases, mut unseen) = (Vec::new(), Vec::new());
    for found in &scope.found {
        let Some(found) = first_golden(found)? else {
            unseen.push(format!("{}/{}", found.pack.name(), found.scenario().name));
            continue;
        };
        packs.entry(found.pack.name().to_owned()).or_insert_with(|| PackSurfaces {
            name: found.pack.name().to_owned(),
            dir: found.pack.dir.clone(),
            scenarios: IndexMap::new(),
        });
        cases.push(found);
    }
    if cases.is_empty() {
        return Err(CliError::usage(
            "none of the selected scenarios has a golden reference case, so no agent can be asked without a model",
            "add one; `wt record` makes one of a session with a real model",
        ));
    }
    let args = ExecuteArgs { runtime: runtime.map(str::to_owned), ..ExecuteArgs::default() };
    let runtimes = execute::runtimes(app, &scope, &scope.wanted(runtime))?;
    let (_folder, runs_dir) = execute::scratch()?;
    let seen = Arc::new(Seen::default());
    let bench = execute::bench(app, &scope, &args, &runs_dir)?.with_hook(Arc::clone(&seen) as Arc<dyn Hook>);
    let options = SelftestOptions { suite: execute::suite_options(&args, &scope), strict: false };
    let mut interrupts = execute::interrupts()?;
    let (events, _nobody) = mpsc::unbounded_channel();
    let outcome = selftest(&bench, &runtimes, cases.clone(), &options, &events, &mut interrupts).await;
    bench.close();
    let outcome = outcome?;
    let mut taken = std::mem::take(&mut *seen.0.lock().unwrap_or_else(PoisonError::into_inner));
    for found in &cases {
        let scenario = &found.scenario().name;
        let surface = taken
            .remove(scenario)
            .filter(|surface| matches!(surface.status, SurfaceStatus::Rendered | SurfaceStatus::Reported));
        let Some(surface) = surface else {
            let report = outcome.cases.iter().find(|report| report.id.test == *scenario);
            let why = match report {
                Some(report) if report.status != CaseStatus::Passed => report.detail.clone(),
                Some(_) | None => "its runtime does not see what the model is told".to_owned(),
            };
            return Err(CliError::usage(
                format!("the surface of {scenario} was not seen: {}", windtunnel_report::block(&why)),
                format!("`wt selftest --scenario {scenario}` shows how its agent does"),
            ));
        };
        if let Some(pack) = packs.get_mut(found.pack.name()) {
            pack.scenarios.insert(scenario.clone(), surface);
        }
    }
    Ok(Taken { packs: packs.into_values().collect(), unseen })
}

/// The scenario with its first golden case alone.
fn first_golden(found: &Found) -> Result<Option<Found>, CliError> {
    let scenario = found.scenario();
    let golden = scenario.reference_cases.iter().find(|case| case.kind == ReferenceKind::Golden);
    let Some(golden) = golden else { return Ok(None) };
    let scenario = Scenario { reference_cases: vec![golden.clone()], ..scenario.as_ref().clone() };
    let alone = Found::new(&found.pack, scenario, Checks::new())?;
    Ok(Some(Found { preconditions: found.preconditions.clone(), ..alone }))
}

/// Keeps the surface of every trace, by scenario.
#[derive(Default)]
struct Seen(Mutex<HashMap<String, Surface>>);

impl Hook for Seen {
    fn name(&self) -> &'static str {
        "surface"
    }

    fn observe(&self, point: HookPoint<'_>) -> Vec<HookArtifact> {
        if let HookPoint::RunScored { scenario, trace, .. } = point
            && let Some(surface) = trace.surface.as_ref().and_then(read)
        {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(scenario.name.clone(), surface);
        }
        Vec::new()
    }
}

/// The surface of a trace. The workspace of the case, which is another folder in every run, goes by a name.
fn read(surface: &Value) -> Option<Surface> {
    let folders = std::env::temp_dir();
    let folders = folders.canonicalize().unwrap_or(folders);
    let begin = format!("{}/{ROOT_PREFIX}", folders.to_str()?.trim_end_matches('/'));
    let mut surface = surface.clone();
    name_workspaces(&begin, &mut surface);
    serde_json::from_value(surface).ok()
}

fn name_workspaces(begin: &str, value: &mut Value) {
    match value {
        Value::String(text) => *text = with_named_workspaces(begin, text),
        Value::Array(items) => items.iter_mut().for_each(|item| name_workspaces(begin, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| name_workspaces(begin, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A workspace is two folders deep: that of its suite, and its own.
fn with_named_workspaces(begin: &str, text: &str) -> String {
    let mut named = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        named += before;
        named += "{workspace}";
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let after = after.trim_start_matches(is_name);
        rest = after.strip_prefix('/').map_or(after, |own| own.trim_start_matches(is_name));
    }
    named + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_of_a_case_is_no_part_of_its_surface() {
        let named = |text| with_named_workspaces("/tmp/windtunnel-", text);
        assert_eq!(
            named(
                "in /tmp/windtunnel-aB3x/7-refund_golden/src, not /tmp/other; /tmp/windtunnel-aB3x/7-refund_golden."
            ),
            "in {workspace}/src, not /tmp/other; {workspace}"
        );
        assert_eq!(named("nothing"), "nothing");
    }
}
