//! A program that prints one JSON value.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;
use windtunnel_api::Secret;
use windtunnel_api::pack::CommandProbe;
use windtunnel_child::{Child, Command, Environment};
use windtunnel_spi::{CaseWorld, with_causes};

use super::json::{self, MAX_BYTES};
use super::wait_limit;

pub(super) struct CommandSource {
    command: Vec<String>,
    reset: Vec<String>,
    environment: Environment,
    dir: Utf8PathBuf,
}

impl CommandSource {
    pub(super) fn new(spec: &CommandProbe, dir: &Utf8Path) -> Result<Self, String> {
        let environment = Environment::of(&spec.pass_env, &spec.env).map_err(|error| error.to_string())?;
        let source = Self {
            command: spec.command.clone(),
            reset: spec.reset.clone(),
            environment,
            dir: dir.to_owned(),
        };
        source.program(&source.command).find_program().map_err(|error| format!("command: {error}"))?;
        if !source.reset.is_empty() {
            source.program(&source.reset).find_program().map_err(|error| format!("reset: {error}"))?;
        }
        Ok(source)
    }

    pub(super) fn secrets(&self) -> &[Secret] {
        self.environment.secrets()
    }

    pub(super) async fn reset(&self, world: &CaseWorld) -> Result<(), String> {
        if self.reset.is_empty() {
            return Ok(());
        }
        self.run(&self.reset, world).await.map(|_| ()).map_err(|error| format!("reset: {error}"))
    }

    pub(super) async fn capture(&self, world: &CaseWorld) -> Result<Value, String> {
        json::parse(&self.run(&self.command, world).await?, "the output", &world.redactor)
    }

    fn program(&self, argv: &[String]) -> Command {
        Command::new(argv, &self.dir).source("probe").env(self.environment.clone()).without_stdin()
    }

    /// What the program prints.
    async fn run(&self, argv: &[String], world: &CaseWorld) -> Result<Vec<u8>, String> {
        let mut child = self.program(argv).spawn(world).map_err(|error| with_causes(&error))?;
        let limit = wait_limit(world);
        if let Ok(output) = timeout(limit, output(&mut child)).await {
            return output;
        }
        child.kill().await;
        Err(format!(
            "the program `{}` did not end within {} s{}",
            argv.join(" "),
            limit.as_secs_f64(),
            last_line(&child)
        ))
    }
}

async fn output(child: &mut Child) -> Result<Vec<u8>, String> {
    let mut printed = Vec::new();
    if let Some(stdout) = child.take_stdout() {
        let read = stdout.take(MAX_BYTES as u64 + 1).read_to_end(&mut printed).await;
        read.map_err(|error| format!("the output cannot be read: {error}"))?;
    }
    if printed.len() > MAX_BYTES {
        return Err(format!("the program printed more than {MAX_BYTES} bytes"));
    }
    let exit = child.wait().await;
    if exit.is_success() { Ok(printed) } else { Err(format!("the program {exit}{}", last_line(child))) }
}

fn last_line(child: &Child) -> String {
    let output = child.captured().text;
    let last = output.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or_else(String::new, |line| format!("; standard error ended with: {line}"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::time::Duration;

    use indexmap::IndexMap;
    use serde_json::json;

    use super::*;

    fn probe(script: &str) -> CommandSource {
        let argv = |script: &str| vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
        let env = IndexMap::from([("SECRET".to_owned(), "${CARGO_PKG_NAME}".to_owned())]);
        let spec = CommandProbe {
            command: argv(script),
            reset: argv("echo reset >&2; exit 4"),
            env,
            pass_env: Vec::new(),
        };
        CommandSource::new(&spec, "/tmp".into()).unwrap()
    }

    fn world() -> CaseWorld {
        CaseWorld::new("probe", "/tmp")
    }

    #[tokio::test]
    async fn what_it_prints_is_the_observation() {
        let value = probe("printf '{\"at\": \"%s\", \"secret\": \"%s\"}' $WT_WORKSPACE $SECRET")
            .capture(&world())
            .await;
        assert_eq!(value.unwrap(), json!({"at": "/tmp", "secret": "windtunnel-runtimes"}));
    }

    #[tokio::test]
    async fn a_bad_end_or_text_is_told() {
        let table = [
            (
                "echo [1]; echo no database >&2; exit 3",
                "the program ended with exit code 3; standard error ended with: no database",
            ),
            ("echo oops", "the output is not one JSON value: expected value at line 1 column 1: `oops`"),
            ("true", "the output is empty, and has to be one JSON value"),
            ("yes", "the program printed more than 4194304 bytes"),
        ];
        for (script, expected) in table {
            assert_eq!(probe(script).capture(&world()).await.unwrap_err(), expected);
        }
        let error = probe("true").reset(&world()).await.unwrap_err();
        assert_eq!(error, "reset: the program ended with exit code 4; standard error ended with: reset");
    }

    #[tokio::test]
    async fn a_program_that_hangs_is_killed_and_named() {
        let mut world = world();
        world.limits.start = Duration::from_millis(300);
        assert_eq!(
            probe("echo waiting >&2; sleep 600").capture(&world).await.unwrap_err(),
            "the program `sh -c echo waiting >&2; sleep 600` did not end within 0.27 s; standard error ended with: waiting"
        );
    }

    #[test]
    fn a_missing_program_is_found_out_before_anything_runs() {
        let spec = CommandProbe {
            command: vec!["./no-such".to_owned()],
            reset: Vec::new(),
            env: IndexMap::new(),
            pass_env: Vec::new(),
        };
        let error = CommandSource::new(&spec, "/tmp".into()).map(|_| ()).unwrap_err();
        assert_eq!(error, "command: program `./no-such` was not found: looked for /tmp/no-such");
    }
}
