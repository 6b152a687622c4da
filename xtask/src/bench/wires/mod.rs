//! The scripted model endpoint beside the npm package `@copilotkit/aimock`, on the same machine, in the same run.

mod load;
mod server;

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use self::load::Load;
use self::server::{Kind, Server, aimock};
use super::millis;
use crate::shell::Outcome;

/// What the model says: several pieces when it is streamed.
const ANSWER: &str = "Seventy-five orders came in last week, twelve of them from new customers, and none was late; \
    the largest went to Lisbon, and the one that took the longest was the one that nobody had asked for at all.";

/// How long one figure is measured, and how long before that the server only warms up.
const MEASURED: Duration = Duration::from_secs(3);
const WARMING: Duration = Duration::from_millis(500);

/// Connections at once.
const CONNECTIONS: [usize; 2] = [2, 32];

/// How often a start is measured.
const STARTS: usize = 5;

/// Requests per second, the time from start to first answer, and memory, of both where npm is there. Each figure of one is
/// measured right beside the other's, since a machine is not always as busy.
pub(super) fn run(wt: &Path) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut kinds = vec![("ours", Kind::wt(wt, folder.path(), ANSWER)?)];
    match aimock(folder.path(), ANSWER)? {
        Some(kind) => kinds.push(("aimock", kind)),
        None => println!("wires: npm is not there, so there is nothing to compare with"),
    }
    let mut servers = Vec::new();
    for (name, kind) in &kinds {
        let first = request("/v1/chat/completions", false);
        let mut took = Duration::MAX;
        for _ in 0..STARTS {
            took = took.min(Server::start(kind, &first)?.took);
        }
        println!("{name}: start to first answer {:.1} ms", millis(took));
        servers.push(Server::start(kind, &first)?);
    }
    for (wire, path) in WIRES {
        for (delivery, stream) in [("whole", false), ("streamed", true)] {
            for connections in CONNECTIONS {
                let request = request(path, stream);
                let row = servers.iter().map(|server| measure(server, &request, connections));
                let row = row.collect::<Outcome<Vec<_>>>()?;
                print(&format!("{wire}, {delivery}, {connections} connections"), &row);
            }
        }
    }
    for ((name, _), server) in kinds.iter().zip(&servers) {
        println!("{name}: peak {:.0} MB", f64::from(server.memory()) / 1024.0);
    }
    Ok(())
}

/// What one server did with a load.
struct Figure {
    per_second: f64,
    /// Microseconds of processor time per answer: the same on a machine that is busy; 0 where the system does not tell.
    processor: f64,
}

fn measure(server: &Server, request: &[u8], connections: usize) -> Outcome<Figure> {
    let load = Load { address: server.address, request, connections };
    load.run(WARMING)?;
    let before = server.processor();
    let per_second = load.run(MEASURED)?;
    let spent = server.processor().saturating_sub(before);
    Ok(Figure { per_second, processor: spent.as_secs_f64() * 1e6 / (per_second * MEASURED.as_secs_f64()) })
}

fn print(name: &str, row: &[Figure]) {
    let figures =
        row.iter().map(|figure| format!("{:>8.0}/s {:>6.1} us", figure.per_second, figure.processor));
    let figures = figures.collect::<Vec<_>>().join("  | ");
    let compared = match row {
        [ours, theirs] => format!(
            "  | {:.1} times as many, {:.1} times less processor",
            ours.per_second / theirs.per_second,
            theirs.processor / ours.processor
        ),
        _ => String::new(),
    };
    println!("  {name:<36}{figures}{compared}");
}

const WIRES: [(&str, &str); 3] =
    [("chat", "/v1/chat/completions"), ("responses", "/v1/responses"), ("messages", "/v1/messages")];

/// A whole HTTP request.
fn request(path: &str, stream: bool) -> Vec<u8> {
    let messages = json!([{"role": "user", "content": "How many orders came in last week?"}]);
    let mut body = json!({"model": "gpt-test", "max_tokens": 1024, "stream": stream});
    let conversation = if path == "/v1/responses" { "input" } else { "messages" };
    if let Value::Object(body) = &mut body {
        body.insert(conversation.to_owned(), messages);
    }
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer key\r\nanthropic-version: 2023-06-01\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}
