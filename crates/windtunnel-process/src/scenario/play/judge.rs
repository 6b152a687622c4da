//! Holding what was observed against what is expected.

use camino::Utf8Path;
use windtunnel_doc::Path;
use windtunnel_pattern::{Failure, Reason, Sequence};

use super::Miss;
use super::locks::Entered;
use crate::artifact::{Artifact, ArtifactName};
use crate::scenario::manifest::{AtNode, Expectations};
use crate::scenario::trace::Trace;
use crate::state::{ItemState, Status};

/// The file that a walk's checkpoints are in.
const EXECUTION_LOG: &str = "execution-log.md";

/// What was observed.
pub(super) struct Seen<'a> {
    pub(super) trace: &'a Trace,
    pub(super) state: &'a ItemState,
    pub(super) entered: &'a [Entered],
    /// The item's folder.
    pub(super) folder: &'a Utf8Path,
}

/// The first thing that is not as expected, in the order in which manifests are documented.
pub(super) fn judge(expected: &Expectations, seen: &Seen<'_>) -> Result<(), Miss> {
    let Seen { trace, state, entered, folder } = seen;
    if let Some(nodes) = &expected.nodes {
        exactly("nodes", nodes, &trace.walk)?;
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
        at_node("completed", completed, trace.completed())?;
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
            Reason::Forbidden { at, found } => format!("event [{at}] {found}"),
            Reason::TooFew { run, min, ended_by } => {
                let end = ended_by.map_or_else(|| "the end of the log".to_owned(), |event| event.to_string());
                format!("{run} in a row instead of {min}, then {end}")
            }
            Reason::TooMany { max, at, found } => {
                format!("more than {max} in a row, the next being [{at}] {found}")
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
    let log = Artifact::read(folder, EXECUTION_LOG);
    let log = match &log {
        Ok(Some(log)) => Ok(log),
        Ok(None) => Err(format!("no {EXECUTION_LOG}")),
        Err(error) => Err(error.to_string()),
    };
    let outline = log.as_ref().map(|log| log.outline());
    for (path, sections) in &expected.sections {
        for (index, section) in sections.iter().enumerate() {
            let found = match &outline {
                Ok(outline) if outline.section(section).is_some() => continue,
                Ok(outline) => {
                    let titles = outline.sections.iter().map(|section| section.title.as_str());
                    format!("the sections {}", titles.collect::<Vec<_>>().join(", "))
                }
                Err(reason) => String::clone(reason),
            };
            let path = path.iter().copied().collect::<Path>().then(index);
            return Err(Miss::new(path, format!("a section {section:?} in {EXECUTION_LOG}"), found));
        }
    }
    let Some(entries) = &expected.entries else { return Ok(()) };
    let found = match &outline {
        Ok(outline) => outline.sections.iter().filter_map(|section| checkpoint(&section.title)).collect(),
        Err(_) => Vec::new(),
    };
    let mut rest = found.iter();
    match entries.iter().position(|entry| !rest.any(|found| found == entry)) {
        None => Ok(()),
        Some(index) => {
            let entry = entries.get(index).map(String::as_str).unwrap_or_default();
            let found = match &outline {
                Ok(_) if found.is_empty() => format!("no checkpoints in {EXECUTION_LOG}"),
                Ok(_) => format!("the checkpoints {}", found.join(", ")),
                Err(reason) => String::clone(reason),
            };
            Err(Miss::new(
                field("executionLogEntries").then(index),
                format!("a checkpoint of {entry:?}"),
                found,
            ))
        }
    }
}

/// The node of a heading `<date> — entry <node>`.
fn checkpoint(title: &str) -> Option<&str> {
    let (_, node) = title.split_once("— entry ")?;
    Some(node.trim())
}
