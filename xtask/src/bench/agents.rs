//! What `omw-test` costs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{best_of, memory, millis};
use crate::shell::{Outcome, Programs, root};

/// Copies of the hello example.
const COPIES: usize = 200;

/// Chats of one brain.
const CHATS: usize = 100_000;

/// Runs every measurement.
pub(super) fn run(programs: &Programs) -> Outcome {
    let omw_test = programs.path("omw-test");
    let folder = tempfile::tempdir()?;
    copies(folder.path())?;
    for jobs in ["1", "2"] {
        let time = best_of(5, || succeeds(&omw_test, folder.path(), &["run", ".", "-j", jobs]))?;
        println!("omw-test: {COPIES} copies of hello, -j {jobs}: {:.0} ms", millis(time));
    }
    let one = best_of(20, || succeeds(&omw_test, folder.path(), &["run", "000"]))?;
    println!("omw-test: one hello from process start: {:.1} ms", millis(one));
    chats(&omw_test)
}

fn succeeds(program: &Path, folder: &Path, arguments: &[&str]) -> std::io::Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("omw-test: {status}"))) }
}

fn copies(folder: &Path) -> Outcome {
    let hello = root().join("examples/omw/01-hello");
    for copy in 0..COPIES {
        let to = folder.join(format!("{copy:03}"));
        fs::create_dir(&to)?;
        for file in ["hello.rhai", "omw.test.toml"] {
            fs::copy(hello.join(file), to.join(file))?;
        }
    }
    Ok(())
}

/// A brain that asks again and again, three patterns that have to wait for the last answer.
fn chats(omw_test: &Path) -> Outcome {
    let folder = tempfile::tempdir()?;
    fs::write(
        folder.path().join("chats.rhai"),
        format!(
            "let model = omw::provider::get(\"llm\");\nlet messages = [#{{ role: \"user\", content: \"again\" }}];\n\
             for n in 0..{CHATS} {{ model.chat(\"m\", messages, []); }}\nomw::host::memory_set(\"done\", \"yes\");\n\"done\"\n"
        ),
    )?;
    fs::write(
        folder.path().join("omw.test.toml"),
        r#"agents.asker = { runtime = "rhai", script = "chats.rhai" }
runtime.rhai.kind = "rhai"
providers.llm = { kind = "mock", turns = [{ content = "ok" }] }

[assertions.asker]
outcome = { exited = "done" }
events = [
  { kind = "call", op = "chat", detail = { messages = [{ role = "user", content = "again" }] } },
  { "$while" = { kind = "returned", op = "chat" } },
  { "$until" = { kind = "call", op = "memory_set", detail = { key = "^done$" } } },
]
"#,
    )?;
    let started = Instant::now();
    let mut child = Command::new(omw_test)
        .args(["run", "."])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let (status, peak) = memory::watch(&mut child)?;
    let time = started.elapsed();
    if !status.success() {
        return Err(format!("omw-test over {CHATS} chats: {status}").into());
    }
    println!(
        "omw-test: {CHATS} chats, three patterns: {:.2} s, peak {:.0} MB",
        time.as_secs_f64(),
        f64::from(peak) / 1024.0
    );
    Ok(())
}
