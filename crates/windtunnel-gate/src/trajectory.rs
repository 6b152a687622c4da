//! The trajectory layer: which tools were called, in which order, and what happened along the way.

use windtunnel_api::scenario::{CallRequirement, Scenario};
use windtunnel_api::{Layer, LayerScore};
use windtunnel_doc::Path;
use windtunnel_pattern::Sequence;

use crate::calls::{Call, Word};
use crate::checks::Checks;
use crate::findings::{Finding, Findings};
use crate::patterns::Compiler;
use crate::text::excerpt::list;
use crate::view::View;

/// The compiled part of the layer.
#[derive(Debug)]
pub(crate) struct Trajectory {
    pattern: Option<Sequence>,
}

impl Trajectory {
    pub(crate) fn compile(scenario: &Scenario, compiler: &mut Compiler) -> Self {
        if scenario.trajectory.is_empty() {
            return Self { pattern: None };
        }
        Self { pattern: compiler.events(&scenario.trajectory, &Path::root().then("trajectory")) }
    }

    pub(crate) fn score(&self, view: &View<'_>, scenario: &Scenario, checks: &Checks) -> LayerScore {
        let mut findings = Findings::default();
        if !scenario.declares_trajectory() && !checks.layers().contains(&Layer::Trajectory) {
            return findings.score(Layer::Trajectory);
        }
        if view.calls.word == Word::Unavailable {
            findings.add(Err(view.calls.to_string()));
            return findings.score(Layer::Trajectory);
        }
        findings.metric("tool_calls", view.calls.list.len());
        required(view, scenario, &mut findings);
        forbidden(view, &scenario.forbidden_calls, &mut findings);
        if let Some(pattern) = &self.pattern {
            findings.add(match view.run(pattern) {
                Ok(()) => Ok(format!("trajectory: {} expectations met", pattern.len())),
                Err(failure) => Err(format!("trajectory: {failure}")),
            });
        }
        checks.judge_trajectory(view.trace, &mut findings);
        findings.note(format!("evidence: {}", view.calls));
        findings.score(Layer::Trajectory)
    }
}

fn required(view: &View<'_>, scenario: &Scenario, findings: &mut Findings) {
    let Scenario { must_call, order_matters, .. } = scenario;
    if must_call.is_empty() {
        return;
    }
    let missing: Vec<&CallRequirement> = must_call
        .iter()
        .filter(|requirement| !view.calls.list.iter().any(|call| meets(view, call, requirement)))
        .collect();
    if *order_matters && missing.is_empty() {
        findings.add(in_order(view, must_call));
        return;
    }
    if missing.is_empty() {
        findings.add(Ok(format!("must_call: {} of {} called", must_call.len(), must_call.len())));
    }
    for requirement in missing {
        findings.add(Err(format!(
            "must_call: expected {}, calls: {}",
            named(requirement),
            view.calls.sequence()
        )));
    }
}

/// The earliest call that meets each requirement behind the one before is the best choice for all later ones.
fn in_order(view: &View<'_>, must_call: &[CallRequirement]) -> Finding {
    let mut rest = view.calls.list.iter();
    let mut last: Option<&Call<'_>> = None;
    for requirement in must_call {
        let Some(call) = rest.find(|call| meets(view, call, requirement)) else {
            let behind =
                last.map_or_else(String::new, |call| format!(" behind [{}] {}", call.index, call.tool));
            return Err(format!(
                "must_call in order: expected {}{behind}, calls: {}",
                named(requirement),
                view.calls.sequence()
            ));
        };
        last = Some(call);
    }
    Ok(format!("must_call: {} of {} called in order", must_call.len(), must_call.len()))
}

fn forbidden(view: &View<'_>, forbidden_calls: &[String], findings: &mut Findings) {
    if forbidden_calls.is_empty() {
        return;
    }
    let mut kept = true;
    for tool in forbidden_calls {
        if let Some(call) = view.calls.list.iter().find(|call| view.tools.same(call.tool, tool)) {
            kept = false;
            findings
                .add(Err(format!("forbidden_calls: {tool:?} was called: [{}] {}", call.index, call.tool)));
        }
    }
    if kept {
        findings.add(Ok(format!("forbidden_calls: none of {} called", forbidden_calls.len())));
    }
}

fn meets(view: &View<'_>, call: &Call<'_>, requirement: &CallRequirement) -> bool {
    requirement.names().iter().any(|name| view.tools.same(call.tool, name))
}

fn named(requirement: &CallRequirement) -> String {
    match requirement {
        CallRequirement::Tool(name) => list([name]),
        CallRequirement::AnyOf(names) => format!("any of {}", list(names)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use windtunnel_api::{Evidence, Trace};

    use super::*;
    use crate::{Judgement, fixture};

    fn called(tools: &[&str]) -> Trace {
        let calls = tools.iter().map(|tool| fixture::call("crm", tool, json!({"id": 1}), json!("ok")));
        fixture::answered(calls, "done")
    }

    #[expect(clippy::needless_pass_by_value, reason = "`json!(…)` reads best in place")]
    fn score(fields: Value, checks: &Checks, trace: &Trace) -> LayerScore {
        let mut scenario = json!({"name": "s", "prompt": "p"});
        for (key, value) in fields.as_object().unwrap() {
            scenario[key] = value.clone();
        }
        let scenario: Scenario = serde_json::from_value(scenario).unwrap();
        let mut compiler = Compiler::new(vec![]);
        let trajectory = Trajectory::compile(&scenario, &mut compiler);
        let events = crate::events::events(trace);
        compiler.finish(trajectory).unwrap().score(&View::new(trace, &events), &scenario, checks)
    }

    #[test]
    fn calls_meet_what_is_required_and_forbidden() {
        for (fields, calls, passed) in [
            (json!({"must_call": ["a"]}), &["a"][..], true),
            (json!({"must_call": ["a"]}), &["b"], false),
            (json!({"must_call": ["a"]}), &[], false),
            (json!({"must_call": ["a", "b"]}), &["b", "a"], true),
            (json!({"must_call": ["a", "b"]}), &["a"], false),
            (json!({"must_call": [["a", "b"]]}), &["b"], true),
            (json!({"must_call": [["a", "b"]]}), &["c"], false),
            (json!({"must_call": ["lookup"]}), &["mcp__crm__lookup"], true),
            (json!({"must_call": ["lookup"]}), &["client_lookup"], false),
            (json!({"must_call": ["a", "b"], "order_matters": true}), &["a", "x", "b"], true),
            (json!({"must_call": ["a", "b"], "order_matters": true}), &["b", "a"], false),
            (json!({"must_call": ["a", "b"], "order_matters": true}), &["b", "a", "b"], true),
            (json!({"must_call": ["a", "a"], "order_matters": true}), &["a"], false),
            (json!({"must_call": [["a", "b"], "b"], "order_matters": true}), &["a", "b"], true),
            (json!({"must_call": [["a", "b"], "a"], "order_matters": true}), &["b"], false),
            (json!({"forbidden_calls": ["a"]}), &["b"], true),
            (json!({"forbidden_calls": ["a"]}), &["b", "a"], false),
            (json!({"forbidden_calls": ["delete"]}), &["crm.delete"], false),
            (json!({"forbidden_calls": ["delete"]}), &["undelete"], true),
            (json!({}), &["a"], true),
        ] {
            let layer = score(fields.clone(), &Checks::new(), &called(calls));
            assert_eq!(layer.passed, passed, "{fields} of {calls:?}: {}", layer.detail);
        }
    }

    #[test]
    fn a_pattern_judges_the_order_of_all_events() {
        let fields = json!({"trajectory": [
            {"kind": "tool_call", "tool": "lookup"},
            {"$never": {"kind": "tool_call", "tool": "delete"}},
            {"kind": "turn", "role": "assistant", "content": "done"},
        ]});
        assert!(score(fields.clone(), &Checks::new(), &called(&["delete", "crm_lookup"])).passed);
        let layer = score(fields, &Checks::new(), &called(&["crm_lookup", "delete"]));
        insta::assert_snapshot!(layer.detail, @r#"
        trajectory: expectation [1] was violated: $never {kind: "tool_call", tool: "delete"}
          cursor: 2 (3 seen)
          matched by: [2] {"kind":"tool_call","server":"crm","tool":"delete","args":{"id":1},"result":"ok","witness":"recorder"}
        evidence: 2 calls witnessed by the recorder
        "#);
    }

    #[test]
    fn a_failure_says_what_was_called_instead() {
        let details = [
            score(json!({"must_call": [["a", "b"], "c"]}), &Checks::new(), &called(&["x", "crm.c"])).detail,
            score(
                json!({"must_call": ["a", "b"], "order_matters": true}),
                &Checks::new(),
                &called(&["b", "a"]),
            )
            .detail,
            score(json!({"forbidden_calls": ["delete"]}), &Checks::new(), &called(&["x", "crm.delete"]))
                .detail,
            score(json!({"must_call": ["a"], "forbidden_calls": ["b"]}), &Checks::new(), &called(&["a"]))
                .detail,
        ];
        insta::assert_snapshot!(details.join("\n\n"), @r#"
        must_call: expected any of "a", "b", calls: [1] x, [2] crm.c
        evidence: 2 calls witnessed by the recorder

        must_call in order: expected "b" behind [2] a, calls: [1] b, [2] a
        evidence: 2 calls witnessed by the recorder

        forbidden_calls: "delete" was called: [2] crm.delete
        evidence: 2 calls witnessed by the recorder

        must_call: 1 of 1 called; forbidden_calls: none of 1 called; evidence: 1 call witnessed by the recorder
        "#);
    }

    #[test]
    fn an_unavailable_log_fails_the_layer_rather_than_falling_back() {
        let mut trace = fixture::trace();
        trace.events = vec![Evidence::ClaimedCall { tool: "a".into(), args: json!({}) }];
        let fields = json!({"must_call": ["a"]});
        let layer = score(fields.clone(), &Checks::new(), &trace);
        assert!(layer.passed && layer.detail.contains("claimed by the transcript"), "{}", layer.detail);

        trace.worker_warnings = vec!["mcp_evidence: unavailable".into()];
        let layer = score(fields, &Checks::new(), &trace);
        assert_eq!(
            (layer.passed, layer.detail.as_str()),
            (false, "nobody saw the calls, and claims do not replace a witness")
        );
        let layer = score(json!({}), &Checks::new().trajectory("c", |_| Judgement::pass("")), &trace);
        assert!(!layer.passed);
        assert!(score(json!({}), &Checks::new(), &trace).passed);
    }

    #[test]
    fn closures_are_named() {
        let checks = Checks::new().trajectory("few calls", |trace| {
            let calls = trace.events.iter().filter(|event| matches!(event, Evidence::ToolCall(_))).count();
            Judgement::of(calls < 2, format!("expected at most 1 call, found {calls}"))
        });
        assert!(score(json!({}), &checks, &called(&["a"])).passed);
        let layer = score(json!({}), &checks, &called(&["a", "b"]));
        assert_eq!(
            layer.detail.lines().next(),
            Some("trajectory check \"few calls\": expected at most 1 call, found 2")
        );
    }

    #[test]
    fn calls_are_counted() {
        let layer = score(json!({"forbidden_calls": ["x"]}), &Checks::new(), &called(&["a", "b"]));
        assert_eq!(layer.metrics["tool_calls"], 2);
    }
}
