//! One of the things that a config is merged from.

use camino::Utf8PathBuf;
use figment::providers::Serialized;
use figment::value::{Dict, Map};
use figment::{Metadata, Profile, Provider};
use serde_json::Value;
use windtunnel_doc::{Document, Node};

use super::environment::Overlay;

/// One of the things that a config is merged from.
pub(super) struct Layer {
    /// What was written, with its places.
    pub(super) written: Written,
    /// The folder of its relative scripts.
    pub(super) folder: Utf8PathBuf,
}

/// What was written, and where.
pub(super) enum Written {
    /// In a file, or a text in place of one.
    File(Document),
    /// In the environment.
    Environment(Overlay),
}

impl Layer {
    pub(super) fn root(&self) -> &Node {
        match &self.written {
            Written::File(document) => document.root(),
            Written::Environment(overlay) => overlay.root(),
        }
    }

    pub(super) fn name(&self) -> &str {
        match &self.written {
            Written::File(document) => document.name(),
            Written::Environment(_) => "the environment",
        }
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self.written, Written::File(_))
    }

    /// The values, with absolute paths for scripts: after the merge nobody knows which folder they are relative to.
    fn values(&self) -> Value {
        let mut values = match self.root().to_json() {
            // A file of nothing but comments.
            Value::Null => Value::Object(serde_json::Map::new()),
            values => values,
        };
        let agents = values.get_mut("agents").and_then(Value::as_object_mut);
        for agent in agents.into_iter().flat_map(|agents| agents.values_mut()) {
            if let Some(Value::String(script)) = agent.get_mut("script")
                && !script.is_empty()
            {
                *script = self.folder.join(&*script).into_string();
            }
        }
        values
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name().to_owned())
    }

    fn data(&self) -> figment::error::Result<Map<Profile, Dict>> {
        Serialized::defaults(self.values()).data()
    }
}
