//! Variables that overlay a config.

use std::borrow::Cow;

use windtunnel_doc::{Diagnostic, Diagnostics, Key, Node, NodeValue, Path, nearest};

use super::model::TABLES;
use super::source::Variables;

/// What stands between two levels of a variable's name.
const SEPARATOR: &str = "__";

/// More levels than this are a mistake.
const MAX_LEVELS: usize = 32;

/// Maps whose keys are free, so that their case counts; `*` is any one level.
const FREE_FORM: [&[&str]; 5] = [
    &["providers", "*", "params"],
    &["tooling", "*", "env"],
    &["tooling", "*", "initial_resource_contents"],
    &["runtime", "*", "env"],
    &["memory", "*"],
];

/// The part of a config that the environment sets.
pub(super) struct Overlay {
    root: Node,
    /// Which variable set which place, sorted by the variable's name.
    variables: Vec<(Path, String)>,
}

/// A variable with its levels.
struct Variable {
    name: String,
    levels: Vec<String>,
    value: String,
}

impl Overlay {
    /// Reads the variables with the prefix. Those that are no part of a config are left out, with a warning each.
    pub(super) fn read(variables: &Variables) -> Result<(Self, Vec<Diagnostic>), Diagnostics> {
        let mut faults = Vec::new();
        let mut warnings = Vec::new();
        let mut overlay = Self { root: map(), variables: Vec::new() };
        let mut pairs: Vec<(Cow<'_, str>, &std::ffi::OsStr)> =
            variables.pairs.iter().map(|(name, value)| (name.to_string_lossy(), value.as_os_str())).collect();
        pairs.sort_unstable();
        for (name, value) in pairs {
            let Some(rest) = strip_prefix(&name, &variables.prefix) else { continue };
            let levels = match levels(rest) {
                Ok(levels) => levels,
                Err(problem) => {
                    faults.push(Diagnostic::of_file(name.as_ref(), problem).into());
                    continue;
                }
            };
            if let Some(first) = levels.first().filter(|first| !TABLES.contains(&first.as_str())) {
                warnings.push(no_part_of_a_config(&name, first));
                continue;
            }
            let Some(value) = value.to_str() else {
                faults.push(Diagnostic::of_file(name.as_ref(), "its value is not UTF-8 text").into());
                continue;
            };
            let variable = Variable { name: name.into_owned(), levels, value: value.to_owned() };
            if let Err(fault) = overlay.set(variable) {
                faults.push(fault.into());
            }
        }
        match Diagnostics::merge(faults) {
            Some(faults) => Err(faults),
            None => Ok((overlay, warnings)),
        }
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    /// Whether it sets nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// What set a place, or something in it or around it: the place that it set, and the variable.
    pub(super) fn setting(&self, path: &Path) -> Option<&(Path, String)> {
        let common = |set: &Path| {
            set.segments().iter().zip(path.segments()).take_while(|(set, wanted)| set == wanted).count()
        };
        self.variables.iter().rev().max_by_key(|(set, _)| common(set))
    }

    fn set(&mut self, variable: Variable) -> Result<(), Diagnostic> {
        let Variable { name, levels, value } = variable;
        let path: Path = levels.iter().map(String::as_str).collect();
        let mut node = &mut self.root;
        for level in levels {
            let NodeValue::Map(entries) = &mut node.value else {
                return Err(self.clash(&name, &path));
            };
            let at = entries.iter().position(|(key, _)| key.name == level).unwrap_or_else(|| {
                entries.push((Key { name: level, span: 0..0 }, map()));
                entries.len() - 1
            });
            let Some((_, child)) = entries.get_mut(at) else { return Ok(()) };
            node = child;
        }
        if !matches!(&node.value, NodeValue::Map(entries) if entries.is_empty()) {
            return Err(self.clash(&name, &path));
        }
        node.value = NodeValue::Untyped(value);
        self.variables.push((path, name));
        Ok(())
    }

    fn clash(&self, name: &str, path: &Path) -> Diagnostic {
        let other = self.setting(path).map_or("another one", |(_, variable)| variable);
        Diagnostic::of_file(name, format!("it sets {path}, and so does {other}"))
            .with_help("unset one of the two")
    }
}

fn map() -> Node {
    Node { span: 0..0, value: NodeValue::Map(Vec::new()) }
}

fn strip_prefix<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = name.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The levels that a name without its prefix leads through.
fn levels(rest: &str) -> Result<Vec<String>, String> {
    let mut levels: Vec<String> = Vec::new();
    for level in rest.split(SEPARATOR) {
        if level.is_empty() {
            return Err(format!("one of its levels is empty; {SEPARATOR} stands between two names"));
        }
        if levels.len() == MAX_LEVELS {
            return Err(format!("it has more than {MAX_LEVELS} levels"));
        }
        let level = if in_free_form(&levels) { level.to_owned() } else { level.to_lowercase() };
        levels.push(level);
    }
    Ok(levels)
}

fn in_free_form(above: &[String]) -> bool {
    FREE_FORM.iter().any(|map| {
        map.len() <= above.len()
            && map.iter().zip(above).all(|(pattern, level)| *pattern == "*" || pattern == level)
    })
}

fn no_part_of_a_config(name: &str, first: &str) -> Diagnostic {
    let warning =
        Diagnostic::of_file(name, format!("there is nothing called {first:?} to overlay; it is ignored"));
    match nearest(first, TABLES) {
        Some(table) => warning.with_help(format!("did you mean {table:?}?")),
        None => warning.with_help(format!("the environment sets {}", TABLES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<(Overlay, Vec<Diagnostic>), Diagnostics> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Overlay::read(&Variables { prefix: "OMW__".into(), pairs })
    }

    fn json(pairs: &[(&str, &str)]) -> String {
        read(pairs).map(|(overlay, _)| overlay.root().to_json().to_string()).unwrap()
    }

    #[test]
    fn case_counts_below_maps_whose_keys_are_free_and_nowhere_else() {
        let table = [
            ("OMW__TUNABLES__INBOX_BOUND", r#"{"tunables":{"inbox_bound":"1"}}"#),
            ("omw__Tunables__Inbox_Bound", r#"{"tunables":{"inbox_bound":"1"}}"#),
            ("OMW__AGENTS__Alice__SCRIPT", r#"{"agents":{"alice":{"script":"1"}}}"#),
            ("OMW__MEMORY__Alice__Handle", r#"{"memory":{"alice":{"Handle":"1"}}}"#),
            ("OMW__PROVIDERS__P__PARAMS__Top_K", r#"{"providers":{"p":{"params":{"Top_K":"1"}}}}"#),
            ("OMW__PROVIDERS__P__API_KEY", r#"{"providers":{"p":{"api_key":"1"}}}"#),
            ("OMW__TOOLING__T__ENV__HTTP_Proxy", r#"{"tooling":{"t":{"env":{"HTTP_Proxy":"1"}}}}"#),
            ("OMW__RUNTIME__R__ENV__A__B", r#"{"runtime":{"r":{"env":{"A":{"B":"1"}}}}}"#),
            ("OMW__RUNTIME__R__ARGS", r#"{"runtime":{"r":{"args":"1"}}}"#),
            ("OMW_TEST__TUNABLES__INBOX_BOUND", "{}"),
            ("OTHER", "{}"),
        ];
        for (name, expected) in table {
            assert_eq!(json(&[(name, "1")]), expected, "{name}");
        }
        let contents = [("OMW__TOOLING__T__INITIAL_RESOURCE_CONTENTS__File:///A", "x")];
        assert_eq!(json(&contents), r#"{"tooling":{"t":{"initial_resource_contents":{"File:///A":"x"}}}}"#);
    }

    #[test]
    fn variables_that_contradict_each_other_are_faults() {
        let faults = |pairs: &[(&str, &str)]| read(pairs).map(|_| ()).unwrap_err().to_string();
        insta::assert_snapshot!(
            faults(&[("OMW__ENDPOINT", "x"), ("OMW__ENDPOINT__KIND", "mock")]),
            @"OMW__ENDPOINT__KIND: it sets endpoint.kind, and so does OMW__ENDPOINT; unset one of the two"
        );
        insta::assert_snapshot!(
            faults(&[("OMW__ENDPOINT__KIND", "mock"), ("omw__endpoint__kind", "openai")]),
            @"omw__endpoint__kind: it sets endpoint.kind, and so does OMW__ENDPOINT__KIND; unset one of the two"
        );
        insta::assert_snapshot!(
            faults(&[("OMW__", "x"), ("OMW__AGENTS____SCRIPT", "x")]),
            @r"
        OMW__: one of its levels is empty; __ stands between two names
        OMW__AGENTS____SCRIPT: one of its levels is empty; __ stands between two names
        "
        );
    }

    #[test]
    fn a_variable_of_something_else_is_left_out_with_a_warning() {
        let (overlay, warnings) =
            read(&[("OMW__PROVIDER__P__KIND", "mock"), ("OMW__ASSERTIONS__A", "x")]).unwrap();
        assert!(overlay.is_empty());
        let warnings: Vec<String> =
            warnings.iter().map(|one| format!("{one}; {}", one.help().unwrap())).collect();
        insta::assert_snapshot!(warnings.join("\n"), @r#"
        OMW__ASSERTIONS__A: there is nothing called "assertions" to overlay; it is ignored; the environment sets agents, providers, tooling, runtime, endpoint, memory, tunables
        OMW__PROVIDER__P__KIND: there is nothing called "provider" to overlay; it is ignored; did you mean "providers"?
        "#);
    }

    #[test]
    fn the_variable_of_a_place_is_the_one_that_shares_most_of_the_path() {
        let (overlay, _) =
            read(&[("OMW__AGENTS__A__SCRIPT", "x"), ("OMW__TUNABLES__INBOX_BOUND", "1")]).unwrap();
        let name = |path: [&str; 3]| overlay.setting(&path.into_iter().collect()).unwrap().1.as_str();
        assert_eq!(name(["agents", "a", "runtime"]), "OMW__AGENTS__A__SCRIPT");
        assert_eq!(name(["tunables", "inbox_bound", "x"]), "OMW__TUNABLES__INBOX_BOUND");
    }
}
