//! An agent of one case: a client of its endpoint.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use ::omw::config::Config;
use ::omw::prelude::{
    Control, Endpoint, EndpointRequest, Message as ChatMessage, Registries, Run, RunOutcome, ToolCall,
};
use ::omw::run::RunReport;
use async_trait::async_trait;
use futures::StreamExt as _;
use futures::future::{BoxFuture, FutureExt as _, Shared};
use windtunnel_api::Evidence;
use windtunnel_api::artifact::evidence::Role;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_inference::ScriptedCase;
use windtunnel_spi::{
    AgentHandle, AgentReply, CaseWorld, EvidenceUnavailable, Message, RuntimeError, RuntimeErrorKind,
    SessionId, Stamped,
};

use super::door::{Door, KIND};

/// What the bench waits beyond the turn limit, so that the agent itself can say what it was at.
const TO_EXPLAIN: Duration = Duration::from_secs(10);

/// How long a turn that broke off waits for the run to end too: then its agents say why.
const TO_CONCLUDE: Duration = Duration::from_secs(1);

/// An agent of one case.
pub(super) struct OmwAgent {
    model: String,
    /// What every run of the case starts from.
    config: Arc<Config>,
    world: CaseWorld,
    scripted: Option<ScriptedCase>,
    running: Option<Running>,
    /// The conversation, since an endpoint's client sends all of it with each turn.
    conversation: Vec<ChatMessage>,
    session: Option<SessionId>,
    progress: Option<ScriptProgress>,
}

/// A run that was started. It is halted when this is dropped.
struct Running {
    control: Control,
    door: Arc<Door>,
    /// The end of the run: why nobody is left to answer. Only clones of it are polled, so that it can be asked again.
    end: Shared<BoxFuture<'static, String>>,
}

impl Running {
    async fn start(config: Arc<Config>) -> Result<Self, RuntimeError> {
        let door = Arc::new(Door::default());
        let mut registries = Registries::deployment();
        let served = Arc::clone(&door);
        registries.endpoints.add(KIND, move |_, _| Ok(Arc::clone(&served) as Arc<dyn Endpoint>));
        let control = Control::new();
        let run =
            Run::builder(config, &registries).control(control.clone()).start().await.map_err(|error| {
                RuntimeError::new(RuntimeErrorKind::Start, error.to_string()).with_source(error)
            })?;
        // A task of its own: the run has to be waited for while no turn is asked for.
        let report = tokio::spawn(run.finish());
        let end = report.map(|report| ended(report.ok())).boxed().shared();
        Ok(Self { control, door, end })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.control.halt();
    }
}

impl OmwAgent {
    pub(super) async fn start(
        model: String,
        config: Arc<Config>,
        world: CaseWorld,
        scripted: Option<ScriptedCase>,
    ) -> Result<Self, RuntimeError> {
        let running = Some(Running::start(Arc::clone(&config)).await?);
        let (conversation, session, progress) = (Vec::new(), None, None);
        Ok(Self { model, config, world, scripted, running, conversation, session, progress })
    }

    /// One turn, as long as it may take.
    async fn turn(&self) -> Result<String, RuntimeError> {
        let running = self.running.as_ref().ok_or_else(|| turn_error("the agent was torn down"))?;
        let request = EndpointRequest {
            model: self.model.clone(),
            messages: self.conversation.clone(),
            ..EndpointRequest::default()
        };
        let answer = tokio::select! {
            // An agent may answer and end.
            biased;
            answer = ask(&running.door, request) => answer,
            end = running.end.clone() => return Err(turn_error(&end)),
        };
        let Err(symptom) = answer else { return answer };
        let end = tokio::time::timeout(TO_CONCLUDE, running.end.clone()).await;
        Err(end.map_or(symptom, |end| turn_error(&end)))
    }

    /// One turn, until its limit or the end of the case.
    async fn limited_turn(&self) -> Result<String, RuntimeError> {
        let limit = self.world.limits.turn;
        // Not given up on before it is looked at: the agent would hear of that.
        let mut turn = pin!(self.turn());
        tokio::select! {
            biased;
            () = self.world.cancel.cancelled() => {
                Err(RuntimeError::new(RuntimeErrorKind::Cancelled, "the case was cancelled during the turn"))
            }
            answered = tokio::time::timeout(limit, &mut turn) => answered.unwrap_or_else(|_| {
                let text = format!("the turn passed its limit of {} s: {}", limit.as_secs_f64(), self.whereabouts());
                Err(RuntimeError::new(RuntimeErrorKind::Timeout, text))
            }),
        }
    }

    async fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.control.halt();
            // It was halted, so this is soon; how it ended is of no interest any more.
            running.end.clone().await;
        }
        self.conversation.clear();
        self.session = None;
    }

    /// What each agent is doing, for the message of a turn that took too long.
    fn whereabouts(&self) -> String {
        let Some(running) = &self.running else { return "it was torn down".to_owned() };
        let doing = |agent: &String| Some(format!("{agent} was {}", running.control.whereabouts(agent)?));
        let told: Vec<_> = self.config.agents.keys().filter_map(doing).collect();
        if told.is_empty() { "no agent was running".to_owned() } else { told.join("; ") }
    }
}

async fn ask(door: &Door, request: EndpointRequest) -> Result<String, RuntimeError> {
    let router = door.router().await;
    router.served(&request.model).await;
    let mut session = router.open(request).await.map_err(|error| turn_error(&error.to_string()))?;
    let mut text = String::new();
    while let Some(delta) = session.deltas.next().await {
        let delta = delta.map_err(|error| turn_error(&error.to_string()))?;
        text.extend(delta.content);
    }
    Ok(text)
}

fn turn_error(text: &str) -> RuntimeError {
    RuntimeError::new(RuntimeErrorKind::Turn, text)
}

/// Why there is nobody left to answer.
fn ended(report: Option<RunReport>) -> String {
    let Some(report) = report else { return "the run broke off before the agent answered".to_owned() };
    let how = report.agents.iter().map(|agent| match &agent.outcome {
        RunOutcome::Completed => format!("{} ended", agent.name),
        RunOutcome::Exited(value) => format!("{} ended with {value:?}", agent.name),
        RunOutcome::Stopped => format!("{} was stopped", agent.name),
        RunOutcome::Failed(error) => format!("{} failed: {error}", agent.name),
    });
    format!("no agent is left to answer: {}", how.collect::<Vec<_>>().join("; "))
}

fn incoming(message: &Message) -> ChatMessage {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let text = |value: Option<&serde_json::Value>| {
        value.and_then(|value| value.as_str()).unwrap_or_default().to_owned()
    };
    ChatMessage {
        role: role.to_owned(),
        content: Some(message.content.clone()),
        reasoning: None,
        tool_calls: message
            .tool_calls
            .iter()
            .map(|call| ToolCall {
                id: text(call.get("id")),
                name: text(call.pointer("/function/name")),
                arguments: text(call.pointer("/function/arguments")),
            })
            .collect(),
        tool_call_id: message.tool_call_id.clone(),
    }
}

#[async_trait]
impl AgentHandle for OmwAgent {
    async fn send(&mut self, messages: &[Message], session: &SessionId) -> Result<AgentReply, RuntimeError> {
        if self.session.as_ref() != Some(session) {
            self.conversation.clear();
            self.session = Some(session.clone());
        }
        if let Some(scripted) = &self.scripted {
            scripted.begin_turn();
        }
        self.conversation.extend(messages.iter().map(incoming));
        let answer = self.limited_turn().await?;
        self.conversation.push(ChatMessage {
            role: "assistant".to_owned(),
            content: Some(answer.clone()),
            ..ChatMessage::default()
        });
        Ok(AgentReply::says(answer))
    }

    async fn reset_state(&mut self) -> Result<(), RuntimeError> {
        self.end().await;
        if let Some(scripted) = &self.scripted {
            scripted.rewind();
        }
        self.running = Some(Running::start(Arc::clone(&self.config)).await?);
        Ok(())
    }

    async fn teardown(&mut self) {
        self.end().await;
        if let Some(scripted) = self.scripted.take() {
            self.progress = Some(scripted.progress());
        }
    }

    fn turn_limit(&self) -> Option<Duration> {
        Some(self.world.limits.turn.saturating_add(TO_EXPLAIN))
    }

    fn script_progress(&self) -> Option<ScriptProgress> {
        self.scripted.as_ref().map(ScriptedCase::progress).or_else(|| self.progress.clone())
    }

    fn drain_seam(&mut self) -> Result<Vec<Stamped<Evidence>>, EvidenceUnavailable> {
        self.scripted.as_ref().map_or_else(|| Ok(Vec::new()), ScriptedCase::drain_evidence)
    }
}
