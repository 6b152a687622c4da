//! What a checklist says of the nodes of a graph.

use std::collections::HashMap;

use windtunnel_doc::nearest;

use super::Checklist;
use crate::graph::{Graph, Node};
use crate::hook::Selection;

impl Checklist {
    /// Whether any of its rows is one that the checklist of this graph has. A list of something else may name a terminal.
    pub(in crate::hook) fn is_about(&self, graph: &Graph) -> bool {
        let has_row = |name: &str| graph.node(name).is_none_or(|node| node.required || node.skippable);
        self.rows.iter().any(|row| canonical(graph, &row.name).is_some_and(has_row))
    }

    /// What it says of a graph's nodes. What it does not mention keeps its default.
    ///
    /// | row of the node | row of a set of it | the node is                                               |
    /// |-----------------|--------------------|-----------------------------------------------------------|
    /// | none            | none or ticked     | walked                                                    |
    /// | none            | not ticked         | skipped                                                   |
    /// | ticked          | none or ticked     | walked                                                    |
    /// | ticked          | not ticked         | walked; skipped if all nodes of the set have ticked rows: |
    /// |                 |                    | then the set is what somebody changed in a whole list     |
    /// | not ticked      | any                | skipped, or rejected if it cannot be                      |
    pub(in crate::hook) fn select(&self, graph: &Graph, by: &str) -> Selection {
        let ticks: HashMap<&str, bool> = self
            .rows
            .iter()
            .filter_map(|row| canonical(graph, &row.name).map(|name| (name, row.ticked)))
            .collect();
        let mut selection = Selection { by: format!("@{by}"), ..Selection::default() };
        for node in graph.nodes() {
            let own = ticks.get(node.id.as_str()).copied();
            if node.opt_in {
                if own == Some(true) {
                    selection.opted_in.insert(node.id.clone());
                }
            } else if own == Some(false) && !node.skippable {
                selection.rejected.push(node.id.clone());
            } else if node.skippable && !is_walked(graph, node, &ticks) {
                selection.unticked.insert(node.id.clone());
            }
        }
        selection.rejected.extend(self.misspelt(graph));
        selection
    }

    /// Unticked rows that are probably meant for a node or a set, and are not its name.
    fn misspelt<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = String> + 'a {
        self.rows
            .iter()
            .filter(|row| !row.ticked && canonical(graph, &row.name).is_none())
            .filter(|row| nearest(&row.name, names(graph)).is_some())
            .map(|row| row.name.clone())
    }
}

/// Whether a node that may be skipped is walked: the table of [`Checklist::select`].
fn is_walked(graph: &Graph, node: &Node, ticks: &HashMap<&str, bool>) -> bool {
    let ticked = |name: &str| ticks.get(name).copied();
    let mut unticked_sets =
        graph.skip_sets().filter(|(set, nodes)| ticked(set) == Some(false) && nodes.contains(&node.id));
    match ticked(&node.id) {
        Some(false) => false,
        None => unticked_sets.next().is_none(),
        Some(true) => !unticked_sets.any(|(_, nodes)| nodes.iter().all(|id| ticked(id) == Some(true))),
    }
}

fn names(graph: &Graph) -> impl Iterator<Item = &str> {
    graph.skip_sets().map(|(name, _)| name).chain(graph.nodes().map(|node| node.id.as_str()))
}

/// The name of a node or a set, as the graph has it.
fn canonical<'a>(graph: &'a Graph, name: &str) -> Option<&'a str> {
    names(graph).find(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::hook::HookRegistry;

    /// A required node, and after it nodes that may be skipped; of these `opt_in` are only walked if ticked.
    fn graph(opt_in: &[bool], in_set: &[bool]) -> Graph {
        let end = opt_in.len();
        let mut lines = vec!["graph: generated".to_owned(), "nodes:".to_owned()];
        lines.push("  - {id: first, actor: human, required: true}".to_owned());
        lines.extend(opt_in.iter().enumerate().map(|(number, opt_in)| {
            format!("  - {{id: n{number}, actor: agent, skippable: true, optIn: {opt_in}}}")
        }));
        lines.push(format!("  - {{id: n{end}, actor: agent, terminal: true}}"));
        let is_member = |number: &usize| in_set[*number] && !opt_in[*number];
        let members: Vec<String> = (0..end).filter(is_member).map(|number| format!("n{number}")).collect();
        if !members.is_empty() {
            lines.push(format!("skipSets:\n  chain: [{}]", members.join(", ")));
        }
        lines.push("edges:\n  - {from: first, to: n0, on: pass}".to_owned());
        lines.extend(
            (0..end)
                .map(|number| format!("  - {{from: n{number}, to: n{}, on: [pass, skipped]}}", number + 1)),
        );
        let yaml = lines.join("\n");
        let compiled = Graph::compile("generated.yaml", &yaml, &HookRegistry::empty());
        compiled.unwrap_or_else(|faults| panic!("{faults}\n{yaml}"))
    }

    #[test]
    fn a_row_decides_as_the_table_says() {
        let graph = graph(&[false, false, true], &[true, true, false]);
        let table: [(&str, [&[&str]; 3]); 14] = [
            ("", [&[], &[], &[]]),
            ("- [x] chain", [&[], &[], &[]]),
            ("- [ ] chain", [&["n0", "n1"], &[], &[]]),
            ("- [x] n0", [&[], &[], &[]]),
            ("- [x] n0\n- [x] chain", [&[], &[], &[]]),
            ("- [x] n0\n- [ ] chain", [&["n1"], &[], &[]]),
            ("- [x] n0\n- [ ] n1\n- [ ] chain", [&["n1"], &[], &[]]),
            ("- [x] n0\n- [x] n1\n- [ ] chain", [&["n0", "n1"], &[], &[]]),
            ("- [ ] n0\n- [x] chain", [&["n0"], &[], &[]]),
            ("- [ ] N0\n- [x] n0\n- [ ] n0", [&["n0"], &[], &[]]),
            ("- [x] n2", [&[], &["n2"], &[]]),
            ("- [ ] n2\n- [ ] first\n- [ ] n3", [&[], &[], &["first", "n3"]]),
            ("- [ ] chian\n- [x] frist\n- [ ] milk", [&[], &[], &["chian"]]),
            ("- [ ] n3 the thing", [&[], &[], &["n3"]]),
        ];
        for (body, [unticked, opted_in, rejected]) in table {
            let selection = Checklist::read(body).select(&graph, "owner");
            assert_eq!(selection.unticked.iter().collect::<Vec<_>>(), unticked, "{body:?}");
            assert_eq!(selection.opted_in.iter().collect::<Vec<_>>(), opted_in, "{body:?}");
            assert_eq!(selection.rejected, rejected, "{body:?}");
        }
        assert!(!Checklist::read("- [ ] n3 the thing\n- [x] milk").is_about(&graph));
    }

    static GRAPH: LazyLock<Graph> = LazyLock::new(|| graph(&[false, true], &[true, false]));

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_rendered_checklist_read_back_gives_the_defaults(
            nodes in prop::collection::vec((any::<bool>(), any::<bool>()), 1..8)
        ) {
            let (opt_in, set): (Vec<bool>, Vec<bool>) = nodes.into_iter().unzip();
            let graph = graph(&opt_in, &set);
            let checklist = Checklist::read(&Checklist::render(&graph));
            prop_assert!(checklist.is_about(&graph));
            let names: Vec<&str> = checklist.rows.iter().map(|row| row.name.as_str()).collect();
            prop_assert!(graph.skip_sets().all(|(set, _)| names.contains(&set)));
            prop_assert_eq!(names.len(), 1 + graph.skip_sets().len() + opt_in.len());
            let defaults = Selection { by: "@owner".to_owned(), ..Selection::default() };
            prop_assert_eq!(checklist.select(&graph, "owner"), defaults);
        }

        #[test]
        fn each_changed_tick_of_a_rendered_checklist_is_its_nodes(
            nodes in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>()), 1..8)
        ) {
            let opt_in: Vec<bool> = nodes.iter().map(|(opt_in, ..)| *opt_in).collect();
            let set: Vec<bool> = nodes.iter().map(|(_, set, _)| *set).collect();
            let graph = graph(&opt_in, &set);
            let mut checklist = Checklist::read(&Checklist::render(&graph));
            let changed: Vec<String> =
                nodes.iter().enumerate().filter(|(_, (.., changed))| *changed).map(|(number, _)| format!("n{number}")).collect();
            for row in &mut checklist.rows {
                row.ticked ^= changed.contains(&row.name);
            }
            let selection = checklist.select(&graph, "owner");
            let both: Vec<String> = selection.unticked.union(&selection.opted_in).cloned().collect();
            prop_assert_eq!(both.len(), changed.len());
            prop_assert!(changed.iter().all(|id| both.contains(id)));
            prop_assert_eq!(selection.rejected, Vec::<String>::new());
        }

        #[test]
        fn comments_are_read_without_a_panic(body in "(- \\[[x ]\\] |`|chain|n0|first|\n|\\*|>|\\PC){0,30}") {
            Checklist::read(&body).select(&GRAPH, "owner");
        }
    }
}
