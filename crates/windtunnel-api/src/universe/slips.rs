//! Slips in the names of fields. Fields of later versions are left alone, so that a slip is only a name like that of a field which
//! is not there: the file would be read as if it said nothing of it.

use windtunnel_doc::{Fault, Node, NodeValue, Path, nearest};

/// The fields by what has them.
const OF_FILE: &[&str] = &["windtunnel_universe", "tools", "recordings", "matching"];
const OF_TOOL: &[&str] = &["name", "title", "description", "input_schema", "result_schema", "annotations"];
const OF_RECORDING: &[&str] = &["tool_name", "args", "result", "is_error"];
const OF_MATCHING: &[&str] = &["on_miss", "arg_keys", "per_tool_on_miss", "mode"];

/// What decisions call the arguments of a call.
const ARGUMENTS: (&str, &str) = ("arguments", "args");

/// The slips of a universe file.
pub(super) fn slips(file: &Node) -> Vec<Fault> {
    let mut faults = Vec::new();
    of_map(file, OF_FILE, Path::root, &mut faults);
    for (list, fields) in [("tools", OF_TOOL), ("recordings", OF_RECORDING)] {
        let Some(NodeValue::Seq(entries)) = file.get(list).map(|list| &list.value) else { continue };
        for (index, entry) in entries.iter().enumerate() {
            of_map(entry, fields, || Path::root().then(list).then(index), &mut faults);
        }
    }
    if let Some(matching) = file.get("matching") {
        of_map(matching, OF_MATCHING, || Path::root().then("matching"), &mut faults);
    }
    faults
}

fn of_map(map: &Node, fields: &[&str], path: impl Fn() -> Path, faults: &mut Vec<Fault>) {
    let NodeValue::Map(entries) = &map.value else { return };
    let is_there = |field: &str| entries.iter().any(|(key, _)| key.name == field);
    let (other, args) = ARGUMENTS;
    for (key, _) in entries.iter().filter(|(key, _)| !fields.contains(&key.name.as_str())) {
        let same = fields.iter().copied().find(|field| *field == args && key.name == other);
        let meant = same.or_else(|| nearest(&key.name, fields.iter().copied()));
        if let Some(meant) = meant.filter(|field| !is_there(field)) {
            let fault = Fault::new(path().then(key.name.as_str()), format!("unknown field {:?}", key.name));
            faults.push(fault.at_key().with_help(format!("did you mean {meant:?}?")));
        }
    }
}
