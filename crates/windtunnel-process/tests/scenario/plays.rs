//! Scenarios that are played to their end.

use crate::kit::{Folder, STEPS};

#[test]
fn an_errand_without_incidents_is_as_expected() {
    let played = Folder::of(&format!(
        "{STEPS}
expect:
  finalNode: complete
  currentNode: complete
  status: complete
  completed: complete
  parked: false
  nodes: [plan, ~sketch, approval, implementation, complete]
  labels: ['loop:plan', 'loop:implementation', 'loop:complete']
  events:
    - {{event: graph.started, node: plan}}
    - {{event: graph.node_skipped, node: sketch, via: not-selected}}
    - {{event: graph.advanced, node: approval, to: implementation, outcome: approved}}
    - {{event: graph.completed}}
  lockedBeforeImplementation: [plan.md]
  executionLog: {{sections: [Pull requests]}}
  executionLogEntries: [approval, complete]
"
    ))
    .play();
    played.outcome.unwrap();
    assert_eq!(played.trace.walk, ["plan", "~sketch", "approval", "implementation", "complete"]);
    assert_eq!(played.events_path, None);
}
