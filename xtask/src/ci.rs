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

/// What a check left out, and why; none where it looked at everything.
pub(crate) type LeftOut = Option<String>;

/// The checks so far.
#[derive(Default)]
struct Checks {
    /// By check, in order.
    left_out: Vec<(&'static str, String)>,
}

impl Checks {
    /// Runs one check, under its name and with its time.
    fn run(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        self.run_what_is_there(name, || step().map(|()| None))
    }

    /// Runs one that can do without something.
    fn run_what_is_there(&mut self, name: &'static str, step: impl FnOnce() -> Outcome<LeftOut>) -> Outcome {
        let started = Instant::now();
        eprintln!("\n== {name}");
        let left_out = step().map_err(|problem| format!("{name}: {problem}"))?;
        let seconds = started.elapsed().as_secs_f64();
        match left_out {
            None => eprintln!("== {name}: ok, {seconds:.1} s"),
            Some(what) => {
                eprintln!("== {name}: skipped: {what}");
                self.left_out.push((name, what));
            }
        }
        Ok(())
    }

    fn summary(&self) -> String {
        if self.left_out.is_empty() {
            return "everything passed".to_owned();
        }
        let lines = self.left_out.iter().map(|(name, what)| format!("\n  {name}: {what}"));
        format!("passed, but for what was skipped:{}", lines.collect::<String>())
    }
}

/// Runs every check and stops at the first that fails.
pub(crate) fn run() -> Outcome {
    let mut checks = Checks::default();
    checks.run("format", || cargo_step(&["fmt", "--all", "--check"]))?;
    checks.run("arrows", arrows::run)?;
    checks.run("lints", || {
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
    checks.run("features", || {
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
    checks.run("tests", || {
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
    checks
        .run("doc tests", || cargo_step(&["test", "--workspace", "--all-features", "--locked", "--doc"]))?;
    checks.run("documentation", || {
        succeed(
            cargo(&["doc", "--workspace", "--all-features", "--locked", "--no-deps"])
                .env("RUSTDOCFLAGS", "--deny warnings"),
        )
    })?;
    checks.run("generated files", || generated::run(true))?;
    checks.run("examples", || examples::selftest(false))?;
    checks.run_what_is_there("agents", agents::installed)?;
    checks.run_what_is_there("licences and sources", || {
        if !has("cargo", &["deny", "--version"]) {
            let why = "cargo-deny is not installed: `cargo install cargo-deny --locked` brings it";
            return Ok(Some(why.to_owned()));
        }
        // What other platforms would need is not downloaded by a build.
        cargo_step(&["fetch", "--locked"])?;
        cargo_step(&["deny", "--locked", "--offline", "check", "bans", "licenses", "sources"])?;
        Ok(None)
    })?;
    eprintln!("\n== {}", checks.summary());
    Ok(())
}

fn cargo_step(arguments: &[&str]) -> Outcome {
    succeed(&mut cargo(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_in_the_summary() {
        let mut checks = Checks::default();
        checks.run("format", || Ok(())).unwrap();
        assert_eq!(checks.summary(), "everything passed");
        checks.run_what_is_there("agents", || Ok(Some("no client can be run".to_owned()))).unwrap();
        assert_eq!(checks.summary(), "passed, but for what was skipped:\n  agents: no client can be run");
        let failed = checks.run("tests", || Err("1 failed".into())).unwrap_err();
        assert_eq!(failed.to_string(), "tests: 1 failed");
    }
}
