//! Tests that are made from deployments.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;

use windtunnel_testkit::Folder;

use crate::harness::{AGENT, CallOmw, program};

/// A provider that lists one model, as long as the test lives.
fn provider() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 2 {
                line.clear();
            }
            let body = r#"{"object": "list", "data": [{"id": "gpt-real", "object": "model"}]}"#;
            let mut stream = stream;
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
            let _ = stream.read(&mut [0; 1]);
        }
    });
    url
}

fn deployment(url: &str) -> Folder {
    let config = format!(
        r#"{AGENT}
[runtime.rhai.env]
TOKEN = "canary-runtime-env"

[memory.alice]
city = "Bergen"

[tunables]
inbox_bound = 64

[providers.llm]
kind = "openai"
base_url = "{url}"
api_key = "canary-api-key"
params = {{ user = "canary-params" }}

[tooling.dead]
kind = "mcp"
transport = "stdio"
command = "no-such-program"
args = ["canary-arg"]
env = {{ KEY = "canary-tool-env" }}

[tooling.far]
kind = "mcp"
transport = "http"
url = "http://canary-user:canary-password@127.0.0.1:1/mcp"
auth_token = "canary-token"

[endpoint]
kind = "openai"
listen = "127.0.0.1:0"
"#
    );
    Folder::new().file("omw.toml", config).file("brain.rhai", "1")
}

#[test]
fn no_parameter_of_a_back_end_reaches_the_test_or_the_log() {
    let folder = deployment(&provider());
    let finished = folder.omw("scaffold omw.toml").succeeds();
    assert_eq!(finished.stdout, "omw.test.toml\n");
    let written = folder.read("omw.test.toml");
    assert!(
        written.contains("gpt-real") && written.contains("Bergen") && written.contains("inbox_bound = 64"),
        "{written}"
    );
    for text in [&written, &finished.stderr] {
        assert!(!text.contains("canary"), "{text}");
    }
    finished.complains("dead").complains("far").complains("TOKEN");
    let omw_test = program().beside("omw-test");
    folder.call(&omw_test, "run .").succeeds().says("PASS omw.test.toml");
}

#[test]
fn what_is_there_is_not_overwritten_unless_asked_for() {
    let folder = deployment("http://127.0.0.1:1/v1").file("omw.test.toml", "mine");
    folder.omw("scaffold omw.toml").exits(2).complains("--force");
    assert_eq!(folder.read("omw.test.toml"), "mine");
    let finished = folder.omw("scaffold omw.toml --output -").succeeds();
    finished.says("[agents.alice]");
    assert_eq!(folder.read("omw.test.toml"), "mine");
    folder.omw("scaffold omw.toml --force --no-resources").succeeds();
    assert!(folder.read("omw.test.toml").contains("[agents.alice]"));
}
