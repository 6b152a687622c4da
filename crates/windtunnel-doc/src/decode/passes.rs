//! The passes over one tree.

use serde::de::DeserializeOwned;

use super::{plan::Plan, value::ValueDeserializer};
use crate::{Fault, Format, Node, document::MAX_FAULTS};

/// Each pass visits the whole tree again; a file this bad is not worth more time.
const MAX_PASSES: usize = 4 * MAX_FAULTS;

/// The `T` that `root` describes, or at least one fault.
pub(crate) fn decode<T: DeserializeOwned>(format: Format, root: &Node) -> Result<T, Vec<Fault>> {
    let mut plan = Plan::new(format);
    let mut faults = Vec::new();
    for _ in 0..MAX_PASSES {
        let error = match T::deserialize(ValueDeserializer::new(root, &plan)) {
            Ok(value) if faults.is_empty() => return Ok(value),
            Ok(_) => break,
            Err(error) => error,
        };
        let explained = plan.explains(root, &error);
        if !explained {
            faults.push(error.fault());
        }
        if faults.len() > MAX_FAULTS || !plan.learn(root, &error, explained) {
            break;
        }
    }
    Err(faults)
}
