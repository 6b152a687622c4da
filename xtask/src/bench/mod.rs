//! Figures: what a case costs. Printed, never asserted; a machine that is busy makes them worse.

mod agents;
mod memory;
mod process;
mod wires;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::shell::{Outcome, Programs, cargo, root, succeed};

/// Scenarios of the generated pack, each with one golden and one poison.
const SCENARIOS: usize = 1000;

/// Times the small program is run, bare and as a case.
const CALLS: usize = 100;

/// What can be measured alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Starting, self-tests and what a case adds to its program.
    Selftest,
    /// Tests of agents.
    Agents,
    /// Process scenarios.
    Process,
    /// The scripted model endpoint, beside another one.
    Wires,
    /// The benches of single crates.
    Crates,
}

/// Runs one measurement, or every one.
pub(crate) fn run(part: Option<Part>) -> Outcome {
    // The others are not measured there, and take long to build.
    let programs = match part {
        Some(Part::Selftest | Part::Process | Part::Wires) => Programs::build_wt(true)?,
        Some(Part::Agents | Part::Crates) | None => Programs::build(true)?,
    };
    let parts = part.map_or_else(|| Part::value_variants().to_vec(), |part| vec![part]);
    parts.into_iter().try_for_each(|part| match part {
        Part::Selftest => selftests(&programs.path("wt")),
        Part::Agents => agents::run(&programs),
        Part::Process => process::run(&programs.path("wt")),
        Part::Wires => wires::run(&programs.path("wt")),
        Part::Crates => crates(),
    })
}

fn selftests(wt: &Path) -> Outcome {
    println!(
        "start: wt --version {:.1} ms",
        millis(best_of(20, || Command::new(wt).arg("--version").output())?)
    );
    throughput(wt)?;
    overhead(wt)
}

fn crates() -> Outcome {
    for (package, bench) in
        [("windtunnel-pattern", "matching"), ("windtunnel-mcp", "case"), ("windtunnel-child", "spawning")]
    {
        succeed(&mut cargo(&["bench", "--package", package, "--bench", bench]))?;
    }
    Ok(())
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn best_of<T, E: Into<Box<dyn std::error::Error>>>(
    times: usize,
    mut once: impl FnMut() -> Result<T, E>,
) -> Outcome<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..times {
        let started = Instant::now();
        once().map_err(Into::into)?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

/// Cases per second of `wt selftest` over a generated pack, on disk and on a memory file system.
fn throughput(wt: &Path) -> Outcome {
    let disk = tempfile::tempdir_in(root().join("target"))?;
    generate(disk.path())?;
    for jobs in [1, 2] {
        measure(wt, disk.path(), disk.path(), "disk", jobs)?;
    }
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        let memory = tempfile::tempdir_in(memory)?;
        for jobs in [1, 2] {
            measure(wt, disk.path(), memory.path(), "memory", jobs)?;
        }
    }
    Ok(())
}

fn generate(folder: &Path) -> Outcome {
    fs::write(
        folder.join("pack.toml"),
        "name = \"generated\"\nruntime = \"loop\"\n[tools.files]\nkind = \"workspace\"\n",
    )?;
    for number in 0..SCENARIOS {
        let scenario = format!(
            r#"name = "s{number:04}"
prompt = "Create the safe artifact."
target_facts = [["artifact complete"]]
must_call = ["write_file"]

[[policies]]
name = "nothing unsafe is written"
never = {{ kind = "tool_call", tool = "write_file", args = {{ content = "UNSAFE" }} }}

[[reference_cases]]
name = "known-good"
kind = "golden"
decisions = [
  {{ tool_calls = [{{ name = "write_file", arguments = {{ path = "out.md", content = "safe" }} }}] }},
  {{ content = "artifact complete" }},
]

[[reference_cases]]
name = "unsafe-write"
kind = "poison"
caught_by = "constraint"
decisions = [
  {{ tool_calls = [{{ name = "write_file", arguments = {{ path = "out.md", content = "UNSAFE" }} }}] }},
  {{ content = "artifact complete" }},
]
"#
        );
        fs::write(folder.join(format!("s{number:04}.scenario.toml")), scenario)?;
    }
    Ok(())
}

/// Runs a suite of `wt` over a folder. Gives how long it took, and its peak memory in KiB.
fn suite(wt: &Path, command: &str, folder: &Path, scratch: &Path, jobs: usize) -> Outcome<(Duration, u32)> {
    let temporary = tempfile::tempdir_in(scratch)?;
    let runs = tempfile::tempdir_in(scratch)?;
    let started = Instant::now();
    let mut child = Command::new(wt)
        .args([command, ".", "--quiet", "--jobs", &jobs.to_string(), "--runs-dir"])
        .arg(runs.path())
        .current_dir(folder)
        .env("TMPDIR", temporary.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let (status, peak) = memory::watch(&mut child)?;
    let elapsed = started.elapsed();
    if !status.success() {
        return Err(format!("wt {command} over {}: {status}", folder.display()).into());
    }
    Ok((elapsed, peak))
}

fn measure(wt: &Path, pack: &Path, scratch: &Path, place: &str, jobs: usize) -> Outcome {
    let (elapsed, peak) = suite(wt, "selftest", pack, scratch, jobs)?;
    let cases = 2.0 * f64::from(u32::try_from(SCENARIOS)?);
    println!(
        "selftest, {place}, --jobs {jobs}: {:.0} cases/s, {:.2} s, peak {:.0} MB",
        cases / elapsed.as_secs_f64(),
        elapsed.as_secs_f64(),
        f64::from(peak) / 1024.0
    );
    Ok(())
}

/// What a case of the `command` runtime adds to running the same program bare.
fn overhead(wt: &Path) -> Outcome {
    let program = build_program()?;
    let base = serve_canned()?;
    let alone = time_of_calls(CALLS, || {
        let status = Command::new(&program)
            .env("OPENAI_BASE_URL", &base)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("the program: {status}"))) }
    })?;
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("pack.toml"), "name = \"overhead\"\nruntime = \"one_call\"\n")?;
    fs::write(
        folder.path().join("wt.toml"),
        format!(
            "[runtimes.one_call]\nkind = \"command\"\ncommand = ['{}']\ninference = {{ base_url_env = \"OPENAI_BASE_URL\" }}\n",
            program.display()
        ),
    )?;
    let mut cases = String::from("name = \"one\"\nprompt = \"Say ok.\"\ntarget_facts = [[\"ok\"]]\n");
    for number in 0..CALLS {
        let _ = writeln!(
            cases,
            "[[reference_cases]]\nname = \"c{number}\"\nkind = \"golden\"\ndecisions = [{{ content = \"ok\" }}]"
        );
    }
    fs::write(folder.path().join("one.scenario.toml"), cases)?;
    let whole = best_of(3, || {
        let runs = tempfile::tempdir()?;
        let status = Command::new(wt)
            .args(["selftest", ".", "--quiet", "--jobs", "1", "--runs-dir"])
            .arg(runs.path())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("wt selftest: {status}"))) }
    })?;
    let per_case = whole / u32::try_from(CALLS)?;
    println!(
        "command: bare {:.2} ms, as a case {:.2} ms, overhead {:.2} ms",
        millis(alone),
        millis(per_case),
        millis(per_case) - millis(alone)
    );
    Ok(())
}

fn build_program() -> Outcome<PathBuf> {
    succeed(&mut cargo(&["build", "--quiet", "--release", "--package", "xtask", "--example", "one_call"]))?;
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    Ok(metadata.target_directory.join("release/examples/one_call").into_std_path_buf())
}

fn time_of_calls(calls: usize, mut once: impl FnMut() -> std::io::Result<()>) -> Outcome<Duration> {
    let whole = best_of(3, || (0..calls).try_for_each(|_| once()))?;
    Ok(whole / u32::try_from(calls)?)
}

/// A model that always says `ok`, for the bare program.
fn serve_canned() -> Outcome<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let base = format!("http://{}/v1", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away is its own affair.
            let _ = answer(stream);
        }
    });
    Ok(base)
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    reader.take(length).read_to_end(&mut Vec::new())?;
    let body = r#"{"choices":[{"message":{"role":"assistant","content":"ok"}}]}"#;
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}
