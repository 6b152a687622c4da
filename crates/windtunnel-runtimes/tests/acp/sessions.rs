//! Sessions, and the processes that hold them.

use serde_json::json;
use windtunnel_spi::{Message, SessionId};

use crate::support::{Bench, say, text};

const TELLS: &str = "def prompt(text):\n    say(f'{os.getpid()} {session}')\n    return 'end_turn'";

#[tokio::test]
async fn turns_share_a_session_and_a_reset_starts_a_fresh_process() {
    let Some(bench) = Bench::agent(TELLS) else { return };
    let mut agent = bench.start().await;
    agent.reset_state().await.unwrap();
    let first = say(agent.as_mut(), "one").await.unwrap().content;
    assert!(first.ends_with(" session-1"));
    assert_eq!(say(agent.as_mut(), "two").await.unwrap().content, first);
    let other = agent.send(&[Message::user("three")], &SessionId::new("s-2")).await.unwrap().content;
    assert_eq!(other, first.replace("session-1", "session-2"), "another session of the same process");
    assert_eq!(say(agent.as_mut(), "four").await.unwrap().content, first);

    agent.reset_state().await.unwrap();
    let fresh = say(agent.as_mut(), "one").await.unwrap().content;
    assert!(fresh.ends_with(" session-1"));
    assert_ne!(fresh, first);
    let is_there = |said: &str| std::path::Path::new("/proc").join(said.split(' ').next().unwrap()).exists();
    assert!(!cfg!(target_os = "linux") || (!is_there(&first) && is_there(&fresh)));
    agent.teardown().await;
    agent.teardown().await;
    assert!(!is_there(&fresh));
    assert_eq!(text(&say(agent.as_mut(), "late").await.unwrap_err()), "the agent has been torn down");
}

/// Says what the session was opened with.
const OPENED: &str = "def prompt(text):\n    say(json.dumps([opened[-1]['cwd'], opened[-1]['mcpServers']]))\n    return 'end_turn'\n";

async fn opened(bench: &Bench) -> serde_json::Value {
    let mut agent = bench.start_with(&["crm", "files"]).await.unwrap();
    serde_json::from_str(&say(agent.as_mut(), "go").await.unwrap().content).unwrap()
}

#[tokio::test]
async fn tool_servers_are_handed_over_at_their_urls_where_the_agent_takes_them() {
    let Some(bench) =
        Bench::agent(&format!("{OPENED}capabilities = {{'mcpCapabilities': {{'http': True}}}}"))
    else {
        return;
    };
    let opened = opened(&bench).await;
    assert_eq!(opened[0], bench.world.workspace.as_str());
    let servers = opened[1].as_array().unwrap();
    let of = |name: &str| servers.iter().find(|server| server["name"] == name).unwrap();
    for name in ["crm", "files"] {
        assert_eq!((&of(name)["type"], &of(name)["headers"]), (&json!("http"), &json!([])));
        assert!(of(name)["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    }
}

#[tokio::test]
async fn tool_servers_are_handed_over_behind_the_bridge_else() {
    let Some(bench) = Bench::agent(OPENED) else { return };
    let opened = opened(&bench).await;
    let server = &opened[1][0];
    assert_eq!((&server["name"], &server["env"]), (&json!("crm"), &json!([])));
    assert_eq!(server["args"][0], "mcp-bridge");
    assert!(server["args"][1].as_str().unwrap().starts_with("http://127.0.0.1:"));
    assert!(std::path::Path::new(server["command"].as_str().unwrap()).is_absolute());
}
