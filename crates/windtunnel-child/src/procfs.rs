//! Processes as `/proc` shows them.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

/// A process that was seen. It is signalled only as long as its number still means the same process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pid: Pid,
    parent: i32,
    /// In clock ticks since the machine was started.
    started: u64,
}

impl Process {
    pub(crate) fn signal(self, signal: Signal) {
        let pidfd = pidfd_open(self.pid, PidfdFlags::empty());
        if stat(self.pid).is_none_or(|now| now.started != self.started) {
            return;
        }
        // A process that is gone by now needs no signal.
        let _ = match pidfd {
            Ok(pidfd) => pidfd_send_signal(pidfd, signal),
            Err(_) => kill_process(self.pid, signal),
        };
    }
}

/// All living descendants of a process, without itself.
pub(crate) fn descendants(root: Pid) -> Vec<Process> {
    let mut rest: Vec<Process> = pids().filter_map(stat).collect();
    let mut parents = vec![root.as_raw_nonzero().get()];
    let mut found = Vec::new();
    while let Some(parent) = parents.pop() {
        rest.retain(|process| {
            let is_child = process.parent == parent;
            if is_child {
                parents.push(process.pid.as_raw_nonzero().get());
                found.push(*process);
            }
            !is_child
        });
    }
    found
}

/// All living processes whose initial environment holds this variable with this value.
pub(crate) fn marked(name: &str, value: &str) -> Vec<Process> {
    let wanted = format!("{name}={value}");
    let is_marked = |pid: &Pid| {
        // Unreadable environments belong to other users.
        fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
            environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
        })
    };
    pids().filter(is_marked).filter_map(stat).collect()
}

pub(crate) fn parse_pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

fn pids() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| parse_pid(entry.ok()?.file_name().to_str()?))
}

/// The process, unless it is gone or only waits for its parent to notice that.
fn stat(pid: Pid) -> Option<Process> {
    parse_stat(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name, in parentheses, may hold anything; the fields after it are separated by spaces.
fn parse_stat(pid: Pid, line: &str) -> Option<Process> {
    let (_, fields) = line.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(Process { pid, parent, started })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_is_no_obstacle() {
        let pid = Pid::from_raw(4242).unwrap();
        let line = "4242 (a) b (c)) S 17 4242 4242 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 99887 1 2 3";
        assert_eq!(parse_stat(pid, line), Some(Process { pid, parent: 17, started: 99_887 }));
        assert_eq!(parse_stat(pid, &line.replace(" S ", " Z ")), None, "a zombie is dead");
        assert_eq!(parse_stat(pid, "garbage"), None);
    }

    #[test]
    fn a_number_that_means_another_process_is_not_signalled() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = Pid::from_child(&child);
        let seen = stat(pid).unwrap();
        Process { started: seen.started + 1, ..seen }.signal(Signal::KILL);
        assert_eq!(child.try_wait().unwrap(), None);
        seen.signal(Signal::KILL);
        assert!(!child.wait().unwrap().success());
    }
}
