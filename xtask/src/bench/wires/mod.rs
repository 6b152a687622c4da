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

/// Requests per second, the time from start to first answer, and memory, of both where npm is there.
pub(super) fn run(wt: &Path) -> Outcome {
    let folder = tempfile::tempdir()?;
    let ours = Kind::wt(wt, folder.path(), ANSWER)?;
    let theirs = aimock(folder.path(), ANSWER)?;
    if theirs.is_none() {
        println!("wires: npm is not there, so there is nothing to compare with");
    }
    let (ours, theirs) = (Figures::of(&ours)?, theirs.as_ref().map(Figures::of).transpose()?);
    println!("wires: requests/s{}", if theirs.is_some() { ", ours and aimock's" } else { "" });
    for (index, (row, figure)) in ours.rates.iter().enumerate() {
        let other = theirs.as_ref().and_then(|theirs| theirs.rates.get(index));
        let beside = other
            .map_or_else(String::new, |(_, other)| format!("{other:>9.0} {:>6.1}x", figure / other.max(1.0)));
        println!("  {row:<44}{figure:>9.0}{beside}");
    }
    for (name, figures) in [("ours", Some(&ours)), ("aimock", theirs.as_ref())] {
        if let Some(Figures { start, idle, peak, .. }) = figures {
            println!(
                "  {name}: start to first answer {:.1} ms, memory {:.0} MB at first, {:.0} MB at most",
                millis(*start),
                megabytes(*idle),
                megabytes(*peak)
            );
        }
    }
    Ok(())
}

fn megabytes(kib: u32) -> f64 {
    f64::from(kib) / 1024.0
}

/// What was measured of one server.
struct Figures {
    rates: Vec<(String, f64)>,
    start: Duration,
    /// Memory in KiB after the first answer, and at most.
    idle: u32,
    peak: u32,
}

impl Figures {
    fn of(kind: &Kind) -> Outcome<Self> {
        let mut start = Duration::MAX;
        for _ in 0..STARTS {
            start = start.min(Server::start(kind, &request("/v1/chat/completions", false))?.took);
        }
        let server = Server::start(kind, &request("/v1/chat/completions", false))?;
        let idle = server.memory();
        let mut rates = Vec::new();
        for (wire, path) in WIRES {
            for stream in [false, true] {
                for connections in CONNECTIONS {
                    let request = request(path, stream);
                    let load = Load { address: server.address, request: &request, connections };
                    load.run(WARMING)?;
                    let delivery = if stream { "streamed" } else { "whole" };
                    rates.push((
                        format!("{wire}, {delivery}, {connections} connections"),
                        load.run(MEASURED)?,
                    ));
                }
            }
        }
        Ok(Self { rates, start, idle, peak: server.memory() })
    }
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
