//! What a self-test says of a case, in words.

use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::{
    Evidence, Layer, ReferenceCase, ReferenceDecision, ReferenceKind, Score, SelftestVerdict, Trace, Verdict,
};

use crate::scenario::ScenarioError;
use crate::text::indented;

/// Why a scored case got its verdict. `unasked` is what tells the agent where its scripted model is, if no request came there.
///
/// | verdict | what is told |
/// |---|---|
/// | PASS, golden | the layers it passed |
/// | PASS, poison | the layers that rejected it, and why |
/// | GOLDEN_FAILED | the layers that did not pass, and why |
/// | POISON_PASSED with `caught_by` | what that layer said, then which others failed, then what passed |
/// | POISON_PASSED without | what each layer of the gate said, and failures that do not gate |
/// | ERROR | what is wrong with the run, that nothing was asked, and the decision that was not reached |
pub(super) fn of_score(
    gate: &[Layer],
    case: &ReferenceCase,
    verdict: SelftestVerdict,
    score: &Score,
    script: Option<&ScriptProgress>,
    unasked: Option<&str>,
) -> String {
    let said = Said { gate, score };
    match (verdict, case.kind) {
        (SelftestVerdict::Pass, ReferenceKind::Golden) => format!("passed its gate: {}", said.names(true)),
        (SelftestVerdict::Pass, ReferenceKind::Poison) => {
            lines([format!("rejected by {}", said.names(false))], said.lines(false))
        }
        (SelftestVerdict::GoldenFailed, _) => {
            lines(["known-correct decisions did not pass the gate:".to_owned()], said.lines(false))
        }
        (SelftestVerdict::PoisonPassed, _) => escaped(case, &said),
        (SelftestVerdict::Error | SelftestVerdict::Unsupported, _) => invalid(case, score, script, unasked),
    }
}

/// Why a case could not be carried out.
pub(super) fn of_error(error: &ScenarioError) -> String {
    match error {
        ScenarioError::Cancelled => error.to_string(),
        _ => format!("{}: {error}", error.kind()),
    }
}

fn escaped(case: &ReferenceCase, said: &Said<'_>) -> String {
    let mut head = Vec::new();
    let mut layers = Vec::new();
    if let Some(layer) = case.caught_by {
        let detail = indented(&said.score.layer(layer).detail);
        head.push(format!("{layer} was to catch it and let it through: {detail}"));
        if said.score.verdict == Verdict::Fail {
            head.push("it failed at another layer:".to_owned());
            layers = said.lines(false);
        }
    } else {
        head.push("known-bad decisions escaped the gate:".to_owned());
        layers = said.lines(true);
    }
    for layer in [Layer::Outcome, Layer::Trajectory, Layer::Constraint] {
        let score = said.score.layer(layer);
        if !score.passed && !said.gate.contains(&layer) {
            let detail = indented(&score.detail);
            layers.push(format!("{layer} failed, but does not gate this scenario (gate_layers): {detail}"));
        }
    }
    lines(head, layers)
}

fn invalid(
    case: &ReferenceCase,
    score: &Score,
    script: Option<&ScriptProgress>,
    unasked: Option<&str>,
) -> String {
    let mut text = vec![format!("the run cannot be trusted: {}", indented(&score.integrity.detail))];
    if let Some(told_by) = unasked {
        text.push(format!(
            "nothing was asked at the scripted model's address: does the agent read {told_by}?"
        ));
    }
    if let Some(script) = script
        && let Some(decision) = case.all_decisions().nth(script.consumed)
    {
        text.push(format!("decision {} of {} {}", script.consumed + 1, script.decisions, summary(decision)));
    }
    text.join("\n")
}

/// Whether the agent was sent a turn and no request reached the script.
pub(super) fn nothing_was_asked(trace: &Trace) -> bool {
    let unused = |script: &ScriptProgress| script.consumed == 0 && script.violations.is_empty();
    let asks = |event: &Evidence| matches!(event, Evidence::Inference { .. });
    !trace.turns.is_empty() && trace.script.as_ref().is_some_and(unused) && !trace.events.iter().any(asks)
}

/// What a decision does, in a few words.
fn summary(decision: &ReferenceDecision) -> String {
    const SHOWN: usize = 60;
    let calls: Vec<&str> = decision.tool_calls.iter().map(|call| call.name.as_str()).collect();
    if !calls.is_empty() {
        return format!("calls {}", calls.join(", "));
    }
    let content = decision.content.as_deref().unwrap_or_default();
    let mut shown: String = content.chars().take(SHOWN).collect();
    if shown.len() < content.len() {
        shown.push('…');
    }
    format!("answers {shown:?}")
}

/// What the layers of the gate said.
struct Said<'a> {
    gate: &'a [Layer],
    score: &'a Score,
}

impl Said<'_> {
    /// The layers of the gate that passed, or that failed.
    fn layers(&self, passed: bool) -> impl Iterator<Item = Layer> {
        self.gate.iter().copied().filter(move |layer| self.score.layer(*layer).passed == passed)
    }

    fn names(&self, passed: bool) -> String {
        self.layers(passed).map(Layer::name).collect::<Vec<_>>().join(", ")
    }

    fn lines(&self, passed: bool) -> Vec<String> {
        let word = if passed { "passed" } else { "failed" };
        let line = |layer| format!("  {layer} {word}: {}", indented(&self.score.layer(layer).detail));
        self.layers(passed).map(line).collect()
    }
}

fn lines(head: impl IntoIterator<Item = String>, layers: Vec<String>) -> String {
    head.into_iter().chain(layers).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use windtunnel_api::LayerScore;
    use windtunnel_api::scenario::FailureCost;

    use super::*;

    fn case(kind: ReferenceKind, caught_by: Option<Layer>) -> ReferenceCase {
        use windtunnel_api::ReferenceToolCall;
        let write = ReferenceToolCall::new("write_file", [("path", "out.md".into())]);
        let decisions = [ReferenceDecision::calls([write]), ReferenceDecision::says("artifact complete")];
        ReferenceCase { caught_by, ..ReferenceCase::new("c", kind, decisions) }
    }

    fn score(outcome: bool, constraint: bool, integrity: bool) -> Score {
        let layer =
            |passed, yes: &str, no: &str| if passed { LayerScore::pass(yes) } else { LayerScore::fail(no) };
        let verdict = match (integrity, outcome && constraint) {
            (false, _) => Verdict::Invalid,
            (true, true) => Verdict::Pass,
            (true, false) => Verdict::Fail,
        };
        Score {
            outcome: layer(outcome, "all facts found", "the answer lacks \"artifact complete\""),
            trajectory: LayerScore::fail("write_file was not called"),
            constraint: layer(constraint, "1 policy kept", "policy \"safe\" broken\nat event [2]"),
            integrity: layer(integrity, "evidence: readable", "the run broke off: turn 1 failed"),
            failure_cost: FailureCost::default().into(),
            verdict,
        }
    }

    fn detail(case: &ReferenceCase, score: &Score, consumed: usize) -> String {
        let verdict = SelftestVerdict::judge(case.kind, score, case.caught_by);
        let script = ScriptProgress { decisions: 2, consumed, ..ScriptProgress::default() };
        format!(
            "{verdict}\n{}",
            of_score(&[Layer::Outcome, Layer::Constraint], case, verdict, score, Some(&script), None)
        )
    }

    #[test]
    fn an_agent_that_never_asked_its_model_is_asked_what_it_reads() {
        let script = ScriptProgress { decisions: 2, ..ScriptProgress::default() };
        let (golden, score) = (case(ReferenceKind::Golden, None), score(true, true, false));
        let verdict = SelftestVerdict::Error;
        insta::assert_snapshot!(of_score(&[Layer::Outcome], &golden, verdict, &score, Some(&script), Some("OPENAI_BASEURL")), @"
        the run cannot be trusted: the run broke off: turn 1 failed
        nothing was asked at the scripted model's address: does the agent read OPENAI_BASEURL?
        decision 1 of 2 calls write_file
        ");
    }

    #[test]
    fn a_pass_says_by_what() {
        let golden = case(ReferenceKind::Golden, None);
        insta::assert_snapshot!(detail(&golden, &score(true, true, true), 2), @"
        PASS
        passed its gate: outcome, constraint
        ");
        let poison = case(ReferenceKind::Poison, None);
        insta::assert_snapshot!(detail(&poison, &score(true, false, true), 2), @r#"
        PASS
        rejected by constraint
          constraint failed: policy "safe" broken
            at event [2]
        "#);
    }

    #[test]
    fn a_golden_that_failed_shows_the_failing_layers() {
        let golden = case(ReferenceKind::Golden, None);
        insta::assert_snapshot!(detail(&golden, &score(false, false, true), 2), @r#"
        GOLDEN_FAILED
        known-correct decisions did not pass the gate:
          outcome failed: the answer lacks "artifact complete"
          constraint failed: policy "safe" broken
            at event [2]
        "#);
    }

    #[test]
    fn poison_rejected_by_another_layer_is_reported() {
        let poison = case(ReferenceKind::Poison, Some(Layer::Constraint));
        insta::assert_snapshot!(detail(&poison, &score(false, true, true), 2), @r#"
        POISON_PASSED
        constraint was to catch it and let it through: 1 policy kept
        it failed at another layer:
          outcome failed: the answer lacks "artifact complete"
        trajectory failed, but does not gate this scenario (gate_layers): write_file was not called
        "#);
    }

    #[test]
    fn poison_that_escaped_shows_what_each_layer_said() {
        let poison = case(ReferenceKind::Poison, None);
        insta::assert_snapshot!(detail(&poison, &score(true, true, true), 2), @"
        POISON_PASSED
        known-bad decisions escaped the gate:
          outcome passed: all facts found
          constraint passed: 1 policy kept
        trajectory failed, but does not gate this scenario (gate_layers): write_file was not called
        ");
        let named = case(ReferenceKind::Poison, Some(Layer::Constraint));
        insta::assert_snapshot!(detail(&named, &score(true, true, true), 2), @"
        POISON_PASSED
        constraint was to catch it and let it through: 1 policy kept
        trajectory failed, but does not gate this scenario (gate_layers): write_file was not called
        ");
    }

    #[test]
    fn an_error_names_the_decision_that_was_not_reached() {
        let golden = case(ReferenceKind::Golden, None);
        insta::assert_snapshot!(detail(&golden, &score(true, true, false), 0), @"
        ERROR
        the run cannot be trusted: the run broke off: turn 1 failed
        decision 1 of 2 calls write_file
        ");
        insta::assert_snapshot!(detail(&golden, &score(true, true, false), 1), @r#"
        ERROR
        the run cannot be trusted: the run broke off: turn 1 failed
        decision 2 of 2 answers "artifact complete"
        "#);
        insta::assert_snapshot!(detail(&golden, &score(true, true, false), 2), @"
        ERROR
        the run cannot be trusted: the run broke off: turn 1 failed
        ");
    }
}
