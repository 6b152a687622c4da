//! The order of one case: everything is started and checked, then the runs are made.

use serde_json::{Value, json};
use tokio::time::timeout;
use windtunnel_spi::{AgentConfig, HookPoint, PreconditionContext, with_causes};

use super::error::ScenarioError;
use super::hooks::{Kept, observe};
use super::judging::Judging;
use super::limit::within_start;
use super::outcome::{RunObserver, ScoredRun};
use super::perturbation::Plan;
use super::preconditions;
use super::request::ScenarioRequest;
use super::runs::Runs;
use super::served::Served;
use super::started::Started;
use super::trace::CaseFacts;
use crate::bench::Bench;

/// The work of one case. It can be dropped at any point: what was started is in `started`, what was stored in `runs`.
pub(super) struct Order<'a> {
    pub(super) bench: &'a Bench,
    pub(super) request: &'a ScenarioRequest<'a>,
    pub(super) started: &'a mut Started,
    pub(super) runs: &'a mut Vec<ScoredRun>,
    pub(super) kept: &'a mut Vec<Kept>,
    pub(super) observer: &'a mut dyn RunObserver,
}

impl Order<'_> {
    /// Starts everything, checks the preconditions and makes the runs.
    pub(super) async fn follow(self) -> Result<(), ScenarioError> {
        let Self { bench, request, started, runs, kept, observer } = self;
        let scenario = request.gate.scenario();
        let (world, limit) = (&request.site.world, request.site.world.limits.start);
        let judging = Judging::of(scenario, request.subject.case(), bench.judge.as_deref())?;

        started.start_servers(bench.tools.as_ref(), request.pack, world).await?;
        let served = Served::by(&started.handles, limit).await;
        let plan = Plan::of(scenario, &served)?;
        let config = AgentConfig {
            agent_id: request.identity.agent_id.clone(),
            world: world.clone(),
            sampler: scenario.sampler.clone(),
            permissions: scenario.permissions.clone(),
        };
        let provision = request.subject.provision(request.runtime, config.clone(), started.handles.clone());
        let agent = within_start(limit, "provisioning the agent", provision).await?;
        let agent = started.agent.insert(agent.map_err(ScenarioError::Provision)?);
        kept.extend(observe(&bench.hooks, HookPoint::Provisioned { scenario }));
        check_preconditions(request, &config, &served)?;
        plan.inject(&started.handles);

        let facts = CaseFacts::new(served, surface(request, &config).await);
        let mut each = Runs {
            bench,
            request,
            agent: agent.as_mut(),
            handles: &started.handles,
            facts: &facts,
            judging: &judging,
            plan: &plan,
            scored: runs,
            kept,
            observer,
        };
        for run in 1..=request.runs {
            each.make(run).await?;
        }
        Ok(())
    }
}

fn check_preconditions(
    request: &ScenarioRequest<'_>,
    config: &AgentConfig,
    served: &Served,
) -> Result<(), ScenarioError> {
    let state_probe = request.state_probe.as_deref();
    let context = PreconditionContext { tools: &served.by_server, state_probe, config };
    let declared = request.gate.scenario().all_preconditions();
    let failures = preconditions::failures(&declared, request.preconditions, &context, served);
    if failures.is_empty() { Ok(()) } else { Err(ScenarioError::Preconditions(failures)) }
}

/// What the runtime shows of the prompt surface. One that cannot show it hinders no run.
async fn surface(request: &ScenarioRequest<'_>, config: &AgentConfig) -> Option<Value> {
    let shows = request.runtime.surface()?;
    let error = match timeout(config.world.limits.start, shows.surface(config)).await {
        Ok(Ok(surface)) => return Some(json!(surface)),
        Ok(Err(error)) => with_causes(&error),
        Err(_) => format!(
            "it passed the start limit of {} s (timeouts.start_s)",
            config.world.limits.start.as_secs_f64()
        ),
    };
    Some(json!({ "status": "invalid", "error": error }))
}
