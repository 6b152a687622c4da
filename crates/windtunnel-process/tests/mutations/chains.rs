//! What runs at a node.

use serde_json::{Value, json};

use windtunnel_process::graph::CLEANUP;

use crate::tree::{Mutant, chain, id, list, mutant, nodes, remove};

/// Each hook of each gate is dropped, each gate is dropped whole, and each pair of neighbours changes gates.
pub(crate) fn gates() -> Vec<Mutant> {
    let nodes = nodes();
    let mut mutants = Vec::new();
    for (place, node) in nodes.iter().enumerate() {
        let hooks = chain(node, "exit");
        for (step, (hook, _)) in hooks.iter().enumerate() {
            let number = step + 1;
            mutants.push(mutant(
                format!("drop {hook} ({number} of {}) from the gate of {}", hooks.len(), id(node)),
                |graph| {
                    list(&mut graph["nodes"][place]["exit"]).remove(step);
                },
            ));
        }
        if hooks.len() > 1 {
            mutants.push(mutant(format!("drop the gate of {}", id(node)), |graph| {
                remove(&mut graph["nodes"][place], "exit");
            }));
        }
    }
    for (place, pair) in nodes.windows(2).enumerate() {
        if pair[0].get("exit") != pair[1].get("exit") {
            mutants.push(mutant(
                format!("change the gates of {} and {}", id(&pair[0]), id(&pair[1])),
                |graph| {
                    for (place, other) in [(place, &pair[1]), (place + 1, &pair[0])] {
                        graph["nodes"][place]["exit"] =
                            other.get("exit").cloned().unwrap_or_else(|| json!([]));
                    }
                },
            ));
        }
    }
    mutants
}

/// Each parameter of each gate is dropped, or is another where that says something else.
pub(crate) fn parameters() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, node) in nodes().iter().enumerate() {
        for (step, (hook, parameters)) in chain(node, "exit").iter().enumerate() {
            let of = format!("of {hook} ({}) at {}", step + 1, id(node));
            for (name, value) in parameters.as_object().unwrap() {
                mutants.push(mutant(format!("drop {name} {of}"), |graph| {
                    remove(&mut graph["nodes"][place]["exit"][step][hook], name);
                }));
                for other in others(name, value) {
                    mutants.push(mutant(format!("set {name} {of} to {other}"), |graph| {
                        graph["nodes"][place]["exit"][step][hook][name] = other.clone();
                    }));
                }
            }
        }
    }
    mutants
}

fn others(name: &str, value: &Value) -> Vec<Value> {
    match (name, value) {
        ("keyword", _) => vec![json!("execute"), json!("the-loop")],
        ("artifact" | "validates", Value::String(artifact)) if artifact.contains('|') => {
            artifact.split('|').map(Value::from).collect()
        }
        ("artifact" | "validates", _) => vec![json!("other.md")],
        ("artifacts", _) => vec![json!(["requirements.md"]), json!(["bugfix.md"])],
        ("markers", Value::Array(markers)) => markers.iter().map(|marker| json!([marker])).collect(),
        ("onlyWhenSkipped", _) => vec![json!("design")],
        _ => Vec::new(),
    }
}

/// Each section that a gate wants is dropped.
pub(crate) fn sections() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, node) in nodes().iter().enumerate() {
        for (step, (hook, parameters)) in chain(node, "exit").iter().enumerate() {
            let sections = parameters.get("sections").and_then(Value::as_array).cloned().unwrap_or_default();
            for (index, section) in sections.iter().enumerate() {
                let section = section.as_str().unwrap();
                let what = format!("drop section {section} of {hook} ({}) at {}", step + 1, id(node));
                mutants.push(mutant(what, |graph| {
                    list(&mut graph["nodes"][place]["exit"][step][hook]["sections"]).remove(index);
                }));
            }
        }
    }
    mutants
}

/// Each hook that runs when the pointer comes is dropped.
pub(crate) fn entries() -> Vec<Mutant> {
    const ASSIGNMENT: &str = "deliver-assignment";
    let mut mutants = vec![
        mutant(format!("drop {ASSIGNMENT} from every entry"), |graph| {
            for node in list(&mut graph["nodes"]) {
                list(&mut node["entry"]).retain(|hook| hook != ASSIGNMENT);
            }
        }),
        mutant(format!("drop the phase and the entry of {CLEANUP}"), |graph| {
            for node in list(&mut graph["nodes"]).iter_mut().filter(|node| id(node) == CLEANUP) {
                remove(node, "phase");
                remove(node, "entry");
            }
        }),
    ];
    for (place, node) in nodes().iter().enumerate().filter(|(_, node)| id(node) != CLEANUP) {
        for (step, (hook, _)) in
            chain(node, "entry").iter().enumerate().filter(|(_, (hook, _))| hook != ASSIGNMENT)
        {
            mutants.push(mutant(format!("drop {hook} from the entry of {}", id(node)), |graph| {
                list(&mut graph["nodes"][place]["entry"]).remove(step);
            }));
        }
    }
    mutants
}
