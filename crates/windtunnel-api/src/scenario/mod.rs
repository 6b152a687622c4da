//! A scenario: what the agent is asked, and the gate that judges what it did.

mod check;
pub mod reference;
mod spec;

pub use spec::{
    AllowedMutant, AlwaysBefore, AtMost, CallRequirement, FailureCost, LlmJudge, ObservationCheck,
    OutcomeScorer, Perturbation, PerturbationKind, Policy, Precondition, Scenario, Severity,
    SubstantiatedByTools, TargetNumber,
};
