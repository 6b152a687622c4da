//! A checklist as a comment has it.

use super::row::Row;
use crate::artifact::{ArtifactName, Outline};
use crate::graph::Graph;
use crate::hook::HookContext;
use crate::transport::{Comment, is_marked, is_question};

/// A checklist, as it stands in a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::hook) struct Checklist {
    pub(super) rows: Vec<Row>,
}

impl Checklist {
    /// Reads the rows of a comment: its boxes as they are rendered, but for those in quotes.
    pub(in crate::hook) fn read(body: &str) -> Self {
        Self { rows: Outline::of_markdown(body).boxes.iter().filter_map(Row::read).collect() }
    }

    /// The checklist of a graph: required nodes, sets of nodes, and nodes that may be skipped; opt-in ones are not ticked.
    pub(in crate::hook) fn render(graph: &Graph) -> String {
        let required = graph.nodes().filter(|node| node.required).map(|node| row(&node.id, true, "required"));
        let sets = graph.skip_sets().map(|(name, nodes)| row(name, true, &extent(nodes)));
        let skippable = graph.nodes().filter(|node| node.skippable).map(|node| {
            let produced: Vec<String> = node.produces.iter().map(ArtifactName::in_words).collect();
            let note = if node.opt_in { "only if ticked".to_owned() } else { produced.join(", ") };
            row(&node.id, !node.opt_in, &note)
        });
        required.chain(sets).chain(skippable).collect()
    }

    /// The posted one, with the ticks that people set in it: the last of several.
    ///
    /// Anybody can write the process's marker. A marked checklist counts only if the process posted it, or somebody who may say
    /// something; and never if it is a question, whose words are the agent's.
    pub(in crate::hook) fn posted(listed: &[Comment], context: &HookContext<'_>) -> Option<Self> {
        let counts =
            |author: &String| context.state.account.as_ref() == Some(author) || context.is_authorized(author);
        let own = |body: &str| is_marked(body) && !is_question(body);
        let counted = listed.iter().filter(|comment| own(&comment.body) && counts(&comment.author));
        let mut checklists = counted.map(|comment| Self::read(&comment.body));
        checklists.rfind(|checklist| checklist.is_about(context.graph))
    }
}

fn row(name: &str, ticked: bool, note: &str) -> String {
    Row { name: name.to_owned(), ticked }.line(note)
}

fn extent(nodes: &[String]) -> String {
    match nodes {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} … {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_code_hold_no_rows() {
        let body = "> - [ ] design\n\n```\n- [ ] verification\n```\n- [ ] evidence\n";
        assert_eq!(Checklist::read(body).rows, [Row { name: "evidence".to_owned(), ticked: false }]);
    }
}
