//! Edges and skip sets.

use serde_json::Value;

use crate::tree::{Mutant, list, mutant, nodes, shipped};

fn in_words(edge: &Value) -> String {
    format!("{} on {}", edge["from"].as_str().unwrap(), edge["on"].as_str().unwrap())
}

/// Each edge is dropped, is led to each of the nodes around where it goes, or is on another outcome.
pub(crate) fn edges() -> Vec<Mutant> {
    let graph = shipped();
    let ids: Vec<Value> = nodes().into_iter().map(|node| node["id"].clone()).collect();
    let mut mutants = Vec::new();
    for (place, edge) in graph["edges"].as_array().unwrap().iter().enumerate() {
        let words = in_words(edge);
        mutants.push(mutant(format!("drop edge from {words}"), |graph| {
            list(&mut graph["edges"]).remove(place);
        }));
        let to = ids.iter().position(|id| *id == edge["to"]).unwrap();
        for (elsewhere, id) in [(to.checked_sub(1), "the node before"), (Some(to + 1), "the node after")] {
            let Some(other) = elsewhere.and_then(|place| ids.get(place)) else { continue };
            mutants.push(mutant(format!("lead edge from {words} to {id}"), |graph| {
                graph["edges"][place]["to"] = other.clone();
            }));
        }
        if edge["on"] == "skipped" {
            // A skip that counts as a pass. Where the node passes on `pass` as well, that edge makes room.
            mutants.push(mutant(format!("count a skip as a pass: {words}"), |graph| {
                let from = edge["from"].clone();
                list(&mut graph["edges"]).retain(|edge| edge["from"] != from || edge["on"] != "pass");
                for edge in list(&mut graph["edges"]) {
                    if edge["from"] == from && edge["on"] == "skipped" {
                        edge["on"] = "pass".into();
                    }
                }
            }));
        }
    }
    mutants
}

/// Each member of each set is dropped, and each set.
pub(crate) fn skip_sets() -> Vec<Mutant> {
    let graph = shipped();
    let mut mutants = Vec::new();
    for (set, members) in graph["skipSets"].as_object().unwrap() {
        mutants.push(mutant(format!("drop skip set {set}"), |graph| {
            graph["skipSets"].as_object_mut().unwrap().remove(set);
        }));
        for (place, member) in members.as_array().unwrap().iter().enumerate() {
            let member = member.as_str().unwrap();
            mutants.push(mutant(format!("drop {member} from skip set {set}"), |graph| {
                list(&mut graph["skipSets"][set]).remove(place);
            }));
        }
    }
    for node in nodes() {
        for (set, members) in graph["skipSets"].as_object().unwrap() {
            let id = &node["id"];
            if !members.as_array().unwrap().contains(id) {
                mutants.push(mutant(format!("add {} to skip set {set}", id.as_str().unwrap()), |graph| {
                    list(&mut graph["skipSets"][set]).push(id.clone());
                }));
            }
        }
    }
    mutants
}
