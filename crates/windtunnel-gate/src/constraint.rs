//! The constraint layer: rules that hold for the whole run, whatever it was asked.

use serde_json::Value;
use windtunnel_api::scenario::{Policy as Declared, Scenario};
use windtunnel_api::{Evidence, Layer, LayerScore};
use windtunnel_doc::Path;
use windtunnel_pattern::{Pattern, Reason, Sequence, excerpt};

use crate::checks::Checks;
use crate::events::shown;
use crate::findings::{Finding, Findings};
use crate::integrity::marker;
use crate::observation::Observed;
use crate::patterns::Compiler;
use crate::view::View;

/// Characters of a divergence that a message shows.
const SHOWN: usize = 200;

/// Events that a message lists by index.
const LISTED: usize = 20;

/// The compiled part of the layer.
#[derive(Debug)]
pub(crate) struct Constraint {
    policies: Vec<Policy>,
}

#[derive(Debug)]
struct Policy {
    name: String,
    rule: Rule,
}

#[derive(Debug)]
enum Rule {
    Never(Pattern),
    AlwaysBefore {
        /// A list of one, which tells the closest event where none matches.
        first: Sequence,
        then: Pattern,
    },
    AtMost {
        count: u64,
        pattern: Pattern,
    },
    Observation(Observed),
    NoDivergence,
}

impl Constraint {
    pub(crate) fn compile(scenario: &Scenario, compiler: &mut Compiler) -> Self {
        let path = Path::root().then("policies");
        let declared = scenario.policies.iter().enumerate();
        let policies = declared.filter_map(|(index, policy)| {
            let rule = Rule::compile(policy, &path.clone().then(index), compiler)?;
            Some(Policy { name: policy.name.clone(), rule })
        });
        Self { policies: policies.collect() }
    }

    pub(crate) fn score(&self, view: &View<'_>, checks: &Checks) -> LayerScore {
        let mut findings = Findings::default();
        for Policy { name, rule } in &self.policies {
            let said = |text| format!("policy {name:?}: {text}");
            findings.add(rule.judge(view).map(said).map_err(said));
        }
        if !self.policies.is_empty() {
            findings.note(format!("evidence: {}", view.calls));
        }
        checks.judge_policies(view.trace, &mut findings);
        findings.score(Layer::Constraint)
    }
}

impl Rule {
    /// The rule at `path`, if it has no fault. Whether exactly one rule is given is for [`Scenario::validate`] to say.
    fn compile(policy: &Declared, path: &Path, compiler: &mut Compiler) -> Option<Self> {
        let at = |field: &str| path.clone().then(field);
        if let Some(pattern) = &policy.never {
            return compiler.event(pattern, &at("never")).map(Self::Never);
        }
        if let Some(rule) = &policy.always_before {
            let path = at("always_before");
            let first = compiler.event(&rule.first, &path.clone().then("first"));
            let then = compiler.event(&rule.then, &path.clone().then("then"));
            // What compiles as a pattern compiles as a list of one; alone it may be no sentinel of lists.
            let first = first.and_then(|_| compiler.events(std::slice::from_ref(&rule.first), &path));
            return Some(Self::AlwaysBefore { first: first?, then: then? });
        }
        if let Some(rule) = &policy.at_most {
            let pattern = compiler.event(&rule.pattern, &at("at_most").then("pattern"))?;
            return Some(Self::AtMost { count: rule.count, pattern });
        }
        if let Some(check) = &policy.observation {
            return Observed::compile(check, &at("observation"), compiler).map(Self::Observation);
        }
        policy.no_divergence.then_some(Self::NoDivergence)
    }

    fn judge(&self, view: &View<'_>) -> Finding {
        match self {
            Self::Never(pattern) => never(view.values(), pattern),
            Self::AlwaysBefore { first, then } => always_before(view.values(), first, then),
            Self::AtMost { count, pattern } => at_most(view.values(), *count, pattern),
            Self::Observation(check) => check.judge(view),
            Self::NoDivergence => no_divergence(view),
        }
    }
}

fn never(events: &[Value], pattern: &Pattern) -> Finding {
    match events.iter().enumerate().find(|(_, event)| pattern.matches(event)) {
        None => Ok("no event matched".to_owned()),
        Some((index, event)) => Err(format!("expected no event {pattern}, found [{index}] {}", shown(event))),
    }
}

/// Once `first` has matched, every later `then` is preceded by it, so only the first `then` can break the rule. An event that
/// matches both does not come before itself.
fn always_before(events: &[Value], first: &Sequence, then: &Pattern) -> Finding {
    let Some((index, event)) = events.iter().enumerate().find(|(_, event)| then.matches(event)) else {
        return Ok("no event matched `then`".to_owned());
    };
    let mut matcher = first.matcher();
    for earlier in events.iter().take(index) {
        matcher.push(earlier);
    }
    let Err(failure) = matcher.finish() else {
        return Ok(format!("`first` came before [{index}]"));
    };
    let closest = match &failure.reason {
        Reason::Missing { closest: Some(closest) } => format!("\n  closest: {closest}"),
        _ => String::new(),
    };
    Err(format!("expected {} before [{index}] {}, found none{closest}", failure.expectation, shown(event)))
}

fn at_most(events: &[Value], count: u64, pattern: &Pattern) -> Finding {
    let matching: Vec<usize> = events
        .iter()
        .enumerate()
        .filter(|(_, event)| pattern.matches(event))
        .map(|(index, _)| index)
        .collect();
    let found = u64::try_from(matching.len()).unwrap_or(u64::MAX);
    if found <= count {
        return Ok(format!("matched {found} times, at most {count}"));
    }
    let mut listed =
        matching.iter().take(LISTED).map(|index| format!("[{index}]")).collect::<Vec<_>>().join(", ");
    if matching.len() > LISTED {
        listed.push_str(", …");
    }
    Err(format!("expected {pattern} at most {count} times, found {found}: {listed}"))
}

fn no_divergence(view: &View<'_>) -> Finding {
    let diverged = view.events.iter().enumerate().find_map(|(index, event)| match event {
        Evidence::ToolCall(call) => {
            let divergence =
                call.extra.as_ref()?.get("divergence").filter(|divergence| !divergence.is_null())?;
            Some(format!("[{index}] {} {}: {}", call.tool, excerpt(&call.args, SHOWN), diverged(divergence)))
        }
        _ => None,
    });
    let warned = || marker::divergences(&view.trace.worker_warnings).next().map(str::to_owned);
    match diverged.or_else(warned) {
        None => Ok("every call was answered by a recording".to_owned()),
        Some(found) => Err(format!("expected every call to be answered by a recording, found {found}")),
    }
}

/// What answered instead, in words; as it is where it has another shape.
fn diverged(divergence: &Value) -> String {
    let policy = divergence.get("policy").and_then(Value::as_str);
    match (policy, divergence.get("matched").and_then(Value::as_u64)) {
        (Some(policy), Some(place)) => format!(
            "no recording has these arguments; the closest one, recordings[{place}] of its universe, answered (on_miss {policy})"
        ),
        (Some(policy), None) => format!("no recording has these arguments (on_miss {policy})"),
        (None, _) => excerpt(divergence, SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::Trace;

    use super::*;
    use crate::{Judgement, fixture};

    fn called(calls: &[(&str, Value)]) -> Trace {
        let calls = calls.iter().map(|(tool, args)| fixture::call("crm", tool, args.clone(), json!("ok")));
        fixture::answered(calls, "done")
    }

    fn score(policy: Value, trace: &Trace) -> LayerScore {
        let mut named = policy;
        named["name"] = json!("p");
        let scenario: Scenario =
            serde_json::from_value(json!({"name": "s", "prompt": "p", "policies": [named]})).unwrap();
        assert_eq!(scenario.validate(), []);
        let mut compiler = Compiler::new(vec![]);
        let constraint = Constraint::compile(&scenario, &mut compiler);
        let events = crate::events::events(trace);
        compiler.finish(constraint).unwrap().score(&View::new(trace, &events), &Checks::new())
    }

    fn call(tool: &str) -> Value {
        json!({"kind": "tool_call", "tool": tool})
    }

    #[test]
    fn policies_hold_over_the_whole_run() {
        let x = || json!({});
        let never =
            json!({"never": {"kind": "tool_call", "tool": "write_file", "args": {"content": "(?i)unsafe"}}});
        let before = json!({"always_before": {"first": call("confirm"), "then": call("send")}});
        let twice = json!({"at_most": {"count": 2, "pattern": call("send")}});
        for (policy, calls, passed) in [
            (&never, vec![("write_file", json!({"content": "safe"}))], true),
            (&never, vec![("write_file", json!({"content": "UNSAFE"}))], false),
            (&never, vec![("a", x()), ("crm_write_file", json!({"content": "unsafe"}))], false),
            (&never, vec![("read_file", json!({"content": "unsafe"}))], true),
            (&before, vec![("confirm", x()), ("send", x()), ("send", x())], true),
            (&before, vec![("send", x()), ("confirm", x())], false),
            (&before, vec![("send", x()), ("confirm", x()), ("send", x())], false),
            (&before, vec![("confirm", x())], true),
            (&before, vec![], true),
            (&twice, vec![("send", x()), ("send", x())], true),
            (&twice, vec![("send", x()), ("other", x()), ("send", x()), ("crm.send", x())], false),
            (&twice, vec![], true),
        ] {
            let layer = score(policy.clone(), &called(&calls));
            assert_eq!(layer.passed, passed, "{policy} of {calls:?}: {}", layer.detail);
        }
    }

    #[test]
    fn an_event_does_not_come_before_itself() {
        let policy = json!({"always_before": {"first": {"kind": "tool_call"}, "then": call("send")}});
        assert!(!score(policy.clone(), &called(&[("send", json!({}))])).passed);
        assert!(score(policy, &called(&[("x", json!({})), ("send", json!({}))])).passed);
    }

    #[test]
    fn an_observation_is_a_policy_too() {
        let policy = json!({"observation": {"source": "db", "path": "/rows", "equals": 0}});
        let mut trace = called(&[]);
        assert!(!score(policy.clone(), &trace).passed);
        for (rows, passed) in [(0, true), (1, false)] {
            trace.observations.insert("db".into(), json!({ "rows": rows }));
            assert_eq!(score(policy.clone(), &trace).passed, passed);
        }
    }

    #[test]
    fn a_divergence_is_seen_on_the_call_or_in_the_warnings() {
        let policy = json!({"no_divergence": true});
        assert!(score(policy.clone(), &called(&[("a", json!({}))])).passed);

        let mut on_call = fixture::call("u", "a", json!({"id": 7}), json!(null));
        let mut found = |divergence| {
            on_call.extra = Some(json!({ "divergence": divergence }));
            let detail = score(policy.clone(), &fixture::answered([on_call.clone()], "x")).detail;
            detail.lines().next().unwrap_or_default().to_owned()
        };
        insta::assert_snapshot!(found(json!({"policy": "nearest", "matched": 1})), @r#"policy "p": expected every call to be answered by a recording, found [1] a {"id":7}: no recording has these arguments; the closest one, recordings[1] of its universe, answered (on_miss nearest)"#);
        insta::assert_snapshot!(found(json!({"policy": "fail_call", "matched": null})), @r#"policy "p": expected every call to be answered by a recording, found [1] a {"id":7}: no recording has these arguments (on_miss fail_call)"#);
        on_call.extra = Some(json!({"divergence": null, "other": 1}));
        assert!(score(policy.clone(), &fixture::answered([on_call], "x")).passed);

        let mut warned = called(&[]);
        warned.worker_warnings = vec!["universe_divergence: tool=a policy=nearest".into()];
        let layer = score(policy, &warned);
        assert!(!layer.passed && layer.detail.contains("tool=a policy=nearest"), "{}", layer.detail);
    }

    #[test]
    fn failures_name_the_policy_the_event_and_the_closest_miss() {
        let confirm = json!({"kind": "tool_call", "tool": "confirm", "args": {"sure": true}});
        let trace =
            called(&[("confirm", json!({"sure": false})), ("send", json!({"to": "a"})), ("send", json!({}))]);
        let details = [
            score(json!({"never": call("send")}), &trace).detail,
            score(json!({"always_before": {"first": confirm, "then": call("send")}}), &trace).detail,
            score(json!({"always_before": {"first": call("x"), "then": {"kind": "turn"}}}), &trace).detail,
            score(json!({"at_most": {"count": 1, "pattern": call("send")}}), &trace).detail,
            score(json!({"at_most": {"count": 2, "pattern": call("send")}}), &trace).detail,
        ];
        insta::assert_snapshot!(details.join("\n\n"), @r#"
        policy "p": expected no event {kind: "tool_call", tool: "send"}, found [2] {"kind":"tool_call","server":"crm","tool":"send","args":{"to":"a"},"result":"ok","witness":"recorder"}
        evidence: 3 calls witnessed by the recorder

        policy "p": expected {kind: "tool_call", tool: "confirm", args: {sure: true}} before [2] {"kind":"tool_call","server":"crm","tool":"send","args":{"to":"a"},"result":"ok","witness":"recorder"}, found none
          closest: [1] args.sure: expected true, found false
        evidence: 3 calls witnessed by the recorder

        policy "p": expected {kind: "tool_call", tool: "x"} before [0] {"kind":"turn","role":"user","content":"go"}, found none
        evidence: 3 calls witnessed by the recorder

        policy "p": expected {kind: "tool_call", tool: "send"} at most 1 times, found 2: [2], [3]
        evidence: 3 calls witnessed by the recorder

        policy "p": matched 2 times, at most 2; evidence: 3 calls witnessed by the recorder
        "#);
    }

    #[test]
    fn a_policy_that_errors_is_a_failure_that_names_it() {
        let checks = Checks::new()
            .policy("rows stay", |trace| {
                let rows = trace.observations.get("db").ok_or("the probe `db` captured nothing")?;
                Ok::<_, &str>(Judgement::of(rows == &json!(1), "rows"))
            })
            .policy("always", |_| Judgement::pass("fine").with("seen", 1_u32));
        let constraint = Constraint { policies: vec![] };
        let mut trace = called(&[]);
        let layer = constraint.score(&View::new(&trace, &trace.events), &checks);
        assert_eq!(
            (layer.passed, layer.detail.as_str()),
            (false, "policy \"rows stay\": could not be evaluated: the probe `db` captured nothing")
        );
        assert_eq!(layer.metrics["seen"], 1);
        trace.observations.insert("db".into(), json!(1));
        assert!(constraint.score(&View::new(&trace, &trace.events), &checks).passed);
    }
}
