//! What holds for every tree, below a shim or not. The including file says which by its `prepare`.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use windtunnel_child::{Child, Command, Environment, Exit};
use windtunnel_spi::CaseWorld;

use crate::prepare;

/// A number of seconds that no other process sleeps.
pub(crate) fn unique_seconds() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("777.{}{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// How many processes have this word in their command line.
pub(crate) fn alive(word: &str) -> usize {
    command_lines().filter(|line| line.contains(word)).count()
}

/// How many processes just sleep for so long.
pub(crate) fn sleeping(seconds: &str) -> usize {
    let expected = format!("sleep\0{seconds}\0");
    command_lines().filter(|line| *line == expected).count()
}

fn command_lines() -> impl Iterator<Item = String> {
    let read = |folder: std::io::Result<fs::DirEntry>| fs::read(folder.unwrap().path().join("cmdline"));
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(move |folder| Some(String::from_utf8_lossy(&read(folder).ok()?).into_owned()))
}

pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(10), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub(crate) fn world() -> CaseWorld {
    CaseWorld::new("trees", "/tmp")
}

pub(crate) fn sh(script: &str) -> Command {
    prepare();
    Command::new(["sh", "-c", script], "/tmp").source("agent")
}

fn start(script: &str) -> Child {
    sh(script).spawn(&world()).unwrap()
}

/// A tree whose program waits, with a grandchild in a session of its own.
async fn tree_of_sessions(seconds: &str) -> Child {
    let child = start(&format!("setsid sleep {seconds} & sleep {seconds}"));
    until("the tree stands", || sleeping(seconds) == 2).await;
    child
}

#[tokio::test]
async fn a_grandchild_with_its_own_session_is_killed() {
    let seconds = unique_seconds();
    let child = tree_of_sessions(&seconds).await;
    assert_eq!(child.kill().await, Exit::Killed);
    assert_eq!(alive(&seconds), 0);
    assert_eq!(child.kill().await, Exit::Killed, "killing twice is harmless");
}

#[tokio::test]
async fn a_dropped_child_takes_its_tree_along() {
    let seconds = unique_seconds();
    drop(tree_of_sessions(&seconds).await);
    until("the tree is gone", || alive(&seconds) == 0).await;
}

#[test]
fn a_runtime_that_shuts_down_leaves_nothing() {
    let seconds = unique_seconds();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let child = runtime.block_on(tree_of_sessions(&seconds));
    drop(runtime);
    drop(child);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(until("the tree is gone", || alive(&seconds) == 0));
}

#[tokio::test]
async fn a_cancelled_case_kills_its_children() {
    let seconds = unique_seconds();
    let world = world();
    let child = sh(&format!("setsid sleep {seconds} & sleep {seconds}")).spawn(&world).unwrap();
    until("the tree stands", || sleeping(&seconds) == 2).await;
    world.cancel.cancel();
    assert_eq!(child.wait().await, Exit::Killed);
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn what_forked_away_is_killed_when_the_program_ends() {
    let seconds = unique_seconds();
    let child = start(&format!("(setsid sh -c 'sleep {seconds} & sleep {seconds} &' &); sleep 0.2; exit 7"));
    assert_eq!(child.wait().await, Exit::Code(7));
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_program_that_ignores_term_is_killed_after_the_grace() {
    let seconds = unique_seconds();
    let child = start(&format!("trap '' TERM; setsid sleep {seconds} & while :; do sleep {seconds}; done"));
    until("the tree stands", || sleeping(&seconds) == 2).await;
    let begin = Instant::now();
    child.kill().await;
    assert_eq!(alive(&seconds), 0);
    assert!(begin.elapsed() >= Duration::from_millis(400), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_case_that_is_cancelled_while_leftovers_are_killed_keeps_its_exit() {
    let seconds = unique_seconds();
    let leftovers = format!("setsid sleep {seconds} & ").repeat(20);
    let world = world();
    let child = sh(&format!("{leftovers}sleep 0.2; exit 7")).spawn(&world).unwrap();
    // Nothing looks at the program until it has ended and the case is cancelled as well.
    let stat = format!("/proc/{}/stat", child.id().unwrap());
    while !fs::read_to_string(&stat).unwrap().contains(") Z ") {
        std::thread::sleep(Duration::from_millis(5));
    }
    world.cancel.cancel();
    assert_eq!(child.wait().await, Exit::Code(7));
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_program_may_say_goodbye() {
    let child = start("trap 'echo bye >&2; exit 0' TERM; echo ready >&2; while :; do sleep 0.01; done");
    until("it is ready", || child.captured().text.contains("ready")).await;
    child.kill().await;
    let text = child.captured().text;
    assert!(text.starts_with("ready\n") && text.ends_with("bye\n"), "{text}");
}

#[tokio::test]
async fn the_way_it_ended_is_told() {
    assert_eq!(start("exit 0").wait().await, Exit::Code(0));
    assert_eq!(start("exit 255").wait().await, Exit::Code(255));
    assert_eq!(start("kill -9 $$").wait().await, Exit::Signal(9));
    assert_eq!(start("kill -TERM $$").wait().await, Exit::Signal(15));
    let child = start("exit 3");
    assert_eq!(
        (child.wait().await, child.wait().await, child.exit()),
        (Exit::Code(3), Exit::Code(3), Some(Exit::Code(3)))
    );
    assert_eq!(child.kill().await, Exit::Code(3), "it had ended by itself");
}

#[tokio::test]
async fn a_flood_of_output_stays_bounded() {
    let child = start("head -c 100000000 /dev/zero | tr '\\0' x >&2; echo the end >&2");
    assert_eq!(child.wait().await, Exit::Code(0));
    let output = child.captured();
    assert_eq!(output.text.len(), 64 * 1024);
    assert_eq!(output.omitted_bytes + output.text.len() as u64, 100_000_008);
    assert!(output.text.ends_with("xthe end\n"));
    assert_eq!(output.source, "agent stderr");
}

#[tokio::test]
async fn the_streams_are_the_programs_own() {
    let mut child = start("read line; echo \"got $line\"; exec >&- <&-; sleep 777");
    let mut stdin = child.take_stdin().unwrap();
    let mut stdout = child.take_stdout().unwrap();
    stdin.write_all(b"a line\n").await.unwrap();
    let mut printed = String::new();
    stdout.read_to_string(&mut printed).await.unwrap();
    assert_eq!(printed, "got a line\n");
    assert_eq!(child.exit(), None, "its output has ended before it has");
    let broken = async {
        while stdin.write_all(b"x\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), broken)
        .await
        .expect("its input is closed, and that is seen");
    assert_eq!((child.take_stdin().is_none(), child.take_stdout().is_none()), (true, true));
}

#[tokio::test]
async fn only_the_allowed_environment_is_passed() {
    let environment = Environment::allowed().pass(["CARGO_PKG_VERSION"]).set("MODE", "test").unwrap();
    let child = sh("env").env(environment).capture_stdout().spawn(&world()).unwrap();
    child.wait().await;
    let printed = child.captured_stdout().unwrap().text;
    let names: Vec<&str> = printed.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let allowed = [
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "TERM",
        "MODE",
        "CARGO_PKG_VERSION",
        "WT_WORKSPACE",
        "WT_CASE_ID",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
    ];
    assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    assert!(printed.contains("MODE=test\n") && printed.contains("WT_WORKSPACE=/tmp\n"), "{printed}");
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "there was something to leave out");
}

#[tokio::test]
async fn a_secret_of_the_environment_is_redacted_in_the_output() {
    let environment = Environment::allowed().set("AUTH", "Bearer ${CARGO_PKG_NAME}").unwrap();
    let child = sh("echo $AUTH; echo $AUTH >&2").env(environment).capture_stdout().spawn(&world()).unwrap();
    child.wait().await;
    assert_eq!(child.captured().text, "Bearer ***\n");
    assert_eq!(child.captured_stdout().unwrap().text, "Bearer ***\n");
}

#[tokio::test]
async fn a_missing_folder_is_not_blamed_on_the_program() {
    prepare();
    let missing = Utf8PathBuf::from("/tmp/no-such-folder");
    let error = Command::new(["sh"], missing).spawn(&world()).unwrap_err();
    assert_eq!(error.to_string(), "the working folder /tmp/no-such-folder of `sh` is not a folder");
}
