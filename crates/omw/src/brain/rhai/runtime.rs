//! Scripts loaded and run.

use std::sync::Arc;

use camino::Utf8Path;
use rhai::{AST, Dynamic, EvalAltResult};

use super::engine;
use crate::brain::{Brain, BrainError, Runtime, source};
use crate::host::Host;

/// Loads Rhai scripts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rhai(());

impl Rhai {
    /// The runtime. It has no settings.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Runtime for Rhai {
    fn kind(&self) -> &'static str {
        "rhai"
    }

    fn load(&self, script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError> {
        let text = source::read(script)?;
        let ast = engine::bare().compile(text).map_err(|error| BrainError::Malformed {
            path: script.to_string(),
            line: error.1.line().unwrap_or(1),
            column: error.1.position().unwrap_or(1),
            message: error.0.to_string(),
        })?;
        Ok(Arc::new(Script { ast }))
    }
}

/// A compiled script.
struct Script {
    ast: AST,
}

impl Brain for Script {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        let result = engine::for_run(host).eval_ast::<Dynamic>(&self.ast);
        if host.stop().is_interrupted() {
            return Err(BrainError::Stopped);
        }
        match result {
            Ok(value) if value.is_unit() => Ok(None),
            Ok(value) => Ok(Some(value.to_string())),
            Err(error) => Err(BrainError::Failed(text_of(&error))),
        }
    }
}

/// The text of an error that the script did not catch.
fn text_of(error: &EvalAltResult) -> String {
    match error {
        // Ours: a stack that is nearly used up.
        EvalAltResult::ErrorTerminated(token, position) if token.is_string() => {
            format!("{token} ({position})")
        }
        error => error.to_string(),
    }
}
