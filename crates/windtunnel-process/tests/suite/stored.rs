use std::fs;

use camino::Utf8Path;
use serde::Deserialize;
use windtunnel_api::event::CaseRecord;
use windtunnel_process::scenario::suite::{StoredVerdict, VERDICT_VERSION};
use windtunnel_runner::Interrupts;
use windtunnel_runner::cases::Options;
use windtunnel_spi::Seam;

use crate::folder::{Folder, PLANNED};

/// The file as its readers know it: no key more, no key less.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    windtunnel_process_verdict: u32,
    verdict: String,
    graph: String,
    finished_at: String,
    duration_s: f64,
    labels: Vec<String>,
    scenario: String,
    folder: String,
    passed: bool,
    error: Option<String>,
    walk: Vec<String>,
    events_path: String,
}

#[tokio::test]
async fn a_verdict_stands_beside_each_event_log() {
    let folder = Folder::new()
        .with_passing("passes")
        .with("diverges", &format!("{PLANNED}]\nexpect: {{finalNode: complete}}"));
    let setup = folder.setup().runs_dir(folder.at("runs"));
    let run = folder.run(&setup, &Options::default(), &mut Interrupts::never()).await;
    for (report, verdict) in run.reports.iter().zip(["FAIL", "PASS"]) {
        let CaseRecord::Process(record) = &report.record else { unreachable!() };
        let events = Utf8Path::new(record.events_path.as_deref().unwrap());
        assert!(events.starts_with(folder.at("runs/process").join(&record.scenario)), "{events}");
        let text = fs::read_to_string(StoredVerdict::path_beside(events)).unwrap();
        let stored: Strict = serde_json::from_str(&text).unwrap();
        assert_eq!((stored.windtunnel_process_verdict, stored.verdict.as_str()), (VERDICT_VERSION, verdict));
        assert_eq!((stored.graph.as_str(), stored.walk.join(" ").as_str()), ("errand", "plan stuck"));
        assert_eq!((stored.labels, stored.folder), (vec!["loop:plan".to_owned()], record.folder.clone()));
        assert_eq!((stored.scenario, stored.passed), (record.scenario.clone(), verdict == "PASS"));
        assert_eq!(
            (stored.error.as_deref(), stored.events_path.as_str()),
            (record.error.as_deref(), events.as_str())
        );
        assert!(stored.duration_s >= 0.0 && stored.finished_at.ends_with('Z'), "{text}");
        let read: StoredVerdict = serde_json::from_str(&text).unwrap();
        assert_eq!(read.record, *record);
        assert_eq!(folder.files(&format!("runs/process/{}", record.scenario)).len(), 2, "and nothing else");
    }
}

#[tokio::test]
async fn what_was_never_played_leaves_nothing() {
    let folder = Folder::new().with("malformed", "steps: [{jump: {}}]");
    let setup = folder.setup().runs_dir(folder.at("runs"));
    folder.run(&setup, &Options::default(), &mut Interrupts::never()).await;
    assert_eq!(folder.files("runs"), [""; 0]);
}

#[tokio::test]
async fn a_verdict_that_cannot_be_written_is_none() {
    let folder = Folder::new().with_passing("passes");
    let seam = || Seam::fixed("2026-03-01T12:00:00Z".parse().unwrap());
    let setup = |runs: &str| folder.setup().runs_dir(folder.at(runs)).seam(seam());
    folder.run(&setup("runs"), &Options::default(), &mut Interrupts::never()).await;
    let kept = folder.files("runs/process/passes");
    let verdict = kept.iter().find(|file| file.ends_with(".verdict.json")).unwrap();
    fs::create_dir_all(folder.at("other/process/passes").join(verdict)).unwrap();
    let run = folder.run(&setup("other"), &Options::default(), &mut Interrupts::never()).await;
    assert_eq!(run.reports[0].verdict, "ERROR");
    let said = folder.said(&run.reports[0]);
    let expected = format!("ScenarioIoError: cannot write other/process/passes/{verdict}: ");
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(folder.files("other/process/passes"), kept, "nothing temporary is left");
}

#[tokio::test]
async fn a_kept_world_is_told_of() {
    let folder = Folder::new().with_passing("passes");
    let setup = folder.setup().keep_worlds(true);
    let (events, _told) = tokio::sync::mpsc::unbounded_channel();
    let cases = folder.cases(&setup);
    let run =
        windtunnel_runner::run_cases(cases, &Options::default(), &events, &mut Interrupts::never()).await;
    let world = Utf8Path::new(run.reports[0].workspace.as_deref().unwrap());
    assert!(world.join("checkout/docs/specs/issue-1/plan.md").is_file(), "{world}");
    assert_eq!(folder.files("worlds").len(), 1);
}
