//! The signals that interrupt a suite, by platform.

#[cfg(unix)]
pub(super) use unix::Signals;
#[cfg(windows)]
pub(super) use windows::Signals;

#[cfg(unix)]
mod unix {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// SIGINT, SIGTERM and, unless whoever started the process wants it ignored as `nohup` does, SIGHUP.
    pub(in crate::cases) struct Signals {
        interrupt: Signal,
        terminate: Signal,
        hangup: Option<Signal>,
    }

    impl Signals {
        pub(in crate::cases) fn install() -> io::Result<Self> {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let hangup = (!ignores_hangup(&status)).then(|| signal(SignalKind::hangup()));
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hangup: hangup.transpose()?,
            })
        }

        /// Waits for the next one; false if there can be none.
        pub(in crate::cases) async fn next(&mut self) -> bool {
            tokio::select! {
                received = self.interrupt.recv() => received.is_some(),
                received = self.terminate.recv() => received.is_some(),
                received = async { self.hangup.as_mut()?.recv().await }, if self.hangup.is_some() => received.is_some(),
            }
        }
    }

    /// Whether the status that Linux shows of a process says that it ignores SIGHUP, the first bit of its mask.
    fn ignores_hangup(status: &str) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_the_first_bit_of_the_mask_is_sighup() {
            for (status, expected) in [
                ("Name:\twt\nSigIgn:\t0000000000000001\n", true),
                ("SigIgn:\t0000000000001003\n", true),
                ("SigIgn:\t0000000000001000\nSigCgt:\t0000000000000001\n", false),
                ("", false),
            ] {
                assert_eq!(ignores_hangup(status), expected, "{status:?}");
            }
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::io;

    use tokio::signal::windows::{CtrlC, ctrl_c};

    /// Ctrl-C.
    pub(in crate::cases) struct Signals(CtrlC);

    impl Signals {
        pub(in crate::cases) fn install() -> io::Result<Self> {
            ctrl_c().map(Self)
        }

        /// Waits for the next one; false if there can be none.
        pub(in crate::cases) async fn next(&mut self) -> bool {
            self.0.recv().await.is_some()
        }
    }
}
