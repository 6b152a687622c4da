//! Which case a path belongs to.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use uuid::Uuid;

use crate::seam::InferenceSeam;

/// The cases of a listener.
pub(crate) enum Cases {
    /// Many, each below `/s/<key>`.
    ByPath(Arc<CaseMap>),
    /// One, at the root.
    Only(Arc<InferenceSeam>),
}

impl Cases {
    /// The case of a path, and the rest of the path.
    pub(super) fn find<'p>(&self, path: &'p str) -> Option<(Arc<InferenceSeam>, &'p str)> {
        match self {
            Self::Only(seam) => Some((Arc::clone(seam), path)),
            Self::ByPath(cases) => {
                let after = path.strip_prefix("/s/")?;
                let (key, _) = after.split_once('/').unwrap_or((after, ""));
                Some((cases.get(key)?, after.get(key.len()..)?))
            }
        }
    }
}

/// Cases by key.
#[derive(Default)]
pub(crate) struct CaseMap(RwLock<HashMap<String, Arc<InferenceSeam>>>);

impl CaseMap {
    /// Adds a case under a new key.
    pub(super) fn insert(&self, seam: Arc<InferenceSeam>) -> String {
        let key = Uuid::new_v4().simple().to_string();
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), seam);
        key
    }

    pub(super) fn remove(&self, key: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    fn get(&self, key: &str) -> Option<Arc<InferenceSeam>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }
}
