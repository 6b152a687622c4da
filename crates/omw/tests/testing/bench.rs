//! What the tests of this folder share: agents whose brains are functions, and tests that cannot hang.

use std::sync::Arc;
use std::time::Duration;

use omw::prelude::*;
use omw::testing::{AgentReport, Harness, Keep, Test, TestReport, parse};
use windtunnel_doc::Format;

/// Longer than anything takes on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// What a brain's run gives.
pub(crate) type Ran = Result<Option<String>, BrainError>;

struct Closure<F>(F);

impl<F: Fn(&dyn Host) -> Ran + Send + Sync> Brain for Closure<F> {
    fn run(&self, host: &Arc<dyn Host>) -> Ran {
        (self.0)(&**host)
    }
}

/// Agents, each with a brain that is a function.
pub(crate) struct Bench {
    registries: Registries,
    agents: Vec<String>,
    keep: Keep,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { registries: Registries::testing(), agents: Vec::new(), keep: Keep::Latest }
    }

    pub(crate) fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    pub(crate) fn agent(
        mut self,
        name: &str,
        run: impl Fn(&dyn Host) -> Ran + Send + Sync + 'static,
    ) -> Self {
        let runtime: Arc<dyn Runtime> = Arc::new(Native::new(name, Arc::new(Closure(run))));
        self.registries.runtimes.add(name, move |_, _| Ok(Arc::clone(&runtime)));
        self.agents.push(format!(
            "[runtime.{name}]\nkind = \"{name}\"\n[agents.{name}]\nruntime = \"{name}\"\nscript = \"none\"\n"
        ));
        self
    }

    /// These agents with the rest of a test's config.
    pub(crate) fn test(&self, rest: &str) -> Test {
        parse(&format!("{}{rest}", self.agents.concat()), Format::Toml)
            .unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// Runs such a test, which has to end soon.
    pub(crate) async fn run(&self, rest: &str) -> TestReport {
        let test = self.test(rest);
        let harness = Harness::new(self.registries.clone()).keep(self.keep);
        tokio::time::timeout(SOON, harness.run(&test)).await.expect("the test ends")
    }

    pub(crate) fn harness(&self) -> Harness {
        Harness::new(self.registries.clone()).keep(self.keep)
    }
}

/// What a brain makes of a failed call.
#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub(crate) fn raise(error: HostError) -> BrainError {
    BrainError::Failed(error.to_string())
}

/// Asks the provider `llm`.
pub(crate) fn chat(host: &dyn Host, model: &str) -> Result<ChatReply, BrainError> {
    let message = Message { role: "user".into(), content: Some("hi".into()), ..Message::default() };
    let request = ChatRequest { model: model.into(), messages: vec![message], ..ChatRequest::default() };
    host.chat("llm", request).map_err(raise)
}

/// A report's agent.
pub(crate) fn agent<'a>(report: &'a TestReport, name: &str) -> &'a AgentReport {
    report.agents.iter().find(|agent| agent.agent == name).expect("the agent is named")
}
