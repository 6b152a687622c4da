//! The smallest agent: asks its model once, prints the answer, exits. For measuring what a case adds to a program.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

fn main() -> Result<(), Box<dyn Error>> {
    let mut prompt = String::new();
    std::io::stdin().read_to_string(&mut prompt)?;
    let base = std::env::var("OPENAI_BASE_URL")?;
    let rest = base.strip_prefix("http://").ok_or("expected http://")?;
    let (host, path) = rest.split_once('/').ok_or("expected a path")?;
    let body = serde_json::json!({ "model": "any", "messages": [{ "role": "user", "content": prompt }] })
        .to_string();
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "POST /{path}/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("expected a body")?;
    let json =
        body.get(body.find('{').ok_or("expected an object")?..=body.rfind('}').ok_or("expected an object")?);
    let answer: serde_json::Value = serde_json::from_str(json.ok_or("expected an object")?)?;
    println!("{}", answer["choices"][0]["message"]["content"].as_str().ok_or("expected content")?);
    Ok(())
}
