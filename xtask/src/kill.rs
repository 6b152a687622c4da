//! Kills `wt run` in the middle and looks at what it left: no unreadable artifact, no finished run missing.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::shell::{Outcome, Programs};

/// Runs asked for each time: enough that the kill comes before the end.
const RUNS: &str = "200";

/// What the runs folder holds.
#[derive(Debug, Default)]
struct Tally {
    traces: usize,
    scores: usize,
    finished: usize,
    torn_lines: usize,
}

/// Kills `wt run --runs 200` so many times, each after a random delay, all into the same runs folder.
pub(crate) fn run(times: u32) -> Outcome {
    let wt = Programs::build(true)?.path("wt");
    let folder = tempfile::tempdir()?;
    write_pack(folder.path())?;
    let whole = time_of_a_whole_run(&wt, folder.path())?;
    println!("a whole run takes {:.0} ms", whole.as_secs_f64() * 1e3);
    let runs = folder.path().join("killed");
    let (mut in_flight, mut tally) = (0, Tally::default());
    for _ in 0..times {
        in_flight += u32::from(kill_once(&wt, folder.path(), &runs, random_below(whole))?);
        tally = inspect(&runs)?;
    }
    let Tally { traces, scores, finished, torn_lines } = tally;
    println!(
        "{times} kills, {in_flight} of them in flight: {traces} traces and {scores} scores, all readable; \
         {finished} finished runs, none missing; {torn_lines} torn lines"
    );
    Ok(())
}

fn write_pack(folder: &Path) -> Outcome {
    fs::write(folder.join("pack.toml"), "name = \"kill\"\nruntime = \"stub\"\n")?;
    fs::write(folder.join("wt.toml"), "[runtimes.stub]\nkind = \"in_memory\"\nreply = \"ok\"\n")?;
    fs::write(
        folder.join("ok.scenario.toml"),
        "name = \"ok\"\nprompt = \"Say ok.\"\ntarget_facts = [[\"ok\"]]\n",
    )?;
    Ok(())
}

fn command(wt: &Path, pack: &Path, runs: &Path) -> Command {
    let mut command = Command::new(wt);
    command.args(["run", ".", "--runs", RUNS, "--runs-dir"]).arg(runs).current_dir(pack);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn time_of_a_whole_run(wt: &Path, pack: &Path) -> Outcome<Duration> {
    let started = std::time::Instant::now();
    let status = command(wt, pack, &pack.join("whole")).status()?;
    if status.success() { Ok(started.elapsed()) } else { Err(format!("wt run: {status}").into()) }
}

fn random_below(limit: Duration) -> Duration {
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    // The low digits of a nanosecond clock are random enough to spread kills.
    limit.mul_f64(f64::from(nanos % 1_000_003) / 1_000_003.0)
}

/// Kills a run, and says whether it was still going.
fn kill_once(wt: &Path, pack: &Path, runs: &Path, after: Duration) -> Outcome<bool> {
    let mut child = command(wt, pack, runs).spawn()?;
    std::thread::sleep(after);
    let in_flight = child.try_wait()?.is_none();
    child.kill()?;
    child.wait()?;
    Ok(in_flight)
}

/// Reads everything, and fails at what cannot be read or is missing.
fn inspect(runs: &Path) -> Outcome<Tally> {
    let mut files = Vec::new();
    collect(runs, &mut files);
    let mut tally = Tally::default();
    let mut names = HashSet::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".json") {
            continue;
        }
        let _: Value = serde_json::from_slice(&fs::read(file)?)
            .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        if name.ends_with(".score.json") {
            tally.scores += 1;
        } else {
            tally.traces += 1;
        }
        // `<timestamp>_<run id, 8>.json`
        names.extend(name.split_once('_').map(|(_, rest)| rest.to_owned()));
    }
    let events = fs::read_to_string(runs.join("events.ndjsonl")).unwrap_or_default();
    for line in events.lines() {
        let Ok(event) = serde_json::from_str::<Value>(line) else {
            tally.torn_lines += 1;
            continue;
        };
        if event.get("event").and_then(Value::as_str) != Some("run_finished") {
            continue;
        }
        tally.finished += 1;
        let run_id = event.get("run_id").and_then(Value::as_str).ok_or("run_finished without a run_id")?;
        let stem = run_id.get(..8).ok_or("a run_id that is too short")?;
        for name in [format!("{stem}.json"), format!("{stem}.score.json")] {
            if !names.contains(&name) {
                return Err(format!("run {run_id} finished, but no *_{name} is there").into());
            }
        }
    }
    Ok(tally)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
