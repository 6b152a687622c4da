//! Everything that has to pass before a change is in.

use std::time::Instant;

use crate::shell::{Outcome, cargo, has, succeed};
use crate::{agents, arrows, examples, generated};

/// Sets of features that have to build without the others, by package.
const FEATURES: [(&str, &[&str]); 3] = [
    ("omw", &["", "rhai", "openai,mcp", "testing,cli", "scaffold"]),
    ("windtunnel-process", &["", "github", "libtest"]),
    ("windtunnel-core", &["", "process", "github", "libtest"]),
];

/// Runs one check, under its name and with its time.
fn run_step(name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
    let started = Instant::now();
    eprintln!("\n== {name}");
    step().map_err(|problem| format!("{name}: {problem}"))?;
    eprintln!("== {name}: ok, {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs every check and stops at the first that fails.
pub(crate) fn run() -> Outcome {
    run_step("format", || cargo_step(&["fmt", "--all", "--check"]))?;
    run_step("arrows", arrows::run)?;
    run_step("lints", || {
        cargo_step(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--locked",
            "--",
            "--deny",
            "warnings",
        ])
    })?;
    run_step("features", || {
        let sets = FEATURES.iter().flat_map(|(package, sets)| sets.iter().map(move |set| (package, set)));
        sets.into_iter().try_for_each(|(package, features)| {
            cargo_step(&[
                "check",
                "--package",
                package,
                "--lib",
                "--locked",
                "--no-default-features",
                "--features",
                features,
            ])
        })
    })?;
    run_step("tests", || {
        if has("cargo", &["nextest", "--version"]) {
            cargo_step(&["nextest", "run", "--workspace", "--all-features", "--locked", "--profile", "ci"])
        } else {
            cargo_step(&[
                "test",
                "--workspace",
                "--all-features",
                "--locked",
                "--lib",
                "--bins",
                "--tests",
                "--examples",
            ])
        }
    })?;
    run_step("doc tests", || cargo_step(&["test", "--workspace", "--all-features", "--locked", "--doc"]))?;
    run_step("documentation", || {
        succeed(
            cargo(&["doc", "--workspace", "--all-features", "--locked", "--no-deps"])
                .env("RUSTDOCFLAGS", "--deny warnings"),
        )
    })?;
    run_step("generated files", || generated::run(true))?;
    run_step("examples", || examples::selftest(false))?;
    run_step("agents", agents::installed)?;
    run_step("licences and sources", || {
        if has("cargo", &["deny", "--version"]) {
            // What other platforms would need is not downloaded by a build.
            cargo_step(&["fetch", "--locked"])?;
            cargo_step(&["deny", "--locked", "--offline", "check", "bans", "licenses", "sources"])
        } else {
            eprintln!("cargo-deny is not installed: skipped. `cargo install cargo-deny --locked` brings it.");
            Ok(())
        }
    })
}

fn cargo_step(arguments: &[&str]) -> Outcome {
    succeed(&mut cargo(arguments))
}
