//! Layers over layers.
//!
//! figment merges the values: tables by key, everything else replaced by the later layer. What it does not keep comes back from the trees
//! of the layers: the order of keys, which is that of first mention, and that the environment holds nothing but text.

use figment::Figment;
use indexmap::IndexMap;
use serde_json::Value;
use windtunnel_doc::{Node, NodeValue};

use super::layer::Layer;

/// The merged values as one tree; its spans are empty.
pub(super) fn merge(layers: &[Layer]) -> Result<Node, Box<figment::Error>> {
    let merged: Value = layers.iter().fold(Figment::new(), Figment::merge).extract()?;
    let mut merged = Node::from_json(merged);
    as_written(&mut merged, &layers.iter().map(Layer::root).collect::<Vec<_>>());
    Ok(merged)
}

fn as_written(merged: &mut Node, layers: &[&Node]) {
    match &mut merged.value {
        NodeValue::Map(entries) => {
            // What a layer has put something else in place of is not what is seen.
            let replaced = layers.iter().rposition(|layer| !matches!(layer.value, NodeValue::Map(_)));
            let seen = layers.get(replaced.map_or(0, |at| at + 1)..).unwrap_or_default();
            let mut written: IndexMap<&str, Vec<&Node>> = IndexMap::new();
            for layer in seen {
                let NodeValue::Map(entries) = &layer.value else { continue };
                for (key, node) in entries {
                    written.entry(&key.name).or_default().push(node);
                }
            }
            entries.sort_by_cached_key(|(key, _)| written.get_index_of(key.name.as_str()));
            for (key, node) in entries {
                as_written(node, written.get(key.name.as_str()).map_or(&[], Vec::as_slice));
            }
        }
        NodeValue::Seq(elements) => {
            let Some(NodeValue::Seq(written)) = layers.last().map(|layer| &layer.value) else { return };
            for (element, written) in elements.iter_mut().zip(written) {
                as_written(element, &[written]);
            }
        }
        NodeValue::String(text) => {
            if let Some(NodeValue::Untyped(_)) = layers.last().map(|layer| &layer.value) {
                merged.value = NodeValue::Untyped(std::mem::take(text));
            }
        }
        _ => {}
    }
}
