//! `verify-tests`: the repository's own tests pass.

use std::num::NonZeroU64;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use windtunnel_child::{Child, Command};
use windtunnel_spi::{CaseWorld, with_causes};

use crate::hook::{Hook, HookContext, HookError, Outcome};

/// How long tests may take if nothing else is said.
const TIMEOUT_SECONDS: NonZeroU64 = NonZeroU64::new(600).unwrap();

/// Lines that are shown of the end of each stream.
const SHOWN_LINES: usize = 20;

/// Characters that are shown of one of them.
const SHOWN_CHARACTERS: usize = 300;

/// Runs the declared command in the root of the checkout; where none is declared there is nothing to do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct VerifyTests {
    /// How long the tests may take.
    timeout_seconds: NonZeroU64,
}

impl Default for VerifyTests {
    fn default() -> Self {
        Self { timeout_seconds: TIMEOUT_SECONDS }
    }
}

impl VerifyTests {
    fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds.get())
    }
}

#[async_trait]
impl Hook for VerifyTests {
    /// Longer than the tests may take: they have to be ended, and what they said has to be told.
    fn limit(&self) -> Duration {
        self.timeout().saturating_add(Duration::from_secs(10))
    }

    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let argv = &context.config.testing.command;
        if argv.is_empty() {
            return Ok(Outcome::Skip);
        }
        let world = CaseWorld::new(format!("verify-tests-{}", context.item.id), context.root);
        let child = Command::new(argv, context.root)
            .source("tests")
            .without_stdin()
            .capture_stdout()
            .spawn(&world)
            .map_err(|error| HookError(with_causes(&error)))?;
        let ended = tokio::time::timeout(self.timeout(), child.wait()).await;
        let how = match ended {
            Ok(exit) if exit.is_success() => return Ok(Outcome::pass()),
            Ok(exit) => exit.to_string(),
            Err(_) => {
                child.kill().await;
                format!("did not end within {} s, and was killed", self.timeout_seconds)
            }
        };
        Ok(Outcome::Block { findings: vec![format!("`{}` {how}{}", argv.join(" "), last_words(&child))] })
    }
}

/// The end of what the tests printed, for a person to read.
fn last_words(child: &Child) -> String {
    let streams = [("standard output", child.captured_stdout()), ("standard error", Some(child.captured()))];
    streams
        .into_iter()
        .filter_map(|(name, captured)| {
            let text = captured?.text;
            let lines: Vec<&str> = text.trim_end().lines().collect();
            let shown = lines.get(lines.len().saturating_sub(SHOWN_LINES)..).unwrap_or_default();
            let shown: Vec<&str> = shown.iter().map(|line| shortened(line)).collect();
            (!shown.is_empty()).then(|| format!("\n{name} ended with:\n{}", shown.join("\n")))
        })
        .collect()
}

fn shortened(line: &str) -> &str {
    line.char_indices().nth(SHOWN_CHARACTERS).and_then(|(end, _)| line.get(..end)).unwrap_or(line)
}
