//! The passes over one tree.

use serde::de::DeserializeOwned;

use super::{error::DecodeError, error::Kind, plan::Plan, value::ValueDeserializer};
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

/// The `T` that `root` describes apart from its unknown fields, and those; or at least one fault.
pub(crate) fn decode_known<T: DeserializeOwned>(
    format: Format,
    root: &Node,
) -> Result<(T, Vec<Fault>), Vec<Fault>> {
    let mut plan = Plan::new(format);
    let mut unknown = Vec::new();
    while unknown.len() < MAX_PASSES {
        match T::deserialize(ValueDeserializer::new(root, &plan)) {
            Ok(value) => return Ok((value, unknown)),
            Err(error) if is_of_unknown_field(&error) && plan.leave_out(root, &error) => {
                unknown.push(error.fault());
            }
            Err(_) => break,
        }
    }
    // From the start, so that the nearest names of unknown fields explain what is missing.
    decode(format, root).map(|value| (value, unknown))
}

fn is_of_unknown_field(error: &DecodeError) -> bool {
    error.is_of_key() && matches!(error.kind(), Kind::UnknownField { .. })
}
