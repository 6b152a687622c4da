//! File and folder names made from the names that people give.

use std::borrow::Cow;

use camino::{Utf8Path, Utf8PathBuf};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use windtunnel_api::artifact::trace::Trace;

use crate::read::{EVENTS, LEDGER};
use crate::temporary;

/// The longest name that is kept as it is, in bytes. File systems take 255, and suffixes follow.
const MAX_SEGMENT: usize = 160;

/// A name as one segment of a path: never empty, never a separator, never a way out of the folder.
///
/// Letters and digits of any script stay, and so do `-`, `.` and `_`; every other character becomes `_`. Empty, `.` and `..`
/// become `_`. So `a b` and `a_b` share a folder, which is harmless: a trace carries its own scenario name, and a file
/// name its own time and id. A name of more than 160 bytes is cut, and ends with a hash of the whole of it.
///
/// ```
/// # use windtunnel_store::segment;
/// assert_eq!(segment("artifact_guard"), "artifact_guard");
/// assert_eq!(segment("../etc/passwd"), ".._etc_passwd");
/// assert_eq!(segment(".."), "_");
/// ```
pub fn segment(name: &str) -> Cow<'_, str> {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
    if matches!(name, "" | "." | "..") {
        return Cow::Borrowed("_");
    }
    let safe = if name.chars().all(kept) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.chars().map(|c| if kept(c) { c } else { '_' }).collect())
    };
    if safe.len() <= MAX_SEGMENT { safe } else { Cow::Owned(cut(&safe, name)) }
}

fn cut(safe: &str, name: &str) -> String {
    let hash = Sha256::digest(name).iter().take(8).fold(0_u64, |hash, byte| (hash << 8) | u64::from(*byte));
    let end = format!("-{hash:016x}");
    let room = MAX_SEGMENT - end.len();
    let start = safe.char_indices().take_while(|(at, c)| at + c.len_utf8() <= room).map(|(_, c)| c);
    start.chain(end.chars()).collect()
}

/// `YYYYMMDDTHHMMSSffffffZ`: sorts by time.
pub fn stamp(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%S%6fZ").to_string()
}

/// The folder of a trace below the runs folder.
pub(crate) fn folder(trace: &Trace) -> Utf8PathBuf {
    let Trace { scenario_id, agent_id, variant_id, model, quant, .. } = trace;
    let below = [agent_id, variant_id, model, quant].into_iter().map(|name| segment(name));
    std::iter::once(top_segment(scenario_id)).chain(below).map(Cow::into_owned).collect()
}

/// What lies beside the folders of the scenarios. Programs that share the folder keep `experiments.ndjsonl` there.
const RESERVED: [&str; 5] = [LEDGER, EVENTS, "experiments.ndjsonl", "selftest", "process"];

/// A name as a segment directly below the runs folder: like [`segment`], with `_` at the end of a name that is taken there, in
/// any case, or that begins like a temporary file.
fn top_segment(name: &str) -> Cow<'_, str> {
    let segment = segment(name);
    let lower = segment.to_lowercase();
    if RESERVED.contains(&&*lower) || lower.starts_with(temporary::PREFIX) {
        Cow::Owned(segment.into_owned() + "_")
    } else {
        segment
    }
}

/// The stem of a run's files: time and the first eight digits of its id. Where that is taken, the whole id tells
/// two runs apart, and where even that is, a number.
pub(crate) fn stem(started_at: Timestamp, trace: &Trace, attempt: usize) -> String {
    let (time, id) = (stamp(started_at), trace.run_id.simple().to_string());
    match attempt {
        0 => format!("{time}_{}", id.get(..8).unwrap_or(&id)),
        1 => format!("{time}_{id}"),
        _ => format!("{time}_{id}-{attempt}"),
    }
}

/// Whether a file is a trace: its name ends in `.json` and has no other dot.
pub(crate) fn is_trace(file: &Utf8Path) -> bool {
    file.file_name()
        .and_then(|name| name.strip_suffix(".json"))
        .is_some_and(|stem| !stem.is_empty() && !stem.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_become_one_segment() {
        for (name, expected) in [
            ("plain-name_1.2", "plain-name_1.2"),
            ("", "_"),
            (".", "_"),
            ("..", "_"),
            ("...", "..."),
            ("a/b\\c", "a_b_c"),
            ("loop:PLUGIN", "loop_PLUGIN"),
            ("nul\0 tab\t", "nul__tab_"),
            ("übung 三", "übung_三"),
            ("😀", "_"),
        ] {
            assert_eq!(segment(name), expected, "{name:?}");
        }
    }

    #[test]
    fn long_names_with_one_beginning_stay_apart() {
        let long = "é".repeat(300);
        let (a, b) = (format!("{long}a"), format!("{long}b"));
        assert_ne!(segment(&a), segment(&b));
        assert!(segment(&a).len() <= MAX_SEGMENT);
        // Also where they differ in nothing but a character that is replaced.
        assert_ne!(segment(&format!("{long} ")), segment(&format!("{long}/")));
    }

    #[test]
    fn names_of_the_stores_own_files_are_no_folders() {
        for (name, expected) in [
            ("ledger.ndjsonl", "ledger.ndjsonl_"),
            ("Events.NDJSONL", "Events.NDJSONL_"),
            ("experiments.ndjsonl", "experiments.ndjsonl_"),
            ("SelfTest", "SelfTest_"),
            ("process", "process_"),
            (".wt-17", ".wt-17_"),
            ("selftests", "selftests"),
            ("selftest_", "selftest_"),
            ("..", "_"),
        ] {
            assert_eq!(top_segment(name), expected, "{name:?}");
        }
    }

    #[test]
    fn the_time_of_a_stem_has_microseconds() {
        let at = "2026-11-30T09:58:54.000016+01:00".parse().unwrap();
        assert_eq!(stamp(at), "20261130T085854000016Z");
    }

    #[test]
    fn only_names_without_another_dot_are_traces() {
        for (file, expected) in [
            ("a/20261130T085854387116Z_357966c5.json", true),
            ("a/20261130T085854387116Z_357966c5.score.json", false),
            ("a/20261130T085854387116Z_357966c5.debrief.x.json", false),
            ("ledger.ndjsonl", false),
            (".json", false),
        ] {
            assert_eq!(is_trace(Utf8Path::new(file)), expected, "{file}");
        }
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_folder(name in any::<String>()) {
            let segment = segment(&name);
            let path = Utf8Path::new(&*segment);
            prop_assert_eq!(path.components().count(), 1);
            prop_assert!(matches!(path.components().next(), Some(camino::Utf8Component::Normal(_))));
            prop_assert!(!segment.is_empty() && segment.len() <= MAX_SEGMENT);
        }

        #[test]
        fn a_safe_name_stays_safe(name in any::<String>()) {
            let once = segment(&name).into_owned();
            prop_assert_eq!(segment(&once).into_owned(), once);
        }
    }
}
