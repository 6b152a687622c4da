//! From YAML to a graph.

use std::sync::Arc;

use indexmap::IndexMap;
use windtunnel_doc::{Diagnostics, Document, Format, Limits};

use super::draft::{Draft, EdgeDraft};
use super::{Edge, Graph, bind, check, walks};
use crate::hook::HookRegistry;

/// How large a graph may be: some hundred nodes, and no deeper than parameters of hooks go.
const LIMITS: Limits = Limits { max_bytes: 256 * 1024, max_depth: 16, max_nodes: 10_000 };

impl Graph {
    /// Compiles a graph. `name` is what its faults call the file.
    ///
    /// ```yaml
    /// graph: errand                   # its id
    /// nodes:                          # a walk begins at the first
    ///   - id: fetch
    ///     phase: fetching             # the phase whose label the item gets; none leaves the labels as they are
    ///     actor: agent                # agent, human or code
    ///     optional: false             # may produce nothing
    ///     required: false             # must be walked
    ///     skippable: true             # may be skipped; needs an edge on `skipped`
    ///     optIn: false                # is skipped unless somebody opts for it
    ///     terminal: false             # a walk ends here
    ///     maxAttempts: 3              # so many refused claims give it up
    ///     produces: [milk.md|tea.md]  # artifacts, each under one of several names
    ///     entry: [log-entry]          # hooks, by name
    ///     exit:                       # or by name and parameters
    ///       - validate-artifacts: { locked: true }
    ///   - { id: done, actor: agent, terminal: true }
    /// skipSets:                       # nodes that are skipped by one name
    ///   everything: [fetch]
    /// edges:
    ///   - { from: fetch, to: done, on: [pass, skipped] }
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its element, line and column.
    pub fn compile(name: &str, yaml: &str, hooks: &HookRegistry) -> Result<Self, Diagnostics> {
        let document = Document::parse(name, yaml, Format::Yaml, &LIMITS)?;
        let mut faults = Vec::new();
        let mut draft = Draft::read(document.root(), &mut faults);
        bind::bind(&mut draft, document.root(), hooks, &mut faults);
        check::check(&draft, &mut faults);
        walks::check(&draft, &mut faults);
        document.diagnose(faults)?;
        Self::freeze(draft).ok_or_else(|| Diagnostics::of_value(name, vec![walks::no_nodes()]))
    }

    /// None if there is no node.
    fn freeze(draft: Draft) -> Option<Self> {
        let mut edges = Vec::new();
        for edge in &draft.edges {
            let EdgeDraft { from, to, on } = &edge.value;
            let outcomes = on.each(&edge.path).into_iter().map(|(_, on)| on.to_owned());
            edges.extend(outcomes.map(|on| Edge { from: from.clone(), to: to.clone(), on }));
        }
        let nodes = draft.nodes.into_iter().map(|node| (node.value.id.clone(), Arc::new(node.value)));
        let nodes: IndexMap<_, _> = nodes.collect();
        let skip_sets = draft.skip_sets.into_iter().map(|set| (set.value.name, set.value.nodes));
        let start = nodes.values().next().cloned()?;
        Some(Self { id: draft.id.unwrap_or_default(), start, nodes, edges, skip_sets: skip_sets.collect() })
    }
}
