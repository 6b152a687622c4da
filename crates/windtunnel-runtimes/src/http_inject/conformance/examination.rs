//! The order in which an endpoint is examined.

use std::sync::Arc;
use std::time::Duration;

use windtunnel_api::config::HttpInjectRuntime;
use windtunnel_api::secret::Redactor;
use windtunnel_spi::{CaseWorld, RuntimeError, Seam, StateProbe, ToolHandle};

use super::finding::{Conformance, Finding, Rule};
use super::visit::Visit;
use super::{memory, refusals, script, shape, surface, time, turns};
use crate::addresses::{ToolAddress, addresses};
use crate::http_inject::endpoint::Endpoint;
use crate::http_inject::settings::Settings;

const RESET: Rule = Rule { name: "reset", demands: "POST /wt/reset is answered with status 200 or 204" };

/// An examination of one endpoint.
pub struct Examination<'a> {
    endpoint: Endpoint,
    tools: Vec<ToolAddress>,
    probe: Option<&'a dyn StateProbe>,
    redactor: Redactor,
    limit: Duration,
    turn_limit: Duration,
    seam: Seam,
}

impl<'a> Examination<'a> {
    /// An examination of the endpoint of these settings, with the limits and secrets of `world`.
    ///
    /// # Errors
    /// Kind `Config`, with the field that is wrong.
    pub fn new(name: &str, spec: &HttpInjectRuntime, world: &CaseWorld) -> Result<Self, RuntimeError> {
        let settings = Settings::new(name, spec)?;
        let redactor = world.redactor.and(settings.secrets().iter().cloned());
        let turn_limit = settings.turn_limit.unwrap_or(world.limits.turn);
        Ok(Self {
            endpoint: Endpoint::new(settings),
            tools: Vec::new(),
            probe: None,
            redactor,
            limit: world.limits.start,
            turn_limit,
            seam: Seam::system(),
        })
    }

    /// Hands these tool servers over with every reset.
    ///
    /// # Errors
    /// Kind `Start`, if one has no address.
    pub async fn with_tools(mut self, tools: &[Arc<dyn ToolHandle>]) -> Result<Self, RuntimeError> {
        self.tools = addresses(tools).await?;
        Ok(self)
    }

    /// Looks at this probe's observation for what a reset should have forgotten.
    #[must_use]
    pub fn with_probe(mut self, probe: &'a dyn StateProbe) -> Self {
        self.probe = Some(probe);
        self
    }

    /// Takes its words from these ids, so that two examinations can be the same to the byte.
    #[must_use]
    pub fn with_seam(mut self, seam: Seam) -> Self {
        self.seam = seam;
        self
    }

    /// Asks the endpoint everything. It is left in its first state, with its own model.
    pub async fn run(&self) -> Conformance {
        let nonce = || format!("wt-{}", self.seam.ids.id().simple());
        let mut visit = Visit {
            endpoint: &self.endpoint,
            tools: &self.tools,
            probe: self.probe,
            redactor: &self.redactor,
            limit: self.limit,
            turn_limit: self.turn_limit,
            nonce: &nonce,
            is_scriptable: false,
            readings: Vec::new(),
        };
        let rules = examine(&mut visit).await;
        Conformance { url: self.endpoint.settings.shown(), rules }
    }
}

async fn examine(visit: &mut Visit<'_>) -> Vec<Finding> {
    let mut findings = match visit.resets().await {
        Ok(Ok(())) => vec![RESET.kept("it was")],
        Ok(Err(what)) => vec![RESET.broken(what)],
        Err(lost) => return vec![RESET.broken(lost.to_string())],
    };
    let capability = script::capability(visit).await;
    findings.extend(turns::check(visit).await);
    if visit.readings.is_empty() {
        findings.push(capability);
        return findings;
    }
    findings.extend(refusals::check(visit).await);
    let scripted = script::check(visit).await;
    // From here on the agent's own model answers.
    findings.extend(memory::check(visit).await);
    findings.push(time::check(visit).await);
    findings.extend(shape::check(&visit.readings));
    findings.push(capability);
    findings.extend(scripted);
    findings.push(surface::check(visit).await);
    if let Err(what) = visit.reset().await {
        tracing::warn!("the endpoint could not be reset at the end: {what}");
    }
    findings
}
