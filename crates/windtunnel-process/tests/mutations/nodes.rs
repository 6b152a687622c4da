//! What a node is.

use serde_json::{Value, json};

use windtunnel_process::graph::CLEANUP;

use crate::tree::{Mutant, id, list, mutant, nodes, remove};

/// Each flag is dropped, and each that is not there is set; each node is the work of somebody else.
pub(crate) fn flags() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, node) in nodes().iter().enumerate() {
        let terminal = node.get("terminal").is_some();
        let flags = [
            ("required", !terminal),
            ("optional", node.get("produces").is_some()),
            ("skippable", true),
            ("optIn", true),
            ("terminal", true),
        ];
        for (flag, matters) in flags {
            if node.get(flag).is_some() {
                mutants.push(mutant(format!("unmark {} as {flag}", id(node)), |graph| {
                    remove(&mut graph["nodes"][place], flag);
                }));
            } else if matters {
                mutants.push(mutant(format!("mark {} as {flag}", id(node)), |graph| {
                    graph["nodes"][place][flag] = true.into();
                }));
            }
        }
        // A terminal waits for its claim, and the gate of a person for a comment, whoever's work they are said to be.
        let others: &[&str] = match node["actor"].as_str().unwrap() {
            _ if terminal => &[],
            "human" => &["agent"],
            _ => &["human", "code"],
        };
        for actor in others {
            mutants.push(mutant(format!("make {} the work of {actor}", id(node)), |graph| {
                graph["nodes"][place]["actor"] = (*actor).into();
            }));
        }
    }
    mutants
}

/// Each phase is another, or none; each node without one has one.
pub(crate) fn phases() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, node) in nodes().iter().enumerate().filter(|(_, node)| id(node) != CLEANUP) {
        if node.get("phase").is_some() {
            mutants.push(mutant(format!("change the phase of {}", id(node)), |graph| {
                graph["nodes"][place]["phase"] = json!("another");
            }));
            mutants.push(mutant(format!("drop the phase of {}", id(node)), |graph| {
                remove(&mut graph["nodes"][place], "phase");
            }));
        } else {
            mutants.push(mutant(format!("give {} a phase", id(node)), |graph| {
                graph["nodes"][place]["phase"] = json!("another");
                list(&mut graph["nodes"][place]["entry"]).insert(0, json!("set-phase-label"));
            }));
        }
    }
    mutants
}

/// Each artifact is dropped, or is another; of two names there is only one.
pub(crate) fn artifacts() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, node) in nodes().iter().enumerate() {
        let Some(artifact) = node.get("produces").map(|produces| produces[0].as_str().unwrap()) else {
            continue;
        };
        mutants.push(mutant(format!("let {} produce nothing", id(node)), |graph| {
            remove(&mut graph["nodes"][place], "produces");
        }));
        let names: Vec<&str> = artifact.split('|').collect();
        let others = if names.len() == 1 { vec!["other.md"] } else { names };
        for name in others {
            mutants.push(mutant(format!("let {} produce {name}", id(node)), |graph| {
                graph["nodes"][place]["produces"] = Value::Array(vec![name.into()]);
            }));
        }
    }
    mutants
}
