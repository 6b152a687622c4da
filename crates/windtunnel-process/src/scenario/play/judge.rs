//! Holding what was observed against what is expected.

use camino::Utf8Path;
use windtunnel_doc::{Path, Segment};
use windtunnel_pattern::{Failure, Reason, Sequence};

use super::Miss;
use super::locks::Entered;
use crate::artifact::execution_log::{self, EXECUTION_LOG};
use crate::artifact::{Artifact, ArtifactName, Outline};
use crate::graph::ESCALATED;
use crate::scenario::manifest::{AtNode, Expectations};
use crate::scenario::trace::Trace;
use crate::state::{ItemState, Status};

/// What was observed.
pub(super) struct Seen<'a> {
    pub(super) trace: &'a Trace,
    /// The node at which the walk was said to be over, if it was.
    pub(super) completed: Option<&'a str>,
    pub(super) state: &'a ItemState,
    pub(super) entered: &'a [Entered],
    /// The item's folder.
    pub(super) folder: &'a Utf8Path,
}

/// The first thing that is not as expected, in the order in which manifests are documented.
pub(super) fn judge(expected: &Expectations, seen: &Seen<'_>) -> Result<(), Miss> {
    let Seen { trace, completed: over, state, entered, folder } = seen;
    if let Some(nodes) = &expected.nodes {
        exactly("nodes", nodes, &trace.walk).map_err(|miss| not_walked_to(miss, nodes, state))?;
    }
    if let Some(labels) = &expected.labels {
        exactly("labels", labels, &trace.labels)?;
    }
    if let Some(events) = &expected.events {
        in_order(events, trace)?;
    }
    for (field, node) in [("finalNode", &expected.final_node), ("currentNode", &expected.current_node)] {
        if let Some(node) = node {
            equal(field, node, &state.current_node)?;
        }
    }
    if let Some(status) = expected.status {
        equal("status", status.name(), state.status.name())?;
    }
    if let Some(completed) = &expected.completed {
        at_node("completed", completed, *over)?;
    }
    if let Some(parked) = &expected.parked {
        let waits = (state.status == Status::Waiting).then_some(state.current_node.as_str());
        at_node("parked", parked, waits)?;
    }
    if let Some(locked) = &expected.locked {
        all_locked(locked, entered)?;
    }
    if !expected.sections.is_empty() || expected.entries.is_some() {
        execution_log(expected, folder)?;
    }
    Ok(())
}

fn field(name: &str) -> Path {
    Path::root().then(name)
}

/// A list, item by item.
fn exactly(name: &str, expected: &[String], found: &[String]) -> Result<(), Miss> {
    let length = expected.len().max(found.len());
    match (0..length).find(|index| expected.get(*index) != found.get(*index)) {
        None => Ok(()),
        Some(index) => {
            let told = |item: Option<&String>| {
                item.map_or_else(|| "nothing more".to_owned(), |item| format!("{item:?}"))
            };
            Err(Miss::new(field(name).then(index), told(expected.get(index)), told(found.get(index))))
        }
    }
}

/// Where the node of given-up items is expected in a walk, and the item is there: no event of the walk leads to it.
fn not_walked_to(miss: Miss, nodes: &[String], state: &ItemState) -> Miss {
    const HINT: &str = "the walk is what was started, advanced, skipped and completed; an item that is given up is at \
                        escalated without having walked there: expect currentNode: escalated";
    let index = miss.path.segments().iter().find_map(|segment| match segment {
        Segment::Index(index) => Some(*index),
        Segment::Key(_) => None,
    });
    let expected = index.and_then(|index| nodes.get(index));
    let is_it = expected.is_some_and(|node| node == ESCALATED) && state.current_node == ESCALATED;
    Miss { hint: is_it.then_some(HINT), ..miss }
}

fn equal(name: &str, expected: &str, found: &str) -> Result<(), Miss> {
    if expected == found {
        return Ok(());
    }
    Err(Miss::new(field(name), format!("{expected:?}"), format!("{found:?}")))
}

/// Events, in their order.
fn in_order(events: &Sequence, trace: &Trace) -> Result<(), Miss> {
    let mut matcher = events.matcher();
    for event in &trace.events {
        matcher.push(event);
    }
    matcher.finish().map_err(|failure| {
        let Failure { index, expectation, cursor, seen, reason, .. } = *failure;
        let found = match reason {
            Reason::Missing { closest: Some(closest) } => {
                format!(
                    "none like it in events [{cursor}] to [{}]; the closest is {closest}",
                    seen.saturating_sub(1)
                )
            }
            Reason::Missing { closest: None } => match cursor.checked_sub(1) {
                Some(last) => format!("nothing more behind event [{last}]"),
                None => "no events".to_owned(),
            },
            Reason::Forbidden { at, .. } => format!("event [{at}] {}", trace.event(at)),
            Reason::TooFew { run, min, ended_by } => {
                let end = ended_by.map_or_else(|| "the end of the log".to_owned(), |event| event.to_string());
                format!("{run} in a row instead of {min}, then {end}")
            }
            Reason::TooMany { max, at, .. } => {
                format!("more than {max} in a row, the next being [{at}] {}", trace.event(at))
            }
        };
        Miss::new(field("events").then(index), expectation, found)
    })
}

/// Whether something is so, and where.
fn at_node(name: &str, expected: &AtNode, found: Option<&str>) -> Result<(), Miss> {
    let as_expected = match expected {
        AtNode::Anywhere(so) => *so == found.is_some(),
        AtNode::Node(node) => found == Some(node),
    };
    if as_expected {
        return Ok(());
    }
    let expected = match expected {
        AtNode::Anywhere(so) => so.to_string(),
        AtNode::Node(node) => format!("{node:?}"),
    };
    Err(Miss::new(
        field(name),
        expected,
        found.map_or_else(|| "false".to_owned(), |node| format!("{node:?}")),
    ))
}

fn all_locked(artifacts: &[ArtifactName], entered: &[Entered]) -> Result<(), Miss> {
    let path = field("lockedBeforeImplementation");
    if entered.is_empty() {
        return Err(Miss::new(path, "the implementation to be entered", "that it never was"));
    }
    for (index, artifact) in artifacts.iter().enumerate() {
        if let Some(how) = entered.iter().find_map(|entry| entry.how_unlocked(artifact)) {
            let expected = format!("{artifact} with status: approved as the implementation is entered");
            return Err(Miss::new(path.then(index), expected, how));
        }
    }
    Ok(())
}

/// Sections and checkpoints of the execution log.
fn execution_log(expected: &Expectations, folder: &Utf8Path) -> Result<(), Miss> {
    let (outline, absent) = match Artifact::read(folder, EXECUTION_LOG) {
        Ok(Some(log)) => (log.outline(), None),
        Ok(None) => (Outline::default(), Some(format!("no {EXECUTION_LOG}"))),
        Err(error) => (Outline::default(), Some(error.to_string())),
    };
    let told = |names: &[&str], what: &str| absent.clone().unwrap_or_else(|| listed(names, what));
    let titles = || outline.sections.iter().map(|section| section.title.as_str());
    for (path, wanted) in &expected.sections {
        let lacking = wanted.iter().enumerate().find(|(_, title)| outline.section(title).is_none());
        if let Some((index, title)) = lacking {
            let path = path.iter().copied().collect::<Path>().then(index);
            let sections: Vec<&str> =
                titles().filter(|title| execution_log::entered(title).is_none()).collect();
            let expected = format!("a section {title:?} in {EXECUTION_LOG}");
            return Err(Miss::new(path, expected, told(&sections, "sections")));
        }
    }
    let checkpoints: Vec<&str> = titles().filter_map(execution_log::entered).collect();
    let mut rest = checkpoints.iter();
    for (index, entry) in expected.entries.iter().flatten().enumerate() {
        if !rest.any(|checkpoint| checkpoint == entry) {
            let path = field("executionLogEntries").then(index);
            let found = told(&checkpoints, "checkpoints");
            return Err(Miss::new(path, format!("a checkpoint of {entry:?}"), found));
        }
    }
    Ok(())
}

/// Names in one line, the first of many.
fn listed(names: &[&str], what: &str) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<&str> = names.iter().take(SHOWN).copied().collect();
    match names.len().saturating_sub(SHOWN) {
        0 if names.is_empty() => format!("no {what} in {EXECUTION_LOG}"),
        0 => format!("the {what} {}", shown.join(", ")),
        more => format!("the {what} {} and {more} more", shown.join(", ")),
    }
}
