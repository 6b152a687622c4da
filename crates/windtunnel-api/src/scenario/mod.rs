//! A scenario: what the agent is asked, and the gate that judges what it did.

mod check;
mod cost;
mod outcome;
pub mod permission;
mod perturbation;
mod policy;
pub mod reference;
mod spec;

pub use check::validate_script;
pub use cost::{FailureCost, Severity};
pub use outcome::{LlmJudge, ObservationCheck, OutcomeScorer, SubstantiatedByTools};
pub use perturbation::{Perturbation, PerturbationFamily, PerturbationKind};
pub use policy::{AlwaysBefore, AtMost, Policy};
pub use spec::{AllowedMutant, CallRequirement, Precondition, Scenario, TargetNumber};
