//! Scripts loaded and run.

use std::sync::Arc;

use camino::Utf8Path;
use rquickjs::context::EvalOptions;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Object, Value};

use super::api::Api;
use super::{failure, host, provider, tooling, value};
use crate::brain::{Brain, BrainError, Runtime, source};
use crate::host::Host;

/// What one run may allocate.
const MAX_MEMORY_BYTES: usize = 256 * 1024 * 1024;
/// The stack that a script may use while it runs, some thousand calls deep. With more the engine itself takes long to show a deeply
/// nested value, and cannot be interrupted meanwhile.
const RUN_STACK_BYTES: usize = 2 * 1024 * 1024;
/// The stack that parsing may use, on whatever thread loads the script.
const LOAD_STACK_BYTES: usize = 512 * 1024;
/// Stands before a script that is only to be parsed, on a line of its own.
const NOT_TO_RUN: &str = "throw null;\n";

/// Loads JavaScript.
#[derive(Debug, Clone, Copy, Default)]
pub struct Js(());

impl Js {
    /// The runtime. It has no settings.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Runtime for Js {
    fn kind(&self) -> &'static str {
        "js"
    }

    fn load(&self, script: &Utf8Path) -> Result<Arc<dyn Brain>, BrainError> {
        let text = source::read(script)?;
        check(script, &text)?;
        Ok(Arc::new(Script { text }))
    }
}

/// Parses a script without running it.
fn check(script: &Utf8Path, text: &str) -> Result<(), BrainError> {
    let runtime = engine(LOAD_STACK_BYTES).map_err(|error| BrainError::Failed(error.to_string()))?;
    let context = Context::full(&runtime).map_err(|error| BrainError::Failed(error.to_string()))?;
    context.with(|ctx| match evaluate(&ctx, format!("{NOT_TO_RUN}{text}")).catch(&ctx) {
        Err(CaughtError::Exception(exception)) => {
            let (line, column) = failure::place(&exception).unwrap_or((2, 1));
            Err(BrainError::Malformed {
                path: script.to_string(),
                line: line.saturating_sub(1).max(1),
                column,
                message: failure::summary(&exception),
            })
        }
        // Parsed: it came to the throw before it.
        Ok(_) | Err(_) => Ok(()),
    })
}

fn engine(stack: usize) -> rquickjs::Result<rquickjs::Runtime> {
    let runtime = rquickjs::Runtime::new()?;
    runtime.set_memory_limit(MAX_MEMORY_BYTES);
    runtime.set_max_stack_size(stack);
    Ok(runtime)
}

fn evaluate<'js>(ctx: &Ctx<'js>, text: impl Into<Vec<u8>>) -> rquickjs::Result<Value<'js>> {
    let mut options = EvalOptions::default();
    options.strict = false;
    ctx.eval_with_options(text, options)
}

/// A script that was parsed once.
struct Script {
    text: String,
}

impl Brain for Script {
    fn run(&self, host: &Arc<dyn Host>) -> Result<Option<String>, BrainError> {
        let failed = |error: rquickjs::Error| BrainError::Failed(error.to_string());
        let runtime = engine(RUN_STACK_BYTES).map_err(failed)?;
        let stop = host.stop().clone();
        runtime.set_interrupt_handler(Some(Box::new(move || stop.is_interrupted())));
        let context = Context::full(&runtime).map_err(failed)?;
        let result = context.with(|ctx| {
            let run = || {
                ctx.globals().set("omw", module(&ctx, host)?)?;
                value::text(&ctx, &evaluate(&ctx, self.text.as_str())?)
            };
            run().catch(&ctx).map_err(|error| failure::text(&error))
        });
        if host.stop().is_interrupted() {
            return Err(BrainError::Stopped);
        }
        result.map_err(BrainError::Failed)
    }
}

/// The global `omw`.
fn module<'js>(ctx: &Ctx<'js>, host: &Arc<dyn Host>) -> rquickjs::Result<Object<'js>> {
    let api = Api::new(ctx, host);
    let omw = Object::new(ctx.clone())?;
    omw.set("host", host::module(&api)?)?;
    omw.set("provider", provider::module(&api)?)?;
    omw.set("tooling", tooling::module(&api)?)?;
    Ok(omw)
}
