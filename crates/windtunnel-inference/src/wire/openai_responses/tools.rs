//! The tools that a request offers, at its top and in items of its input.

use serde_json::Value;

use super::input::InputItem;
use crate::wire::ToolForm;

/// The argument of a script's call that a tool without named arguments gets as its text.
pub(super) const TEXT_ARGUMENT: &str = "input";

/// The definitions of tools, in their order and as they were sent.
pub(super) fn definitions<'a>(tools: &'a [Value], items: &'a [Value]) -> impl Iterator<Item = &'a Value> {
    let in_items = items.iter().filter_map(|item| match InputItem::of(item) {
        InputItem::Tools(tools) => Some(tools),
        _ => None,
    });
    std::iter::once(tools).chain(in_items).flatten()
}

/// A tool that the client runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Callable<'a> {
    name: &'a str,
    namespace: Option<&'a str>,
    takes_text: bool,
}

/// The names under which a script can call the tools, and the forms of those calls that need one.
///
/// A tool in a namespace has its own name, and the namespace's before it only where another tool has the same name. Kinds
/// that the provider runs itself are not offered.
pub(super) fn offered<'a>(definitions: impl Iterator<Item = &'a Value>) -> (Vec<String>, Vec<ToolForm>) {
    let mut callables = Vec::new();
    for tool in definitions {
        add(&mut callables, tool, None);
    }
    let is_alone = |name| callables.iter().filter(|other: &&Callable<'_>| other.name == name).count() == 1;
    let mut forms = Vec::new();
    let names = callables.iter().map(|&Callable { name, namespace, takes_text }| {
        let offered = match namespace {
            Some(namespace) if !is_alone(name) => qualified(namespace, name),
            _ => name.to_owned(),
        };
        if takes_text || namespace.is_some() {
            forms.push(ToolForm {
                offered: offered.clone(),
                name: name.to_owned(),
                namespace: namespace.map(str::to_owned),
                takes_text,
            });
        }
        offered
    });
    (names.collect(), forms)
}

fn add<'a>(callables: &mut Vec<Callable<'a>>, tool: &'a Value, namespace: Option<&'a str>) {
    let name = || tool.get("name").and_then(Value::as_str);
    match tool.get("type").and_then(Value::as_str).unwrap_or("function") {
        "namespace" => {
            for tool in tool.get("tools").and_then(Value::as_array).into_iter().flatten() {
                add(callables, tool, name());
            }
        }
        kind @ ("function" | "custom") => {
            let callable = name().map(|name| Callable { name, namespace, takes_text: kind == "custom" });
            // An item with tools comes back with every later request.
            callables.extend(callable.filter(|callable| !callables.contains(callable)));
        }
        _ => {}
    }
}

/// A name with its namespace, which may end in a separator of its own.
fn qualified(namespace: &str, name: &str) -> String {
    let separator = if namespace.ends_with(char::is_alphanumeric) { "__" } else { "" };
    format!("{namespace}{separator}{name}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(tools: &Value, items: &[Value]) -> (Vec<String>, Vec<ToolForm>) {
        offered(definitions(tools.as_array().unwrap(), items))
    }

    #[test]
    fn functions_custom_tools_and_those_in_namespaces_and_items_are_offered() {
        let tools = json!([
            {"type": "function", "name": "lookup", "parameters": {}},
            {"type": "web_search"},
            {"type": "namespace", "name": "crm", "tools": [
                {"type": "function", "name": "refund"}, {"type": "custom", "name": "note"}, {"type": "function"},
            ]},
            {"name": "untyped"},
        ]);
        let item = json!({"type": "additional_tools", "role": "developer", "tools": [{"type": "custom", "name": "exec"}]});
        let (names, forms) = of(&tools, &[item.clone(), json!({"type": "reasoning"}), item]);
        assert_eq!(names, ["lookup", "refund", "note", "untyped", "exec"]);
        let form = |name: &str, namespace: Option<&str>, takes_text| ToolForm {
            offered: name.to_owned(),
            name: name.to_owned(),
            namespace: namespace.map(str::to_owned),
            takes_text,
        };
        let expected =
            [form("refund", Some("crm"), false), form("note", Some("crm"), true), form("exec", None, true)];
        assert_eq!(forms, expected);
    }

    #[test]
    fn a_name_that_two_namespaces_have_is_offered_with_each_of_them() {
        let in_namespace = |name: &str| json!({"type": "namespace", "name": name, "tools": [{"type": "function", "name": "lookup"}]});
        let (names, forms) = of(&json!([in_namespace("mcp__crm__"), in_namespace("billing")]), &[]);
        assert_eq!(names, ["mcp__crm__lookup", "billing__lookup"]);
        assert!(forms.iter().all(|form| form.name == "lookup"));
    }
}
