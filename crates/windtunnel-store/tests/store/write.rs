use std::fs;

use serde_json::json;
use windtunnel_api::artifact::score::Origin;
use windtunnel_api::scenario::reference::ReferenceKind;
use windtunnel_api::selftest::SelftestVerdict;
use windtunnel_store::{RunStore, StoreError};

use crate::support::{Fixture, ledger_row, sidecar, trace};

const FOLDER: &str = "artifact_guard/wt-cli/l1/unknown/unknown";

#[test]
fn opening_a_store_makes_nothing() {
    let fixture = Fixture::new();
    let _store = fixture.store();
    assert!(!fixture.runs_dir.exists());
}

#[test]
fn a_file_in_place_of_the_runs_folder_is_said_at_once() {
    let fixture = Fixture::new();
    fs::write(&fixture.runs_dir, "").unwrap();
    let error = RunStore::open(&fixture.runs_dir).unwrap_err();
    assert!(error.to_string().contains("the runs folder is a file"), "{error}");
}

#[test]
fn a_run_is_a_trace_and_a_score_and_nothing_else() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(7), &sidecar(None)).unwrap();
    assert_eq!(
        fixture.files(),
        [
            format!("{FOLDER}/20261130T085854387116Z_00000007.json"),
            format!("{FOLDER}/20261130T085854387116Z_00000007.score.json"),
        ]
    );
    assert!(stored.trace_path.is_file() && stored.score_path.is_file());
}

#[test]
fn the_trace_is_unescaped_and_indented_by_two() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(7), &sidecar(None)).unwrap();
    insta::assert_snapshot!(fs::read_to_string(&stored.trace_path).unwrap());
    assert!(!fs::read(&stored.trace_path).unwrap().ends_with(b"\n"));
}

#[test]
fn the_score_is_ascii_and_indented_by_two() {
    let fixture = Fixture::new();
    let origin = Origin::selftest("known-good", ReferenceKind::Golden, SelftestVerdict::GoldenFailed);
    let stored = fixture.store().write_run(&trace(7), &sidecar(Some(origin))).unwrap();
    let text = fs::read_to_string(&stored.score_path).unwrap();
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
    assert!(!text.ends_with('\n'));
}

#[test]
fn runs_of_one_moment_and_one_id_prefix_are_all_kept() {
    let fixture = Fixture::new();
    let store = fixture.store();
    for _ in 0..4 {
        store.write_run(&trace(7), &sidecar(None)).unwrap();
    }
    let id = trace(7).run_id.simple().to_string();
    let stem = format!("{FOLDER}/20261130T085854387116Z");
    let mut expected = vec![
        format!("{stem}_00000007.json"),
        format!("{stem}_{id}.json"),
        format!("{stem}_{id}-2.json"),
        format!("{stem}_{id}-3.json"),
    ];
    expected.extend(expected.clone().iter().map(|trace| trace.replace(".json", ".score.json")));
    expected.sort();
    assert_eq!(fixture.files(), expected);
}

#[test]
fn a_trace_without_a_score_does_not_get_the_score_of_another() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let first = store.write_run(&trace(7), &sidecar(None)).unwrap();
    fs::remove_file(&first.score_path).unwrap();
    let second = store.write_run(&trace(7), &sidecar(None)).unwrap();
    assert_ne!(first, second);
    assert!(!first.score_path.exists());
}

#[test]
fn runs_that_can_have_no_name_leave_nothing_behind() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let error = loop {
        if let Err(error) = store.write_run(&trace(7), &sidecar(None)) {
            break error;
        }
    };
    assert!(matches!(error, StoreError::NamesTaken { tried: 64, .. }), "{error}");
    assert!(!fixture.files().iter().any(|file| file.contains(".tmp")));
}

#[test]
fn names_from_outside_stay_inside() {
    let fixture = Fixture::new();
    let mut trace = trace(7);
    trace.scenario_id = "../../etc".into();
    trace.agent_id = "..".into();
    trace.variant_id = String::new();
    trace.model = "C:\\model".into();
    trace.quant = "q4/k".into();
    fixture.store().write_run(&trace, &sidecar(None)).unwrap();
    assert!(fixture.files()[0].starts_with(".._.._etc/_/_/C__model/q4_k/"), "{:?}", fixture.files());
}

#[test]
fn a_start_that_is_no_time_is_refused_before_anything_is_made() {
    let fixture = Fixture::new();
    let mut trace = trace(7);
    trace.started_at = "yesterday".into();
    let error = fixture.store().write_run(&trace, &sidecar(None)).unwrap_err();
    assert!(error.to_string().contains("`started_at` is `yesterday`"), "{error}");
    assert!(!fixture.runs_dir.exists());
}

#[test]
fn a_folder_that_was_removed_meanwhile_is_made_again() {
    let fixture = Fixture::new();
    let store = fixture.store();
    store.write_run(&trace(7), &sidecar(None)).unwrap();
    fs::remove_dir_all(&fixture.runs_dir).unwrap();
    store.write_run(&trace(8), &sidecar(None)).unwrap();
    assert_eq!(fixture.files().len(), 2);
}

#[test]
fn a_file_where_a_folder_should_be_is_named() {
    let fixture = Fixture::new();
    fs::create_dir(&fixture.runs_dir).unwrap();
    fs::write(fixture.runs_dir.join("artifact_guard"), "").unwrap();
    let error = fixture.store().write_run(&trace(7), &sidecar(None)).unwrap_err();
    assert!(error.to_string().contains("runs/artifact_guard/wt-cli/"), "{error}");
}

#[test]
fn threads_share_a_store() {
    let fixture = Fixture::new();
    let store = fixture.store();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for run in 0..25 {
                    let mut trace = trace(thread * 100 + run);
                    trace.variant_id = format!("v{}", run % 5);
                    store.write_run(&trace, &sidecar(None)).unwrap();
                }
            });
        }
    });
    assert_eq!(fixture.files().len(), 200);
}

#[test]
fn artifacts_of_hooks_are_named_after_run_or_sweep() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let run = store.write_run(&trace(7), &sidecar(None)).unwrap();
    let value = json!({"answer": "weil …"});
    store.write_run_artifact(&run, "debrief", None, &value).unwrap();
    store.write_run_artifact(&run, "debrief", Some("second/try"), &value).unwrap();
    let at = "2026-11-30T08:58:54.000001Z".parse().unwrap();
    store.write_sweep_artifact(at, "costs", None, None, &value).unwrap();
    store.write_sweep_artifact(at, "costs", Some("artifact guard"), Some("x"), &value).unwrap();
    let artifacts: Vec<_> = fixture
        .files()
        .into_iter()
        .filter(|file| file.contains("debrief") || file.contains("costs"))
        .collect();
    assert_eq!(
        artifacts,
        [
            "20261130T085854000001Z.costs.artifact_guard.x.pack.json",
            "20261130T085854000001Z.costs.pack.json",
            &format!("{FOLDER}/20261130T085854387116Z_00000007.debrief.json"),
            &format!("{FOLDER}/20261130T085854387116Z_00000007.debrief.second_try.json"),
        ]
    );
    assert_eq!(
        fs::read_to_string(fixture.runs_dir.join(&artifacts[1])).unwrap(),
        "{\n  \"answer\": \"weil …\"\n}"
    );
}

#[test]
fn a_hook_neither_replaces_the_score_nor_its_own_artifact() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let run = store.write_run(&trace(7), &sidecar(None)).unwrap();
    let write = |hook| store.write_run_artifact(&run, hook, None, &json!(1));
    assert!(matches!(write("score"), Err(StoreError::ReservedHook { .. })));
    write("debrief").unwrap();
    assert!(matches!(write("debrief"), Err(StoreError::ArtifactExists { .. })));
    assert_eq!(fixture.files().len(), 3);
}

#[test]
fn ledger_rows_have_sorted_keys() {
    let fixture = Fixture::new();
    fixture.store().append_ledger(&ledger_row()).unwrap();
    insta::assert_snapshot!(fs::read_to_string(fixture.runs_dir.join("ledger.ndjsonl")).unwrap());
}
