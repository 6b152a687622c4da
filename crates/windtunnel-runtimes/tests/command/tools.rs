//! How a program is told its tool servers.

use serde_json::json;
use windtunnel_spi::RuntimeErrorKind;

use crate::support::{Bench, say, text};

async fn answer(bench: &Bench, servers: &[&str]) -> String {
    let mut agent = bench.agent_with(servers).await.unwrap();
    say(agent.as_mut(), "go").await.unwrap().content
}

async fn refused(bench: &Bench, servers: &[&str]) -> String {
    let error = bench.agent_with(servers).await.map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), RuntimeErrorKind::Config);
    text(&error)
}

#[tokio::test]
async fn one_server_goes_into_a_variable() {
    let bench = Bench::sh("echo \"<$MCP_URL>\"").with("tools", json!({"url_env": "MCP_URL"}));
    assert_eq!(answer(&bench, &["crm"]).await, "<http://127.0.0.1:1/crm>");
    assert_eq!(answer(&bench, &[]).await, "<>", "a conversation without tools is no mistake");
    assert_eq!(
        refused(&bench, &["crm", "files"]).await,
        "runtimes.bot: tools.url_env MCP_URL wants the one tool server, but the pack has several (crm, files): use \
         tools.url_envs, {mcp_url:<server>} or tools.config_file"
    );
}

#[tokio::test]
async fn several_servers_go_into_variables_of_their_own() {
    let bench = Bench::sh("echo $A $B").with("tools", json!({"url_envs": {"A": "files", "B": "crm"}}));
    assert_eq!(answer(&bench, &["crm", "files"]).await, "http://127.0.0.1:1/files http://127.0.0.1:1/crm");
    assert_eq!(
        refused(&bench, &["crm"]).await,
        "runtimes.bot: tools.url_envs.A wants the tool server `files`; the pack has crm"
    );
}

#[tokio::test]
async fn addresses_go_into_arguments() {
    let bench = Bench::new(&["echo", "--url={mcp_url}"]);
    assert_eq!(answer(&bench, &["crm"]).await, "--url=http://127.0.0.1:1/crm");
    let bench = Bench::new(&["echo", "{mcp_url:crm},{mcp_url:files}"]);
    assert_eq!(answer(&bench, &["files", "crm"]).await, "http://127.0.0.1:1/crm,http://127.0.0.1:1/files");
    let mut agent = bench.agent_with(&["crm"]).await.unwrap();
    let error = say(agent.as_mut(), "go").await.unwrap_err();
    assert_eq!(text(&error), "runtimes.bot: {mcp_url:files} wants the tool server `files`; the pack has crm");
}

#[tokio::test]
async fn a_configuration_file_is_made_outside_the_workspace_and_removed() {
    let template = r#"{"mcpServers": {{ servers | tojson }}, "root": {{ workspace | tojson }}}"#;
    let bench = Bench::sh("echo $MCP_CONFIG; cat $MCP_CONFIG")
        .file("mcp.json.j2", template)
        .with("tools", json!({"config_file": {"env": "MCP_CONFIG", "template": "mcp.json.j2"}}));
    let mut agent = bench.agent_with(&["crm"]).await.unwrap();
    let answer = say(agent.as_mut(), "go").await.unwrap().content;
    let (path, made) = answer.split_once('\n').unwrap();
    let path = camino::Utf8Path::new(path);
    assert!(path.is_file() && !path.starts_with(&bench.dir), "{path}");
    let made: serde_json::Value = serde_json::from_str(made).unwrap();
    let bridge = &made["mcpServers"][0]["bridge"];
    assert_eq!((&bridge[1], &bridge[2]), (&json!("mcp-bridge"), &json!("http://127.0.0.1:1/crm")));
    assert_eq!(
        (&made["mcpServers"][0]["name"], &made["root"]),
        (&json!("crm"), &json!(bench.world.workspace))
    );
    agent.teardown().await;
    assert!(!path.parent().unwrap().exists());
}

#[tokio::test]
async fn the_folder_of_a_configuration_file_may_be_the_programs_home() {
    let bench = Bench::sh("echo seen >> $HOME_OF_BOT/log; cat $HOME_OF_BOT/bot.toml $HOME_OF_BOT/log")
        .file("bot.toml.j2", "{% for s in servers %}{{ s.name }}\n{% endfor %}")
        .with("tools", json!({"config_file": {"folder_env": "HOME_OF_BOT", "template": "bot.toml.j2"}}));
    let mut agent = bench.agent_with(&["crm"]).await.unwrap();
    for said in ["crm\nseen", "crm\nseen\nseen"] {
        assert_eq!(say(agent.as_mut(), "go").await.unwrap().content, said, "it stays for the case");
    }
    assert_eq!(answer(&bench, &["files"]).await, "files\nseen", "and is fresh for the next");
}

#[tokio::test]
async fn a_configuration_file_may_go_into_an_argument() {
    let bench = Bench::new(&["cat", "{config_file}"])
        .file("servers.txt", "{% for s in servers %}{{ s.name }} {% endfor %}")
        .with("tools", json!({"config_file": {"template": "servers.txt"}}));
    assert_eq!(answer(&bench, &["crm", "files"]).await, "crm files");
}
