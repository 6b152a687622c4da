//! Which tool calls count, and on whose word.

use std::fmt;

use serde_json::Value;
use windtunnel_api::{Evidence, Trace, Witness};

use crate::events::claimed_results;
use crate::integrity::marker;

/// A call that counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Call<'t> {
    /// The index of its event.
    pub(crate) index: usize,
    /// The tool's name as it was called.
    pub(crate) tool: &'t str,
}

/// On whose word calls count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// So many were seen by the recorder, so many at the inference seam.
    Witnesses { recorder: usize, seam: usize },
    /// The transcript's own: nobody was there to see any.
    Transcript,
    /// A recorder stood there, but its log could not be read; or nobody stood where the calls were made.
    Unavailable,
}

/// The calls of a run.
#[derive(Debug)]
pub(crate) struct Calls<'t> {
    pub(crate) word: Word,
    pub(crate) list: Vec<Call<'t>>,
    results: Vec<&'t Value>,
    errors: Vec<&'t str>,
}

impl<'t> Calls<'t> {
    /// | nobody saw them | a witness was there | calls that count |
    /// |---|---|---|
    /// | yes | any | none, and what depends on calls fails |
    /// | no | yes | the witnessed ones |
    /// | no | no | the claimed ones |
    pub(crate) fn new(trace: &'t Trace, events: &'t [Evidence]) -> Self {
        let warnings = &trace.worker_warnings;
        if marker::evidence_unavailable(warnings).or(marker::unwitnessed_calls(warnings)).is_some() {
            return Self {
                word: Word::Unavailable,
                list: Vec::new(),
                results: Vec::new(),
                errors: Vec::new(),
            };
        }
        if was_witnessed(trace, events) { Self::witnessed(events) } else { Self::claimed(trace, events) }
    }

    fn witnessed(events: &'t [Evidence]) -> Self {
        let (mut recorder, mut seam) = (0, 0);
        let (mut list, mut results, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (index, event) in events.iter().enumerate() {
            let Evidence::ToolCall(call) = event else { continue };
            match call.witness {
                Witness::Recorder => recorder += 1,
                Witness::Seam => seam += 1,
            }
            list.push(Call { index, tool: &call.tool });
            results.push(&call.result);
            errors.extend(call.error.as_deref());
        }
        Self { word: Word::Witnesses { recorder, seam }, list, results, errors }
    }

    fn claimed(trace: &'t Trace, events: &'t [Evidence]) -> Self {
        let list = events.iter().enumerate().filter_map(|(index, event)| match event {
            Evidence::ClaimedCall { tool, .. } => Some(Call { index, tool }),
            _ => None,
        });
        let results = claimed_results(&trace.turns).collect();
        Self { word: Word::Transcript, list: list.collect(), results, errors: Vec::new() }
    }

    /// What the tools answered.
    pub(crate) fn results(&self) -> &[&'t Value] {
        &self.results
    }

    /// The errors that tools answered with.
    pub(crate) fn errors(&self) -> &[&'t str] {
        &self.errors
    }

    /// The calls by name and event, as messages list them.
    pub(crate) fn sequence(&self) -> String {
        if self.list.is_empty() {
            return "none".to_owned();
        }
        let shown = self.list.iter().take(Self::SHOWN).map(|call| format!("[{}] {}", call.index, call.tool));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match self.list.len().saturating_sub(Self::SHOWN) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }

    const SHOWN: usize = 20;
}

/// Whether anybody was there who would have seen a call: a recorder in front of served tools, or our inference seam.
fn was_witnessed(trace: &Trace, events: &[Evidence]) -> bool {
    !trace.served_tools.is_empty()
        || marker::evidence_available(&trace.worker_warnings)
        || events.iter().any(|event| matches!(event, Evidence::ToolCall(_) | Evidence::Inference { .. }))
}

/// Names the evidence used.
impl fmt::Display for Calls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = Count(self.list.len());
        match self.word {
            Word::Witnesses { recorder: 0, seam: 0 } => f.write_str("no call was witnessed"),
            Word::Witnesses { seam: 0, .. } => write!(f, "{count} witnessed by the recorder"),
            Word::Witnesses { recorder: 0, .. } => write!(f, "{count} witnessed at the inference seam"),
            Word::Witnesses { recorder, seam } => {
                write!(f, "{count} witnessed, {recorder} by the recorder and {seam} at the inference seam")
            }
            Word::Transcript => write!(f, "{count} claimed by the transcript; nothing witnessed this run"),
            Word::Unavailable => f.write_str("nobody saw the calls, and claims do not replace a witness"),
        }
    }
}

struct Count(usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("no call"),
            1 => f.write_str("1 call"),
            more => write!(f, "{more} calls"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    fn claimed(tool: &str) -> Evidence {
        Evidence::ClaimedCall { tool: tool.into(), args: json!({}) }
    }

    fn seen(tool: &str, witness: Witness) -> Evidence {
        let mut call = fixture::call("", tool, json!({}), json!("ok"));
        call.witness = witness;
        Evidence::ToolCall(call)
    }

    fn inference() -> Evidence {
        Evidence::Inference {
            wire: "openai-chat".into(),
            model: "m".into(),
            messages: vec![],
            tools: vec![],
            decision: json!({}),
        }
    }

    #[track_caller]
    fn assert_counted(trace: &Trace, tools: &[&str], described: &str) {
        let calls = Calls::new(trace, &trace.events);
        assert_eq!(calls.list.iter().map(|call| call.tool).collect::<Vec<_>>(), tools);
        assert_eq!(calls.to_string(), described);
    }

    #[test]
    fn claims_count_only_where_nothing_could_witness_a_call() {
        let mut trace = fixture::trace();
        trace.events = vec![claimed("a")];
        assert_counted(&trace, &["a"], "1 call claimed by the transcript; nothing witnessed this run");

        let mut served = trace.clone();
        served.served_tools = fixture::served([("crm", &["a"][..])]);
        assert_counted(&served, &[], "no call was witnessed");

        let mut readable = trace.clone();
        readable.worker_warnings = vec!["mcp_evidence: available".into()];
        assert_counted(&readable, &[], "no call was witnessed");

        let mut seam = trace.clone();
        seam.events.push(inference());
        assert_counted(&seam, &[], "no call was witnessed");

        trace.events.push(seen("b", Witness::Recorder));
        assert_counted(&trace, &["b"], "1 call witnessed by the recorder");
    }

    #[test]
    fn witnesses_are_named() {
        let mut trace = fixture::trace();
        trace.events = vec![seen("a", Witness::Seam), seen("b", Witness::Seam)];
        assert_counted(&trace, &["a", "b"], "2 calls witnessed at the inference seam");
        trace.events.push(seen("c", Witness::Recorder));
        assert_counted(
            &trace,
            &["a", "b", "c"],
            "3 calls witnessed, 1 by the recorder and 2 at the inference seam",
        );
    }

    #[test]
    fn an_unavailable_log_is_replaced_by_nothing() {
        let mut trace = fixture::trace();
        trace.worker_warnings = vec!["mcp_evidence: unavailable (connection reset)".into()];
        trace.events = vec![claimed("a"), seen("b", Witness::Seam)];
        assert_counted(&trace, &[], "nobody saw the calls, and claims do not replace a witness");
    }

    #[test]
    fn a_long_list_of_calls_is_cut() {
        let mut trace = fixture::trace();
        trace.events = vec![seen("a", Witness::Recorder); 22];
        let calls = Calls::new(&trace, &trace.events);
        assert!(calls.sequence().ends_with("[19] a and 2 more"), "{}", calls.sequence());
    }
}
