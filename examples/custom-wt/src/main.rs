//! A `wt` of one's own: the clerk as a runtime, and a scenario with checks written in Rust, compiled in.
//!
//! - `clerk`: the product. It knows nothing of Wind Tunnel.
//! - `rules`: what decides in the product; a language model would stand here.
//! - `runtime`: the product as a runtime of `wt`, live and scripted.
//! - `refund`: the scenario built in Rust.

mod clerk;
mod refund;
mod rules;
mod runtime;

use std::process::ExitCode;
use std::sync::Arc;

use windtunnel_cli::App;
use windtunnel_core::prelude::*;

/// The pack whose scenario files are meant where no path is given.
const DESK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/desk");

// ANCHOR: main
fn main() -> ExitCode {
    match app() {
        Ok(app) => app.main(),
        Err(problems) => {
            eprintln!("{problems}");
            ExitCode::from(2)
        }
    }
}

fn app() -> Result<App, Diagnostics> {
    let desk = load_pack(DESK.into())?;
    let clerk = ReadyPlugin::new("clerk", Arc::new(runtime::Clerks)).with_max_concurrency(4);
    Ok(App::new().with_path(DESK).with_runtime(Arc::new(clerk)).with_scenario(refund::scenario(&desk)?))
}
// ANCHOR_END: main
