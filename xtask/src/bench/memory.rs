//! How much memory and processor time a process takes.

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use crate::shell::Outcome;

/// Waits for the end of a process; its greatest resident size in KiB, 0 where the system does not tell.
pub(super) fn watch(child: &mut Child) -> Outcome<(ExitStatus, u32)> {
    let mut peak = 0;
    loop {
        peak = peak.max(resident(child.id()));
        if let Some(status) = child.try_wait()? {
            return Ok((status, peak));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The greatest resident size of a process so far, in KiB; 0 where the system does not tell.
pub(super) fn resident(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|size| size.parse().ok()).unwrap_or(0)
}

/// The processor time of a process so far; zero where the system does not tell.
pub(super) fn processor(pid: u32) -> Duration {
    // Linux counts in hundredths of a second for every program, whatever it does inside.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name, which may hold anything, the eleventh and twelfth fields are the time in user and in system mode.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    TICK * fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok()).sum()
}
