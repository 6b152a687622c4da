//! Runs a test: traces it, stops what has its verdict, and watches the time.

use std::collections::BTreeMap;
use std::future;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::host::trace::TraceSender;
use crate::registry::Registries;
use crate::run::{Control, Run, RunError, RunReport, Whereabouts};

use super::flaw::Flaw;
use super::judge::{Judge, Judgement, Keep, Order};
use super::{Test, TestReport};

/// Runs tests. The library's hot reload is off.
///
/// ```
/// use omw::prelude::*;
/// use omw::testing::{Harness, parse};
/// use std::sync::Arc;
/// use windtunnel_doc::Format;
///
/// struct Greeter;
///
/// impl Brain for Greeter {
///     fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
///         Ok(Some(format!("hello from {}", host.whoami())))
///     }
/// }
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// let mut registries = Registries::default();
/// registries.runtimes.add("greeter", |_, _| Ok(Arc::new(Native::new("greeter", Arc::new(Greeter)))));
///
/// let test = parse(
///     r#"
///     runtime.main.kind = "greeter"
///     agents.alice = { runtime = "main", script = "none" }
///
///     [assertions.alice]
///     outcome = { exited = "hello from alice" }
///     events = [{ kind = "call", op = "whoami" }]
///     "#,
///     Format::Toml,
/// )?;
/// let report = Harness::new(registries).run(&test).await;
/// assert!(report.passed(), "{report}");
/// # Ok::<(), windtunnel_doc::Diagnostics>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Harness {
    registries: Registries,
    keep: Keep,
}

impl Harness {
    /// A harness for tests that use these kinds of brains and back ends.
    pub fn new(registries: Registries) -> Self {
        Self { registries, keep: Keep::Latest }
    }

    /// How many events reports keep.
    #[must_use]
    pub fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// Runs a test to its end. To be called on a tokio runtime with more than one thread, or one that nothing blocks.
    pub async fn run(&self, test: &Test) -> TestReport {
        self.run_until(test, &CancellationToken::new()).await
    }

    /// Runs a test to its end, or until it is cancelled.
    pub async fn run_until(&self, test: &Test, cancel: &CancellationToken) -> TestReport {
        let judge = Arc::new(Mutex::new(Judge::new(&test.assertions, self.keep)));
        let control = Control::new();
        let trace = {
            let (judge, control) = (Arc::clone(&judge), control.clone());
            TraceSender::new(move |event| {
                let order = lock(&judge).see(event);
                obey(&order, &control);
            })
        };
        let run = Run::builder(Arc::clone(&test.config), &self.registries)
            .trace(trace)
            .control(control.clone())
            .keep_everything(self.keep == Keep::Everything);
        // Before the run starts: an agent that has its verdict already must not act.
        let orders = lock(&judge).begin();
        for order in &orders {
            obey(order, &control);
        }
        let handle = match run.start().await {
            Ok(handle) => handle,
            Err(error) => return TestReport::of_error(error_text(error)),
        };
        let limit = match test.config.tunables.test_timeout_secs {
            0 => None,
            seconds => Some(Duration::from_secs(seconds)),
        };
        let mut finish = pin!(handle.finish());
        let ended = tokio::select! {
            biased;
            report = &mut finish => Ok(report),
            () = passed(limit) => Err(Cut::TimeLimit(whereabouts(&test.config, &control))),
            () = cancel.cancelled() => Err(Cut::Cancelled),
        };
        let (run, cut) = match ended {
            Ok(run) => (run, None),
            Err(cut) => {
                if let Cut::TimeLimit(whereabouts) = &cut {
                    // Before the run is halted: what its agents still do then is our doing.
                    lock(&judge).time_out(whereabouts);
                }
                control.halt();
                (finish.await, Some(cut))
            }
        };
        let judgement = lock(&judge).close(&Flaw::Stopped);
        conclude(test, judgement, run, cut.as_ref())
    }
}

/// What ended a run that did not end by itself.
enum Cut {
    /// The test's time was over; these agents were still running.
    TimeLimit(BTreeMap<String, Whereabouts>),
    /// Nobody wants to know any more.
    Cancelled,
}

fn obey(order: &Order, control: &Control) {
    match order {
        Order::GoOn => {}
        Order::Stop(agent) => control.stop_agent(agent),
        Order::Halt => control.halt(),
    }
}

async fn passed(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => future::pending().await,
    }
}

fn whereabouts(config: &Config, control: &Control) -> BTreeMap<String, Whereabouts> {
    config.agents.keys().filter_map(|agent| Some((agent.clone(), control.whereabouts(agent)?))).collect()
}

fn conclude(test: &Test, judgement: Judgement, run: RunReport, cut: Option<&Cut>) -> TestReport {
    let Judgement { agents, strangers, strangers_count } = judgement;
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    if let Some(Cut::TimeLimit(whereabouts)) = cut {
        let limit = test.config.tunables.test_timeout_secs;
        errors.push(format!("the test ran over its time limit of {limit} s (tunables.test_timeout_secs)"));
        let others = whereabouts.iter().filter(|(agent, _)| test.assertions.of(agent).is_none());
        errors.extend(others.map(|(agent, whereabouts)| format!("agent {agent:?} still ran: {whereabouts}")));
    }
    if !strangers.is_empty() {
        if strangers_count {
            errors.push(format!("run failed: {}", RunError::Agents(strangers)));
        } else {
            warnings.extend(
                strangers
                    .iter()
                    .map(|(agent, error)| format!("agent {agent:?}, which is not asserted, failed: {error}")),
            );
        }
    }
    warnings.extend(run.agents.iter().filter(|end| end.abandoned).map(|end| {
        format!(
            "agent {:?} did not end when it was interrupted; its thread was left behind {}",
            end.name, end.last
        )
    }));
    TestReport {
        agents,
        error: (!errors.is_empty()).then(|| errors.join("\n")),
        warnings,
        snapshots: run.snapshots,
        cancelled: matches!(cut, Some(Cut::Cancelled)),
    }
}

/// An error as a test's report shows it, with the places in its files but not what is around them: that may be secret, and reports are
/// passed on.
fn error_text(error: RunError) -> String {
    match error {
        RunError::Config(problems) => {
            windtunnel_report::diagnostic_without_context(&problems.into_report(), false)
        }
        error => format!("run failed: {error}"),
    }
}

// Nobody else's code runs while it is held.
fn lock(judge: &Mutex<Judge>) -> MutexGuard<'_, Judge> {
    judge.lock().unwrap_or_else(PoisonError::into_inner)
}
