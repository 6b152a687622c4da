//! Merges what the recorders, the inference seam, the probe and the conversation saw into one order.

use serde_json::{Map, Value, json};
use windtunnel_api::artifact::evidence::{Evidence, ToolCall, Witness};
use windtunnel_api::artifact::marker::{
    EVIDENCE_AVAILABLE, EVIDENCE_UNAVAILABLE, RUNNER_ERROR, UNIVERSE_DIVERGENCE,
};
use windtunnel_api::artifact::trace::McpCall;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{EvidenceUnavailable, Seam, Stamp, Stamped};

use super::conversation::stamped;
use super::perturbation::{Handed, told};

/// The evidence of one run while it is collected.
pub(super) struct Collected<'a> {
    seam: &'a Seam,
    events: Vec<Stamped<Evidence>>,
    warnings: Vec<(Stamp, String)>,
    observations: Map<String, Value>,
}

/// The evidence of one run, in order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Merged {
    pub(super) events: Vec<Evidence>,
    pub(super) mcp_calls: Vec<McpCall>,
    pub(super) worker_warnings: Vec<String>,
    pub(super) observations: Map<String, Value>,
}

impl<'a> Collected<'a> {
    /// Nothing yet but what was said, and what was warned of meanwhile.
    pub(super) fn new(seam: &'a Seam, said: Vec<Stamped<Evidence>>) -> Self {
        let warnings = said.iter().filter_map(|event| match &event.value {
            Evidence::Warning { text } => Some((event.stamp, text.clone())),
            _ => None,
        });
        Self { seam, warnings: warnings.collect(), events: said, observations: Map::new() }
    }

    /// What the inference seam saw.
    pub(super) fn seam(&mut self, seen: Result<Vec<Stamped<Evidence>>, EvidenceUnavailable>) {
        match seen {
            Ok(seen) => self.events.extend(seen),
            Err(error) => self.warn(format!("{RUNNER_ERROR}{error}")),
        }
    }

    /// What was handed to the agent, after what the seam saw of it.
    pub(super) fn handed(&mut self, handed: &[Handed], surface: Option<&Surface>) {
        let told: Vec<_> = handed.iter().flat_map(|handed| told(handed, &self.events, surface)).collect();
        for Stamped { stamp, at_ms, value: text } in told {
            self.warnings.push((stamp, text.clone()));
            self.events.push(Stamped { stamp, at_ms, value: Evidence::Warning { text } });
        }
    }

    /// What the recorders saw; without any recorder there is nothing to say.
    pub(super) fn recorders(&mut self, logs: Vec<Result<Vec<Stamped<ToolCall>>, EvidenceUnavailable>>) {
        if logs.is_empty() {
            return;
        }
        let mut unavailable = Vec::new();
        for log in logs {
            match log {
                Ok(calls) => {
                    let evidence = |call: Stamped<ToolCall>| Stamped {
                        stamp: call.stamp,
                        at_ms: call.at_ms,
                        value: Evidence::ToolCall(call.value),
                    };
                    self.events.extend(calls.into_iter().map(evidence));
                }
                Err(error) => unavailable.push(error.to_string()),
            }
        }
        if unavailable.is_empty() {
            self.warn(EVIDENCE_AVAILABLE.to_owned());
        } else {
            self.warn(format!("{EVIDENCE_UNAVAILABLE} ({})", unavailable.join("; ")));
        }
    }

    /// What was observed after the last turn.
    pub(super) fn observation(&mut self, source: String, value: Value) {
        self.events.push(stamped(
            self.seam.clock.now(),
            Evidence::Observation { source: source.clone(), value: value.clone() },
        ));
        self.observations.insert(source, value);
    }

    /// Something worth knowing about the run itself.
    pub(super) fn warn(&mut self, text: String) {
        let event = stamped(self.seam.clock.now(), Evidence::Warning { text: text.clone() });
        self.warnings.push((event.stamp, text));
        self.events.push(event);
    }

    /// All of it in order.
    pub(super) fn merge(mut self) -> Merged {
        let divergences: Vec<String> =
            self.events.iter().filter_map(|event| divergence(&event.value)).collect();
        for text in divergences {
            self.warn(text);
        }
        self.events.sort_by_key(|event| event.stamp);
        self.warnings.sort_by_key(|(stamp, _)| *stamp);
        let mcp_calls = self.events.iter().filter_map(mcp_call).collect();
        Merged {
            events: self.events.into_iter().map(|event| event.value).collect(),
            mcp_calls,
            worker_warnings: self.warnings.into_iter().map(|(_, text)| text).collect(),
            observations: self.observations,
        }
    }
}

/// A call that a recording answered, but not with a recorded result.
fn divergence(event: &Evidence) -> Option<String> {
    let Evidence::ToolCall(call) = event else { return None };
    let divergence = call.extra.as_ref()?.get("divergence")?;
    let policy = divergence.get("policy").and_then(Value::as_str).unwrap_or("unknown");
    Some(format!("{UNIVERSE_DIVERGENCE}tool={} policy={policy}", call.tool))
}

/// A witnessed call in the shape that foreign readers know; what that has no place for goes into `extra`.
fn mcp_call(event: &Stamped<Evidence>) -> Option<McpCall> {
    let Evidence::ToolCall(call) = &event.value else { return None };
    let mut extra = match &call.extra {
        Some(Value::Object(extra)) => extra.clone(),
        Some(other) => Map::from_iter([("extra".to_owned(), other.clone())]),
        None => Map::new(),
    };
    if let Some(error) = &call.error {
        extra.insert("error".to_owned(), json!(error));
    }
    if call.witness == Witness::Seam {
        extra.insert("witness".to_owned(), json!("seam"));
    }
    Some(McpCall {
        tool_name: call.tool.clone(),
        args: call.args.clone(),
        result: call.result.clone(),
        timestamp_ms: event.at_ms,
        extra: (!extra.is_empty()).then_some(Value::Object(extra)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use windtunnel_api::artifact::evidence::Role;

    fn seam() -> Seam {
        Seam::fixed("2026-11-30T08:58:54Z".parse().unwrap())
    }

    fn turn(role: Role, content: &str) -> Stamped<Evidence> {
        stamped(seam().clock.now(), Evidence::Turn { role, content: content.to_owned() })
    }

    fn call(tool: &str, extra: Option<Value>) -> Stamped<ToolCall> {
        let value = ToolCall {
            server: "crm".into(),
            tool: tool.into(),
            args: json!({}),
            result: json!("ok"),
            error: None,
            ms: 0.0,
            witness: Witness::Recorder,
            extra,
        };
        Stamped { stamp: Stamp::next(), at_ms: 7.0, value }
    }

    #[test]
    fn logs_merge_by_stamp_and_not_by_source() {
        let asked = turn(Role::User, "go");
        let first = call("a", None);
        let inference = stamped(
            seam().clock.now(),
            Evidence::Inference {
                wire: "openai-chat".into(),
                model: "m".into(),
                messages: vec![],
                tools: vec![],
                decision: json!({}),
            },
        );
        let second = call("b", None);
        let answered = turn(Role::Assistant, "done");

        let seam = seam();
        let mut collected = Collected::new(&seam, vec![asked, answered]);
        collected.seam(Ok(vec![inference]));
        collected.recorders(vec![Ok(vec![second]), Ok(vec![first])]);
        collected.observation("workspace".into(), json!({"files": {}}));
        let merged = collected.merge();
        let kinds: Vec<String> = merged
            .events
            .iter()
            .map(|event| match event {
                Evidence::Turn { content, .. } => content.clone(),
                Evidence::ToolCall(call) => call.tool.clone(),
                Evidence::Inference { .. } => "inference".into(),
                Evidence::Observation { source, .. } => source.clone(),
                Evidence::Warning { text } => text.clone(),
                Evidence::ClaimedCall { tool, .. } => format!("claimed {tool}"),
            })
            .collect();
        assert_eq!(kinds, ["go", "a", "inference", "b", "done", "mcp_evidence: available", "workspace"]);
        assert_eq!(merged.mcp_calls.iter().map(|call| &call.tool_name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(merged.worker_warnings, ["mcp_evidence: available"]);
        assert_eq!(merged.observations["workspace"], json!({"files": {}}));
    }

    #[test]
    fn one_unreadable_log_makes_the_evidence_unavailable() {
        let seam = seam();
        let mut collected = Collected::new(&seam, Vec::new());
        collected
            .recorders(vec![Ok(vec![call("a", None)]), Err(EvidenceUnavailable::new("crm", "it is gone"))]);
        assert_eq!(
            collected.merge().worker_warnings,
            ["mcp_evidence: unavailable (evidence of crm is unavailable: it is gone)"]
        );
    }

    #[test]
    fn without_recorders_nothing_is_said_of_them() {
        let seam = seam();
        let mut collected = Collected::new(&seam, Vec::new());
        collected.recorders(Vec::new());
        assert_eq!(collected.merge(), Merged::default());
    }

    #[test]
    fn a_seam_that_cannot_be_read_is_an_error_of_the_run() {
        let seam = seam();
        let mut collected = Collected::new(&seam, Vec::new());
        collected.seam(Err(EvidenceUnavailable::new("the model endpoint", "too much was sent")));
        assert!(
            collected.merge().worker_warnings[0].starts_with("runner_error: evidence of the model endpoint")
        );
    }

    #[test]
    fn a_divergence_is_marked_and_stays_with_its_call() {
        let seam = seam();
        let mut collected = Collected::new(&seam, Vec::new());
        let extra = json!({"divergence": {"policy": "nearest", "matched": 2}});
        collected.recorders(vec![Ok(vec![call("orders", Some(extra.clone()))])]);
        let merged = collected.merge();
        assert!(
            merged.worker_warnings.contains(&"universe_divergence: tool=orders policy=nearest".to_owned())
        );
        assert_eq!(merged.mcp_calls[0].extra, Some(extra));
    }

    #[test]
    fn an_error_and_a_seam_witness_are_kept_beside_the_call() {
        let mut failed = call("think", None);
        failed.value.error = Some("no".into());
        failed.value.witness = Witness::Seam;
        let seam = seam();
        let mut collected = Collected::new(&seam, Vec::new());
        collected.seam(Ok(vec![Stamped {
            stamp: failed.stamp,
            at_ms: failed.at_ms,
            value: Evidence::ToolCall(failed.value),
        }]));
        assert_eq!(collected.merge().mcp_calls[0].extra, Some(json!({"error": "no", "witness": "seam"})));
    }
}
