//! Trees below a shim, and what only a shim can do.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what helpers of tests unwrap fails the test")]

mod trees;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use trees::{alive, sh, sleeping, unique_seconds, until, world};
use windtunnel_child::{Exit, set_shim};

/// The example program, which cargo builds beside the tests.
fn case_host() -> PathBuf {
    let ours = std::env::current_exe().unwrap();
    let host = ours.parent().and_then(|deps| deps.parent()).unwrap().join("examples/case_host");
    assert!(host.is_file(), "{} is missing: build the examples", host.display());
    host
}

fn prepare() {
    set_shim([case_host().into_os_string(), "__case".into()]);
}

#[tokio::test]
async fn a_process_without_environment_does_not_escape_by_forking_away() {
    let seconds = unique_seconds();
    let child = sh(&format!("(env -i setsid sleep {seconds} &); sleep 0.2")).spawn(&world()).unwrap();
    assert_eq!(child.wait().await, Exit::Code(0));
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn a_killed_shim_leaves_nothing_behind() {
    let seconds = unique_seconds();
    let child = sh(&format!("setsid sleep {seconds} & sleep {seconds}")).spawn(&world()).unwrap();
    until("the tree stands", || sleeping(&seconds) == 2).await;
    Command::new("kill").args(["-9", &child.id().unwrap().to_string()]).status().unwrap();
    assert_eq!(child.wait().await, Exit::Signal(9));
    assert_eq!(alive(&seconds), 0);
}

#[tokio::test]
async fn nothing_outlives_a_host_that_was_killed() {
    let seconds = unique_seconds();
    let script = format!("trap '' TERM; (env -i setsid sleep {seconds} &); sleep {seconds} & wait");
    let mut host =
        Command::new(case_host()).args(["sh", "-c", &script]).stdin(Stdio::null()).spawn().unwrap();
    until("the tree stands", || sleeping(&seconds) == 2).await;
    host.kill().unwrap();
    host.wait().unwrap();
    until("the tree is gone", || alive(&seconds) == 0).await;
}

#[test]
fn a_shim_whose_parent_is_gone_starts_nothing() {
    let seconds = unique_seconds();
    let status = Command::new(case_host()).args(["__case", "1", "--", "sleep", &seconds]).status().unwrap();
    assert_eq!((status.code(), alive(&seconds)), (Some(143), 0));
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let ours = std::process::id().to_string();
    let output =
        Command::new(case_host()).args(["__case", &ours, "--", "/no/such/program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "cannot start /no/such/program: No such file or directory (os error 2)\n"
    );
}
