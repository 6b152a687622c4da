//! The examples: the packs under `examples/`, each with what its self-test should yield beside it, the agents under
//! `examples/omw`, and the process scenarios under `examples/process`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::endpoint::{Endpoint, EndpointSpec};
use crate::served;
use crate::shell::{Outcome, Programs, root};

/// `expected.toml` beside a pack: its exit code and the verdict of every case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    exit: i32,
    /// A program without which the example is skipped, with the arguments that show it is there.
    #[serde(default)]
    needs: Vec<String>,
    /// The endpoint that the agent is behind.
    endpoint: Option<EndpointSpec>,
    #[serde(rename = "case")]
    cases: Vec<ExpectedCase>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedCase {
    scenario: String,
    case: String,
    verdict: String,
}

/// What `wt selftest --format json` prints, as far as it is compared.
#[derive(Debug, Deserialize)]
struct Report {
    cases: Vec<ReportCase>,
}

#[derive(Debug, Deserialize)]
struct ReportCase {
    scenario_id: String,
    case: String,
    verdict: String,
    detail: String,
}

/// Self-tests every example and fails if a verdict or an exit code differs from its table.
pub(crate) fn selftest(release: bool) -> Outcome {
    let programs = Programs::build(release)?;
    let wt = programs.path("wt");
    let mut problems = Vec::new();
    let (mut checked, mut skipped) = (0, 0);
    for pack in packs()? {
        let name = pack.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected: Expected = toml::from_str(&std::fs::read_to_string(pack.join("expected.toml"))?)
            .map_err(|error| format!("{name}/expected.toml: {error}"))?;
        if let Some(missing) = missing(&expected.needs) {
            println!("{name}: skipped, {missing} is not there; see {name}/README.md");
            skipped += 1;
            continue;
        }
        let started = expected.endpoint.as_ref().map(|spec| Endpoint::start(spec, &pack));
        let endpoint = started.transpose().map_err(|error| format!("{name}: {error}"))?;
        if let Some(endpoint) = &endpoint {
            problems.extend(endpoint.examine(&wt, &pack)?.map(|problem| format!("{name}: {problem}")));
        }
        let (exit, found) = run(&programs, &pack, endpoint.as_ref())?;
        println!("{name}: exit {exit}");
        checked += 1;
        if exit != expected.exit {
            problems.push(format!("{name}: expected exit {}, found {exit}", expected.exit));
        }
        problems.extend(differences(&name, &expected, &found));
    }
    tests_of_agents(&programs, &mut problems)?;
    process_scenarios(&wt, &mut problems)?;
    if let Some(missing) = missing(&served::NEEDS.map(str::to_owned)) {
        println!("served: skipped, {missing} is not there; see omw/README.md");
        skipped += 1;
    } else {
        problems.extend(served::check(&programs)?);
        checked += 1;
    }
    println!("{checked} examples as expected but for {} differences, {skipped} skipped", problems.len());
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Every test under `examples/omw` has to pass.
fn tests_of_agents(programs: &Programs, problems: &mut Vec<String>) -> Outcome {
    let output = Command::new(programs.path("omw-test"))
        .args(["run", "omw"])
        .current_dir(root().join("examples"))
        .stdin(Stdio::null())
        .output()?;
    print!("omw: {}\n{}", output.status, String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        problems.push(format!("omw: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(())
}

/// Every scenario under `examples/process` has to pass.
fn process_scenarios(wt: &Path, problems: &mut Vec<String>) -> Outcome {
    let runs = tempfile::tempdir()?;
    let output = Command::new(wt)
        .args(["run", "process", "--quiet", "--runs-dir"])
        .arg(runs.path())
        .current_dir(root().join("examples"))
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!("process: {}\n{said}", output.status);
    if !output.status.success() {
        problems.push(format!("process: {said}{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(())
}

fn packs() -> Outcome<Vec<PathBuf>> {
    let mut packs = Vec::new();
    for entry in std::fs::read_dir(root().join("examples"))? {
        let folder = entry?.path();
        if folder.join("expected.toml").is_file() {
            packs.push(folder);
        }
    }
    packs.sort();
    if packs.is_empty() { Err("no example has an expected.toml".into()) } else { Ok(packs) }
}

/// The first word of a needed command that does not run.
fn missing(needs: &[String]) -> Option<String> {
    let (program, arguments) = needs.split_first()?;
    let ran = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if ran.is_ok_and(|status| status.success()) { None } else { Some(needs.join(" ")) }
}

fn run(programs: &Programs, pack: &Path, endpoint: Option<&Endpoint>) -> Outcome<(i32, Vec<ReportCase>)> {
    let runs = tempfile::tempdir()?;
    let output = Command::new(programs.path("wt"))
        .env("PATH", programs.search_path()?)
        .args(["selftest", ".", "--format", "json", "--runs-dir"])
        .arg(runs.path())
        .current_dir(pack)
        .envs(endpoint.map(Endpoint::variable))
        .stdin(Stdio::null())
        .output()?;
    let exit = output.status.code().unwrap_or(-1);
    let report: Report = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!("{}: {error}\n{}", pack.display(), String::from_utf8_lossy(&output.stderr))
    })?;
    Ok((exit, report.cases))
}

fn differences(name: &str, expected: &Expected, found: &[ReportCase]) -> Vec<String> {
    let mut found: BTreeMap<(&str, &str), &ReportCase> =
        found.iter().map(|case| ((case.scenario_id.as_str(), case.case.as_str()), case)).collect();
    let mut problems = Vec::new();
    for ExpectedCase { scenario, case, verdict } in &expected.cases {
        match found.remove(&(scenario.as_str(), case.as_str())) {
            None => problems.push(format!("{name}: {scenario}/{case} was not run")),
            Some(found) if found.verdict != *verdict => problems.push(format!(
                "{name}: {scenario}/{case}: expected {verdict}, found {}: {}",
                found.verdict, found.detail
            )),
            Some(found) => println!("  {:<14} {scenario}/{case}", found.verdict),
        }
    }
    problems.extend(
        found.keys().map(|(scenario, case)| format!("{name}: {scenario}/{case} is not in expected.toml")),
    );
    problems
}
