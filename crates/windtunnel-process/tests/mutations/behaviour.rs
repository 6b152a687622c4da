//! Hooks that do not do what they should.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use windtunnel_process::hook::{Effort, Hook, HookContext, HookError, HookRegistry, Outcome};

use crate::tree::{Mutant, shipped};

/// What a hook came to becomes something else.
type Change = fn(Result<Outcome, HookError>) -> Result<Outcome, HookError>;

struct Wrapped {
    hook: Arc<dyn Hook>,
    effort: Effort,
    change: Change,
}

#[async_trait]
impl Hook for Wrapped {
    fn effort(&self) -> Effort {
        self.effort
    }

    fn nodes(&self) -> Vec<&str> {
        self.hook.nodes()
    }

    fn limit(&self) -> Duration {
        self.hook.limit()
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        (self.change)(self.hook.run(context).await)
    }
}

/// The shipped hooks, these of them changed.
fn with(names: &[&str], other: fn(Effort) -> Effort, change: Change) -> HookRegistry {
    names.iter().fold(HookRegistry::shipped(), |registry, name| {
        let (shipped, of) = (HookRegistry::shipped(), (*name).to_owned());
        registry.with_fn(*name, move |parameters| {
            let hook = shipped.bind(&of, parameters).unwrap()?;
            let effort = other(hook.effort());
            Ok(Arc::new(Wrapped { hook, effort, change }) as Arc<dyn Hook>)
        })
    })
}

fn skips_pass(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Skip => Outcome::pass(),
        other => other,
    })
}

fn skips_block(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Skip => Outcome::Block { findings: vec!["nothing to read".to_owned()] },
        other => other,
    })
}

fn blocks_pass(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Block { .. } => Outcome::pass(),
        other => other,
    })
}

fn blocks_wait(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Block { findings } => Outcome::Wait { messages: findings },
        other => other,
    })
}

fn waits_pass(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Wait { .. } => Outcome::pass(),
        other => other,
    })
}

fn waits_block(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Wait { messages } => Outcome::Block { findings: messages },
        other => other,
    })
}

fn declares_nothing(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Pass { .. } => Outcome::pass(),
        other => other,
    })
}

fn approves_all(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    Ok(match outcome? {
        Outcome::Pass { on: Some(_) } => Outcome::Pass { on: Some("approved".to_owned()) },
        other => other,
    })
}

fn failures_are_silent(outcome: Result<Outcome, HookError>) -> Result<Outcome, HookError> {
    outcome.or(Ok(Outcome::Skip))
}

/// Each hook, with each change that something of its kind can come to.
pub(crate) fn mutants() -> Vec<Mutant> {
    let reading = ["validate-artifacts", "lint-artifacts", "enforces-boundaries-from"];
    let waiting = ["classify-phase-selection", "classify-feedback", "await-inner-loops"];
    let declaring = ["classify-phase-selection", "classify-feedback"];
    let changes: [(&str, Change, &[&str]); 9] = [
        ("let a skip be a block in {}", skips_block, &reading),
        ("let a skip be a block in {}", skips_block, &["record-feedback", "verify-tests"]),
        ("let a block be a pass in {}", blocks_pass, &reading),
        ("let a block be a wait in {}", blocks_wait, &reading),
        ("let a wait be a pass in {}", waits_pass, &waiting),
        ("let a wait be a block in {}", waits_block, &waiting),
        ("let an error be a skip in {}", failures_are_silent, &["record-feedback"]),
        ("forget the outcome that is declared by {}", declares_nothing, &declaring),
        ("let every outcome be an approval in {}", approves_all, &declaring),
    ];
    let mut mutants = Vec::new();
    let mut add = |what: String, hooks| mutants.push(Mutant { hooks, ..Mutant::of(what, &shipped()) });
    let shipped_names: Vec<String> = HookRegistry::shipped().names().map(str::to_owned).collect();
    let every: Vec<&str> = shipped_names.iter().map(String::as_str).collect();
    add("let a skip be a pass in every hook".to_owned(), with(&every, |effort| effort, skips_pass));
    for (what, change, names) in changes {
        for name in names {
            add(what.replace("{}", name), with(&[name], |effort| effort, change));
        }
    }
    for name in ["set-phase-label", "log-entry", "request-review", "notify"] {
        add(format!("let an outage decide in {name}"), with(&[name], |_| Effort::Gate, |outcome| outcome));
        add(format!("do not tell an outage in {name}"), with(&[name], |effort| effort, failures_are_silent));
    }
    mutants
}
