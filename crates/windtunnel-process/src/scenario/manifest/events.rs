//! Events that are expected, as patterns.

use serde_json::Value;
use windtunnel_doc::{Fault, Path, nearest};
use windtunnel_pattern::{Options, Segment, Sequence};

use crate::event::ProcessEvent;

/// Compiles a list that stands at this path.
pub(super) fn compile(list: &[Value], path: &Path) -> Result<Sequence, Vec<Fault>> {
    let mut faults: Vec<Fault> =
        list.iter().enumerate().filter_map(|(index, element)| vacuous(element, index, path)).collect();
    match Sequence::compile(list, &Options::new().whole_values()) {
        Ok(sequence) if faults.is_empty() => Ok(sequence),
        Ok(_) => Err(faults),
        Err(errors) => {
            faults.extend(errors.into_iter().map(|error| {
                let path = error.path().segments().iter().fold(path.clone(), |path, segment| match segment {
                    Segment::Key(key) => path.then(key.as_str()),
                    Segment::Index(index) => path.then(*index),
                });
                Fault { help: error.help(), ..Fault::new(path, error.message()) }
            }));
            Err(faults)
        }
    }
}

/// An event that must not come and never could: a misspelt name would forbid nothing.
fn vacuous(element: &Value, index: usize, path: &Path) -> Option<Fault> {
    let name = element.get("$never")?.get("event")?.as_str()?;
    if ProcessEvent::NAMES.contains(&name) {
        return None;
    }
    let path = path.clone().then(index).then("$never").then("event");
    let fault = Fault::new(path, format!("there is no event {name:?}, so nothing is forbidden"));
    Some(match nearest(name, ProcessEvent::NAMES) {
        Some(near) => fault.with_help(format!("did you mean {near:?}?")),
        None => fault.with_help(format!("events are {}", ProcessEvent::NAMES.join(", "))),
    })
}
