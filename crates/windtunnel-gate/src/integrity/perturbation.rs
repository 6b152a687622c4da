//! Whether every declared perturbation was applied.

use windtunnel_api::artifact::marker::PERTURBATION_APPLIED;
use windtunnel_api::scenario::{Perturbation, PerturbationKind};

use super::marker;
use crate::findings::Findings;

/// Finds a marker for every declared perturbation. One marker serves one declaration; those that name a value choose first.
pub(crate) fn check(declared: &[Perturbation], warnings: &[String], findings: &mut Findings) {
    if declared.is_empty() {
        return;
    }
    let applied: Vec<&str> = marker::perturbations(warnings).collect();
    let mut free = applied.clone();
    let mut left_out: Vec<&str> = marker::left_out(warnings).collect();
    let mut missing = Vec::new();
    let mut dropped = Vec::new();
    let (exact, loose): (Vec<_>, Vec<_>) = declared.iter().partition(|declared| keyed(declared).is_some());
    for declared in exact.into_iter().chain(loose) {
        match free.iter().position(|marker| is_marker_of(marker, declared)) {
            Some(index) => {
                free.swap_remove(index);
            }
            None => match left_out.iter().position(|marker| is_marker_of(marker, declared)) {
                Some(index) => dropped.push(left_out.swap_remove(index)),
                None => missing.push(expected(declared)),
            },
        }
    }
    for dropped in &dropped {
        findings.add(Err(format!(
            "the agent left out the perturbation {dropped}: it was handed in `history`, and no request of that turn showed it to the \
             model; put the messages of `history` before `prompt`"
        )));
    }
    if missing.is_empty() && dropped.is_empty() {
        findings.add(Ok(format!("perturbations: {} of {} applied", declared.len(), declared.len())));
    }
    let found = if applied.is_empty() { "none".to_owned() } else { applied.join("; ") };
    for expected in missing {
        findings.add(Err(format!(
            "the perturbation {expected} was declared and left no marker, so it was not applied; \
             expected: `{PERTURBATION_APPLIED}{expected}` in worker_warnings; found: {found}"
        )));
    }
}

/// The key that a kind's marker carries, with the declared value.
fn keyed(declared: &Perturbation) -> Option<(&'static str, String)> {
    use PerturbationKind as Kind;
    match declared.kind {
        Kind::BlankAssistantContent | Kind::FallbackRenderLeak | Kind::InjectPaginationTruncation => {
            declared.turn_idx.map(|index| ("turn_idx", index.to_string()))
        }
        Kind::InjectStaleMemory => declared.key.clone().map(|key| ("key", key)),
        Kind::MalformedToolCall
        | Kind::InjectWrongPriorToolCall
        | Kind::InjectSchemaRejectedCall
        | Kind::MalformedJson
        | Kind::Timeout
        | Kind::EmptyUnexpected
        | Kind::SchemaError => declared.tool.clone().map(|tool| ("tool", tool)),
    }
}

fn is_marker_of(marker: &str, declared: &Perturbation) -> bool {
    let Some(keys) = marker.strip_prefix(declared.kind.name()) else { return false };
    if !keys.is_empty() && !keys.starts_with(' ') {
        return false;
    }
    keyed(declared).is_none_or(|(key, value)| {
        let entry = format!(" {key}={value}");
        keys.match_indices(&entry).any(|(start, entry)| {
            keys.get(start + entry.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    })
}

fn expected(declared: &Perturbation) -> String {
    match keyed(declared) {
        Some((key, value)) => format!("{} {key}={value}", declared.kind.name()),
        None => declared.kind.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Layer;

    use super::*;

    fn memory(key: &str) -> Perturbation {
        perturbation(PerturbationKind::InjectStaleMemory, Some(key))
    }

    fn perturbation(kind: PerturbationKind, key: Option<&str>) -> Perturbation {
        Perturbation { key: key.map(str::to_owned), ..Perturbation::new(kind) }
    }

    fn detail(declared: &[Perturbation], warnings: &[&str]) -> Result<String, String> {
        let warnings: Vec<_> = warnings.iter().map(|text| (*text).to_owned()).collect();
        let mut findings = Findings::default();
        check(declared, &warnings, &mut findings);
        let score = findings.score(Layer::Integrity);
        if score.passed { Ok(score.detail) } else { Err(score.detail) }
    }

    #[test]
    fn every_declared_perturbation_needs_its_own_marker() {
        let blank = perturbation(PerturbationKind::BlankAssistantContent, None);
        let applied = "perturbation_applied: blank_assistant_content turn_idx=1";
        assert_eq!(
            detail(std::slice::from_ref(&blank), &[applied]).unwrap(),
            "perturbations: 1 of 1 applied"
        );
        assert!(detail(&[blank.clone(), blank.clone()], &[applied, applied]).is_ok());
        assert_eq!(
            detail(&[blank.clone(), blank.clone()], &[applied]).unwrap_err(),
            "the perturbation blank_assistant_content was declared and left no marker, so it was not applied; \
             expected: `perturbation_applied: blank_assistant_content` in worker_warnings; \
             found: blank_assistant_content turn_idx=1"
        );
        assert!(detail(std::slice::from_ref(&blank), &[]).unwrap_err().ends_with("found: none"));
        assert!(detail(&[blank], &["perturbation_applied: blank_assistant_content_x turn_idx=1"]).is_err());
    }

    #[test]
    fn what_the_agent_left_out_is_said_in_place_of_the_missing_marker() {
        let left = "perturbation_left_out: inject_stale_memory key=order";
        assert_eq!(
            detail(&[memory("order")], &[left]).unwrap_err(),
            "the agent left out the perturbation inject_stale_memory key=order: it was handed in `history`, and no request of that \
             turn showed it to the model; put the messages of `history` before `prompt`"
        );
        let both = detail(&[memory("order"), memory("city")], &[left]).unwrap_err();
        assert_eq!(both.lines().count(), 2, "{both}");
    }

    #[test]
    fn a_declared_value_is_that_of_the_marker() {
        let stale = |key: &str| format!("perturbation_applied: inject_stale_memory key={key}");
        assert!(detail(&[memory("home address")], &[&stale("home address")]).is_ok());
        assert!(detail(&[memory("home")], &[&stale("homepage")]).is_err());
        let at_turn =
            Perturbation { turn_idx: Some(1), ..perturbation(PerturbationKind::FallbackRenderLeak, None) };
        assert!(
            detail(
                std::slice::from_ref(&at_turn),
                &["perturbation_applied: fallback_render_leak turn_idx=1"]
            )
            .is_ok()
        );
        assert!(detail(&[at_turn], &["perturbation_applied: fallback_render_leak turn_idx=10"]).is_err());
    }

    #[test]
    fn a_declaration_without_a_value_leaves_the_marker_to_one_that_names_it() {
        let any = perturbation(PerturbationKind::InjectStaleMemory, None);
        let markers = [
            "perturbation_applied: inject_stale_memory key=a",
            "perturbation_applied: inject_stale_memory key=b",
        ];
        assert!(detail(&[any, memory("a")], &markers).is_ok());
    }

    #[test]
    fn only_the_key_of_the_kind_is_compared() {
        let timeout = Perturbation {
            tool: Some("lookup".into()),
            turn_idx: Some(7),
            ..perturbation(PerturbationKind::Timeout, None)
        };
        assert!(detail(&[timeout], &["perturbation_applied: timeout tool=lookup"]).is_ok());
    }
}
