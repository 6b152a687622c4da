//! A program that registers itself as the shim of its children: `case_host [--no-shim] <program> [argument]…` runs a program as
//! an agent, shows what it wrote to standard error and ends with its exit code.

use std::env;
use std::process::ExitCode;

use windtunnel_child::{Command, Exit, set_shim, shim_main};
use windtunnel_spi::CaseWorld;

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1).peekable();
    if args.next_if(|arg| arg == "__case").is_some() {
        return shim_main(args).into();
    }
    if args.next_if(|arg| arg == "--no-shim").is_none()
        && let Ok(ours) = env::current_exe()
    {
        set_shim([ours.into_os_string(), "__case".into()]);
    }
    match run(args.filter_map(|arg| arg.into_string().ok()).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn run(argv: Vec<String>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let folder = camino::Utf8PathBuf::try_from(env::current_dir()?)?;
    let world = CaseWorld::new("example", &folder);
    let child = Command::new(argv, folder).source("agent").without_stdin().capture_stdout().spawn(&world)?;
    let exit = child.wait().await;
    print!("{}", child.captured_stdout().map(|output| output.text).unwrap_or_default());
    eprint!("{}", child.captured().text);
    Ok(match exit {
        Exit::Code(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        ended => {
            eprintln!("the program {ended}");
            ExitCode::FAILURE
        }
    })
}
