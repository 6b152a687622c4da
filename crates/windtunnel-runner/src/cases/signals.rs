//! The signals that interrupt a suite, by platform.

#[cfg(unix)]
pub(super) use unix::Signals;
#[cfg(windows)]
pub(super) use windows::Signals;

#[cfg(unix)]
mod unix {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// SIGINT and SIGTERM.
    pub(in crate::cases) struct Signals {
        interrupt: Signal,
        terminate: Signal,
    }

    impl Signals {
        pub(in crate::cases) fn install() -> io::Result<Self> {
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
            })
        }

        /// Waits for the next one; false if there can be none.
        pub(in crate::cases) async fn next(&mut self) -> bool {
            tokio::select! {
                received = self.interrupt.recv() => received.is_some(),
                received = self.terminate.recv() => received.is_some(),
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
