//! The graphs that come with the crate.

use windtunnel_process::Graph;
use windtunnel_process::graph::{PR_LOOP, WORK_ITEM_LOOP};

use crate::hooks::lenient;

const HOOKS: [&str; 14] = [
    "validate-artifacts",
    "lint-artifacts",
    "enforces-boundaries-from",
    "post-phase-selection",
    "classify-phase-selection",
    "classify-feedback",
    "record-feedback",
    "await-inner-loops",
    "verify-tests",
    "set-phase-label",
    "log-entry",
    "request-review",
    "notify",
    "deliver-assignment",
];

#[test]
fn the_shipped_graphs_compile() {
    for (id, yaml) in [("pdlc-work-item-loop", WORK_ITEM_LOOP), ("pdlc-pr-loop", PR_LOOP)] {
        match Graph::compile(id, yaml, &lenient(&HOOKS)) {
            Ok(graph) => assert_eq!(graph.id(), id),
            Err(faults) => panic!("{faults}"),
        }
    }
}
