//! What can be said of each element of a graph.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use windtunnel_doc::{Fault, Path, nearest};

use super::draft::{Draft, EdgeDraft, SkipSet, Written};
use super::{Node, SKIPPED};

/// Nobody reads more faults than this: for any further one it is not worth the time to look for what was meant.
pub(super) const ENOUGH: usize = 50;

/// The faults of the graph's name, nodes, edges and skip sets, each for itself.
pub(super) fn check(draft: &Draft, faults: &mut Vec<Fault>) {
    if let Some(id) = &draft.id {
        check_name(id, "graph", Path::root().then("graph"), faults);
    }
    for (index, node) in draft.nodes.iter().enumerate() {
        check_id(draft, index, node, faults);
        check_flags(node, faults);
    }
    let mut taken = HashMap::new();
    for edge in &draft.edges {
        check_ends(draft, edge, faults);
        check_outcomes(draft, edge, &mut taken, faults);
    }
    for set in &draft.skip_sets {
        check_skip_set(draft, set, faults);
    }
}

/// Names stand in checklists, walks, labels and file names, where they must be one word.
fn check_name(name: &str, of: &str, path: Path, faults: &mut Vec<Fault>) {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(['-', '.']) {
        let message = format!(
            "{name:?} is no name of a {of}; expected letters, digits and hyphens, as in \"human-approval\""
        );
        faults.push(Fault::new(path, message));
    }
}

fn check_id(draft: &Draft, index: usize, node: &Written<Node>, faults: &mut Vec<Fault>) {
    let id = &node.value.id;
    let path = node.path.clone().then("id");
    check_name(id, "node", path.clone(), faults);
    if let Some(first) = draft.nodes.iter().take(index).find(|other| other.value.id == *id) {
        let message = format!("node {id:?}: this is the id of {} already", first.path);
        faults.push(Fault::new(path, message).with_help("give one of the two another id"));
    }
}

/// | required | skippable | optIn | terminal | fault                                      |
/// |----------|-----------|-------|----------|--------------------------------------------|
/// | yes      | yes       |       |          | at `required`: one rules the other out     |
/// |          | no        | yes   |          | at `optIn`: not opted in means skipped     |
/// |          | yes       |       | yes      | at `skippable`: nothing comes after it     |
fn check_flags(node: &Written<Node>, faults: &mut Vec<Fault>) {
    let Written { path, value: node } = node;
    let mut fault = |field: &str, message: &str| {
        faults.push(Fault::new(path.clone().then(field), format!("node {:?}: {message}", node.id)));
    };
    if node.required && node.skippable {
        fault("required", "it cannot be both required and skippable");
    }
    if node.opt_in && !node.skippable {
        fault("optIn", "it is skipped unless somebody opts for it, so it must be skippable");
    }
    if node.terminal && node.skippable {
        fault("skippable", "a walk ends at a terminal, so it cannot be skipped");
    }
    if node.max_attempts == 0 {
        fault("maxAttempts", "expected at least 1");
    }
    if node.phase.as_deref().is_some_and(|phase| phase.trim().is_empty()) {
        fault("phase", "expected a phase; leave the key out for none");
    }
    for (index, artifact) in node.produces.iter().enumerate() {
        if node.produces.iter().take(index).any(|other| other.shares_a_name(artifact)) {
            let path = path.clone().then("produces").then(index);
            let message = format!("node {:?}: it produces \"{artifact}\" already", node.id);
            faults.push(Fault::new(path, message));
        }
    }
}

fn check_ends(draft: &Draft, edge: &Written<EdgeDraft>, faults: &mut Vec<Fault>) {
    let Written { path, value: EdgeDraft { from, to, .. } } = edge;
    let ends = [("from", from, format!("edge to {to:?}")), ("to", to, format!("edge from {from:?}"))];
    for (field, id, element) in ends {
        if draft.ids().all(|known| known != id) {
            unknown_node(draft, id, &element, path.clone().then(field), faults);
        }
    }
    if draft.node(from).is_some_and(|node| node.terminal) {
        let message = format!("edge from {from:?}: a walk ends there, at a terminal");
        faults.push(Fault::new(path.clone().then("from"), message));
    }
}

/// `taken` has where each edge so far goes, by where from and on what.
fn check_outcomes<'a>(
    draft: &Draft,
    edge: &'a Written<EdgeDraft>,
    taken: &mut HashMap<(&'a str, &'a str), &'a str>,
    faults: &mut Vec<Fault>,
) {
    let EdgeDraft { from, to, on } = &edge.value;
    let element = format!("edge from {from:?} to {to:?}");
    let outcomes = on.each(&edge.path);
    if outcomes.is_empty() {
        let message = format!("{element}: expected an outcome, as in \"pass\"");
        faults.push(Fault::new(edge.path.clone().then("on"), message));
    }
    for (path, outcome) in outcomes {
        let mut fault =
            |message: String| faults.push(Fault::new(path.clone(), format!("{element}: {message}")));
        if outcome.trim().is_empty() {
            fault("expected an outcome, as in \"pass\"".to_owned());
            continue;
        }
        match taken.entry((from, outcome)) {
            Entry::Occupied(other) => {
                fault(format!("on {outcome:?} a walk goes from {from:?} to {:?} already", other.get()));
            }
            Entry::Vacant(place) => {
                place.insert(to);
            }
        }
        if outcome == SKIPPED && draft.node(from).is_some_and(|node| !node.skippable && !node.terminal) {
            fault(format!("{from:?} is not skippable, so nothing ever goes this way"));
        }
    }
}

/// | the name it lists is     | fault                                            |
/// |--------------------------|--------------------------------------------------|
/// | no node                  | there is no such node                            |
/// | listed before            | it is in the set already                         |
/// | required                 | it cannot be skipped                             |
/// | to be opted in           | it is skipped unless it is opted for             |
/// | neither, nor skippable   | it cannot be skipped                             |
fn check_skip_set(draft: &Draft, set: &Written<SkipSet>, faults: &mut Vec<Fault>) {
    let Written { path, value: SkipSet { name, nodes } } = set;
    let element = format!("skip set {name:?}");
    check_name(name, "skip set", path.clone(), faults);
    if draft.ids().any(|id| id == name) {
        let message = format!("{element}: this is the id of a node already");
        faults.push(Fault::new(path.clone(), message).at_key().with_help("give the set another name"));
    }
    if nodes.is_empty() {
        faults.push(Fault::new(path.clone(), format!("{element}: expected at least one node")));
    }
    let mut seen = HashSet::new();
    for (index, id) in nodes.iter().enumerate() {
        let path = path.clone().then(index);
        let mut fault = |message: &str| {
            faults.push(Fault::new(path.clone(), format!("{element}: node {id:?} {message}")));
        };
        if !seen.insert(id) {
            fault("is in it already");
            continue;
        }
        match draft.node(id) {
            Some(node) if node.required => fault("is required, so it cannot be skipped"),
            Some(node) if node.opt_in => fault("is skipped anyway, unless somebody opts for it"),
            Some(node) if !node.skippable => fault("is not skippable"),
            Some(_) => {}
            None if draft.ids().any(|known| known == id) => {}
            None => unknown_node(draft, id, &element, path, faults),
        }
    }
}

fn unknown_node(draft: &Draft, id: &str, element: &str, path: Path, faults: &mut Vec<Fault>) {
    let help = did_you_mean(id, draft.ids(), faults);
    faults.push(Fault { help, ..Fault::new(path, format!("{element}: there is no node {id:?}")) });
}

/// What was probably meant by a name.
pub(super) fn did_you_mean<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
    faults: &[Fault],
) -> Option<String> {
    if faults.len() > ENOUGH {
        return None;
    }
    nearest(name, known).map(|meant| format!("did you mean {meant:?}?"))
}
