//! Which recording answers a call.

use serde_json::{Map, Value};
use windtunnel_api::universe::{MissPolicy, canonical};

use super::library::{Recording, Shelved};

/// What answers a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'l> {
    /// A recording of this call.
    Recorded(&'l Recording),
    /// A recording of another call, the nearest one.
    Nearest(&'l Recording),
    /// No recording, but this policy. Never [`MissPolicy::Nearest`].
    Missed(MissPolicy),
}

/// Finds what answers a call among the recordings that are free: all of them, or in a sequence those not taken yet.
///
/// ```text
/// free recording with equal arguments   yes  no   no                     no
/// free one with equal deciding ones     -    yes  no                     no
/// policy of the tool                    -    -    nearest                any other
/// free one with an equal argument       -    -    yes       no           -
/// found                                 the first the nearest fail_call  that policy
/// ```
///
/// The nearest has the most arguments in common, name and value; of several it is the first.
pub(super) fn find<'l>(
    shelved: &'l Shelved,
    args: &Map<String, Value>,
    is_free: impl Fn(&Recording) -> bool,
) -> Found<'l> {
    let places = shelved.exact(args).iter().chain(shelved.keyed(args));
    let mut matching = places.filter_map(|index| shelved.recordings.get(*index));
    if let Some(recording) = matching.find(|recording| is_free(recording)) {
        return Found::Recorded(recording);
    }
    if shelved.on_miss != MissPolicy::Nearest {
        return Found::Missed(shelved.on_miss);
    }
    let free = shelved.recordings.iter().filter(|recording| is_free(recording));
    let mut nearest: Option<(usize, &Recording)> = None;
    for recording in free {
        let common = in_common(args, &recording.args);
        if common > nearest.map_or(0, |(most, _)| most) {
            nearest = Some((common, recording));
        }
    }
    nearest.map_or(Found::Missed(MissPolicy::FailCall), |(_, recording)| Found::Nearest(recording))
}

/// How many arguments are equal, name and value.
fn in_common(args: &Map<String, Value>, recorded: &Map<String, Value>) -> usize {
    let is_equal =
        |key: &str, value: &Value| recorded.get(key).is_some_and(|recorded| canonical::same(value, recorded));
    args.iter().filter(|(key, value)| is_equal(key, value)).count()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::json;
    use windtunnel_api::universe::Universe;

    use super::super::library::Library;
    use super::*;

    fn library(recordings: &[Value], matching: &Value) -> Library {
        let recordings: Vec<Value> = recordings
            .iter()
            .enumerate()
            .map(|(place, args)| json!({"tool_name": "get", "args": args, "result": place}))
            .collect();
        let universe: Universe = serde_json::from_value(json!({
            "windtunnel_universe": 1,
            "tools": [{"name": "get", "input_schema": {}}],
            "recordings": recordings,
            "matching": matching,
        }))
        .unwrap();
        assert_eq!(universe.validate(), []);
        Library::new(universe)
    }

    /// What answers each call: `recorded 0`, `nearest 1` or the policy.
    fn answers(library: &Library, calls: &[Value], once: bool) -> Vec<String> {
        let taken: RefCell<Vec<usize>> = RefCell::default();
        let take = |recording: &Recording| {
            taken.borrow_mut().push(recording.place);
            recording.place
        };
        let answer = |call: &Value| {
            let is_free = |recording: &Recording| !once || !taken.borrow().contains(&recording.place);
            match find(library.tool("get").unwrap(), call.as_object().unwrap(), is_free) {
                Found::Recorded(recording) => format!("recorded {}", take(recording)),
                Found::Nearest(recording) => format!("nearest {}", take(recording)),
                Found::Missed(policy) => policy.name().to_owned(),
            }
        };
        calls.iter().map(answer).collect()
    }

    #[test]
    fn every_row_of_the_table() {
        let recordings =
            [json!({"id": 7, "at": "a"}), json!({"id": 8, "at": "b"}), json!({"id": 8, "at": "c"})];
        let calls = [
            json!({"at": "a", "id": 7.0}),
            json!({"id": 8, "at": "c"}),
            json!({"id": 8, "at": "z"}),
            json!({"id": 9, "at": "b"}),
            json!({"id": 9}),
        ];
        for (matching, expected) in [
            (json!({}), ["recorded 0", "recorded 2", "fail_call", "fail_call", "fail_call"]),
            (json!({"on_miss": "empty"}), ["recorded 0", "recorded 2", "empty", "empty", "empty"]),
            (
                json!({"on_miss": "empty", "per_tool_on_miss": {"get": "nearest"}}),
                ["recorded 0", "recorded 2", "nearest 1", "nearest 1", "fail_call"],
            ),
            (
                json!({"arg_keys": {"get": ["id"]}, "on_miss": "synthesize"}),
                ["recorded 0", "recorded 2", "recorded 1", "synthesize", "synthesize"],
            ),
            (
                json!({"arg_keys": {"get": []}}),
                ["recorded 0", "recorded 2", "recorded 0", "recorded 0", "recorded 0"],
            ),
        ] {
            assert_eq!(answers(&library(&recordings, &matching), &calls, false), expected, "{matching}");
        }
    }

    #[test]
    fn of_equal_recordings_the_first_answers_every_time() {
        let library = library(&[json!({"id": 7}), json!({"id": 7.0})], &json!({}));
        assert_eq!(
            answers(&library, &[json!({"id": 7}), json!({"id": 7})], false),
            ["recorded 0", "recorded 0"]
        );
    }

    #[test]
    fn a_sequence_gives_each_recording_once_to_a_call_that_matches_it() {
        let recordings = [json!({"id": 7}), json!({"id": 8}), json!({"id": 7})];
        let polls = vec![json!({"id": 7}); 3];
        let strict = library(&recordings, &json!({"mode": {"get": "sequence"}}));
        assert_eq!(answers(&strict, &polls, true), ["recorded 0", "recorded 2", "fail_call"]);
        let lenient = library(&recordings, &json!({"mode": {"get": "sequence"}, "on_miss": "nearest"}));
        assert_eq!(answers(&lenient, &polls, true), ["recorded 0", "recorded 2", "fail_call"]);
        let near = [json!({"id": 7, "x": 1}), json!({"id": 7, "y": 1}), json!({"id": 7})];
        assert_eq!(answers(&lenient, &near, true), ["nearest 0", "nearest 2", "fail_call"]);
    }
}
