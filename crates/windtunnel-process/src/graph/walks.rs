//! Where walks lead: what can only be said of a graph as a whole.

use std::collections::HashMap;

use windtunnel_doc::{Fault, Path, nearest};

use super::draft::{Draft, Written};
use super::{CLEANUP, ESCALATED, Node, SKIPPED};

/// The faults of the graph as a whole, if the whole of it could be read.
pub(super) fn check(draft: &Draft, faults: &mut Vec<Fault>) {
    if !draft.whole {
        return;
    }
    if draft.nodes.is_empty() {
        let message = "expected at least one node; a walk begins at the first";
        faults.push(Fault::new(Path::root().then("nodes"), message));
        return;
    }
    let walks = Walks::of(draft);
    walks.check_beginning(faults);
    walks.check_end(faults);
    walks.check_skips(faults);
}

/// The edges between the nodes, both by their place.
struct Walks<'a> {
    nodes: &'a [Written<Node>],
    steps: Vec<Step<'a>>,
}

struct Step<'a> {
    from: usize,
    to: usize,
    on: &'a str,
    path: Path,
}

impl<'a> Walks<'a> {
    /// A misspelt end of an edge is a fault of its own already, and stands here for the node that was probably meant: otherwise
    /// that one could not be reached, either.
    fn of(draft: &'a Draft) -> Self {
        let mut places = HashMap::new();
        for (place, node) in draft.nodes.iter().enumerate() {
            places.entry(node.value.id.as_str()).or_insert(place);
        }
        let place = |id: &str| places.get(id).or_else(|| places.get(nearest(id, draft.ids())?)).copied();
        let mut steps = Vec::new();
        for edge in &draft.edges {
            if let (Some(from), Some(to)) = (place(&edge.value.from), place(&edge.value.to)) {
                let outcomes = edge.value.on.each(&edge.path).into_iter();
                steps.extend(outcomes.map(|(path, on)| Step { from, to, on, path }));
            }
        }
        Self { nodes: &draft.nodes, steps }
    }

    fn check_beginning(&self, faults: &mut Vec<Fault>) {
        let reached = self.closure(vec![0], |step| (step.from, step.to));
        for (node, _) in self
            .nodes
            .iter()
            .zip(&reached)
            .filter(|(node, reached)| !**reached && !entered_by_runtime(&node.value))
        {
            faults.push(of_node(node, "no edge leads here from where a walk begins"));
        }
    }

    fn check_end(&self, faults: &mut Vec<Fault>) {
        let places = self.nodes.iter().enumerate();
        let terminals = places.filter(|(_, node)| node.value.terminal).map(|(place, _)| place).collect();
        let ends = self.closure(terminals, |step| (step.to, step.from));
        if ends.first() == Some(&false) {
            faults.extend(
                self.nodes
                    .first()
                    .map(|node| of_node(node, "a walk begins here, and no terminal can be reached")),
            );
            return;
        }
        for (node, _) in self.nodes.iter().zip(&ends).filter(|(_, ends)| !**ends) {
            faults.push(of_node(node, "no terminal can be reached from here"));
        }
    }

    fn check_skips(&self, faults: &mut Vec<Fault>) {
        let mut next = vec![None; self.nodes.len()];
        for step in self.steps.iter().filter(|step| step.on == SKIPPED) {
            if let Some(slot) = next.get_mut(step.from)
                && slot.is_none()
            {
                *slot = Some(step);
            }
        }
        for (node, next) in self.nodes.iter().zip(&next) {
            if node.value.skippable && !node.value.terminal && next.is_none() {
                let message = format!("it is skippable, so it needs an edge on {SKIPPED:?}");
                faults.push(Fault { path: node.path.clone().then("skippable"), ..of_node(node, &message) });
            }
        }
        self.check_skips_end(&next, faults);
    }

    /// Were all nodes of a circle skipped, then the pointer would never come to rest.
    fn check_skips_end(&self, next: &[Option<&Step<'a>>], faults: &mut Vec<Fault>) {
        let mut told = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut circle = Vec::new();
            let mut place = start;
            while let Some(Some(step)) = next.get(place)
                && told.get(place) == Some(&false)
            {
                if let Some(told) = told.get_mut(place) {
                    *told = true;
                }
                circle.push(step);
                place = step.to;
            }
            // The nodes before the circle lead into it, and are no part of it.
            let Some(first) = circle.iter().position(|step| step.from == place) else { continue };
            let circle = circle.split_off(first);
            let ids: Vec<&str> = circle
                .iter()
                .filter_map(|step| self.nodes.get(step.from))
                .map(|node| node.value.id.as_str())
                .collect();
            if let Some(step) = circle.first() {
                let message = format!("the edges on {SKIPPED:?} go in a circle: {}", ids.join(", "));
                faults.push(Fault::new(step.path.clone(), message));
            }
        }
    }

    /// Which nodes are reached from these over steps that lead from the first to the second.
    fn closure(&self, mut from: Vec<usize>, direction: impl Fn(&Step<'a>) -> (usize, usize)) -> Vec<bool> {
        let mut next = vec![Vec::new(); self.nodes.len()];
        for (from, to) in self.steps.iter().map(direction) {
            if let Some(list) = next.get_mut(from) {
                list.push(to);
            }
        }
        let mut reached = vec![false; self.nodes.len()];
        while let Some(place) = from.pop() {
            if let Some(slot) = reached.get_mut(place)
                && !std::mem::replace(slot, true)
            {
                from.extend(next.get(place).into_iter().flatten());
            }
        }
        reached
    }
}

/// Whether the runtime goes there by itself, without an edge.
fn entered_by_runtime(node: &Node) -> bool {
    node.terminal && [CLEANUP, ESCALATED].contains(&node.id.as_str())
}

fn of_node(node: &Written<Node>, message: &str) -> Fault {
    Fault::new(node.path.clone().then("id"), format!("node {:?}: {message}", node.value.id))
}
