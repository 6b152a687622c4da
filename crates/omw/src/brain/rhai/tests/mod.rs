//! Scripts run against a fake host.

mod calls;
mod language;
mod load;
mod stop;

use std::sync::Arc;

use super::Rhai;
use crate::brain::fake::{self, FakeHost, Script};

/// What a script ends with: the text it exits with, `completed`, or its error.
fn end(script: &str) -> String {
    end_with(script, &FakeHost::new(Script::default()))
}

fn end_with(script: &str, host: &Arc<FakeHost>) -> String {
    match fake::run(&Rhai::new(), script, host) {
        Ok(None) => "completed".to_owned(),
        Ok(Some(text)) => format!("exited {text}"),
        Err(error) => format!("failed: {error}"),
    }
}

/// The ends of scripts, each below its script.
fn ends(scripts: &[&str]) -> String {
    let ends: Vec<_> = scripts.iter().map(|script| format!("{script}\n  => {}", end(script))).collect();
    ends.join("\n")
}
