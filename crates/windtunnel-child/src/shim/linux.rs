//! The shim, as a child subreaper.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, pidfd_open,
    set_child_subreaper, set_parent_process_death_signal, setrlimit, wait,
};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;

use crate::procfs::{descendants, parse_pid};
use crate::tree::GRACE;

/// The exit code where the program could not be started, as shells have it.
const NOT_STARTED: u8 = 127;

/// The exit code where the shim was told to end.
const TOLD: u8 = 128 + 15;

/// How long processes that do not die of KILL are waited for.
const STUCK: Duration = Duration::from_secs(5);

pub(super) fn shim_main(args: impl IntoIterator<Item = OsString>) -> u8 {
    run(args).unwrap_or_else(|message| {
        eprintln!("{message}");
        NOT_STARTED
    })
}

fn run(args: impl IntoIterator<Item = OsString>) -> Result<u8, String> {
    let mut args = args.into_iter();
    let (parent, program) = match (args.next(), args.next(), args.next()) {
        (Some(parent), Some(dashes), Some(program)) if dashes == "--" => (parent, program),
        _ => return Err("usage: <process id of the parent> -- <program> [argument]…".to_owned()),
    };
    let parent = parent.to_str().and_then(parse_pid).ok_or("the parent's process id is not a number")?;
    let failed = |what: &str, error: io::Error| format!("cannot {what}: {error}");

    set_child_subreaper(Some(getpid())).map_err(|error| failed("become a subreaper", error.into()))?;
    let mut signals = Signals::new().map_err(|error| failed("watch for signals", error))?;
    let Some(watch) = ParentWatch::new(parent) else { return Ok(TOLD) };
    let child = Command::new(&program)
        .args(args)
        .spawn()
        .map_err(|error| failed(&format!("start {}", OsStr::display(&program)), error))?;
    let pid =
        i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("the process id is out of range")?;
    // The program's streams are its own: whoever is at their other end sees them close when the program closes them.
    release_stdio();

    let ended = supervise(pid, &mut signals, &watch);
    if ended.is_none() {
        terminate(pid, &mut signals);
    }
    kill_all(&mut signals);
    Ok(ended.map_or(TOLD, end_like))
}

/// Waits until the program ends, and then says how; or until it has to be ended.
fn supervise(program: Pid, signals: &mut Signals, watch: &ParentWatch) -> Option<WaitStatus> {
    loop {
        if let Some(status) = reap(program).program {
            return Some(status);
        }
        if signals.told.load(Ordering::Acquire) || signals.wait_or_orphaned(watch) {
            return None;
        }
    }
}

/// Asks the whole tree to end, and gives the program a moment for it.
fn terminate(program: Pid, signals: &mut Signals) {
    for process in descendants(getpid()) {
        process.signal(Signal::TERM);
    }
    let deadline = Instant::now() + GRACE;
    while reap(program).program.is_none() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        signals.wait(left);
    }
}

/// Kills until nothing is left: what a dying process leaves behind becomes ours.
fn kill_all(signals: &mut Signals) {
    let deadline = Instant::now() + STUCK;
    while reap(getpid()).any_left && Instant::now() < deadline {
        for process in descendants(getpid()) {
            process.signal(Signal::KILL);
        }
        signals.wait(Duration::from_millis(20));
    }
}

struct Reaped {
    /// How the program ended, if it was among the dead.
    program: Option<WaitStatus>,
    /// Whether children of ours still live.
    any_left: bool,
}

fn reap(program: Pid) -> Reaped {
    let mut reaped = Reaped { program: None, any_left: true };
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == program => reaped.program = Some(status),
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return reaped,
            Err(_) => return Reaped { any_left: false, ..reaped },
        }
    }
}

/// Ends this process by the signal that ended the program, or gives its exit code.
fn end_like(status: WaitStatus) -> u8 {
    if let Some(signal) = status.terminating_signal() {
        // The program has left its core where one was wanted; ours is of no use to anybody.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        let _ = emulate_default_handler(signal);
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

fn release_stdio() {
    let Ok(null) = File::options().read(true).write(true).open("/dev/null") else { return };
    let released = [
        rustix::stdio::dup2_stdin(&null),
        rustix::stdio::dup2_stdout(&null),
        rustix::stdio::dup2_stderr(&null),
    ];
    debug_assert!(released.iter().all(Result::is_ok), "dup2 of an open file");
}

/// Knows when the process that spawned us dies.
struct ParentWatch {
    /// Readable once it is dead. `None` where the kernel has no such thing; then a TERM is sent to us instead, though
    /// already when the spawning thread ends.
    pidfd: Option<OwnedFd>,
}

impl ParentWatch {
    /// `None` if it is dead already.
    fn new(parent: Pid) -> Option<Self> {
        let pidfd = pidfd_open(parent, PidfdFlags::empty()).ok();
        if pidfd.is_none() {
            let _ = set_parent_process_death_signal(Some(Signal::TERM));
        }
        // Asked only now, so that the watch cannot be on a later process of the same number.
        (getppid() == Some(parent)).then_some(Self { pidfd })
    }
}

/// Signals as a stream that can be polled.
struct Signals {
    stream: UnixStream,
    /// Whether one of them told us to end.
    told: Arc<AtomicBool>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let (stream, written) = UnixStream::pair()?;
        stream.set_nonblocking(true)?;
        let told = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            // In this order: whoever is woken by the stream finds the flag set.
            signal_hook::flag::register(signal, Arc::clone(&told))?;
            signal_hook::low_level::pipe::register(signal, written.try_clone()?)?;
        }
        signal_hook::low_level::pipe::register(SIGCHLD, written)?;
        Ok(Self { stream, told })
    }

    /// Waits for a signal, or for the parent's death; says whether it was that.
    fn wait_or_orphaned(&mut self, watch: &ParentWatch) -> bool {
        let mut fds = vec![PollFd::new(&self.stream, PollFlags::IN)];
        fds.extend(watch.pidfd.as_ref().map(|pidfd| PollFd::new(pidfd, PollFlags::IN)));
        let _ = poll(&mut fds, None);
        let orphaned = fds.get(1).is_some_and(|fd| !fd.revents().is_empty());
        self.drain();
        orphaned
    }

    /// Waits for a signal, but no longer than this.
    fn wait(&mut self, limit: Duration) {
        let limit = Timespec::try_from(limit).ok();
        let _ = poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], limit.as_ref());
        self.drain();
    }

    fn drain(&mut self) {
        let mut bytes = [0; 64];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(64) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => return,
            }
        }
    }
}
