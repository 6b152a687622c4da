//! The script of one case behind a lock, and what was asked of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use windtunnel_api::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::surface::{Surface, SurfaceStatus};
use windtunnel_spi::{EvidenceUnavailable, Moment, Stamped};

use super::case_script::CaseScript;
use super::history::{History, Said};
use super::log::EvidenceLog;
use super::own_calls::{OwnCall, OwnCalls};
use super::request::{Kept, SeamRequest};
use crate::chat::ChatReply;
use crate::script::{Answer, Asides, Ask, Script, Step};

/// The seam of one case. Every door to it, HTTP or in process, asks here.
#[derive(Debug)]
pub struct InferenceSeam {
    asides: Asides,
    requests: AtomicU64,
    /// Whether the next request's surface is the first.
    wants_surface: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    script: Script,
    own_calls: OwnCalls,
    history: History,
    surface: Option<Surface>,
    /// None where nobody will read it.
    log: Option<EvidenceLog>,
}

impl InferenceSeam {
    /// The seam of a case. Nothing is served until [`begin_turn`](Self::begin_turn).
    pub fn new(case: CaseScript) -> Self {
        let log = Some(EvidenceLog::new(case.redactor));
        Self::with_log(Script::new(case.turns, case.served), case.asides, log)
    }

    /// A seam whose evidence nobody reads.
    pub(crate) fn without_evidence(script: Script, asides: Asides) -> Self {
        Self::with_log(script, asides, None)
    }

    fn with_log(script: Script, asides: Asides, log: Option<EvidenceLog>) -> Self {
        let wants_surface = AtomicBool::new(log.is_some());
        let state =
            State { script, own_calls: OwnCalls::default(), history: History::default(), surface: None, log };
        Self { asides, requests: AtomicU64::new(0), wants_surface, state: Mutex::new(state) }
    }

    /// A user turn begins.
    pub fn begin_turn(&self) {
        self.state().script.begin_turn();
    }

    /// Back to the first state: nothing served, nothing seen.
    pub fn rewind(&self) {
        self.requests.store(0, Ordering::Relaxed);
        let mut state = self.state();
        state.script.rewind();
        state.own_calls.clear();
        state.history.clear();
        state.surface = None;
        if let Some(log) = &mut state.log {
            log.clear();
        }
        self.wants_surface.store(state.log.is_some(), Ordering::Relaxed);
    }

    /// What the first request for a decision told the model besides the conversation.
    pub fn surface(&self) -> Option<Surface> {
        let state = self.state();
        Some(state.log.as_ref()?.redacted(state.surface.clone()?))
    }

    /// Whether the surface of a request is of use: no earlier one has been kept.
    pub(crate) fn wants_surface(&self) -> bool {
        self.wants_surface.load(Ordering::Relaxed)
    }

    /// Everything that was said up to the answer of this id, and it; none where it is unknown.
    pub(crate) fn history(&self, id: &str) -> Option<Said> {
        self.state().history.up_to(id)
    }

    /// How far the script was consumed, and what went wrong.
    pub fn progress(&self) -> ScriptProgress {
        self.state().script.progress()
    }

    /// Takes what was seen since the last call: [`Evidence::Inference`] for every request, [`Evidence::ToolCall`] with
    /// witness `seam` for every call of a tool that no tool server of the case serves and whose result came back.
    ///
    /// # Errors
    /// More was sent than is kept.
    pub fn drain_evidence(&self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.state().log.as_mut().map_or_else(|| Ok(Vec::new()), EvidenceLog::drain)
    }

    pub(crate) fn asides(&self) -> &Asides {
        &self.asides
    }

    /// Counts a request of any kind: its number, from 1.
    pub(crate) fn count_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The answer of this number reached the client as a whole.
    pub(crate) fn delivered(&self, number: u64) {
        self.state().script.delivered(number);
    }

    /// Remembers a request that never became one, so that the case does not pass on evidence with a hole.
    pub(crate) fn violate(&self, text: String) {
        self.state().script.violate(text);
    }

    /// What to answer to a request; what is kept of the answer is there for the next.
    pub(crate) fn ask(&self, mut request: SeamRequest, kept: &Kept<'_>) -> Step {
        let mut state = self.state();
        let now = Moment::now();
        if !state.own_calls.is_empty() {
            let results = (request.tool_results)(&request.messages);
            let witnessed = state.own_calls.witnessed(results, now);
            state.keep_all(witnessed);
        }
        let step = state.script.ask(&Ask {
            offered: &request.offered,
            aside: request.aside.as_deref(),
            warm_up: request.warm_up,
            prompt_bytes: request.prompt_bytes,
            sent: request.sent,
        });
        if let (Some(surface), true) = (request.surface.take(), step.answer.is_of_script()) {
            state.surface.get_or_insert(Surface { status: SurfaceStatus::Rendered, ..surface });
            self.wants_surface.store(false, Ordering::Relaxed);
        }
        if !step.replayed {
            if let Answer::Decision(reply) = &*step.answer {
                state.expect_own_calls(reply, &request.offered);
            }
            if let Some(reply) = step.answer.reply_as_a_whole()
                && let Some((id, items)) = kept(step.number, reply)
            {
                let earlier = std::mem::take(&mut request.earlier);
                let before = earlier.messages().count().min(request.messages.len());
                let mut exchange = match state.log {
                    Some(_) => request.messages.get(before..).unwrap_or_default().to_vec(),
                    None => request.messages.split_off(before),
                };
                exchange.extend(items);
                let bytes = request.prompt_bytes + reply.bytes();
                state.history.remember(id, earlier.and(exchange, request.offered.clone(), bytes));
            }
        }
        state.log(now, request, &step);
        step
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Waits for the results of calls that no tool server sees.
    fn expect_own_calls(&mut self, reply: &ChatReply, offered: &[String]) {
        let Self { script, own_calls, log, .. } = self;
        if log.is_some() {
            let own = |name: &str| !script.served().reaches_server(name, offered);
            for call in reply.tool_calls.iter().filter(|call| own(&call.name)) {
                // Its place in the order of evidence is here, after the decision and before what follows.
                own_calls.expect(&call.id, OwnCall::of(call, Moment::now()));
            }
        }
    }

    fn log(&mut self, now: Moment, request: SeamRequest, step: &Step) {
        let Some(log) = &mut self.log else { return };
        let mut decision = step.answer.evidence();
        if let (true, Value::Object(shown)) = (step.replayed, &mut decision) {
            shown.insert("retry".to_owned(), true.into());
        }
        let seen = Evidence::Inference {
            wire: request.wire.to_owned(),
            model: request.model,
            messages: request.messages,
            tools: request.offered,
            decision,
        };
        log.push(now.with(seen), request.prompt_bytes);
    }

    fn keep_all(&mut self, entries: Vec<Stamped<Evidence>>) {
        if let Some(log) = &mut self.log {
            for entry in entries {
                log.push(entry, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::artifact::evidence::{ToolCall, Witness};
    use windtunnel_api::surface::Segment;
    use windtunnel_api::{ReferenceDecision, ReferenceToolCall};

    use super::*;
    use crate::script::ServedNames;
    use crate::wire::openai_chat;

    fn request(messages: Value, offered: &[&str]) -> SeamRequest {
        let Value::Array(messages) = messages else { panic!("a list") };
        SeamRequest {
            wire: "openai-chat",
            model: "m".to_owned(),
            messages,
            earlier: Said::default(),
            offered: offered.iter().map(|&name| name.to_owned()).collect(),
            aside: None,
            warm_up: false,
            surface: None,
            prompt_bytes: 100,
            sent: None,
            tool_results: openai_chat::tool_results,
        }
    }

    fn seam() -> InferenceSeam {
        let decisions = vec![
            ReferenceDecision::calls([
                ReferenceToolCall::new("think", [("about", "orders".into())]),
                ReferenceToolCall::new("lookup", [("id", 7.into())]),
            ]),
            ReferenceDecision::says("done"),
        ];
        let seam = InferenceSeam::new(CaseScript {
            turns: vec![decisions],
            served: ServedNames::new([("crm", ["lookup"])]),
            ..CaseScript::default()
        });
        seam.begin_turn();
        seam
    }

    #[test]
    fn every_request_is_kept_with_its_answer() {
        let seam = seam();
        let messages = json!([{"role": "user", "content": "go"}]);
        seam.ask(request(messages.clone(), &["think", "crm_lookup"]), &|_, _| None);
        let [seen] = &seam.drain_evidence().unwrap()[..] else { panic!("one entry") };
        let expected = Evidence::Inference {
            wire: "openai-chat".to_owned(),
            model: "m".to_owned(),
            messages: messages.as_array().unwrap().clone(),
            tools: vec!["think".to_owned(), "crm_lookup".to_owned()],
            decision: json!({"tool_calls": [
                {"id": "call_wt_1_1", "name": "think", "arguments": {"about": "orders"}},
                {"id": "call_wt_1_2", "name": "crm_lookup", "arguments": {"id": 7}},
            ]}),
        };
        assert_eq!(seen.value, expected);
        assert!(seam.drain_evidence().unwrap().is_empty(), "draining takes");
    }

    #[test]
    fn only_tools_that_the_agent_runs_itself_are_witnessed_by_the_seam_and_only_once() {
        let seam = seam();
        seam.ask(request(json!([]), &["think", "crm_lookup"]), &|_, _| None);
        let results = json!([
            {"role": "tool", "tool_call_id": "call_wt_1_1", "content": "75"},
            {"role": "tool", "tool_call_id": "call_wt_1_2", "content": "seen by the recorder"},
        ]);
        seam.ask(request(results.clone(), &["think", "crm_lookup"]), &|_, _| None);
        seam.ask(request(results, &["think", "crm_lookup"]), &|_, _| None);
        let seen = seam.drain_evidence().unwrap();
        let kinds: Vec<&str> = seen
            .iter()
            .map(|entry| match &entry.value {
                Evidence::Inference { .. } => "inference",
                Evidence::ToolCall(ToolCall { server, tool, result, witness: Witness::Seam, .. }) => {
                    assert_eq!((server.as_str(), tool.as_str(), result), ("", "think", &json!("75")));
                    "call"
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            kinds,
            ["inference", "call", "inference", "inference"],
            "the call stands after its decision"
        );
    }

    #[test]
    fn the_surface_is_that_of_the_first_request_for_a_decision_since_the_last_rewind() {
        let surface = |text: &str| Surface {
            extra_segments: vec![Segment { name: "n".to_owned(), content: text.to_owned() }],
            ..Surface::default()
        };
        let ask = |seam: &InferenceSeam, text: &str, aside: Option<&str>| {
            let asked = request(json!([]), &["think", "crm_lookup"]);
            let surface = Some(surface(text));
            seam.ask(SeamRequest { surface, aside: aside.map(str::to_owned), ..asked }, &|_, _| None);
        };
        let seam = seam();
        ask(&seam, "a title's", Some("Title"));
        assert!(seam.surface().is_none() && seam.wants_surface());
        ask(&seam, "the first", None);
        assert!(!seam.wants_surface());
        ask(&seam, "another", None);
        let rendered = Surface { status: SurfaceStatus::Rendered, ..surface("the first") };
        assert_eq!(seam.surface(), Some(rendered));
        seam.rewind();
        assert!(seam.surface().is_none() && seam.wants_surface());
    }

    #[test]
    fn what_is_kept_of_an_answer_stands_after_the_messages_it_answered() {
        let seam = seam();
        let keep = |number: u64, _: &ChatReply| Some((format!("resp_{number}"), vec![json!("answer")]));
        seam.ask(request(json!(["question"]), &["think", "crm_lookup"]), &keep);
        let said = seam.history("resp_1").unwrap();
        assert!(said.messages().eq([&json!("question"), &json!("answer")]));
        seam.ask(
            SeamRequest {
                earlier: said,
                ..request(json!(["question", "answer", "and?"]), &["think", "crm_lookup"])
            },
            &keep,
        );
        let said = seam.history("resp_2").unwrap();
        let expected = ["question", "answer", "and?", "answer"].map(Value::from);
        assert!(said.messages().eq(&expected), "{said:?}");
        assert!(seam.history("resp_3").is_none());
        seam.rewind();
        assert!(seam.history("resp_1").is_none());
    }
}
