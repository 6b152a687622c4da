//! What a child costs: bare, in a process group, and below the shim.

#![expect(clippy::expect_used, reason = "a benchmark that cannot start has nothing to say")]

use std::env;
use std::process::ExitCode;

use divan::Bencher;
use tokio::runtime::{Builder, Runtime};
use windtunnel_child::{Command, set_shim, shim_main};
use windtunnel_spi::CaseWorld;

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1).peekable();
    if args.next_if(|arg| arg == "__case").is_some() {
        return shim_main(args).into();
    }
    divan::main();
    ExitCode::SUCCESS
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

#[divan::bench]
fn a_bare(bencher: Bencher<'_, '_>) {
    let runtime = runtime();
    bencher.bench_local(|| {
        runtime.block_on(async { tokio::process::Command::new("/bin/true").status().await.expect("a child") })
    });
}

#[divan::bench]
fn b_group_and_sweep(bencher: Bencher<'_, '_>) {
    bench_child(bencher);
}

#[divan::bench]
fn c_shim(bencher: Bencher<'_, '_>) {
    set_shim([env::current_exe().expect("our own path").into_os_string(), "__case".into()]);
    bench_child(bencher);
}

fn bench_child(bencher: Bencher<'_, '_>) {
    let runtime = runtime();
    let world = CaseWorld::new("bench", "/tmp");
    let command = Command::new(["/bin/true"], "/tmp").without_stdin();
    bencher.bench_local(|| runtime.block_on(async { command.spawn(&world).expect("a child").wait().await }));
}
