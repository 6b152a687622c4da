//! An endpoint that takes turns, as plain as it can be.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

type Answers = dyn Fn(&str, &Value) -> (u16, Value) + Send + Sync;

/// Serves `/wt/…` on loopback until the test ends; returns the address.
pub(crate) fn serve(answers: impl Fn(&str, &Value) -> (u16, Value) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answers: Arc<Answers> = Arc::new(answers);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answers = Arc::clone(&answers);
            thread::spawn(move || answer(stream, &*answers));
        }
    });
    url
}

/// An agent that repeats what it is told, behind the two routes that every endpoint has.
pub(crate) fn echo(path: &str, body: &Value) -> (u16, Value) {
    let turn = (body["wt_inject"] == 1, body["session_id"].as_str(), body["text"].as_str());
    match (path, turn) {
        ("/wt/inject", (true, Some(_), Some(text))) => {
            (200, json!({"wt_inject": 1, "reply": text, "tool_calls": []}))
        }
        ("/wt/inject", _) => (400, json!({"error": "no turn"})),
        ("/wt/reset", _) => (200, json!({})),
        _ => (404, json!({})),
    }
}

/// One request per connection.
fn answer(mut stream: TcpStream, answers: &Answers) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (status, answer) = answers(&path, &serde_json::from_slice(&body).unwrap_or(Value::Null));
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} -\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        answer.len()
    );
    stream.write_all((head + &answer).as_bytes()).ok()
}
