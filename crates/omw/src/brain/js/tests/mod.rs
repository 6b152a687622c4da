//! Scripts run against a fake host.

mod calls;
mod language;
mod stop;

use std::sync::Arc;

use super::Js;
use crate::brain::fake::{self, FakeHost, Script};

/// What a script ends with: the text it exits with, `completed`, or its error.
fn end(script: &str) -> String {
    end_with(script, &FakeHost::new(Script::default()))
}

fn end_with(script: &str, host: &Arc<FakeHost>) -> String {
    match fake::run(&Js::new(), script, host) {
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
