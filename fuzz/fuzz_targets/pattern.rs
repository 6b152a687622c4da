//! Arbitrary JSON as pattern and list, arbitrary candidates.

#![no_main]

mod json;

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use windtunnel_pattern::{FieldRule, Options, Pattern, Sequence, Step};

fuzz_target!(|data: &[u8]| {
    let mut source = Unstructured::new(data);
    let options = options(source.arbitrary().unwrap_or_default());
    let list = json::list(&mut source, json::Keys::Reserved);
    let candidates = json::list(&mut source, json::Keys::Plain);

    if let Some(pattern) = list.first() {
        one_pattern(pattern, &candidates, &options);
    }
    if let Ok(sequence) = Sequence::compile(&list, &options) {
        one_sequence(&sequence, &candidates);
    }
    one_list_and_the_same_array(list, candidates);
});

fn options(choice: u8) -> Options {
    match choice % 4 {
        0 => Options::new(),
        1 => Options::new().whole_values(),
        2 => Options::new().whole_fields(["a"]).field("b", FieldRule::WordOrRegex),
        _ => Options::new().field("a", FieldRule::custom(|expected, object| object["a"] == *expected)),
    }
}

fn one_pattern(pattern: &Value, candidates: &[Value], options: &Options) {
    match Pattern::compile(pattern, options) {
        Ok(pattern) => {
            for candidate in candidates {
                assert_eq!(pattern.explain(candidate).is_none(), pattern.matches(candidate));
            }
            let _ = pattern.to_string();
        }
        Err(faults) => assert!(!faults.faults().is_empty() && !faults.to_string().is_empty()),
    }
}

fn one_sequence(sequence: &Sequence, candidates: &[Value]) {
    let mut matcher = sequence.matcher();
    let mut last = matcher.step();
    for candidate in candidates {
        let step = matcher.push(candidate);
        assert!(last == Step::Pending || step == last, "a decided state changed");
        last = step;
    }
    let verdict = matcher.finish();
    match last {
        Step::Settled => assert!(verdict.is_ok()),
        Step::Failed => assert!(verdict.is_err()),
        Step::Pending => assert!(verdict.is_err() || !sequence.settles_early()),
    }
    if let Err(failure) = verdict {
        assert_eq!(sequence.expectation(failure.index).as_ref(), Some(&failure.expectation));
        let _ = failure.to_string();
    }
}

/// Without rules for fields, which hold at the top level only, a list means the same as an array.
fn one_list_and_the_same_array(list: Vec<Value>, candidates: Vec<Value>) {
    let sequence = Sequence::compile(&list, &Options::new());
    let array = Pattern::compile(&Value::Array(list), &Options::new());
    match (sequence, array) {
        (Ok(sequence), Ok(array)) => {
            let mut matcher = sequence.matcher();
            for candidate in &candidates {
                matcher.push(candidate);
            }
            assert_eq!(matcher.finish().is_ok(), array.matches(&Value::Array(candidates)));
        }
        (Err(sequence), Err(array)) => assert_eq!(sequence, array),
        (sequence, array) => panic!("{:?} as a list, {:?} as an array", sequence.err(), array.err()),
    }
}
