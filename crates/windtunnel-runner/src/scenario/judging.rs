//! Asks the judging model, once, before scoring. Its raw answer becomes an observation, so that judging the trace again
//! needs no model.

use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout;
use windtunnel_api::artifact::marker::RUNNER_ERROR;
use windtunnel_api::scenario::LlmJudge;
use windtunnel_api::{ReferenceCase, Scenario};
use windtunnel_gate::judge_sources;
use windtunnel_spi::{Judge, with_causes};

use super::error::ScenarioError;
use super::evidence::Collected;

/// Whose word counts as the judging model's.
#[derive(Clone, Copy)]
pub(super) enum Voice<'a> {
    /// The reference case says what a judge would have said.
    Scripted(&'static str),
    /// A model is asked.
    Model(&'a dyn Judge),
}

/// The judgements that a scenario asks for, and who gives them.
pub(super) struct Judging<'a> {
    judges: Vec<(String, &'a LlmJudge)>,
    voice: Option<Voice<'a>>,
    prompt: String,
}

impl<'a> Judging<'a> {
    /// What has to be judged in a scenario.
    ///
    /// # Errors
    /// Something has to be, and nobody can.
    pub(super) fn of(
        scenario: &'a Scenario,
        case: Option<&ReferenceCase>,
        judge: Option<&'a dyn Judge>,
    ) -> Result<Self, ScenarioError> {
        let judges = judge_sources(scenario);
        let scripted = case.and_then(|case| case.judge).map(|verdict| Voice::Scripted(verdict.word()));
        let voice = scripted.or(judge.map(Voice::Model));
        if !judges.is_empty() && voice.is_none() {
            return Err(ScenarioError::NoJudge);
        }
        Ok(Self { judges, voice, prompt: scenario.turns().join("\n\n") })
    }

    /// Asks, and keeps the answers with the evidence. A judge that does not answer is an error of the run.
    pub(super) async fn ask(&self, answer: &str, limit: Duration, evidence: &mut Collected<'_>) {
        let Some(voice) = self.voice else { return };
        for (source, judge) in &self.judges {
            let word = match voice {
                Voice::Scripted(word) => Ok(word.to_owned()),
                Voice::Model(model) => match timeout(limit, model.ask(judge, &self.prompt, answer)).await {
                    Ok(word) => word.map_err(|error| with_causes(&error)),
                    Err(_) => Err(format!("it passed the turn limit of {} s", limit.as_secs_f64())),
                },
            };
            match word {
                Ok(word) => evidence.observation(source.clone(), Value::String(word)),
                Err(reason) => evidence.warn(format!("{RUNNER_ERROR}the judge gave no answer: {reason}")),
            }
        }
    }
}
