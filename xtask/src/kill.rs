//! Kills `wt run` in the middle and looks at what it left: no unreadable artifact, no finished run missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::shell::{Outcome, build_wt};

/// Runs asked for each time: enough that the kill comes before the end.
const RUNS: &str = "200";

/// What was found over all kills.
#[derive(Debug, Default)]
struct Tally {
    /// Killed before the command had ended by itself.
    in_flight: u32,
    traces: usize,
    scores: usize,
    finished: usize,
    torn_lines: usize,
}

/// Kills `wt run --runs 200` so many times, each after a random delay, all into the same runs folder.
pub(crate) fn run(times: u32) -> Outcome {
    let wt = build_wt(true)?;
    let folder = tempfile::tempdir()?;
    write_pack(folder.path())?;
    let whole = time_of_a_whole_run(&wt, folder.path())?;
    println!("a whole run takes {:.0} ms", whole.as_secs_f64() * 1e3);
    let mut tally = Tally::default();
    for time in 0..times {
        let runs = folder.path().join(format!("killed-{time}"));
        kill_once(&wt, folder.path(), &runs, random_below(whole), &mut tally)?;
        inspect(&runs, &mut tally)?;
    }
    println!(
        "{times} kills, {} of them in flight: {} traces and {} scores, all readable; {} finished runs, none missing; {} torn last lines",
        tally.in_flight, tally.traces, tally.scores, tally.finished, tally.torn_lines
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

fn kill_once(wt: &Path, pack: &Path, runs: &Path, after: Duration, tally: &mut Tally) -> Outcome {
    let mut child = command(wt, pack, runs).spawn()?;
    std::thread::sleep(after);
    if child.try_wait()?.is_none() {
        tally.in_flight += 1;
    }
    child.kill()?;
    child.wait()?;
    Ok(())
}

fn inspect(runs: &Path, tally: &mut Tally) -> Outcome {
    let mut files = Vec::new();
    collect(runs, &mut files);
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
        for ending in [format!("_{stem}.json"), format!("_{stem}.score.json")] {
            if !files.iter().any(|file| file.to_string_lossy().ends_with(&ending)) {
                return Err(format!("run {run_id} finished, but no *{ending} is there").into());
            }
        }
    }
    Ok(())
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
