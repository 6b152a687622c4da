//! Calls of the tools over [`Files`].

use serde::Deserialize;
use serde_json::json;

use super::files::Files;
use crate::upstream::builtin::{BuiltIn, Called};

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

impl BuiltIn for Files {
    const KIND: &'static str = "workspace";
    const WAITS: bool = true;

    fn list(&self) -> &str {
        TOOLS
    }

    fn names(&self) -> Vec<&str> {
        NAMES.to_vec()
    }

    fn call(&self, tool: &str, arguments: &str) -> Option<Called> {
        let done = match tool {
            "read_file" => read(tool, arguments)
                .and_then(|PathArgument { path }| self.read(&path))
                .map(|content| Called::text(&content)),
            "write_file" => read(tool, arguments).and_then(|WriteArguments { path, content }| {
                self.write(&path, &content)
                    .map(|bytes| Called::text(&format!("wrote {bytes} bytes to {path}")))
            }),
            "delete_file" => read(tool, arguments).and_then(|PathArgument { path }| {
                self.delete(&path).map(|()| Called::text(&format!("deleted {path}")))
            }),
            "list_files" => read(tool, arguments).and_then(|ListArguments { path }| {
                self.list(&path).map(|names| Called::structured(&json!({ "files": names })))
            }),
            _ => return None,
        };
        Some(done.unwrap_or_else(|why| Called::text(&why).failed()))
    }
}

fn read<'a, T: Deserialize<'a>>(tool: &str, arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("arguments of {tool}: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn call_error(name: &str, arguments: &Value) -> String {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(camino::Utf8Path::from_path(dir.path()).unwrap()).unwrap();
        let result = files.call(name, &arguments.to_string()).unwrap().result;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn wrong_arguments_are_named() {
        insta::assert_snapshot!(call_error("write_file", &json!({"path": "a"})),
            @"arguments of write_file: missing field `content` at line 1 column 12");
        insta::assert_snapshot!(call_error("read_file", &json!({"pth": "a"})),
            @"arguments of read_file: unknown field `pth`, expected `path` at line 1 column 6");
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
