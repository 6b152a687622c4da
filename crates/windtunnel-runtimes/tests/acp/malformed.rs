//! Peers that break the protocol.

use windtunnel_spi::RuntimeErrorKind;

use crate::support::{Bench, say};

async fn fails(bench: &Bench, expected: &str) {
    let error = bench.answer("go").await.unwrap_err();
    assert!(error.starts_with(expected), "{error}\nexpected {expected}");
}

#[tokio::test]
async fn a_line_that_is_no_message_fails_the_turn() {
    let Some(bench) = Bench::agent("def prompt(text):\n    print('Loading model')\n    time.sleep(600)")
    else {
        return;
    };
    let bench = bench.with("env", serde_json::json!({"PYTHONUNBUFFERED": "1"}));
    fails(&bench, "the agent printed a line that is no message: `Loading model`; standard output holds one")
        .await;
}

#[tokio::test]
async fn an_end_in_the_middle_of_a_turn_is_told() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n    say('so')\n    print('KeyError', file=sys.stderr)\n    sys.stderr.flush()\n    os._exit(3)",
    ) else {
        return;
    };
    fails(&bench, "the agent ended with exit code 3; standard error: KeyError").await;
    fails(&Bench::sh("exit 0"), "the agent ended with exit code 0; it wrote nothing to standard error").await;
    fails(&Bench::sh("exec >&-; sleep 600"), "the agent closed its standard output, and goes on").await;
}

#[tokio::test]
async fn an_answer_that_is_none_is_told() {
    let Some(bench) = Bench::agent("def prompt(text):\n    return 'tired'") else { return };
    fails(&bench, "session/prompt failed with error ").await;
}

#[tokio::test]
async fn a_flood_of_updates_is_bounded() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n    thought = 'x' * 1000000\n    while True: say(thought, kind='agent_thought_chunk')",
    ) else {
        return;
    };
    fails(&bench, "the agent sent more than 67108864 bytes in one turn").await;
    fails(&Bench::sh("yes | tr -d '\\n'"), "the agent sent a message that is longer than 8388608 bytes")
        .await;
}

#[tokio::test]
async fn a_flood_of_requests_for_permission_is_no_evidence() {
    let Some(bench) = Bench::agent(
        "def prompt(text):\n    for n in range(int(text)): permission('x', title=str(n))\n    return 'end_turn'",
    ) else {
        return;
    };
    let mut agent = bench.start().await;
    say(agent.as_mut(), "10001").await.unwrap();
    let error = agent.drain_seam().unwrap_err().to_string();
    assert!(error.ends_with("the agent asked more than 10000 times"), "{error}");
    say(agent.as_mut(), "1").await.unwrap();
    assert_eq!(agent.drain_seam().unwrap().len(), 1);
}

#[tokio::test]
async fn a_fault_between_turns_fails_the_next_one() {
    let Some(bench) = Bench::agent(
        "import threading\n\
         def late():\n\
         \x20   time.sleep(0.1)\n\
         \x20   print('bye', flush=True)\n\
         def prompt(text):\n\
         \x20   threading.Thread(target=late).start()\n\
         \x20   return 'end_turn'",
    ) else {
        return;
    };
    let mut agent = bench.start().await;
    say(agent.as_mut(), "one").await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let error = say(agent.as_mut(), "two").await.unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Turn);
    assert!(error.to_string().starts_with("the agent printed a line that is no message: `bye`"), "{error}");
}
