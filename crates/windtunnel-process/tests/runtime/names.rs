//! What things are called, in text and in files.

use serde::Serialize;
use serde_json::json;
use windtunnel_process::Verdict;
use windtunnel_process::state::Status;
use windtunnel_process::transport::Operation;

fn called<T: Copy + Serialize>(things: &[T], name: impl Fn(T) -> &'static str) {
    for &thing in things {
        assert_eq!(serde_json::to_value(thing).unwrap(), json!(name(thing)));
    }
}

#[test]
fn everything_is_written_as_it_is_called() {
    called(&Operation::ALL, Operation::name);
    called(&Status::ALL, Status::name);
    let verdicts =
        [Verdict::Pass, Verdict::Block, Verdict::Wait, Verdict::Escalated, Verdict::Noop, Verdict::Refused];
    called(&verdicts, Verdict::name);
}
