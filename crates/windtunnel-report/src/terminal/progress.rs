//! The bar under the lines of a running suite.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use windtunnel_api::event::CaseId;

use crate::text::line;

/// How far the suite is and what runs now, on stderr. Hidden it does nothing.
pub(super) struct Progress {
    bar: ProgressBar,
    running: Vec<CaseId>,
}

impl Progress {
    pub(super) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), running: Vec::new() }
    }

    pub(super) fn shown(cases: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(cases as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, running: Vec::new() }
    }

    pub(super) fn started(&mut self, id: &CaseId) {
        self.running.push(id.clone());
        self.show_running();
    }

    pub(super) fn finished(&mut self, id: &CaseId) {
        self.running.retain(|running| running != id);
        self.bar.inc(1);
        self.show_running();
    }

    /// Takes the bar away while something else is written to the same terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show_running(&self) {
        if self.bar.is_hidden() {
            return;
        }
        // The one that has been running for longest: it is what people wait for.
        let text = match self.running.as_slice() {
            [] => String::new(),
            [only] => line(&only.to_string()).into_owned(),
            [first, others @ ..] => format!("{} and {} more", line(&first.to_string()), others.len()),
        };
        self.bar.set_message(text);
    }
}
