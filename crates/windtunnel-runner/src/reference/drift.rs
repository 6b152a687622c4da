//! Where tools answer otherwise than they did when a case was recorded.

use std::fs::File;
use std::io::{self, Read as _};

use camino::Utf8Path;
use serde_json::{Map, Value};
use windtunnel_api::artifact::evidence::{Evidence, ToolCall};
use windtunnel_api::recording::{MAX_RECORDING, RECORDING_VERSION, Recording};
use windtunnel_api::tool_name::{self, Served};
use windtunnel_api::universe::canonical;
use windtunnel_api::{Pack, ReferenceCase, Trace, difference, unknown_version};
use windtunnel_discovery::inside;

/// Lines that are told at most.
const MAX_LINES: usize = 16;

/// What a case tells of its tools beside its verdict: where they answer otherwise than in its recording, or why nobody knows. None where
/// there is nothing to tell.
pub(super) fn told(case: &ReferenceCase, pack: &Pack, trace: &Trace) -> Option<String> {
    let file = case.recorded.as_ref()?;
    let recording = match read(&pack.dir, file) {
        Ok(recording) => recording,
        Err(problem) => return Some(format!("drift is not known: {file} {problem}")),
    };
    let recorded: Vec<&ToolCall> = recording.tool_calls().collect();
    let servers: Vec<&str> = trace.served_tools.keys().map(String::as_str).collect();
    let tools: Vec<&str> = trace.served_tools.values().flatten().map(String::as_str).collect();
    let witnessed = trace.events.iter().filter_map(|event| match event {
        Evidence::ToolCall(call) => Some(call),
        _ => None,
    });
    let drift = compare(&recorded, witnessed.collect(), &Served { servers: &servers, tools: &tools });
    let mut lines = drift.lines;
    if lines.is_empty() {
        return None;
    }
    if let Some(more) = lines.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        lines.truncate(MAX_LINES);
        lines.push(format!("  … and {more} lines more"));
    }
    let head = format!("drift: {} of {} tool calls differ from {file}", drift.calls, recorded.len());
    Some(std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n"))
}

/// The recording that a pack has in this file of its own.
fn read(pack: &Utf8Path, file: &Utf8Path) -> Result<Recording, String> {
    let unread = |error: io::Error| format!("cannot be read: {error}");
    let path = inside(pack, file).map_err(|outside| outside.to_string())?;
    // A pipe would be waited for.
    if !path.is_file() {
        return Err("is not a file".to_owned());
    }
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_RECORDING as u64 + 1).read_to_end(&mut text))
        .map_err(unread)?;
    if text.len() > MAX_RECORDING {
        return Err(format!("is larger than {} MiB", MAX_RECORDING / (1024 * 1024)));
    }
    let recording: Recording =
        serde_json::from_slice(&text).map_err(|error| format!("is no recording: {error}"))?;
    if recording.windtunnel_recording != RECORDING_VERSION {
        let found = u64::from(recording.windtunnel_recording);
        let fault = unknown_version("windtunnel_recording", found, RECORDING_VERSION);
        return Err(format!("{}: {}", fault.path, fault.message));
    }
    Ok(recording)
}

#[derive(Debug, Default, PartialEq)]
struct Drift {
    /// Calls that differ.
    calls: usize,
    lines: Vec<String>,
}

/// Compares each recorded call with the first call of now that has the same tool and arguments and is not taken yet.
fn compare(recorded: &[&ToolCall], mut now: Vec<&ToolCall>, served: &Served<'_>) -> Drift {
    let mut drift = Drift::default();
    for before in recorded {
        let same = |call: &&ToolCall| {
            tool_name::matches(&call.tool, &before.tool, served) && canonical::same(&call.args, &before.args)
        };
        let Some(index) = now.iter().position(same) else {
            drift.calls += 1;
            drift.lines.push(format!("  {} was not called", shown_call(before)));
            continue;
        };
        let differences = difference::fields("the answer", &answer(before), &answer(now.remove(index)));
        if !differences.is_empty() {
            drift.calls += 1;
            drift.lines.push(format!("  {}", shown_call(before)));
            drift.lines.extend(differences.into_iter().map(|line| format!("    {line}")));
        }
    }
    for more in now {
        drift.calls += 1;
        drift.lines.push(format!("  {} was not recorded", shown_call(more)));
    }
    drift
}

/// What a call was answered, as JSON where it is JSON in a text: one witness has seen the text only, another one what it means.
fn answer(call: &ToolCall) -> Value {
    if let Some(error) = &call.error {
        return Value::Object(Map::from_iter([("error".to_owned(), error.as_str().into())]));
    }
    match &call.result {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| call.result.clone()),
        other => other.clone(),
    }
}

fn shown_call(call: &ToolCall) -> String {
    format!("{} {}", call.tool, difference::shown(&call.args))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::artifact::evidence::Witness;

    use super::*;

    fn call(tool: &str, args: Value, result: Value) -> ToolCall {
        ToolCall {
            server: String::new(),
            tool: tool.into(),
            args,
            result,
            error: None,
            ms: 0.0,
            witness: Witness::Seam,
            extra: None,
        }
    }

    fn drift(recorded: &[ToolCall], now: &[ToolCall]) -> String {
        let served = Served { servers: &[], tools: &[] };
        compare(&recorded.iter().collect::<Vec<_>>(), now.iter().collect(), &served).lines.join("\n")
    }

    #[test]
    fn only_a_file_of_the_pack_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        let pack = root.join("pack");
        std::fs::create_dir_all(pack.join("folder")).unwrap();
        for file in [root.join("outside.json"), pack.join("inside.json")] {
            std::fs::write(file, "{}").unwrap();
        }
        File::create(pack.join("large.json")).unwrap().set_len(MAX_RECORDING as u64 + 1).unwrap();
        let refused = |file: &str| read(&pack, Utf8Path::new(file)).unwrap_err();
        let leads_out = format!("leads out of the pack, to {root}/outside.json");
        assert_eq!(refused("../outside.json"), leads_out);
        assert_eq!(refused(root.join("outside.json").as_str()), leads_out);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("outside.json"), pack.join("link.json")).unwrap();
            assert_eq!(refused("link.json"), leads_out);
            assert!(
                std::process::Command::new("mkfifo").arg(pack.join("pipe.json")).status().unwrap().success()
            );
            assert_eq!(refused("pipe.json"), "is not a file");
        }
        assert_eq!(refused("folder"), "is not a file");
        assert_eq!(refused("large.json"), "is larger than 32 MiB");
        assert!(refused("none.json").starts_with("cannot be read: "));
        assert!(refused("inside.json").starts_with("is no recording: "));
    }

    #[test]
    fn a_text_that_is_json_is_compared_as_such_and_equal_answers_say_nothing() {
        let text = call("lookup", json!({"a": 1, "b": 2}), json!("{\"x\": 1, \"y\": 2}"));
        let structured = call("lookup", json!({"b": 2.0, "a": 1}), json!({"y": 2, "x": 1}));
        assert_eq!(drift(&[text], &[structured]), "");
    }

    #[test]
    fn calls_that_are_missing_or_new_and_errors_are_told() {
        let failed =
            ToolCall { error: Some("no such order".into()), ..call("lookup", json!({}), Value::Null) };
        let recorded = [call("lookup", json!({}), json!("75")), call("close", json!({}), json!("ok"))];
        insta::assert_snapshot!(drift(&recorded, &[failed, call("open", json!({}), json!([]))]), @r#"
          lookup {}
            the answer: 75 → {"error":"no such order"}
          close {} was not called
          open {} was not recorded
        "#);
    }

    #[test]
    fn a_call_made_twice_is_compared_in_its_order() {
        let twice = |a: i64, b: i64| [call("next", json!({}), json!(a)), call("next", json!({}), json!(b))];
        assert_eq!(drift(&twice(1, 2), &twice(1, 2)), "");
        assert_eq!(drift(&twice(1, 2), &twice(1, 3)), "  next {}\n    the answer: 2 → 3");
    }
}
