//! Wrong settings are refused before anything runs.

use serde_json::json;
use windtunnel_spi::{AgentRuntime, RuntimeErrorKind};

use crate::support::{Bench, text};

#[test]
fn every_mistake_names_its_field_and_the_way_out() {
    let table = [
        (Bench::new(&["sh", "{promt}"]), "command[1]: unknown placeholder {promt}: did you mean {prompt}?"),
        (Bench::sh("{prompt}"), "command holds {prompt}, but what the user says goes into the session"),
        (Bench::new(&[]), "command is empty: write [\"program\", \"argument\", …]"),
        (
            Bench::sh("true").with("inference", json!({})),
            "inference: nothing tells the program where the model is: set base_url_env, or put {base_url} into command",
        ),
        (
            Bench::new(&["no-such-program-anywhere"]),
            "command: program `no-such-program-anywhere` was not found",
        ),
    ];
    for (bench, expected) in table {
        let error = bench.runtime().map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), RuntimeErrorKind::Config);
        assert!(text(&error).starts_with(&format!("runtimes.bot: {expected}")), "{error}");
    }
}

#[test]
fn only_a_runtime_that_says_where_the_model_goes_is_reference_capable() {
    assert!(Bench::sh("true").runtime().unwrap().reference().is_none());
    let told = Bench::sh("true").with("inference", json!({"base_url_env": "OPENAI_BASE_URL"}));
    assert!(told.runtime().unwrap().reference().is_some());
}
