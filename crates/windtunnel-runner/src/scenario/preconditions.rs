//! Checks every precondition and collects every failure.

use std::sync::Arc;

use camino::{Utf8Component, Utf8Path};
use windtunnel_api::scenario::Precondition as Declared;
use windtunnel_doc::nearest;
use windtunnel_spi::{Precondition, PreconditionContext};

use super::served::Served;

/// What does not hold, of the scenario's own preconditions and of those written in Rust.
pub(super) fn failures(
    declared: &[Declared],
    written: &[Arc<dyn Precondition>],
    context: &PreconditionContext<'_>,
    served: &Served,
) -> Vec<String> {
    let declared = declared.iter().filter_map(|precondition| match precondition {
        Declared::StateProbe(wanted) => state_probe(*wanted, context),
        Declared::Tool(name) => tool(name, served),
        Declared::File(path) => file(path, &context.config.world.workspace),
    });
    let written = written.iter().filter_map(|precondition| {
        precondition.check(context).err().map(|reason| format!("{}: {reason}", precondition.name()))
    });
    declared.chain(written).collect()
}

fn state_probe(wanted: bool, context: &PreconditionContext<'_>) -> Option<String> {
    match (wanted, context.state_probe.is_some()) {
        (true, false) => Some(
            "state_probe: no state probe was handed to this case; declare [probe.<name>] in pack.toml, \
             or have the runtime's plugin install one before the run"
                .to_owned(),
        ),
        (false, true) => {
            Some("state_probe: a state probe was handed to this case, and none is wanted".to_owned())
        }
        (true, true) | (false, false) => None,
    }
}

/// Served names are compared whole: a decorated name is how an agent calls a tool, not how a server serves it.
fn tool(name: &str, served: &Served) -> Option<String> {
    if served.tools().any(|tool| tool.name == name) {
        return None;
    }
    let names: Vec<&str> = served.tools().map(|tool| tool.name.as_str()).collect();
    let mut text = format!("tool: {name} is not served; ");
    if names.is_empty() {
        text.push_str("no tools are");
    } else {
        text.push_str("served are ");
        text.push_str(&names.join(", "));
    }
    if let Some(near) = nearest(name, names) {
        text = format!("{text}; did you mean {near}?");
    }
    for error in &served.unknown {
        text = format!("{text}; {error}");
    }
    Some(text)
}

fn file(path: &str, workspace: &Utf8Path) -> Option<String> {
    let inside = Utf8Path::new(path)
        .components()
        .all(|component| matches!(component, Utf8Component::Normal(_) | Utf8Component::CurDir));
    if !inside {
        return Some(format!("file: {path} is not a path inside the workspace"));
    }
    let there = workspace.join(path).exists();
    (!there).then(|| format!("file: {path} is not in the workspace; see workspace.files in pack.toml"))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use serde_json::{Map, Value};
    use windtunnel_spi::doubles::FixedProbe;
    use windtunnel_spi::{AgentConfig, CaseWorld, ServedTool, StateProbe, ToolError};

    use super::*;

    struct Named(&'static str, Result<(), String>);

    impl Precondition for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn check(&self, _context: &PreconditionContext<'_>) -> Result<(), String> {
            self.1.clone()
        }
    }

    fn check(declared: &[Declared], probe: Option<&dyn StateProbe>, served: &Served) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there.md"), "").unwrap();
        let workspace = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let config = AgentConfig::new("wt-cli", CaseWorld::new("case", workspace));
        let context = PreconditionContext { tools: &served.by_server, state_probe: probe, config: &config };
        let written: Vec<Arc<dyn Precondition>> = vec![
            Arc::new(Named("clock_is_set", Ok(()))),
            Arc::new(Named("queue_is_empty", Err("3 left".to_owned()))),
        ];
        failures(declared, &written, &context, served)
    }

    fn served(names: &[&str]) -> Served {
        let tool =
            |name: &&str| ServedTool { name: (*name).to_owned(), definition: Value::Null, effect: None };
        Served { by_server: vec![("crm".to_owned(), names.iter().map(tool).collect())], unknown: Vec::new() }
    }

    #[test]
    fn all_failures_are_reported_together() {
        let declared = [
            Declared::StateProbe(true),
            Declared::Tool("write_file".to_owned()),
            Declared::File("missing.md".to_owned()),
            Declared::File("there.md".to_owned()),
        ];
        insta::assert_snapshot!(check(&declared, None, &served(&["wirte_file"])).join("\n"), @r"
        state_probe: no state probe was handed to this case; declare [probe.<name>] in pack.toml, or have the runtime's plugin install one before the run
        tool: write_file is not served; served are wirte_file; did you mean wirte_file?
        file: missing.md is not in the workspace; see workspace.files in pack.toml
        queue_is_empty: 3 left
        ");
    }

    #[test]
    fn a_precondition_that_holds_says_nothing() {
        let probe = FixedProbe(Ok(Map::new()));
        let declared = [Declared::StateProbe(true), Declared::Tool("lookup".to_owned())];
        assert_eq!(check(&declared, Some(&probe), &served(&["lookup"])), ["queue_is_empty: 3 left"]);
        let unwanted = check(&[Declared::StateProbe(false)], Some(&probe), &served(&[]));
        assert!(unwanted[0].contains("none is wanted"));
    }

    #[test]
    fn a_file_outside_the_workspace_never_counts_as_there() {
        for path in ["../x", "/etc/hosts", "a/../../x"] {
            let failures = check(&[Declared::File(path.to_owned())], None, &served(&[]));
            assert!(failures[0].contains("not a path inside the workspace"), "{path}: {failures:?}");
        }
    }

    #[test]
    fn a_server_that_cannot_tell_is_named() {
        let served = Served { by_server: Vec::new(), unknown: vec![ToolError::new("crm", "it is gone")] };
        let failures = check(&[Declared::Tool("lookup".to_owned())], None, &served);
        assert_eq!(failures[0], "tool: lookup is not served; no tools are; tool server crm: it is gone");
    }

    #[test]
    fn a_different_tool_with_a_longer_name_does_not_count() {
        let failures = check(&[Declared::Tool("lookup".to_owned())], None, &served(&["client_lookup"]));
        assert!(failures[0].starts_with("tool: lookup is not served"), "{failures:?}");
    }
}
