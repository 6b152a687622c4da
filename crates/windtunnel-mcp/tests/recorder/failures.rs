//! Tools that are made to fail.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windtunnel_mcp::{BenchTools, RecorderLimits};
use windtunnel_spi::InjectedFailure;

use crate::support::{Case, call, call_text, params, stdio_spec, text_of};

#[tokio::test]
async fn every_injected_failure_is_seen_by_the_agent_and_witnessed_as_such() {
    let case = Case::new("injected");
    for over_http in [false, true] {
        let mut served = case.workspace().await;
        let agent = if over_http { served.connect_http().await } else { served.connect().await };
        let list = || params("list_files", json!({"path": "x"}));

        served.handle.inject_failure("list_files", InjectedFailure::MalformedJson);
        let text = text_of(&agent.call_tool(list()).await.unwrap());
        assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");

        served.handle.inject_failure("list_files", InjectedFailure::EmptyUnexpected);
        assert!(agent.call_tool(list()).await.unwrap().content.is_empty());

        served.handle.inject_failure("list_files", InjectedFailure::SchemaError);
        let rejected = agent.call_tool(list()).await.unwrap();
        assert_eq!(rejected.is_error, Some(true));

        let hold = Duration::from_millis(200);
        served.handle.inject_failure("list_files", InjectedFailure::Timeout(hold));
        let asked = Instant::now();
        let timed_out = agent.call_tool(list()).await.unwrap_err().to_string();
        assert!(timed_out.contains("the tool gave no answer within 0.2 s"), "{timed_out}");
        assert!(asked.elapsed() >= hold);

        served.handle.inject_failure("list_files", InjectedFailure::Timeout(Duration::from_secs(600)));
        let mut silenced = std::pin::pin!(agent.call_tool(list()));
        let is_witnessed = async {
            while served.calls().len() < 5 {
                tokio::task::yield_now().await;
            }
            call(&agent, "write_file", json!({"path": "a", "content": ""})).await;
        };
        tokio::select! {
            answer = &mut silenced => panic!("{answer:?}"),
            () = is_witnessed => {}
        }
        served.server.stop().await;
        assert!(silenced.await.is_err(), "no answer at all, not even a late one");

        let injected: Vec<_> = served.calls().into_iter().map(|call| call.extra).collect();
        assert_eq!(injected[0], Some(json!({"injected": "malformed_json"})));
        assert_eq!(injected[4], Some(json!({"injected": "timeout"})));
        assert_eq!(injected[5], None);
        let seen: Vec<_> = served.calls().into_iter().map(|call| (call.result, call.error)).collect();
        assert_eq!(seen[0], (json!(text), None));
        assert_eq!(seen[1], (json!([]), None));
        assert_eq!(seen[2], (json!(null), Some(text_of(&rejected))));
        let within = "Request timed out: the tool gave no answer within 0.2 s";
        assert_eq!(seen[3], (json!(null), Some(within.to_owned())));
        assert_eq!(seen[4], (json!(null), Some("no answer".to_owned())));
        assert_eq!(seen[5], (json!("wrote 0 bytes to a"), None));
    }
}

#[tokio::test]
async fn a_tool_s_own_error_and_an_unknown_tool_are_witnessed() {
    let case = Case::new("errors");
    let served = case.stdio().await;
    let agent = served.connect().await;
    assert_eq!(call_text(&agent, "fail", json!({})).await, "the desk is closed");
    assert!(agent.call_tool(params("nope", json!({}))).await.is_err());
    let errors: Vec<_> = served.calls().into_iter().map(|call| call.error.unwrap()).collect();
    assert_eq!(errors, ["the desk is closed", "no tool nope"]);
}

#[tokio::test]
async fn a_full_log_is_unavailable_rather_than_cut() {
    let case = Case::new("full");
    let tools =
        BenchTools::new().with_limits(RecorderLimits { logged_calls: 2, ..RecorderLimits::default() });
    let served = case.start_with(&tools, "desk", &stdio_spec()).await;
    let agent = served.connect().await;
    for _ in 0..3 {
        call(&agent, "count", json!({})).await;
    }
    insta::assert_snapshot!(served.handle.call_log().unwrap_err(),
        @"evidence of desk is unavailable: more than 2 calls were made between two resets");
    served.handle.reset_call_log();
    call(&agent, "count", json!({})).await;
    assert_eq!(served.calls()[0].result, json!({"count": 4}));
}
