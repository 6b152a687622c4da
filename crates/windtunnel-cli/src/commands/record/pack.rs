//! The files of a recorded pack.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};
use windtunnel_api::ReferenceDecision;
use windtunnel_api::recording::{MAX_RECORDING, RECORDING_SUFFIX};
use windtunnel_api::scenario::permission::PermissionRule;
use windtunnel_api::universe::Universe;
use windtunnel_doc::{Document, Format, Limits};
use windtunnel_inference::record::{RecordedTurn, Session};

use super::fit::{Left, fit};
use super::manifest::Manifest;
use super::notation::Notation;
use super::source::{NotTaken, Source, Workspace};
use crate::error::CliError;

/// What no answer says, so that the gate holds for none until somebody has written it.
const UNWRITTEN: &str = "(write here what a right answer must say)";

/// What stands where a recording has no prompt.
const NO_PROMPT: &str = "(the recording has no prompt here)";

/// What stands where a recording has no answer.
const NO_ANSWER: &str = "(the recording has no answer here)";

/// The files of a recorded pack, by name.
pub(super) struct PackFiles {
    pub(super) files: Vec<(String, String)>,
    /// The scenario's file.
    pub(super) scenario: String,
    /// What is not whole, since no larger file is read.
    pub(super) left_out: Vec<String>,
    /// The files that the session began with.
    pub(super) workspace: Option<Workspace>,
    /// What the pack that was recorded with has besides.
    pub(super) not_taken: Vec<NotTaken>,
    /// Whether the pack names the agent.
    pub(super) has_runtime: bool,
    /// Whether calls are served by none of the pack's servers.
    pub(super) has_unserved: bool,
}

/// What is known of a session besides what was seen of it.
pub(super) struct Frame {
    /// The name of the scenario and its files.
    pub(super) name: String,
    /// What the user said, as far as that is known.
    pub(super) prompts: Vec<String>,
    /// The pack that it was recorded with.
    pub(super) source: Option<Source>,
    /// The runtime that the agent ran on.
    pub(super) runtime: Option<String>,
    /// What the agent was allowed when it asked, and what not.
    pub(super) permissions: Vec<PermissionRule>,
}

impl PackFiles {
    /// The files of a session.
    pub(super) fn of(
        session: &Session,
        frame: &Frame,
        workspace: Option<Workspace>,
    ) -> Result<Self, CliError> {
        let Frame { name, prompts, source, runtime, permissions } = frame;
        let permissions: Vec<Value> =
            permissions.iter().filter_map(|rule| serde_json::to_value(rule).ok()).collect();
        let mut left_out = Vec::new();
        let mut note = |file: &str, left: Left| left_out.extend(left.map(|left| format!("{file}: {left}")));
        let recording = format!("{name}{RECORDING_SUFFIX}");
        let (kept, left) = fit(&session.recording(name), pretty, |text| text.len() <= MAX_RECORDING)?;
        note(&recording, left);
        let mut universes = Vec::new();
        let recorded = session.universes();
        for (server, universe) in &recorded {
            let file = match server {
                Some(server) if recorded.len() > 1 => format!("{name}.{server}.universe.json"),
                Some(_) | None => format!("{name}.universe.json"),
            };
            let (text, left) =
                fit(universe, pretty, |text| is_read(&file, text, Format::Json, &Universe::limits()))?;
            note(&file, left);
            universes.push((server.as_deref(), file, text));
        }
        let servers: Vec<_> = universes.iter().map(|(server, file, _)| (*server, file.as_str())).collect();
        let of_pack = source.as_ref().and_then(|source| source.left_of_pack(&servers));
        let of_scenario = source.as_ref().and_then(Source::left_of_scenario);
        let turns = turns(session, prompts);
        let decisions: Vec<Value> = turns.iter().flat_map(decisions).collect();
        let notation = Notation::for_values(decisions.iter().chain(&permissions));
        let scenario = format!("{name}.scenario.{}", notation.extension());
        let write = |turns: &Vec<RecordedTurn>| {
            Ok::<_, CliError>(
                Scenario {
                    turns,
                    name,
                    not_taken: of_scenario.as_ref(),
                    permissions: &permissions,
                    recording: &recording,
                    notation,
                }
                .text(),
            )
        };
        let (text, left) =
            fit(&turns, write, |text| is_read(&scenario, text, notation.format(), &Limits::default()))?;
        note(&scenario, left);
        let manifest = Manifest {
            name,
            runtime: runtime.as_deref(),
            workspace: workspace.as_ref(),
            universes: &servers,
            not_taken: of_pack.as_ref(),
        };
        let has_unserved = servers.iter().any(|(server, _)| server.is_none());
        let mut files = vec![("pack.toml".to_owned(), manifest.text()), (scenario.clone(), text)];
        files.extend(universes.into_iter().map(|(_, file, text)| (file, text)));
        files.push((recording, kept));
        Ok(Self {
            files,
            scenario,
            left_out,
            workspace,
            not_taken: of_pack.into_iter().chain(of_scenario).collect(),
            has_runtime: runtime.is_some(),
            has_unserved,
        })
    }
}

/// Whether this text is read again.
fn is_read(file: &str, text: &str, format: Format, limits: &Limits) -> bool {
    text.len() <= limits.max_bytes && Document::parse(file, text, format, limits).is_ok()
}

/// The turns, with what was said: as it is known, else as it was seen.
fn turns(session: &Session, prompts: &[String]) -> Vec<RecordedTurn> {
    let mut turns = session.turns.clone();
    for (index, turn) in turns.iter_mut().enumerate() {
        let prompt = session.redaction().text(prompts.get(index).unwrap_or(&turn.prompt));
        turn.prompt = if prompt.trim().is_empty() { NO_PROMPT.to_owned() } else { prompt };
    }
    turns
}

fn pretty(value: &impl Serialize) -> Result<String, CliError> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| CliError::io("cannot write JSON", error.into()))
}

/// The scenario of a session.
struct Scenario<'a> {
    turns: &'a [RecordedTurn],
    name: &'a str,
    /// What the scenario that was asked has besides.
    not_taken: Option<&'a NotTaken>,
    permissions: &'a [Value],
    recording: &'a str,
    notation: Notation,
}

impl Scenario<'_> {
    fn text(&self) -> String {
        let notation = self.notation;
        let field = |key: &str, value: Value| notation.field(key, &notation.value(&value));
        let mut text = String::from(
            "# Made by `wt record`. Somebody said all of this: before it is committed, replace production prompts, credentials and\n\
             # customer records by fictional ones.\n",
        );
        if let Some(not_taken) = self.not_taken {
            _ = writeln!(text, "# {not_taken}.");
        }
        text += &field("name", self.name.into());
        let prompts: Vec<&str> = self.turns.iter().map(|turn| turn.prompt.as_str()).collect();
        text += &match prompts.as_slice() {
            [prompt] => field("prompt", (*prompt).into()),
            several => field("user_turns", json!(several)),
        };
        text += "\n# What a right answer must say: all of the outer list, any of each inner one. No answer says what stands here now, so \
                 that\n# the self-test fails until somebody has judged the recording.\n";
        text += &field("target_facts", json!([[self.unwritten()]]));
        let called = self.called();
        if !called.is_empty() {
            text +=
                "# What has to be called: as it was recorded. Take out what a right answer does not need.\n";
            text += &field("must_call", json!(called));
        }
        if !self.permissions.is_empty() {
            text += "# What the agent was allowed when it asked, and what not.\n";
            text += &field("permissions", json!(self.permissions));
        }
        text += "\n# The decisions as they came. Where tools answer otherwise than they did, a self-test tells.\n";
        text += &self.golden();
        text += &self.poison();
        text
    }

    /// A text that no answer of the recording holds.
    fn unwritten(&self) -> String {
        let answers = || {
            let decisions = self.turns.iter().flat_map(|turn| &turn.decisions);
            decisions.filter_map(|decision| decision.content.as_deref())
        };
        let mut text = UNWRITTEN.to_owned();
        while answers().any(|answer| answer.to_lowercase().contains(&text)) {
            text = format!("({text})");
        }
        text
    }

    /// The tools that were called, each once.
    fn called(&self) -> Vec<&str> {
        let mut called: Vec<&str> = Vec::new();
        for decision in self.turns.iter().flat_map(|turn| &turn.decisions) {
            for call in &decision.tool_calls {
                if !called.contains(&call.name.as_str()) {
                    called.push(&call.name);
                }
            }
        }
        called
    }

    fn golden(&self) -> String {
        let notation = self.notation;
        let turns: Vec<Vec<Value>> = self.turns.iter().map(decisions).collect();
        let (head, indent) = match notation {
            Notation::Toml => ("[[reference_cases]]\n", ""),
            Notation::Yaml => ("reference_cases:\n-\n", "  "),
        };
        let list = |decisions: &[Value], indent: &str| {
            let lines = decisions.iter().map(|decision| format!("{indent}  {},\n", notation.value(decision)));
            format!("[\n{}{indent}]", lines.collect::<String>())
        };
        let (key, value) = match turns.as_slice() {
            [decisions] => ("decisions", list(decisions, indent)),
            turns => {
                let inner = format!("{indent}  ");
                let turns = turns.iter().map(|decisions| format!("{inner}{},\n", list(decisions, &inner)));
                ("turns", format!("[\n{}{indent}]", turns.collect::<String>()))
            }
        };
        let mut text = head.to_owned();
        for (key, value) in [
            ("name", notation.value(&json!("recorded"))),
            ("kind", notation.value(&json!("golden"))),
            ("recorded", notation.value(&json!(self.recording))),
            (key, value),
        ] {
            text += indent;
            text += &notation.field(key, &value);
        }
        text
    }

    /// The beginning of a case that the gate has to reject.
    fn poison(&self) -> String {
        let notation = self.notation;
        let indent = match notation {
            Notation::Toml => "# ",
            Notation::Yaml => "#   ",
        };
        let mut text = "\n# A gate that nothing fails proves nothing. Write down what would be wrong, and which layer has to say so:\n".to_owned();
        text += match notation {
            Notation::Toml => "# [[reference_cases]]\n",
            Notation::Yaml => "# -\n",
        };
        let layer = if self.called().is_empty() { "outcome" } else { "trajectory" };
        for (key, value) in [
            ("name", json!("answers-without-looking")),
            ("kind", json!("poison")),
            ("caught_by", json!(layer)),
            ("decisions", json!([{ "content": "…" }])),
        ] {
            text += indent;
            text += &notation.field(key, &notation.value(&value));
        }
        text
    }
}

/// The decisions of a turn, which ends with an answer in every script.
fn decisions(turn: &RecordedTurn) -> Vec<Value> {
    let closing = (!turn.complete).then(|| ReferenceDecision::says(NO_ANSWER));
    let decisions = turn.decisions.iter().cloned().chain(closing);
    decisions.filter_map(|decision| serde_json::to_value(decision).ok()).collect()
}
