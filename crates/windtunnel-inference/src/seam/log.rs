//! The evidence of one seam, bounded.

use windtunnel_api::Evidence;
use windtunnel_api::secret::Redactor;
use windtunnel_api::surface::Surface;
use windtunnel_spi::{EvidenceUnavailable, Stamped};

/// Entries that one seam keeps between two drains.
const MAX_ENTRIES: usize = 10_000;

/// Bytes of requests and answers that one seam keeps between two drains.
const MAX_BYTES: usize = 128 * 1024 * 1024;

/// What a seam saw since the last drain.
///
/// Past its bounds it keeps nothing at all and says so when it is drained: a list with a hole would let a gate judge what it
/// did not see.
#[derive(Debug, Default)]
pub(crate) struct EvidenceLog {
    entries: Vec<Stamped<Evidence>>,
    bytes: usize,
    over: bool,
    redactor: Redactor,
}

impl EvidenceLog {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor, ..Self::default() }
    }

    /// Keeps an entry of about this size.
    pub(crate) fn push(&mut self, entry: Stamped<Evidence>, bytes: usize) {
        if self.over {
            return;
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.entries.len() == MAX_ENTRIES || self.bytes > MAX_BYTES {
            self.over = true;
            self.entries = Vec::new();
            return;
        }
        self.entries.push(entry);
    }

    /// Takes everything, in the order of the stamps and without secrets.
    pub(crate) fn drain(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.bytes = 0;
        if std::mem::take(&mut self.over) {
            let reason = format!(
                "the agent sent more than {MAX_ENTRIES} requests or {} MiB in one turn",
                MAX_BYTES / (1024 * 1024)
            );
            return Err(EvidenceUnavailable::new("the inference seam", reason));
        }
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_key(|entry| entry.stamp);
        if !self.redactor.is_empty() {
            for entry in &mut entries {
                redact(&self.redactor, &mut entry.value);
            }
        }
        Ok(entries)
    }

    /// A surface without secrets.
    pub(crate) fn redacted(&self, mut surface: Surface) -> Surface {
        for instruction in &mut surface.system_instructions {
            instruction.content = self.redactor.text(&instruction.content);
        }
        surface.tool_definitions.iter_mut().for_each(|tool| self.redactor.value(tool));
        for segment in &mut surface.extra_segments {
            segment.content = self.redactor.text(&segment.content);
        }
        surface
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
        self.over = false;
    }
}

fn redact(redactor: &Redactor, evidence: &mut Evidence) {
    match evidence {
        Evidence::Inference { model, messages, decision, .. } => {
            *model = redactor.text(model);
            for message in messages {
                redactor.value(message);
            }
            redactor.value(decision);
        }
        Evidence::ToolCall(call) => call.redact(|text| redactor.text(text)),
        // A seam witnesses nothing else.
        Evidence::Turn { .. }
        | Evidence::ClaimedCall { .. }
        | Evidence::Observation { .. }
        | Evidence::Warning { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use windtunnel_api::Secret;
    use windtunnel_api::artifact::evidence::{ToolCall, Witness};
    use windtunnel_spi::Moment;

    use super::*;

    fn entry(text: &str) -> Stamped<Evidence> {
        Moment::now().with(Evidence::Inference {
            wire: "openai-chat".to_owned(),
            model: "m".to_owned(),
            messages: vec![json!({"role": "user", "content": text})],
            tools: Vec::new(),
            decision: json!({"content": text}),
        })
    }

    #[test]
    fn past_its_bounds_the_evidence_is_unavailable_rather_than_cut() {
        let mut log = EvidenceLog::default();
        log.push(entry("a"), MAX_BYTES);
        log.push(entry("b"), 1);
        log.push(entry("c"), 1);
        insta::assert_snapshot!(log.drain().unwrap_err(), @"evidence of the inference seam is unavailable: the agent sent more than 10000 requests or 128 MiB in one turn");
        log.push(entry("d"), 1);
        assert_eq!(log.drain().unwrap().len(), 1, "a new turn has a new allowance");
    }

    #[test]
    fn secrets_do_not_reach_the_evidence() {
        let mut log = EvidenceLog::new(Redactor::new([Secret::new("canary-1")]));
        log.push(entry("say canary-1"), 1);
        let failed = ToolCall {
            server: String::new(),
            tool: "lookup".to_owned(),
            args: json!({"token": "canary-1"}),
            result: Value::Null,
            error: Some("canary-1 has expired".to_owned()),
            ms: 0.0,
            witness: Witness::Seam,
            extra: Some(json!({"divergence": ["canary-1"]})),
        };
        log.push(Moment::now().with(Evidence::ToolCall(failed)), 1);
        let drained = format!("{:?}", log.drain().unwrap());
        assert!(!drained.contains("canary-1") && drained.contains("*** has expired"), "{drained}");
        let surface = Surface { tool_definitions: vec![json!({"name": "canary-1"})], ..Surface::default() };
        assert_eq!(log.redacted(surface).tool_definitions, [json!({"name": "***"})]);
    }
}
