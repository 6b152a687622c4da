use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};
use windtunnel_api::artifact::evidence::{Evidence, Role, ToolCall, Witness};
use windtunnel_api::artifact::score::Origin;
use windtunnel_api::artifact::trace::Trace;
use windtunnel_api::scenario::reference::ReferenceKind;
use windtunnel_api::selftest::SelftestVerdict;
use windtunnel_store::{Reason, SavedRun, Warning, read_runs};

use crate::support::{Fixture, sidecar, trace};

fn read(fixture: &Fixture) -> (Vec<SavedRun>, Vec<Warning>) {
    let (mut runs, mut warnings) = (Vec::new(), Vec::new());
    for found in read_runs(&fixture.runs_dir) {
        match found {
            Ok(run) => runs.push(run),
            Err(warning) => warnings.push(warning),
        }
    }
    (runs, warnings)
}

#[test]
fn runs_come_back_by_path_with_their_scores() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let mut late = trace(1);
    late.started_at = "2026-12-01T00:00:00.000000+00:00".into();
    let mut other = trace(3);
    other.scenario_id = "a_first_scenario".into();
    for trace in [&late, &trace(2), &other] {
        store.write_run(trace, &sidecar(None)).unwrap();
    }
    let (runs, warnings) = read(&fixture);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(runs.iter().map(|run| &run.trace).collect::<Vec<_>>(), [&other, &trace(2), &late]);
    assert!(runs.iter().all(|run| run.score == Some(sidecar(None)) && !run.is_selftest()));
}

#[test]
fn runs_of_reference_cases_are_told_apart() {
    let fixture = Fixture::new();
    let origin = Origin::selftest("known-good", ReferenceKind::Golden, SelftestVerdict::Pass);
    fixture.store().write_run(&trace(1), &sidecar(Some(origin))).unwrap();
    assert!(read(&fixture).0[0].is_selftest());
}

#[test]
fn every_cut_of_a_trace_is_a_warning() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    let whole = fs::read(&stored.trace_path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&stored.trace_path, &whole[..cut]).unwrap();
        let (runs, warnings) = read(&fixture);
        assert!(runs.is_empty());
        assert!(matches!(warnings[..], [Warning { reason: Reason::Torn(_), .. }]), "{cut}: {warnings:?}");
    }
}

#[test]
fn a_torn_score_leaves_the_trace_readable() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    fs::write(&stored.score_path, "{\"windtunnel_score\": 2").unwrap();
    let (runs, warnings) = read(&fixture);
    assert_eq!((runs.len(), &runs[0].score), (1, &None));
    assert_eq!((warnings.len(), &warnings[0].path), (1, &stored.score_path));
    fs::remove_file(&stored.score_path).unwrap();
    let (runs, warnings) = read(&fixture);
    assert_eq!((runs.len(), warnings.len()), (1, 0));
}

#[test]
fn what_is_no_run_of_ours_is_passed_over_with_its_reason() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    let edit = |file: &str, edit: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(trace(2)).unwrap();
        edit(&mut value);
        fs::write(stored.trace_path.with_file_name(file), value.to_string()).unwrap();
    };
    edit("a_later.json", &|trace| trace["windtunnel_trace"] = json!(2));
    edit("b_much_later.json", &|trace| *trace = json!({"windtunnel_trace": "2.0", "shape": "other"}));
    edit("c_foreign.json", &|trace| *trace = json!({"name": "package", "version": "1.0.0"}));
    edit("d_list.json", &|trace| *trace = json!([1, 2]));
    edit("e_debrief.json.json", &|trace| *trace = json!(1));
    edit(".hidden.json", &|trace| *trace = json!(1));
    edit("notes.txt", &|trace| *trace = json!(1));
    let (runs, warnings) = read(&fixture);
    assert_eq!(runs.len(), 1);
    let folder = stored.trace_path.parent().unwrap();
    let warnings: Vec<_> =
        warnings.iter().map(|warning| warning.to_string().replace(&format!("{folder}/"), "")).collect();
    insta::assert_snapshot!(warnings.join("\n"), @r#"
    a_later.json: windtunnel_trace 2 is a version this program does not know (it knows 0, 1); use a later one
    b_much_later.json: windtunnel_trace "2.0" is a version this program does not know (it knows 0, 1); use a later one
    c_foreign.json: not a trace: missing field `run_id` at line 1 column 36
    d_list.json: not a trace: invalid type: integer `2`, expected a formatted UUID string at line 1 column 4
    "#);
}

#[test]
fn a_later_score_is_refused_by_name() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    let later = fs::read_to_string(&stored.score_path)
        .unwrap()
        .replace("\"windtunnel_score\": 2", "\"windtunnel_score\": 3");
    fs::write(&stored.score_path, later).unwrap();
    let (runs, warnings) = read(&fixture);
    assert_eq!((runs.len(), &runs[0].score), (1, &None));
    assert!(warnings[0].to_string().contains("windtunnel_score 3 is a version"), "{}", warnings[0]);
}

#[test]
fn a_trace_without_a_version_is_version_0_and_unknown_keys_are_ignored() {
    let fixture = Fixture::new();
    let stored = fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    let mut value = serde_json::to_value(trace(1)).unwrap();
    let map = value.as_object_mut().unwrap();
    for key in ["windtunnel_trace", "events", "served_tools"] {
        map.remove(key);
    }
    map.insert("added_by_another_program".into(), json!({"x": [1]}));
    fs::write(&stored.trace_path, value.to_string()).unwrap();
    let (runs, warnings) = read(&fixture);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(runs[0].trace, Trace { windtunnel_trace: 0, ..trace(1) });
}

#[test]
fn a_missing_folder_is_one_warning() {
    let (runs, warnings) = read(&Fixture::new());
    assert_eq!((runs.len(), warnings.len()), (0, 1));
}

#[test]
fn a_scenario_with_a_dot_in_front_is_not_hidden() {
    let fixture = Fixture::new();
    let mut trace = trace(1);
    trace.scenario_id = ".dotfiles".into();
    fixture.store().write_run(&trace, &sidecar(None)).unwrap();
    assert_eq!(read(&fixture).0.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_ends() {
    let fixture = Fixture::new();
    fixture.store().write_run(&trace(1), &sidecar(None)).unwrap();
    std::os::unix::fs::symlink(&fixture.runs_dir, fixture.runs_dir.join("again")).unwrap();
    let (runs, warnings) = read(&fixture);
    assert_eq!((runs.len(), warnings.len()), (1, 0));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_written_run_reads_back_as_it_was(
        scenario_id in any::<String>(),
        content in any::<String>(),
        detail in any::<String>(),
        args in json_value(),
        result in json_value(),
    ) {
        let fixture = Fixture::new();
        let mut trace = trace(1);
        trace.scenario_id = scenario_id;
        trace.observations.insert(content.clone(), result.clone());
        trace.events = vec![
            Evidence::Turn { role: Role::Assistant, content: content.clone() },
            Evidence::ToolCall(ToolCall {
                server: "crm".into(), tool: content, args, result, error: None, ms: 0.25,
                witness: Witness::Recorder, extra: None,
            }),
        ];
        let mut sidecar = sidecar(None);
        sidecar.score.outcome.detail.clone_from(&detail);
        sidecar.layers.outcome.detail = detail;
        let stored = fixture.store().write_run(&trace, &sidecar).unwrap();
        prop_assert!(stored.trace_path.starts_with(&fixture.runs_dir));
        let (runs, warnings) = read(&fixture);
        prop_assert!(warnings.is_empty(), "{:?}", warnings);
        prop_assert_eq!(runs, vec![SavedRun { trace_path: stored.trace_path, trace, score: Some(sidecar) }]);
    }
}
