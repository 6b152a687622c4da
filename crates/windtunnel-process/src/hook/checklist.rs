//! The checklist that phases are selected with.

use std::collections::HashMap;

use windtunnel_doc::nearest;

use super::Selection;
use crate::artifact::ArtifactName;
use crate::artifact::prose::{InlineCode, spoken_lines};
use crate::graph::{Graph, Node};
use crate::transport::{Comment, is_marked};

/// A row of a checklist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// What its first word is: a node or a set of nodes, if it is a row of ours.
    pub(super) name: String,
    pub(super) ticked: bool,
}

/// A checklist, as it stands in a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Checklist {
    pub(super) rows: Vec<Row>,
}

impl Checklist {
    /// Reads the rows of a comment. Nothing is read of quotes and code blocks.
    pub(super) fn read(body: &str) -> Self {
        let lines = spoken_lines(body, InlineCode::Kept);
        Self { rows: lines.iter().filter_map(|line| row(line)).collect() }
    }

    /// The checklist of a graph: required nodes, sets of nodes, and nodes that may be skipped; opt-in ones are not ticked.
    pub(super) fn render(graph: &Graph) -> String {
        let required =
            graph.nodes().filter(|node| node.required).map(|node| line(true, &node.id, "required"));
        let sets = graph.skip_sets().map(|(name, nodes)| line(true, name, &extent(nodes)));
        let skippable = graph.nodes().filter(|node| node.skippable).map(|node| {
            let produced: Vec<String> = node.produces.iter().map(ArtifactName::in_words).collect();
            let kind = if node.opt_in { "only if ticked".to_owned() } else { produced.join(", ") };
            line(!node.opt_in, &node.id, &kind)
        });
        required.chain(sets).chain(skippable).collect()
    }

    /// The one that was posted last, with the ticks that people set in it.
    pub(super) fn posted(comments: &[Comment], graph: &Graph) -> Option<Self> {
        let posted = comments.iter().rev().filter(|comment| is_marked(&comment.body));
        posted.map(|comment| Self::read(&comment.body)).find(|checklist| checklist.is_about(graph))
    }

    /// Whether any of its rows is about this graph.
    pub(super) fn is_about(&self, graph: &Graph) -> bool {
        self.rows.iter().any(|row| canonical(graph, &row.name).is_some())
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
    pub(super) fn select(&self, graph: &Graph, by: &str) -> Selection {
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

fn line(ticked: bool, name: &str, note: &str) -> String {
    let mark = if ticked { 'x' } else { ' ' };
    let dash = if note.is_empty() { "" } else { " — " };
    format!("- [{mark}] `{name}`{dash}{note}\n")
}

fn extent(nodes: &[String]) -> String {
    match nodes {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} … {last}"),
    }
}

fn row(line: &str) -> Option<Row> {
    let line = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start();
    let (mark, rest) = line.strip_prefix('[')?.split_once(']')?;
    let ticked = match mark {
        " " => false,
        "x" | "X" => true,
        _ => return None,
    };
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '_'));
    let end = |c: char| c.is_whitespace() || matches!(c, '`' | '*' | ':' | ',' | ';' | '(' | '—' | '–');
    let name = rest.split(end).next().filter(|name| !name.is_empty())?;
    Some(Row { name: name.to_owned(), ticked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_people_write_them() {
        let table = [
            ("- [x] design", Some(("design", true))),
            ("- [ ] `design` — the design", Some(("design", false))),
            ("* [X] **design**: yes", Some(("design", true))),
            ("+ [ ] design, please not", Some(("design", false))),
            ("  - [ ] **`spec-chain`** — brainstorming … tasks-breakdown", Some(("spec-chain", false))),
            ("- [ ] __design__", Some(("design__", false))),
            ("- [x]design", Some(("design", true))),
            ("- [x] design\r", Some(("design", true))),
            ("- [y] design", None),
            ("- [] design", None),
            ("- [ ]", None),
            ("- [ ] `", None),
            ("- design", None),
            ("[ ] design", None),
            ("> - [ ] design", None),
            ("", None),
        ];
        for (line, expected) in table {
            let read = row(line).map(|row| (row.name, row.ticked));
            assert_eq!(read.as_ref().map(|(name, ticked)| (name.as_str(), *ticked)), expected, "{line:?}");
        }
    }

    #[test]
    fn quotes_and_code_hold_no_rows() {
        let body = "> - [ ] design\n\n```\n- [ ] verification\n```\n- [ ] evidence\n";
        assert_eq!(Checklist::read(body).rows, [Row { name: "evidence".to_owned(), ticked: false }]);
    }
}
