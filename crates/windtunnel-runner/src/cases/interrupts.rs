//! Where interrupts come from.

use std::io;

use tokio::sync::mpsc;

use super::signals;

/// The interrupts of a suite, one after the other.
///
/// The first one lets running cases tear down, the second gives up on them at once; any further one is taken and
/// changes nothing.
#[derive(Debug)]
pub struct Interrupts {
    receiver: mpsc::UnboundedReceiver<()>,
}

/// Interrupts a suite from code.
#[derive(Debug, Clone)]
pub struct Interrupter(mpsc::UnboundedSender<()>);

impl Interrupts {
    /// Interrupts that code sends.
    pub fn channel() -> (Interrupter, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Interrupter(sender), Self { receiver })
    }

    /// No interrupt ever.
    pub fn never() -> Self {
        Self::channel().1
    }

    /// The interrupts of this process: Ctrl-C, and where the platform has it the request to terminate.
    ///
    /// From the first call on they no longer end the process by themselves.
    ///
    /// # Errors
    /// The handlers could not be installed.
    pub fn from_signals() -> io::Result<Self> {
        let (interrupter, interrupts) = Self::channel();
        let mut signals = signals::Signals::install()?;
        tokio::spawn(async move { while signals.next().await && interrupter.interrupt() {} });
        Ok(interrupts)
    }

    /// The next interrupt; never returns if there can be none. Safe to drop and call again.
    pub async fn next(&mut self) {
        if self.receiver.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

impl Interrupter {
    /// Interrupts the suite. Says whether anybody still listens.
    pub fn interrupt(&self) -> bool {
        self.0.send(()).is_ok()
    }
}
