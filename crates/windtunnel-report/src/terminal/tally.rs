//! The last line: how many cases ended how.

use std::collections::BTreeMap;

use windtunnel_api::counted;
use windtunnel_api::event::{CaseReport, CaseStatus};

use super::colour::{Palette, Tone};
use crate::text::line;

/// Cases by how they ended.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// By status, in the order of [`ORDER`], and by verdict.
    by_verdict: BTreeMap<(usize, String), usize>,
}

/// The order in which the cases are counted up.
const ORDER: [CaseStatus; 5] = [
    CaseStatus::Passed,
    CaseStatus::Failed,
    CaseStatus::Errored,
    CaseStatus::Unsupported,
    CaseStatus::Cancelled,
];

impl Tally {
    pub(super) fn count(&mut self, report: &CaseReport) {
        let place = ORDER.iter().position(|status| *status == report.status).unwrap_or(ORDER.len());
        *self.by_verdict.entry((place, report.verdict.clone())).or_default() += 1;
    }

    /// `5 cases: 3 PASS, 1 GOLDEN_FAILED, 1 ERROR in 0.42 s`
    pub(super) fn render(&self, duration_s: f64, not_run: usize, palette: Palette) -> String {
        let counts: Vec<_> = self
            .by_verdict
            .iter()
            .map(|((place, verdict), count)| {
                let tone = ORDER.get(*place).map_or(Tone::Strong, |status| Tone::from(*status));
                palette.paint(tone, &format!("{count} {}", line(verdict)))
            })
            .collect();
        let total = counted(self.by_verdict.values().sum(), "case");
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let not_run = match not_run {
            0 => String::new(),
            1 => "; 1 was not run".to_owned(),
            _ => format!("; {not_run} were not run"),
        };
        format!("{}{counts} in {duration_s:.2} s{not_run}\n", palette.paint(Tone::Strong, &total))
    }
}
