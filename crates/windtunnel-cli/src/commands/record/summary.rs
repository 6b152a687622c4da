//! What a recording ends with: what was written, what must not be committed of it, and what comes next.

use std::fmt::Write as _;

use camino::Utf8Path;
use windtunnel_api::counted;
use windtunnel_inference::record::{Session, findings};
use windtunnel_report::line;

use super::pack::PackFiles;
use crate::shell;

/// Findings of one file that are told.
const SHOWN: usize = 12;

/// Characters of a side request that are told.
const SHOWN_CHARS: usize = 60;

pub(super) fn text(session: &Session, files: &PackFiles, dir: &Utf8Path) -> String {
    let mut text = String::new();
    let decisions: usize = session.turns.iter().map(|turn| turn.decisions.len()).sum();
    let _ = writeln!(
        text,
        "Recorded {}: {} in {}, {}.",
        counted(session.requests(), "request"),
        counted(decisions, "decision"),
        counted(session.turns.len(), "turn"),
        counted(session.calls().count(), "tool call"),
    );
    for problem in &session.problems {
        let _ = writeln!(text, "  note: {}", line(problem));
    }
    for side in &session.side {
        let asked: String = side.asked.chars().take(SHOWN_CHARS).collect();
        let _ = writeln!(
            text,
            "  note: a request was no part of the conversation ({asked:?}…); let [[runtimes.<name>.aside]] answer such in self-tests"
        );
    }
    let _ = writeln!(text, "\nWritten to {}:", line(dir.as_str()));
    for (name, _) in &files.files {
        let _ = writeln!(text, "  {name}");
    }
    for left in &files.left_out {
        let _ = writeln!(text, "  note: {left}, since no larger file is read");
    }
    text += "\nDo not commit it as it is. Production prompts, credentials and customer records do not belong into a repository:\n\
             replace them by fictional ones, in every file alike. Known keys are taken out (***); nobody can know all.\n";
    for (name, content) in &files.files {
        let found = findings(content);
        for finding in found.iter().take(SHOWN) {
            let _ = writeln!(text, "  {name}:{}: {}", finding.line, finding.what);
        }
        if let Some(more) = found.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let _ = writeln!(text, "  {name}: {more} more like these");
        }
    }
    let word = shell::word(dir);
    let _ = writeln!(
        text,
        "\nNext: write into {} what a right answer must say, then `wt selftest {}`.",
        line(&files.scenario),
        line(&word)
    );
    text
}
