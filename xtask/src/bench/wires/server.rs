//! The servers that are measured.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::load::Connection;
use crate::bench::memory;
use crate::shell::{Outcome, has, root, succeed};

/// The version that is measured.
const AIMOCK: &str = "@copilotkit/aimock@1.43.0";

/// How long a server may take to answer at first.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a server is started; its address is given after the other arguments.
pub(super) struct Kind {
    program: PathBuf,
    arguments: Vec<String>,
    address: fn(SocketAddr) -> [String; 2],
}

impl Kind {
    /// Our own, with a script that never ends.
    pub(super) fn wt(wt: &Path, folder: &Path, answer: &str) -> Outcome<Self> {
        let script = folder.join("script.json");
        fs::write(&script, json!({"decisions": [{"content": answer}]}).to_string())?;
        let arguments = ["serve", "--repeat", "--script", &script.display().to_string()].map(str::to_owned);
        Ok(Self {
            program: wt.to_owned(),
            arguments: arguments.into(),
            address: |address| ["--listen".to_owned(), address.to_string()],
        })
    }
}

/// The package from npm, installed where it is not yet; none without npm.
pub(super) fn aimock(folder: &Path, answer: &str) -> Outcome<Option<Kind>> {
    if !has("npm", &["--version"]) {
        return Ok(None);
    }
    let installed = root().join("target/aimock");
    let program = installed.join("node_modules/.bin/llmock");
    if !program.exists() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        succeed(npm.arg(&installed).arg(AIMOCK).stdin(Stdio::null()))?;
    }
    let fixtures = folder.join("fixtures.json");
    let fixture = json!({"match": {"userMessage": "How many"}, "response": {"content": answer}});
    fs::write(&fixtures, json!({"fixtures": [fixture]}).to_string())?;
    let fixtures = fixtures.display().to_string();
    let arguments =
        ["--log-level", "silent", "--chunk-size", "24", "--fixtures", &fixtures].map(str::to_owned);
    Ok(Some(Kind {
        program,
        arguments: arguments.into(),
        address: |address| ["--port".to_owned(), address.port().to_string()],
    }))
}

/// A server that runs until the value is dropped.
pub(super) struct Server {
    child: Child,
    pub(super) address: SocketAddr,
    /// From its start to its first answer.
    pub(super) took: Duration,
}

impl Server {
    /// Starts one, and asks until it answers.
    pub(super) fn start(kind: &Kind, request: &[u8]) -> Outcome<Self> {
        let address = free_address()?;
        let started = Instant::now();
        let child = Command::new(&kind.program)
            .args(&kind.arguments)
            .args((kind.address)(address))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut server = Self { child, address, took: Duration::ZERO };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            loop {
                let answered = async { Connection::open(address).await?.ask(request).await };
                match answered.await {
                    Ok(()) => return Ok(()),
                    Err(error) if started.elapsed() > PATIENCE => {
                        return Err(format!("{} does not answer: {error}", kind.program.display()));
                    }
                    Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
                }
            }
        })?;
        server.took = started.elapsed();
        Ok(server)
    }

    /// Processor time it has taken so far.
    pub(super) fn processor(&self) -> Duration {
        memory::processor(self.child.id())
    }

    /// Its greatest resident size so far, in KiB.
    pub(super) fn memory(&self) -> u32 {
        memory::resident(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that is gone already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}
