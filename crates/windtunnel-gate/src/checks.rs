//! Checks written in Rust, beside a scenario.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Number, Value};
use windtunnel_api::{Layer, Trace};

use crate::findings::{Finding, Findings, indented};

/// Rust closures that judge a trace beside the fields of a scenario.
///
/// A scenario with closures cannot be judged again from its files alone; see [`Gate::is_rescorable`](crate::Gate::is_rescorable).
/// Where a trace of another program may come, read its evidence with [`events`](crate::events()).
///
/// ```
/// use windtunnel_gate::{Checks, Judgement};
///
/// let checks = Checks::new()
///     .outcome(|trace| match trace.answer() {
///         Some(answer) => Judgement::of(answer.len() < 500, "at most 500 bytes").with("bytes", answer.len()),
///         None => Judgement::fail("there is no answer"),
///     })
///     .policy("the database was captured", |trace| {
///         let rows = trace.observations.get("db").ok_or("the probe `db` captured nothing")?;
///         Ok::<_, &str>(Judgement::of(rows.is_array(), "rows are a list"))
///     });
/// assert!(!checks.is_empty());
/// ```
#[derive(Clone, Default)]
pub struct Checks {
    outcome: Vec<Check>,
    trajectory: Vec<NamedCheck>,
    policies: Vec<NamedCheck>,
}

type Check = Arc<dyn Fn(&Trace) -> Judgement + Send + Sync>;

#[derive(Clone)]
struct NamedCheck {
    name: String,
    check: Check,
}

impl Checks {
    /// No closures.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a check of the outcome layer.
    #[must_use]
    pub fn outcome<J: IntoJudgement>(mut self, check: impl Fn(&Trace) -> J + Send + Sync + 'static) -> Self {
        self.outcome.push(Arc::new(move |trace| check(trace).into_judgement()));
        self
    }

    /// Adds a check of the trajectory layer.
    #[must_use]
    pub fn trajectory<J: IntoJudgement>(
        mut self,
        name: impl Into<String>,
        check: impl Fn(&Trace) -> J + Send + Sync + 'static,
    ) -> Self {
        self.trajectory.push(NamedCheck::new(name, check));
        self
    }

    /// Adds a policy to the constraint layer.
    #[must_use]
    pub fn policy<J: IntoJudgement>(
        mut self,
        name: impl Into<String>,
        check: impl Fn(&Trace) -> J + Send + Sync + 'static,
    ) -> Self {
        self.policies.push(NamedCheck::new(name, check));
        self
    }

    /// Whether there is no closure.
    pub fn is_empty(&self) -> bool {
        self.layers().is_empty()
    }

    /// The layers that have a closure.
    pub fn layers(&self) -> Vec<Layer> {
        let layers = [
            (Layer::Outcome, self.outcome.is_empty()),
            (Layer::Trajectory, self.trajectory.is_empty()),
            (Layer::Constraint, self.policies.is_empty()),
        ];
        layers.into_iter().filter(|(_, empty)| !empty).map(|(layer, _)| layer).collect()
    }

    pub(crate) fn judge_outcome(&self, trace: &Trace, findings: &mut Findings) {
        for check in &self.outcome {
            let judgement = check(trace);
            findings.add(judgement.finding("outcome check"));
            judgement.attach(findings);
        }
    }

    pub(crate) fn judge_trajectory(&self, trace: &Trace, findings: &mut Findings) {
        for NamedCheck { name, check } in &self.trajectory {
            let judgement = check(trace);
            findings.add(judgement.finding(&format!("trajectory check {name:?}")));
            judgement.attach(findings);
        }
    }

    pub(crate) fn judge_policies(&self, trace: &Trace, findings: &mut Findings) {
        for NamedCheck { name, check } in &self.policies {
            let judgement = check(trace);
            findings.add(judgement.finding(&format!("policy {name:?}")));
            judgement.attach(findings);
        }
    }
}

impl NamedCheck {
    fn new<J: IntoJudgement>(
        name: impl Into<String>,
        check: impl Fn(&Trace) -> J + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), check: Arc::new(move |trace| check(trace).into_judgement()) }
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |checks: &[NamedCheck]| checks.iter().map(|check| check.name.clone()).collect::<Vec<_>>();
        f.debug_struct("Checks")
            .field("outcome", &self.outcome.len())
            .field("trajectory", &names(&self.trajectory))
            .field("policies", &names(&self.policies))
            .finish()
    }
}

/// What a closure says of a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Whether the check passed.
    pub passed: bool,
    /// Why; for a failure what was expected, what was found and where.
    pub detail: String,
    /// Named values for the layer. They never change a verdict.
    pub metrics: IndexMap<String, Metric>,
}

impl Judgement {
    /// The check passed.
    pub fn pass(detail: impl Into<String>) -> Self {
        Self::of(true, detail)
    }

    /// The check failed.
    pub fn fail(detail: impl Into<String>) -> Self {
        Self::of(false, detail)
    }

    /// The check passed if this holds.
    pub fn of(passed: bool, detail: impl Into<String>) -> Self {
        Self { passed, detail: detail.into(), metrics: IndexMap::new() }
    }

    /// The same judgement with one more metric. The last of equal names stays.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Metric>) -> Self {
        self.metrics.insert(name.into(), value.into());
        self
    }

    fn finding(&self, what: &str) -> Finding {
        let text = format!("{what}: {}", indented(&self.detail));
        if self.passed { Ok(text) } else { Err(text) }
    }

    fn attach(self, findings: &mut Findings) {
        for (name, metric) in self.metrics {
            findings.metric(&name, metric);
        }
    }
}

/// What a closure may return: a [`Judgement`], or an error, which is a failure.
pub trait IntoJudgement {
    /// The judgement.
    fn into_judgement(self) -> Judgement;
}

impl IntoJudgement for Judgement {
    fn into_judgement(self) -> Judgement {
        self
    }
}

/// An error is shown with `{:#}`, which for many error types includes its causes.
impl<J: IntoJudgement, E: fmt::Display> IntoJudgement for Result<J, E> {
    fn into_judgement(self) -> Judgement {
        match self {
            Ok(judgement) => judgement.into_judgement(),
            Err(error) => Judgement::fail(format!("could not be evaluated: {error:#}")),
        }
    }
}

/// A named value beside a verdict.
#[derive(Debug, Clone, PartialEq)]
pub enum Metric {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
}

impl From<Metric> for Value {
    fn from(metric: Metric) -> Self {
        match metric {
            Metric::Bool(value) => Self::Bool(value),
            Metric::Number(value) => Self::Number(value),
            Metric::Text(value) => Self::String(value),
        }
    }
}

impl From<bool> for Metric {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// What JSON has no number for, infinities and NaN, becomes text.
impl From<f64> for Metric {
    fn from(value: f64) -> Self {
        Number::from_f64(value).map_or_else(|| Self::Text(value.to_string()), Self::Number)
    }
}

impl From<&str> for Metric {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Metric {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Metric {
            fn from(value: $integer) -> Self {
                Self::Number(value.into())
            }
        }
    )*};
}

from_integers!(i32, i64, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_a_failure() {
        let judgement = Err::<Judgement, _>("no such table").into_judgement();
        assert_eq!(judgement, Judgement::fail("could not be evaluated: no such table"));
    }

    #[test]
    fn metrics_are_plain_values() {
        for (metric, value) in [
            (Metric::from(true), serde_json::json!(true)),
            (Metric::from(3_usize), serde_json::json!(3)),
            (Metric::from(-1_i64), serde_json::json!(-1)),
            (Metric::from(0.5), serde_json::json!(0.5)),
            (Metric::from(f64::NAN), serde_json::json!("NaN")),
            (Metric::from("text"), serde_json::json!("text")),
        ] {
            assert_eq!(Value::from(metric), value);
        }
    }

    #[test]
    fn layers_with_a_closure_are_known() {
        let pass = |_: &Trace| Judgement::pass("");
        assert!(Checks::new().is_empty());
        assert_eq!(Checks::new().outcome(pass).layers(), [Layer::Outcome]);
        assert_eq!(
            Checks::new().policy("p", pass).trajectory("t", pass).layers(),
            [Layer::Trajectory, Layer::Constraint]
        );
        assert_eq!(
            format!("{:?}", Checks::new().policy("p", pass)),
            r#"Checks { outcome: 0, trajectory: [], policies: ["p"] }"#
        );
    }
}
