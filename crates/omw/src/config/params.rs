//! The parameters of a back end or a runtime, with the place where they were written.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde_json::Value;
use windtunnel_doc::{Diagnostics, Fault, Format, Node, NodeValue, Path};

use super::Origin;

/// A table of a config whose shape is somebody else's affair: the parameters of a back end or a runtime without `kind`, or a
/// section that only tests know.
///
/// ```
/// use omw::config::Params;
/// use serde_json::json;
///
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Echo {
///     delay_ms: u64,
/// }
///
/// let params = Params::of_value(json!({"delay_ms": 5}));
/// assert_eq!(params.decode::<Echo>()?.delay_ms, 5);
/// let params = Params::of_value(json!({"dealy_ms": 5}));
/// assert!(params.decode::<Echo>().unwrap_err().to_string().contains("did you mean \"delay_ms\"?"));
/// # Ok::<(), windtunnel_doc::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Params(Arc<Inner>);

struct Inner {
    node: Node,
    value: OnceLock<Value>,
    format: Format,
    origin: Origin,
    at: Path,
}

impl fmt::Debug for Params {
    /// The place and the keys: values may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&str> = self.keys().collect();
        f.debug_struct("Params")
            .field("at", &self.0.at.to_string())
            .field("keys", &keys)
            .finish_non_exhaustive()
    }
}

impl Params {
    /// Parameters that no file holds.
    pub fn of_value(value: Value) -> Self {
        Self::new(Node::from_json(value), Format::Json, Origin::default(), Path::root())
    }

    pub(super) fn new(node: Node, format: Format, origin: Origin, at: Path) -> Self {
        Self(Arc::new(Inner { node, value: OnceLock::new(), format, origin, at }))
    }

    /// The parameters as a value. They may hold secrets.
    pub fn value(&self) -> &Value {
        self.0.value.get_or_init(|| self.0.node.to_json())
    }

    /// The keys, in the order they were written; none if this is no table.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let entries = match &self.0.node.value {
            NodeValue::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(|(key, _)| key.name.as_str())
    }

    /// What is under a key, with its place: a part that is somebody else's affair in turn.
    pub fn get(&self, key: &str) -> Option<Self> {
        let node = self.0.node.get(key)?.clone();
        let at = self.0.at.clone().then(key);
        Some(Self::new(node, self.0.format, self.0.origin.clone(), at))
    }

    /// Decodes them. Whether unknown keys are faults is up to the type: they are if it has `#[serde(deny_unknown_fields)]`.
    ///
    /// # Errors
    /// Every fault, with file, line and column.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, Diagnostics> {
        self.0.node.decode(self.0.format).map_err(|faults| self.diagnostics(faults))
    }

    /// [`decode`](Self::decode) for a type that refuses unknown keys, where they shall do no harm: they are left out, and the log warns
    /// of them.
    ///
    /// # Errors
    /// Every fault, unknown keys among them.
    pub fn decode_known<T: DeserializeOwned>(&self) -> Result<T, Diagnostics> {
        let known = self.0.node.decode_known(self.0.format);
        let (value, unknown) = known.map_err(|faults| self.diagnostics(faults))?;
        if !unknown.is_empty() {
            for warning in &self.diagnostics(unknown) {
                tracing::warn!("{warning}; it is ignored");
            }
        }
        Ok(value)
    }

    /// Says where faults are that someone found in the decoded parameters, whose paths begin here.
    ///
    /// # Errors
    /// The faults, if there are any.
    pub fn diagnose(&self, faults: Vec<Fault>) -> Result<(), Diagnostics> {
        if faults.is_empty() { Ok(()) } else { Err(self.diagnostics(faults)) }
    }

    fn diagnostics(&self, faults: Vec<Fault>) -> Diagnostics {
        let from_root = |fault: Fault| Fault { path: self.0.at.join(&fault.path), ..fault };
        self.0.origin.diagnostics(faults.into_iter().map(from_root).collect())
    }
}
