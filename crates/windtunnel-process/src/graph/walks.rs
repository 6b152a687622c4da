//! Where walks lead: what can only be said of a graph as a whole.

use std::collections::{HashMap, HashSet};

use windtunnel_doc::{Fault, Path, nearest};

use super::check::ENOUGH;
use super::draft::{Draft, Written};
use super::{CLEANUP, ESCALATED, Node, SKIPPED};

/// The faults of the graph as a whole, if the whole of it could be read.
pub(super) fn check(draft: &Draft, faults: &mut Vec<Fault>) {
    if !draft.whole || faults.len() > ENOUGH {
        return;
    }
    let Some(start) = draft.nodes.first() else {
        faults.push(no_nodes());
        return;
    };
    let walks = Walks::of(draft);
    walks.check_beginnings(start, faults);
    walks.check_ends(start, faults);
    walks.check_skips(faults);
    walks.check_circles(faults);
}

pub(super) fn no_nodes() -> Fault {
    Fault::new(Path::root().then("nodes"), "expected at least one node; a walk begins at the first")
}

struct Walks<'a> {
    nodes: &'a [Written<Node>],
    steps: Vec<Step<'a>>,
    /// The step on `skipped` from each node that has one.
    skips: HashMap<&'a str, Step<'a>>,
}

/// One way from a node to another.
#[derive(Clone)]
struct Step<'a> {
    from: &'a str,
    to: &'a str,
    path: Path,
}

impl<'a> Walks<'a> {
    /// A misspelt end of an edge is a fault of its own already. It stands here for the node that was probably meant: otherwise that
    /// one could not be reached, either.
    fn of(draft: &'a Draft) -> Self {
        let ids: HashSet<&str> = draft.ids().collect();
        let end = |id: &'a str| ids.get(id).copied().or_else(|| nearest(id, draft.ids()));
        let mut walks = Self { nodes: &draft.nodes, steps: Vec::new(), skips: HashMap::new() };
        for edge in &draft.edges {
            let (Some(from), Some(to)) = (end(&edge.value.from), end(&edge.value.to)) else { continue };
            for (path, on) in edge.value.on.each(&edge.path) {
                let step = Step { from, to, path };
                if on == SKIPPED {
                    walks.skips.entry(from).or_insert_with(|| step.clone());
                }
                walks.steps.push(step);
            }
        }
        walks
    }

    fn check_beginnings(&self, start: &'a Written<Node>, faults: &mut Vec<Fault>) {
        let reached = closure([start.value.id.as_str()], self.steps.iter().map(|step| (step.from, step.to)));
        for node in self.nodes {
            if !reached.contains(node.value.id.as_str()) && !needs_no_edge(&node.value) {
                faults.push(of_node(node, "no edge leads here from where a walk begins"));
            }
        }
    }

    fn check_ends(&self, start: &Written<Node>, faults: &mut Vec<Fault>) {
        let terminals =
            self.nodes.iter().filter(|node| node.value.terminal).map(|node| node.value.id.as_str());
        let ending = closure(terminals, self.steps.iter().map(|step| (step.to, step.from)));
        if !ending.contains(start.value.id.as_str()) {
            faults.push(of_node(start, "a walk begins here, and no terminal can be reached"));
            return;
        }
        for node in self.nodes.iter().filter(|node| !ending.contains(node.value.id.as_str())) {
            faults.push(of_node(node, "no terminal can be reached from here"));
        }
    }

    fn check_skips(&self, faults: &mut Vec<Fault>) {
        for node in self.nodes {
            let Node { id, skippable, terminal, .. } = &node.value;
            if *skippable && !terminal && !self.skips.contains_key(id.as_str()) {
                let message = format!("it is skippable, so it needs an edge on {SKIPPED:?}");
                faults.push(Fault { path: node.path.clone().then("skippable"), ..of_node(node, &message) });
            }
        }
    }

    /// Were all nodes of a circle skipped, then the pointer would never come to rest.
    fn check_circles(&self, faults: &mut Vec<Fault>) {
        let mut seen = HashSet::new();
        for node in self.nodes {
            let mut walk: Vec<&Step<'_>> = Vec::new();
            let mut here = node.value.id.as_str();
            while let Some(step) = self.skips.get(here).filter(|_| seen.insert(here)) {
                walk.push(step);
                here = step.to;
            }
            // What lies before the circle leads into it, and is no part of it.
            let circle: Vec<&Step<'_>> = walk.into_iter().skip_while(|step| step.from != here).collect();
            if let Some(first) = circle.first() {
                let ids: Vec<&str> = circle.iter().map(|step| step.from).collect();
                let message = format!("the edges on {SKIPPED:?} go in a circle: {}", ids.join(", "));
                faults.push(Fault::new(first.path.clone(), message));
            }
        }
    }
}

/// What is reached from these over steps from one to another.
fn closure<'a>(
    from: impl IntoIterator<Item = &'a str>,
    steps: impl Iterator<Item = (&'a str, &'a str)>,
) -> HashSet<&'a str> {
    let mut next: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, to) in steps {
        next.entry(from).or_default().push(to);
    }
    let mut waiting: Vec<&str> = from.into_iter().collect();
    let mut reached = HashSet::new();
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            waiting.extend(next.get(id).into_iter().flatten());
        }
    }
    reached
}

/// Whether no edge needs to lead there: the runtime goes there by itself, or a person by hand.
fn needs_no_edge(node: &Node) -> bool {
    node.terminal && [CLEANUP, ESCALATED].contains(&node.id.as_str())
}

fn of_node(node: &Written<Node>, message: &str) -> Fault {
    Fault::new(node.path.clone().then("id"), format!("node {:?}: {message}", node.value.id))
}
