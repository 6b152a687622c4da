//! Surfaces that are remembered, and what has changed since.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::spec::Surface;
use crate::difference;

/// The version that is written.
pub const SURFACE_GOLDEN_VERSION: u32 = 1;

/// The contents of `surface.golden.json`: the surface of a pack's scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Read")]
pub struct GoldenFile {
    /// [`SURFACE_GOLDEN_VERSION`].
    pub windtunnel_surface_golden: u32,
    /// The surface of every scenario that is not named below.
    #[serde(flatten)]
    pub surface: SurfaceGolden,
    /// The scenarios that have another one.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub scenarios: IndexMap<String, SurfaceGolden>,
}

/// The fields as they are read: what is flattened loses its place in messages.
#[derive(Deserialize)]
struct Read {
    windtunnel_surface_golden: u32,
    system_instructions: String,
    tool_order: Vec<String>,
    tools: IndexMap<String, String>,
    extra_segments: IndexMap<String, String>,
    text: Option<GoldenText>,
    #[serde(default)]
    scenarios: IndexMap<String, SurfaceGolden>,
}

impl From<Read> for GoldenFile {
    fn from(read: Read) -> Self {
        let Read { windtunnel_surface_golden, scenarios, .. } = read;
        let Read { system_instructions, tool_order, tools, extra_segments, text, .. } = read;
        let surface = SurfaceGolden { system_instructions, tool_order, tools, extra_segments, text };
        Self { windtunnel_surface_golden, surface, scenarios }
    }
}

impl GoldenFile {
    /// Remembers the surfaces of scenarios; none if there are none. What most of them have is told once.
    pub fn of(goldens: IndexMap<String, SurfaceGolden>) -> Option<Self> {
        let shared = |golden: &SurfaceGolden| goldens.values().filter(|other| *other == golden).count();
        // Of several that are as frequent, the first.
        let surface = goldens.values().rev().max_by_key(|golden| shared(golden))?.clone();
        let scenarios = goldens.into_iter().filter(|(_, golden)| *golden != surface).collect();
        Some(Self { windtunnel_surface_golden: SURFACE_GOLDEN_VERSION, surface, scenarios })
    }

    /// The surface of a scenario.
    pub fn of_scenario(&self, scenario: &str) -> &SurfaceGolden {
        self.scenarios.get(scenario).unwrap_or(&self.surface)
    }
}

/// A surface that is remembered by its hashes, `sha256:<hex>` each. Its text is only there where somebody asked for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceGolden {
    /// Of all instructions together.
    pub system_instructions: String,
    /// The names of the tools, as they are offered.
    pub tool_order: Vec<String>,
    /// Of each tool's definition, by name.
    pub tools: IndexMap<String, String>,
    /// Of each extra segment, by name.
    pub extra_segments: IndexMap<String, String>,
    /// What was hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<GoldenText>,
}

/// What a surface says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldenText {
    /// The instructions, one after the other.
    pub system_instructions: String,
    /// The definitions of the tools, by name.
    pub tools: IndexMap<String, Value>,
    /// The extra segments, by name.
    pub extra_segments: IndexMap<String, String>,
}

impl SurfaceGolden {
    /// Remembers a surface, with its text if that is wanted.
    pub fn of(surface: &Surface, with_text: bool) -> Self {
        let instructions =
            surface.system_instructions.iter().map(|one| json!({"type": one.r#type, "content": one.content}));
        let tools: IndexMap<String, Value> = named(surface);
        let segments = surface.extra_segments.iter();
        Self {
            system_instructions: hash(instructions.collect()),
            tool_order: tools.keys().cloned().collect(),
            tools: tools.iter().map(|(name, definition)| (name.clone(), hash(definition.clone()))).collect(),
            extra_segments: segments
                .map(|one| (one.name.clone(), hash(one.content.as_str().into())))
                .collect(),
            text: with_text.then(|| text(surface)),
        }
    }

    /// Everything that a surface has changed; nothing if it is the one that is remembered. Where the golden has the text, a change
    /// shows it.
    ///
    /// ```
    /// use serde_json::json;
    /// use windtunnel_api::surface::{Surface, SurfaceGolden};
    ///
    /// let before = Surface { tool_definitions: vec![json!({"name": "lookup"})], ..Surface::default() };
    /// let golden = SurfaceGolden::of(&before, false);
    /// assert!(golden.changes(&before).is_empty());
    /// let changes = golden.changes(&Surface::default());
    /// assert_eq!(changes[0].to_string(), "tool lookup removed");
    /// ```
    pub fn changes(&self, now: &Surface) -> Vec<SurfaceChange> {
        let (now, said) = (Self::of(now, false), text(now));
        let before = self.text.as_ref();
        let mut changes = Vec::new();
        if self.system_instructions != now.system_instructions {
            let lines = before
                .map(|before| difference::lines(&before.system_instructions, &said.system_instructions));
            changes.push(SurfaceChange::new("instructions changed".to_owned(), lines));
        }
        for (name, what) in each(&self.tools, &now.tools) {
            let lines = before.filter(|_| what == What::Changed).and_then(|before| {
                Some(difference::fields("the definition", before.tools.get(name)?, said.tools.get(name)?))
            });
            changes.push(SurfaceChange::new(format!("tool {} {what}", shown(name)), lines));
        }
        let common = |order: &[String], other: &IndexMap<String, String>| -> Vec<String> {
            order.iter().filter(|name| other.contains_key(*name)).cloned().collect()
        };
        let (was, is) = (common(&self.tool_order, &now.tools), common(&now.tool_order, &self.tools));
        if was != is {
            let list = |names: &[String]| names.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ");
            let head = format!("tools reordered: {} → {}", list(&was), list(&is));
            changes.push(SurfaceChange::new(head, None));
        }
        for (name, what) in each(&self.extra_segments, &now.extra_segments) {
            let lines = before.filter(|_| what == What::Changed).and_then(|before| {
                Some(difference::lines(before.extra_segments.get(name)?, said.extra_segments.get(name)?))
            });
            changes.push(SurfaceChange::new(format!("segment {} {what}", shown(name)), lines));
        }
        changes
    }
}

/// A part of a surface that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceChange {
    head: String,
    lines: Vec<String>,
}

impl SurfaceChange {
    fn new(head: String, lines: Option<Vec<String>>) -> Self {
        Self { head, lines: lines.unwrap_or_default() }
    }
}

impl fmt::Display for SurfaceChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head)?;
        self.lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Added,
    Removed,
    Changed,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        })
    }
}

/// A name as it is, or in quotes where it would run into the words around it.
fn shown(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    if !name.is_empty() && name.chars().all(is_plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{name:?}"))
    }
}

/// What differs between two sets of hashes by name.
fn each<'a>(before: &'a IndexMap<String, String>, now: &'a IndexMap<String, String>) -> Vec<(&'a str, What)> {
    let gone_or_changed = before.iter().filter_map(|(name, was)| match now.get(name) {
        None => Some((name.as_str(), What::Removed)),
        Some(is) => (is != was).then_some((name.as_str(), What::Changed)),
    });
    let added =
        now.keys().filter(|name| !before.contains_key(*name)).map(|name| (name.as_str(), What::Added));
    gone_or_changed.chain(added).collect()
}

fn text(surface: &Surface) -> GoldenText {
    let instructions = surface.system_instructions.iter().map(|one| one.content.as_str());
    let segments = surface.extra_segments.iter();
    GoldenText {
        system_instructions: instructions.collect::<Vec<_>>().join("\n"),
        tools: named(surface),
        extra_segments: segments.map(|one| (one.name.clone(), one.content.clone())).collect(),
    }
}

/// The tools by the names that their wires give them; tools without a name go by their type, and the second of a name by its number.
fn named(surface: &Surface) -> IndexMap<String, Value> {
    let mut tools = IndexMap::new();
    for definition in &surface.tool_definitions {
        let described = definition.get("function").or_else(|| definition.get("custom")).unwrap_or(definition);
        let name = described.get("name").or_else(|| definition.get("type")).and_then(Value::as_str);
        let name = name.unwrap_or("unnamed");
        let mut unique = name.to_owned();
        let mut number = 1;
        while tools.contains_key(&unique) {
            number += 1;
            unique = format!("{name} {number}");
        }
        tools.insert(unique, definition.clone());
    }
    tools
}

/// `sha256:<hex>` of the canonical JSON.
fn hash(mut value: Value) -> String {
    value.sort_all_objects();
    let mut hash = "sha256:".to_owned();
    for byte in Sha256::digest(value.to_string().as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Instruction, Segment};

    fn surface(instructions: &str, tools: &[(&str, &str)]) -> Surface {
        let tool = |(name, description): &(&str, &str)| json!({"type": "function", "function": {"name": name, "description": description}});
        Surface {
            system_instructions: vec![Instruction {
                r#type: "text".to_owned(),
                content: instructions.to_owned(),
            }],
            tool_definitions: tools.iter().map(tool).collect(),
            extra_segments: vec![Segment { name: "memory".to_owned(), content: "none".to_owned() }],
            ..Surface::default()
        }
    }

    fn changes(with_text: bool, before: &Surface, now: &Surface) -> String {
        let changes = SurfaceGolden::of(before, with_text).changes(now);
        changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_changed_part_is_named_and_shown_where_the_text_is_known() {
        let before =
            surface("Be kind.\nBe brief.", &[("lookup", "Finds."), ("close", "Closes."), ("old", "")]);
        let now = Surface {
            extra_segments: Vec::new(),
            ..surface(
                "Be kind.\nBe thorough.",
                &[("close", "Closes for good."), ("lookup", "Finds."), ("new", "")],
            )
        };
        insta::assert_snapshot!(changes(true, &before, &now), @r#"
        instructions changed
          - Be brief.
          + Be thorough.
        tool close changed
          /function/description: "Closes." → "Closes for good."
        tool old removed
        tool new added
        tools reordered: lookup, close → close, lookup
        segment memory removed
        "#);
        insta::assert_snapshot!(changes(false, &before, &now), @"
        instructions changed
        tool close changed
        tool old removed
        tool new added
        tools reordered: lookup, close → close, lookup
        segment memory removed
        ");
    }

    #[test]
    fn the_order_of_keys_is_no_change_and_equal_names_are_told_apart() {
        let with = |definitions: Vec<Value>| Surface { tool_definitions: definitions, ..Surface::default() };
        let before = with(vec![
            json!({"name": "a", "input_schema": {"x": 1, "y": 2}}),
            json!({"type": "web_search"}),
            json!({"name": "a"}),
        ]);
        let now = with(vec![
            json!({"input_schema": {"y": 2, "x": 1}, "name": "a"}),
            json!({"type": "web_search"}),
            json!({"name": "a"}),
        ]);
        assert_eq!(changes(false, &before, &now), "");
        assert_eq!(SurfaceGolden::of(&before, false).tool_order, ["a", "web_search", "a 2"]);
    }

    #[test]
    fn names_that_run_into_the_words_around_them_are_quoted() {
        let (before, now) =
            (surface("", &[("a", ""), ("b, c", "")]), surface("", &[("b, c", ""), ("a", ""), ("", "")]));
        insta::assert_snapshot!(changes(false, &before, &now), @r#"
        tool "" added
        tools reordered: a, "b, c" → "b, c", a
        "#);
    }

    #[test]
    fn no_text_is_kept_unless_it_is_asked_for() {
        let golden = SurfaceGolden::of(&surface("canary", &[("lookup", "canary")]), false);
        assert!(!serde_json::to_string(&golden).unwrap().contains("canary"));
    }

    #[test]
    fn what_most_scenarios_have_is_told_once() {
        let golden = |text| SurfaceGolden::of(&surface(text, &[]), false);
        let all = [("a", golden("x")), ("b", golden("y")), ("c", golden("y"))];
        let file = GoldenFile::of(all.map(|(name, golden)| (name.to_owned(), golden)).into()).unwrap();
        assert_eq!(file.scenarios.keys().collect::<Vec<_>>(), ["a"]);
        for (name, text) in [("a", "x"), ("b", "y"), ("c", "y"), ("later", "y")] {
            assert_eq!(*file.of_scenario(name), golden(text), "{name}");
        }
        let read: GoldenFile = serde_json::from_value(serde_json::to_value(&file).unwrap()).unwrap();
        assert_eq!(read, file);
        assert_eq!(GoldenFile::of(IndexMap::new()), None);
    }
}
