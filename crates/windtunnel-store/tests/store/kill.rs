#![cfg(unix)]

use std::fs::{self, FileTimes};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use windtunnel_store::{read_events, read_runs};

use crate::support::{Fixture, event, sidecar, trace};

const RUNS_DIR: &str = "WINDTUNNEL_STORE_TEST_RUNS_DIR";

/// The process that the next test kills. Does nothing on its own.
#[test]
#[ignore = "runs as a child process of another test"]
fn child_that_writes_until_it_is_killed() {
    let Ok(runs_dir) = std::env::var(RUNS_DIR) else { return };
    let store = windtunnel_store::RunStore::open(runs_dir).unwrap();
    let pid = u128::from(std::process::id());
    for run in 0..u32::MAX {
        let mut trace = trace(pid);
        trace.variant_id = format!("v{}", run % 7);
        trace.worker_warnings = vec!["x".repeat(20_000)];
        let stamp =
            format!("2026-11-30T08:{:02}:{:02}.{:06}+00:00", run / 60 % 60, run % 60, pid % 1_000_000);
        trace.started_at = stamp;
        store.write_run(&trace, &sidecar(None)).unwrap();
        store.append_event(&event(run as usize, 3000)).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_whole_files_only() {
    let fixture = Fixture::new();
    let mut most = 0;
    for round in 0..12 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "kill::child_that_writes_until_it_is_killed"])
            .env(RUNS_DIR, &fixture.runs_dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while read_events(&fixture.runs_dir).flatten().count() <= most {
            assert!(child.try_wait().unwrap().is_none(), "the writer ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(round * 700));
        child.kill().unwrap();
        child.wait().unwrap();
        most = read_events(&fixture.runs_dir).flatten().count();
    }
    let mut runs = 0;
    for run in read_runs(&fixture.runs_dir) {
        assert!(run.unwrap().score.is_some());
        runs += 1;
    }
    // Every row was appended after its run was stored.
    assert!(runs >= most, "{runs} runs, {most} rows");
}

#[test]
fn what_a_killed_writer_left_is_swept_when_its_folder_is_written_to() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    let gone = {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("--list")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        child.wait().unwrap();
        child.id()
    };
    let make = |name: &str, age: Duration| {
        let file = fs::File::create(stored.trace_path.with_file_name(name)).unwrap();
        file.set_times(FileTimes::new().set_modified(SystemTime::now() - age)).unwrap();
    };
    let (minute, day) = (Duration::from_secs(60), Duration::from_secs(24 * 60 * 60));
    let alive = std::os::unix::process::parent_id();
    let name = |pid: u32, number: u128| format!(".wt-{pid}-{}.tmp", uuid::Uuid::from_u128(number).simple());
    make(&name(gone, 0), minute);
    make(&name(gone, 1), Duration::ZERO);
    make(&name(alive, 2), minute);
    make(&name(alive, 3), day);
    make(".somebody-elses.tmp", day);
    make(".wt-notes.tmp", day);

    let store = fixture.store();
    store.write_run(&trace(2), &sidecar(None)).unwrap();
    let mut left: Vec<_> = fixture
        .files()
        .iter()
        .filter_map(|file| file.rsplit('/').next())
        .filter(|name| name.contains(".tmp"))
        .map(str::to_owned)
        .collect();
    left.sort();
    let mut expected = [name(gone, 1), name(alive, 2), ".somebody-elses.tmp".into(), ".wt-notes.tmp".into()];
    expected.sort();
    assert_eq!(left, expected);
}
