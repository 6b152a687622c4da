//! MCP over [`Files`]: one message in, at most one out.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::files::Files;
use crate::message::{
    self, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, PARSE_ERROR, PROTOCOL_VERSION, Params,
    error,
};

/// The protocol versions served, the newest first.
const VERSIONS: &[&str] = &[PROTOCOL_VERSION, "2025-06-18", "2025-03-26", "2024-11-05"];
const TOOLS: &str = include_str!("tools.json");
const NAMES: &[&str] = &["read_file", "write_file", "list_files", "delete_file"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PathArgument {
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArguments {
    path: String,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    #[serde(default)]
    path: String,
}

/// Whether answering may take as long as a disk does.
pub(super) fn touches_files(text: &str) -> bool {
    text.contains("tools/call")
}

/// The answer to a message; none to notifications and responses.
pub(super) fn answer(files: &Files, text: &str) -> Option<String> {
    match Message::parse(text) {
        Ok(Message::Request { id, method, params }) => Some(match result(files, &method, params) {
            Ok(result) => message::result(id.get(), &result),
            Err((code, why)) => error(id.get(), code, &why),
        }),
        Ok(_) => None,
        Err(why) => Some(error("null", PARSE_ERROR, &why)),
    }
}

fn result(files: &Files, method: &str, params: Option<&RawValue>) -> Result<String, (i32, String)> {
    match method {
        "initialize" => Ok(initialize(params)),
        "ping" => Ok("{}".to_owned()),
        "tools/list" => Ok(TOOLS.to_owned()),
        "tools/call" => {
            let params = Params::read(params).map_err(|why| (INVALID_PARAMS, why))?;
            let name =
                message::string(params.name).ok_or((INVALID_REQUEST, "`name` is missing".to_owned()))?;
            let arguments = params.arguments.map_or("{}", RawValue::get);
            call(files, &name, arguments).map(|result| result.to_string())
        }
        _ => Err((METHOD_NOT_FOUND, format!("method {method} is not served: this server has tools only"))),
    }
}

fn initialize(params: Option<&RawValue>) -> String {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Initialize<'a> {
        protocol_version: &'a str,
    }
    let asked = params.and_then(|raw| serde_json::from_str::<Initialize<'_>>(raw.get()).ok());
    let served = asked.and_then(|asked| VERSIONS.iter().find(|version| **version == asked.protocol_version));
    let version = served.or(VERSIONS.first()).copied().unwrap_or_default();
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": "workspace", "version": env!("CARGO_PKG_VERSION") },
    })
    .to_string()
}

fn call(files: &Files, name: &str, arguments: &str) -> Result<Value, (i32, String)> {
    let done = match name {
        "read_file" => read(name, arguments)
            .and_then(|PathArgument { path }| files.read(&path))
            .map(|content| text(&content)),
        "write_file" => read(name, arguments).and_then(|WriteArguments { path, content }| {
            files.write(&path, &content).map(|bytes| text(&format!("wrote {bytes} bytes to {path}")))
        }),
        "delete_file" => read(name, arguments)
            .and_then(|PathArgument { path }| files.delete(&path).map(|()| text(&format!("deleted {path}")))),
        "list_files" => {
            read(name, arguments).and_then(|ListArguments { path }| files.list(&path)).map(|names| {
                let listed = json!({ "files": names });
                let mut result = text(&listed.to_string());
                result["structuredContent"] = listed;
                result
            })
        }
        _ => {
            let hint = windtunnel_doc::nearest(name, NAMES.iter().copied()).map_or_else(
                || format!("there are {}", NAMES.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err((INVALID_PARAMS, format!("unknown tool `{name}`; {hint}")));
        }
    };
    Ok(done.unwrap_or_else(|why| {
        let mut result = text(&why);
        result["isError"] = Value::Bool(true);
        result
    }))
}

fn read<'a, T: Deserialize<'a>>(tool: &str, arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("arguments of {tool}: {error}"))
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &Value) -> Value {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(camino::Utf8Path::from_path(dir.path()).unwrap()).unwrap();
        serde_json::from_str(&answer(&files, &request.to_string()).unwrap()).unwrap()
    }

    fn call_error(name: &str, arguments: &Value) -> String {
        let params = json!({"name": name, "arguments": arguments});
        let answer = ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn the_asked_version_is_spoken_if_it_is_known() {
        for (asked, expected) in [("2025-03-26", "2025-03-26"), ("1999-01-01", PROTOCOL_VERSION)] {
            let answer = ask(&json!({"id": 1, "method": "initialize", "params": {"protocolVersion": asked}}));
            assert_eq!(answer["result"]["protocolVersion"], expected);
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        insta::assert_snapshot!(call_error("write_file", &json!({"path": "a"})),
            @"arguments of write_file: missing field `content` at line 1 column 12");
        insta::assert_snapshot!(call_error("read_file", &json!({"pth": "a"})),
            @"arguments of read_file: unknown field `pth`, expected `path` at line 1 column 6");
    }

    #[test]
    fn an_unknown_tool_or_method_gets_a_hint() {
        let answer = ask(&json!({"id": 1, "method": "tools/call", "params": {"name": "write_fil"}}));
        assert_eq!(answer["error"]["message"], "unknown tool `write_fil`; did you mean `write_file`?");
        let answer = ask(&json!({"id": 1, "method": "prompts/list"}));
        assert_eq!(answer["error"]["code"], METHOD_NOT_FOUND);
    }

    #[test]
    fn the_listed_tools_are_the_served_ones() {
        let tools: Value = serde_json::from_str(TOOLS).unwrap();
        let listed: Vec<&str> =
            tools["tools"].as_array().unwrap().iter().filter_map(|t| t["name"].as_str()).collect();
        assert_eq!(listed, NAMES);
        assert!(!TOOLS.contains('\n'), "it is sent as it is, on one line");
    }
}
