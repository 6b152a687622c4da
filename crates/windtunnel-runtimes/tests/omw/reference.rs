//! Turns, and self-tests whose model is a script.

use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;

use crate::stage::{Stage, say, say_in};

/// Hands its client's conversation on to its provider.
fn asking() -> Stage {
    Stage::replying(
        r#"let llm = omw::provider::get("llm");
        let reply = llm.chat("m", request.messages, []);
        `${count}: ${reply.content}`"#,
    )
    .config("[providers.llm]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1\"\napi_key = \"sk-none\"\n")
}

#[tokio::test]
async fn the_script_answers_in_place_of_every_provider() {
    let stage = asking();
    let mut agent = stage.start_scripted(&["75 orders", "bye"]).await;
    assert_eq!(say(agent.as_mut(), "How many?").await.unwrap(), "1: 75 orders");
    assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap(), "2: bye");
    let progress = ScriptProgress { decisions: 2, consumed: 2, ..ScriptProgress::default() };
    assert_eq!(agent.script_progress(), Some(progress.clone()));
    let seen = agent.drain_seam().unwrap();
    let asked: Vec<Vec<_>> = seen
        .iter()
        .filter_map(|entry| match &entry.value {
            Evidence::Inference { messages, .. } => {
                Some(messages.iter().filter_map(|message| message["content"].as_str()).collect())
            }
            _ => None,
        })
        .collect();
    assert_eq!(asked, [vec!["How many?"], vec!["How many?", "1: 75 orders", "Thanks"]]);
    agent.teardown().await;
    assert_eq!(agent.script_progress(), Some(progress), "it can still be asked");
}

#[tokio::test]
async fn a_reset_starts_with_empty_memory_a_new_conversation_and_the_script_from_its_begin() {
    let stage = asking();
    let mut agent = stage.start_scripted(&["75 orders", "bye"]).await;
    for _ in 0..2 {
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "How many?").await.unwrap(), "1: 75 orders");
    }
    assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap(), "2: bye");
    assert!(agent.script_progress().unwrap().is_exact());
}

#[tokio::test]
async fn a_session_of_its_own_begins_a_conversation_but_not_a_run() {
    let stage = Stage::replying("`${count}: ${request.messages.len()} messages`");
    let mut agent = stage.start().await;
    for (session, answer) in [("s-1", "1: 1 messages"), ("s-1", "2: 3 messages"), ("s-2", "3: 1 messages")] {
        assert_eq!(say_in(session, agent.as_mut(), "go").await.unwrap(), answer);
    }
    agent.reset_state().await.unwrap();
    assert_eq!(say_in("s-2", agent.as_mut(), "go").await.unwrap(), "1: 1 messages");
    agent.teardown().await;
    let error = say(agent.as_mut(), "late").await.unwrap_err();
    assert_eq!(error.to_string(), "the agent was torn down");
    assert_eq!(agent.script_progress(), None);
}
