//! Endpoints examined rule by rule: one that keeps all of them, and some that break a few.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_runtimes::http_inject::conformance::{Conformance, Examination, Finding, Standing};
use windtunnel_spi::{ProbeError, Seam, StateProbe};

use crate::desk::{self, Flaw};
use crate::support::{Endpoint, config, echo, replies, status};

async fn examine(flaw: Flaw) -> Conformance {
    let endpoint = desk::serve(flaw).await;
    examination(&endpoint.spec()).run().await
}

fn examination(spec: &HttpInjectRuntime) -> Examination<'static> {
    let seam = Seam::fixed("2026-01-02T03:04:05Z".parse().unwrap());
    Examination::new("desk", spec, &config().world).unwrap().with_seam(seam)
}

fn lines(conformance: &Conformance) -> String {
    let line = |Finding { rule, standing, seen, .. }: &Finding| format!("{standing:?} {rule}: {seen}");
    conformance.rules.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Only what is broken.
fn broken(conformance: &Conformance) -> String {
    let rules = conformance.rules.iter().filter(|finding| finding.standing == Standing::Broken).cloned();
    lines(&Conformance { url: String::new(), rules: rules.collect() })
}

#[tokio::test]
async fn an_endpoint_that_keeps_every_rule() {
    let conformance = examine(Flaw::None).await;
    insta::assert_snapshot!(lines(&conformance), @"
    Kept reset: it was
    Kept turn: the reply was `hello`
    Kept session: the reply was `hello`
    Kept unknown-fields: the reply was `hello`
    Kept sessions-at-once: both were
    Kept refuses-malformed: no text: 400, a text that is a number: 400, no session_id: 400, a body that is no JSON: 400
    Kept refuses-versions: wt_inject = 2: 400, no wt_inject: 400
    Kept sessions-apart: the word did not come back; that is evidence, and no proof
    Kept reset-canary: the word did not come back; that is evidence, and no proof
    NotChecked time-limit: the agent answered before a limit that short could be seen
    Kept no-redirect: in 19 answers
    Kept status: in 19 answers
    Kept content-type: in 19 answers
    Kept json: in 19 answers
    Kept version: in 19 answers
    Kept reply: in 19 answers
    Kept tool-calls: in 19 answers
    Kept call-names: in the one answer that shows it
    Kept call-arguments: in the one answer that shows it
    Kept error: in the one answer that shows it
    Kept decisions-left: in 11 answers
    Kept reference: decisions can be handed over: this agent can be self-tested
    Kept reference-replaces: two decisions answered two turns
    Kept reference-asking: the decision that was there answered
    Kept reference-counts: 1, then 0
    Kept reference-ends: the error was `the decisions are used up`
    Kept reference-refuses: faults: 200, reasoning: 200, a refusal: 200
    Kept agent-errors: the error was `the decisions are used up`
    Kept reference-removed: it answered for itself: `none`
    Kept surface: 1 instructions, 0 tools, 0 other segments
    ");
    assert_eq!(conformance.count(Standing::Broken), 0);
}

#[tokio::test]
async fn the_optional_routes_may_be_absent() {
    let conformance = examine(Flaw::Plain).await;
    insta::assert_snapshot!(lines(&conformance), @"
    Kept reset: it was
    Kept turn: the reply was `none`
    Kept session: the reply was `none`
    Kept unknown-fields: the reply was `none`
    Kept sessions-at-once: both were
    Kept refuses-malformed: no text: 400, a text that is a number: 400, no session_id: 400, a body that is no JSON: 400
    Kept refuses-versions: wt_inject = 2: 400, no wt_inject: 400
    Kept sessions-apart: the word did not come back; that is evidence, and no proof
    Kept reset-canary: the word did not come back; that is evidence, and no proof
    NotChecked time-limit: the agent answered before a limit that short could be seen
    Kept no-redirect: in 11 answers
    Kept status: in 11 answers
    Kept content-type: in 11 answers
    Kept json: in 11 answers
    Kept version: in 11 answers
    Kept reply: in 11 answers
    Kept tool-calls: in 11 answers
    NotChecked call-names: no answer showed it
    NotChecked call-arguments: no answer showed it
    NotChecked error: no answer showed it
    NotChecked decisions-left: no answer showed it
    Kept reference: the route is absent: this agent cannot be self-tested
    NotChecked reference-replaces: the model cannot be replaced
    NotChecked reference-asking: the model cannot be replaced
    NotChecked reference-counts: the model cannot be replaced
    NotChecked reference-ends: the model cannot be replaced
    NotChecked reference-refuses: the model cannot be replaced
    NotChecked agent-errors: an agent cannot be made to fail where its model cannot be replaced
    NotChecked reference-removed: the model cannot be replaced
    Kept surface: the route is absent: traces say that the surface is unavailable
    ");
}

#[tokio::test]
async fn state_that_survives_a_reset_is_proven() {
    insta::assert_snapshot!(broken(&examine(Flaw::RemembersForGood).await), @"Broken reset-canary: the session that was told the word still knows it");
    insta::assert_snapshot!(broken(&examine(Flaw::KeepsSessions).await), @"Broken reset-canary: the session that was told the word still knows it");
}

#[tokio::test]
async fn a_loose_shape_is_named_field_by_field() {
    insta::assert_snapshot!(broken(&examine(Flaw::LooseShape).await), @r#"
    Broken tool-calls: `tool_calls`: expected a list, also when it is empty, found nothing, and 16 more
    Broken call-arguments: `tool_calls[0].arguments`: expected a JSON object, not a text that holds one, found `"{\"number\":7}"`
    "#);
}

#[tokio::test]
async fn decisions_that_stay_and_errors_that_are_no_answers_are_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::KeepsDecisions).await), @"
    Broken status: expected status 200, found 500 Internal Server Error: nothing; what goes wrong in the agent is told in `error`, with status 200, and 2 more
    Broken agent-errors: the answer is none: expected status 200, found 500 Internal Server Error: nothing; what goes wrong in the agent is told in `error`, with status 200
    Broken reference-removed: the next decision answered all the same
    ");
}

#[tokio::test]
async fn a_model_that_never_comes_back_is_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::KeepsTheScript).await), @"Broken reference-removed: a turn still fails as beyond the decisions: `the decisions are used up`");
}

#[tokio::test]
async fn sessions_that_know_of_each_other_are_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::OneSession).await), @"Broken sessions-apart: it gave the word away");
}

#[tokio::test]
async fn a_model_that_cannot_repeat_a_word_shows_nothing() {
    let conformance = examine(Flaw::Forgetful).await;
    assert_eq!(conformance.count(Standing::Broken), 0, "{}", lines(&conformance));
    let rules = conformance
        .rules
        .into_iter()
        .filter(|finding| ["sessions-apart", "reset-canary"].contains(&finding.rule));
    insta::assert_snapshot!(lines(&Conformance { url: String::new(), rules: rules.collect() }), @"
    NotChecked sessions-apart: the session that was told a word cannot repeat it, so nothing follows if others do not: it answered `I am only a form.`
    NotChecked reset-canary: the session that was told a word cannot repeat it, so nothing follows if others do not: it answered `I am only a form.`
    ");
}

#[tokio::test]
async fn requests_that_should_have_been_refused_are_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::TakesAnything).await), @"
    Broken refuses-malformed: no text: 200 OK, a text that is a number: 200 OK, no session_id: 200 OK, a body that is no JSON: 200 OK
    Broken refuses-versions: wt_inject = 2: 200 OK, no wt_inject: 200 OK
    Broken surface: `system_instructions`: expected a list, also when it is empty, found nothing; `tool_definitions`: expected a list, also when it is empty, found nothing; `extra_segments`: expected a list, also when it is empty, found nothing
    ");
}

#[tokio::test]
async fn a_script_that_the_agents_own_model_goes_on_with_is_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::GoesOnByItself).await), @"
    Broken reference-counts: expected 1, then 0; found 2, then 1
    Broken reference-ends: the turn beyond the decisions was answered with `none`
    ");
}

#[tokio::test]
async fn decisions_that_are_refused_as_if_they_were_none_are_named() {
    insta::assert_snapshot!(broken(&examine(Flaw::RefusesVaguely).await), @"Broken reference-refuses: faults: 400");
}

#[tokio::test]
async fn a_turn_that_passes_its_time_is_named() {
    let told = broken(&examine(Flaw::Slow).await);
    assert!(told.starts_with("Broken time-limit: with timeout_s = 0.05 it replied after "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_asked_once() {
    let conformance = examination(&HttpInjectRuntime::at("http://127.0.0.1:1")).run().await;
    let told = lines(&conformance);
    assert!(told.starts_with("Broken reset: the request could not be sent: Connection refused"), "{told}");
    assert_eq!(conformance.rules.len(), 1);
}

#[tokio::test]
async fn it_is_left_with_its_own_model() {
    let endpoint = desk::serve(Flaw::None).await;
    examination(&endpoint.spec()).run().await;
    let asked = endpoint.asked();
    let last = asked.iter().rev().find(|asked| asked.path == "/wt/reference").unwrap();
    assert_eq!(last.body, json!({"wt_inject": 1, "decisions": []}));
    assert_eq!(asked.last().unwrap().path, "/wt/reset");
}

/// A world in which every word that was ever said is written down.
struct Diary(Arc<Mutex<Vec<String>>>);

#[async_trait]
impl StateProbe for Diary {
    async fn reset(&self) -> Result<(), ProbeError> {
        Ok(())
    }

    async fn capture(&self) -> Result<Map<String, Value>, ProbeError> {
        Ok(Map::from_iter([("diary".to_owned(), json!(*self.0.lock().unwrap()))]))
    }
}

#[tokio::test]
async fn a_probe_sees_what_no_session_gives_away() {
    let diary = Arc::default();
    let probe = Diary(Arc::clone(&diary));
    let endpoint = Endpoint::serve(move |path, body| {
        let text = body["text"].as_str().unwrap_or_default();
        diary.lock().unwrap().push(text.to_owned());
        match (path, body["wt_inject"] == 1 && body["text"].is_string() && body["session_id"].is_string()) {
            ("/wt/inject", false) => status(400),
            ("/wt/inject", true) => replies("none"),
            _ => echo(path, body),
        }
    })
    .await;
    let conformance = examination(&endpoint.spec()).with_probe(&probe).run().await;
    insta::assert_snapshot!(broken(&conformance), @"Broken reset-canary: the word is still in what the probe sees (diary)");
}
