//! The example that is made of real parts: an agent behind an address, a client of its own kind, and a tool server that is a process.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{Outcome, Programs, root};

/// What it needs to be there.
pub(crate) const NEEDS: [&str; 3] = ["python3", "-c", "import mcp, openai"];

/// What the client prints.
const EXPECTED: &str = "\
models: desk
at once: Order 1042 shipped on Monday.
streamed: Order 1043 waits for payment.
nobody: 404
";

/// The longest that an agent may take to answer at its address.
const START: Duration = Duration::from_secs(20);

/// Serves the agent, asks it through the client's package, and compares what the client prints.
pub(crate) fn check(programs: &Programs) -> Outcome<Vec<String>> {
    let folder = root().join("examples/omw/10-served");
    let address = free_address()?;
    let mut agent = serve(programs, &folder, &address)?;
    let asked = wait_for(&address, &mut agent).and_then(|()| ask(&folder, &address));
    let ended = end(agent)?;
    let mut problems = Vec::new();
    match asked? {
        found if found == EXPECTED => println!("served: as expected, {ended}"),
        found => problems.push(format!("served: expected\n{EXPECTED}found\n{found}")),
    }
    Ok(problems)
}

fn free_address() -> Outcome<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

fn serve(programs: &Programs, folder: &PathBuf, address: &str) -> Outcome<Child> {
    let mut command = Command::new(programs.path("omw"));
    command.arg("run").current_dir(folder).env("OMW__ENDPOINT__LISTEN", address).stdin(Stdio::null());
    Ok(command.spawn()?)
}

fn wait_for(address: &str, agent: &mut Child) -> Outcome {
    let started = Instant::now();
    while TcpStream::connect(address).is_err() {
        if let Some(status) = agent.try_wait()? {
            return Err(format!("served: omw run ended: {status}").into());
        }
        if started.elapsed() > START {
            return Err(format!("served: nothing listens on {address}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn ask(folder: &PathBuf, address: &str) -> Outcome<String> {
    let output = Command::new("python3")
        .arg("ask.py")
        .current_dir(folder)
        .env("DESK_URL", format!("http://{address}/v1"))
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        return Err(format!("served: ask.py: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Asks the agent to end, as a person at a terminal would, and waits until it has.
fn end(mut agent: Child) -> Outcome<String> {
    let pid = agent.id().to_string();
    let told = Command::new("kill").args(["-TERM", &pid]).status();
    if !told.is_ok_and(|status| status.success()) {
        agent.kill()?;
    }
    let status = agent.wait()?;
    if status.success() { Ok(status.to_string()) } else { Err(format!("served: omw run: {status}").into()) }
}
