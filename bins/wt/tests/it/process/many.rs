use std::collections::BTreeSet;

use serde_json::Value;
use windtunnel_testkit::Folder;

use super::WithScenarios as _;
use crate::harness::CallWt;

#[test]
fn two_hundred_copies_side_by_side_do_not_meet() {
    let folder = (0..200).fold(Folder::new(), |folder, copy| folder.with_passing(&format!("copy-{copy:03}")));
    folder.wt("run s -j 2 --quiet").succeeds().says("200 cases: 200 PASS in");
    let mut logs = BTreeSet::new();
    for file in folder.files("runs").iter().filter(|file| file.ends_with(".events.jsonl")) {
        let events: Vec<Value> =
            folder.read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        logs.insert(names.join(" "));
    }
    assert_eq!(logs.len(), 1, "each log holds one walk, and all of them the same: {logs:?}");
    assert_eq!(folder.files("runs").len(), 400);
}
