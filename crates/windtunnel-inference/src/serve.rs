//! A decision script from a file as a model endpoint, by hand or for other harnesses.

use std::net::SocketAddr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use windtunnel_api::ReferenceDecision;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::config::Aside;
use windtunnel_api::scenario::validate_script;
use windtunnel_doc::{Diagnostics, Fault};

use crate::script::{AsideErrors, Asides, Script, ServedNames};
use crate::seam::InferenceSeam;
pub use crate::server::ServedRequest;
use crate::server::{Cases, Endpoint, Listening, ServerError};
use crate::wire;

/// A decision script, as it is written in a file. Exactly one of `decisions` and `turns` is given.
///
/// ```
/// let script: windtunnel_inference::serve::DecisionScript = serde_json::from_str(
///     r#"{"decisions": [{"tool_calls": [{"name": "lookup", "arguments": {"id": 7}}]}, {"content": "75 orders"}]}"#,
/// )?;
/// assert_eq!(script.decisions.len(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Wind Tunnel decision script")]
pub struct DecisionScript {
    /// Model decisions in the order they are served.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ReferenceDecision>,
    /// The same, grouped by user turn. Nobody says here when a turn begins, so they are served one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Vec<ReferenceDecision>>,
    /// Answers to requests that are not part of the script, such as titles and summaries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<Aside>,
}

impl DecisionScript {
    /// Checks the rules of decisions that the types cannot say, which are those of reference cases. Patterns are compiled by [`serve`].
    pub fn validate(&self) -> Vec<Fault> {
        validate_script(&self.decisions, &self.turns)
    }
}

/// A script that cannot be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Decisions break a rule, see [`DecisionScript::validate`].
    #[error("{0}")]
    Decisions(#[from] Diagnostics),
    /// A pattern is wrong.
    #[error("{0}")]
    Aside(#[from] AsideErrors),
    /// The address cannot be listened on.
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// Serves a script at `/v1/…` of an address, until the value is dropped. With `repeat` it begins again when it ends. `observe` is
/// told about every request.
///
/// # Errors
/// The script has a fault, or the address cannot be listened on.
pub async fn serve(
    script: DecisionScript,
    listen: SocketAddr,
    repeat: bool,
    observe: impl Fn(&ServedRequest) + Send + Sync + 'static,
) -> Result<ServingScript, ServeError> {
    let faults = script.validate();
    if !faults.is_empty() {
        return Err(Diagnostics::of_value("the script", faults).into());
    }
    let asides = Asides::compile(&script.aside)?;
    let decisions = script.decisions.into_iter().chain(script.turns.into_iter().flatten()).collect();
    let once = Script::new(vec![decisions], ServedNames::default());
    let script = if repeat { once.repeating() } else { once };
    let seam = Arc::new(InferenceSeam::without_evidence(script, asides));
    seam.begin_turn();
    let endpoint = Endpoint { cases: Cases::Only(Arc::clone(&seam)), observer: Some(Box::new(observe)) };
    let listening = Listening::start(listen, endpoint).await?;
    Ok(ServingScript { seam, listening })
}

/// A script that is being served.
pub struct ServingScript {
    seam: Arc<InferenceSeam>,
    listening: Listening,
}

impl ServingScript {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listening.address
    }

    /// The base URL for clients, with `/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.listening.address)
    }

    /// The variables that tell clients of each provider where it listens, with the base URL as they expect it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        wire::variables(self.address())
    }

    /// How far the script was consumed, and what went wrong.
    pub fn progress(&self) -> ScriptProgress {
        self.seam.progress()
    }
}
