//! Parameters that decode and yet cannot be used.

use std::fmt;

use windtunnel_doc::{Fault, Path};

use crate::backend::BackendError;
use crate::config::Params;
use crate::registry::FactoryError;

/// A parameter, and what is wrong with it. The text does not hold its value, unless that is no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unusable {
    pub(crate) key: &'static str,
    pub(crate) reason: String,
}

impl Unusable {
    /// The fault with the place where the parameter is written.
    pub(crate) fn of(self, params: &Params) -> FactoryError {
        let fault = Fault::new(Path::root().then(self.key), self.reason.clone());
        match params.diagnose(vec![fault]) {
            Err(faults) => faults.into(),
            Ok(()) => BackendError::from(self).into(),
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.reason)
    }
}

impl From<Unusable> for BackendError {
    fn from(unusable: Unusable) -> Self {
        Self::new(unusable)
    }
}
