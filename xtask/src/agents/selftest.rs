//! Self-tests of one agent, and what is read of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

use super::roster::{self, Agent};
use crate::shell::{Outcome, Programs, has};

/// How self-tests are run here.
pub(super) struct Bench {
    wt: PathBuf,
    /// The program that makes a network which is only a loopback, where that can be made.
    offline: Option<PathBuf>,
}

/// A case that was run.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) scenario: String,
    pub(super) case: String,
    pub(super) verdict: String,
    pub(super) detail: String,
    pub(super) seconds: f64,
    pub(super) events: Vec<Value>,
}

/// What `wt selftest --format json` prints, as far as it is read.
#[derive(Deserialize)]
struct Report {
    cases: Vec<ReportCase>,
}

#[derive(Deserialize)]
struct ReportCase {
    scenario_id: String,
    case: String,
    verdict: String,
    detail: String,
    trace_path: Option<PathBuf>,
}

/// A saved trace, as far as it is read.
#[derive(Default, Deserialize)]
struct Trace {
    started_at: String,
    finished_at: String,
    events: Vec<Value>,
}

impl Bench {
    pub(super) fn new(programs: &Programs) -> Outcome<Self> {
        let offline = roster::folder().join("offline");
        let script = offline.to_str().ok_or("the path of this checkout is not UTF-8")?;
        let offline = has(script, &["true"]).then_some(offline);
        Ok(Self { wt: programs.path("wt"), offline })
    }

    /// Whether nothing that runs here can reach another machine.
    pub(super) fn is_offline(&self) -> bool {
        self.offline.is_some()
    }

    pub(super) fn selftest(&self, agent: &Agent, packs: &[PathBuf]) -> Outcome<Vec<Finished>> {
        self.selftest_with(agent, packs, &[])
    }

    /// Self-tests the packs on the agent, with these variables as well.
    pub(super) fn selftest_with(
        &self,
        agent: &Agent,
        packs: &[PathBuf],
        variables: &[(&str, &str)],
    ) -> Outcome<Vec<Finished>> {
        let runs = tempfile::tempdir()?;
        let mut command = match &self.offline {
            Some(offline) => {
                let mut command = Command::new(offline);
                command.arg(&self.wt);
                command
            }
            None => Command::new(&self.wt),
        };
        let output = command
            .args(["selftest", "--format", "json", "--runtime", &agent.name, "--runs-dir"])
            .arg(runs.path())
            .args(packs)
            .envs(variables.iter().copied())
            .current_dir(roster::folder())
            .stdin(Stdio::null())
            .output()?;
        let report: Report = serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("{}: {error}\n{}", agent.name, String::from_utf8_lossy(&output.stderr))
        })?;
        report.cases.into_iter().map(|case| Finished::read(case, &roster::folder())).collect()
    }
}

impl Finished {
    fn read(case: ReportCase, folder: &Path) -> Outcome<Self> {
        let trace: Trace = match &case.trace_path {
            Some(path) => serde_json::from_slice(&std::fs::read(folder.join(path))?)?,
            None => Trace::default(),
        };
        Ok(Self {
            scenario: case.scenario_id,
            case: case.case,
            verdict: case.verdict,
            detail: case.detail,
            seconds: seconds_between(&trace.started_at, &trace.finished_at),
            events: trace.events,
        })
    }

    /// The events of this kind.
    pub(super) fn events_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["kind"] == kind)
    }
}

/// From one time of a trace to another, less than a day later.
fn seconds_between(start: &str, end: &str) -> f64 {
    let of_day = |time: &str| {
        let (_, clock) = time.split_once('T')?;
        let mut parts = clock.get(..15)?.split(':').map(str::parse::<f64>);
        let mut next = || parts.next()?.ok();
        Some(next()? * 3600.0 + next()? * 60.0 + next()?)
    };
    match (of_day(start), of_day(end)) {
        (Some(start), Some(end)) => (end - start).rem_euclid(86_400.0),
        _ => 0.0,
    }
}
