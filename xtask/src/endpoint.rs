//! Examples whose agent is behind an endpoint: it is started, examined, and asked where it says it is.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde::Deserialize;

use crate::shell::Outcome;

/// The `endpoint` of an `expected.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndpointSpec {
    /// What has to be run once before.
    #[serde(default)]
    build: Vec<String>,
    /// Serves on a free port, and prints the address as its first line.
    command: Vec<String>,
    /// The runtime that it is.
    runtime: String,
}

/// A running endpoint; it ends when it is dropped.
pub(crate) struct Endpoint {
    process: Child,
    runtime: String,
    url: String,
}

impl Endpoint {
    /// Starts it in the folder of its example.
    pub(crate) fn start(spec: &EndpointSpec, folder: &Path) -> Outcome<Self> {
        if !spec.build.is_empty() && !command(&spec.build, folder)?.status()?.success() {
            return Err(format!("{} failed", spec.build.join(" ")).into());
        }
        let mut process = command(&spec.command, folder)?.stdout(Stdio::piped()).spawn()?;
        let mut url = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut url)?;
        }
        let endpoint = Self { process, runtime: spec.runtime.clone(), url: url.trim().to_owned() };
        if endpoint.url.starts_with("http://") {
            Ok(endpoint)
        } else {
            Err(format!("{} printed no address: {:?}", spec.command.join(" "), endpoint.url).into())
        }
    }

    /// The setting that says where it is, for the environment of `wt`.
    pub(crate) fn variable(&self) -> (String, &str) {
        (format!("WT__RUNTIMES__{}__URL", self.runtime.to_uppercase()), &self.url)
    }

    /// What `wt doctor` says of it, where something is wrong.
    pub(crate) fn examine(&self, wt: &Path, folder: &Path) -> Outcome<Option<String>> {
        let (name, url) = self.variable();
        let output = Command::new(wt)
            .args(["doctor", "--runtime", &self.runtime])
            .current_dir(folder)
            .env(name, url)
            .stdin(Stdio::null())
            .output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            return Ok(None);
        }
        Ok(Some(format!("wt doctor: {}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr))))
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(words: &[String], folder: &Path) -> Outcome<Command> {
    let (program, arguments) = words.split_first().ok_or("a command of an endpoint is empty")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    Ok(command)
}
