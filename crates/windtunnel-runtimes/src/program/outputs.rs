//! What the processes of a case wrote.

use windtunnel_api::event::CapturedOutput;

/// Outputs that are kept: those of the newest processes.
const KEPT: usize = 8;

/// The last outputs of processes that have ended.
#[derive(Debug, Default)]
pub(crate) struct Outputs(Vec<CapturedOutput>);

impl Outputs {
    /// Keeps an output, unless it is empty.
    pub(crate) fn keep(&mut self, output: CapturedOutput) {
        if output.text.is_empty() {
            return;
        }
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(output);
    }

    /// What is kept, and what a running process wrote so far.
    pub(crate) fn with(&self, running: Option<CapturedOutput>) -> Vec<CapturedOutput> {
        self.0.iter().cloned().chain(running.filter(|output| !output.text.is_empty())).collect()
    }
}
