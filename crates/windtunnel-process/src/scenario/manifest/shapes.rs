//! A manifest as it is written.

use std::fmt;

use serde::de::{self, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::AtNode;
use crate::artifact::ArtifactName;
use crate::runtime::Verdict;
use crate::state::Status;
use crate::transport::Operation;

/// A whole manifest. Steps and expectations are read one by one, each in its own shape.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Manifest {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default, deserialize_with = "given")]
    pub(super) tier: Option<i64>,
    pub(super) work_item: String,
    #[serde(rename = "steps")]
    _steps: Vec<IgnoredAny>,
    #[serde(default, rename = "expect")]
    _expect: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Comment {
    pub(super) author: String,
    #[serde(default, deserialize_with = "given")]
    pub(super) body: Option<String>,
    /// Read before the rest of the step is.
    #[serde(default, rename = "fixture", deserialize_with = "given")]
    _fixture: Option<String>,
    #[serde(default)]
    pub(super) marked: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Emit {
    pub(super) artifact: String,
    /// Read before the rest of the step is.
    #[serde(rename = "fixture")]
    _fixture: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Complete {
    pub(super) node: String,
    #[serde(default = "pass")]
    pub(super) status: Verdict,
}

fn pass() -> Verdict {
    Verdict::Pass
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    pub(super) question: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) actor: String,
    #[serde(default)]
    pub(super) session_missing: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InnerLoop {
    pub(super) pr: u64,
    pub(super) node: String,
    /// Read before the rest of the step is.
    #[serde(default, rename = "repo", deserialize_with = "given")]
    _repo: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FailGithub {
    #[serde(default, deserialize_with = "given")]
    pub(super) ops: Option<Vec<Operation>>,
}

/// A step that has nothing to say but its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct Expect {
    #[serde(deserialize_with = "given")]
    pub(super) nodes: Option<Vec<String>>,
    #[serde(deserialize_with = "given")]
    pub(super) labels: Option<Vec<String>>,
    #[serde(deserialize_with = "given")]
    pub(super) events: Option<Vec<Value>>,
    #[serde(deserialize_with = "given")]
    pub(super) final_node: Option<String>,
    #[serde(deserialize_with = "given")]
    pub(super) current_node: Option<String>,
    #[serde(deserialize_with = "given")]
    pub(super) status: Option<Status>,
    #[serde(deserialize_with = "given")]
    pub(super) completed: Option<AtNode>,
    #[serde(deserialize_with = "given")]
    pub(super) parked: Option<AtNode>,
    #[serde(deserialize_with = "given")]
    pub(super) locked_before_implementation: Option<Vec<ArtifactName>>,
    #[serde(deserialize_with = "given")]
    pub(super) execution_log: Option<ExecutionLog>,
    #[serde(deserialize_with = "given")]
    pub(super) execution_log_sections: Option<Vec<String>>,
    #[serde(deserialize_with = "given")]
    pub(super) execution_log_entries: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExecutionLog {
    pub(super) sections: Vec<String>,
}

/// A field that may be left out, but not left empty: where nothing stands behind its colon, something was forgotten.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl<'de> Deserialize<'de> for AtNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AtNodeVisitor)
    }
}

struct AtNodeVisitor;

impl Visitor<'_> for AtNodeVisitor {
    type Value = AtNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or the id of a node")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<AtNode, E> {
        Ok(AtNode::Anywhere(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<AtNode, E> {
        Ok(AtNode::Node(value.to_owned()))
    }
}
