//! What a recording ends with: what was written, what must not be committed of it, and what comes next.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::counted;
use windtunnel_inference::record::{Session, findings};
use windtunnel_report::line;

use super::pack::PackFiles;
use super::source::{WORKSPACE, Workspace};
use crate::shell;

/// Findings of one file, or of the copied ones, that are told.
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
    if let Some(Workspace { from, copied }) = &files.workspace {
        let from = line(from.as_str());
        let _ = match copied {
            Ok(copied) => writeln!(
                text,
                "  {WORKSPACE}/ ({})\n  note: {WORKSPACE}/ is a copy of {from}, as it stands there: look at it before it is committed",
                counted(copied.len(), "file"),
            ),
            Err(why) => writeln!(
                text,
                "  note: the session began with the files of {from}, which were not copied: {}",
                line(why)
            ),
        };
    }
    for left in &files.left_out {
        let _ = writeln!(text, "  note: {left}, since no larger file is read");
    }
    for not_taken in &files.not_taken {
        let _ = writeln!(text, "  note: {not_taken}");
    }
    text += "\nDo not commit it as it is. Production prompts, credentials and customer records do not belong into a repository:\n\
             replace them by fictional ones, in every file alike. Known keys are taken out (***); nobody can know all.\n";
    for (name, content) in &files.files {
        text += &suspects(name, &in_file(name, content));
    }
    if let Some(Workspace { copied: Ok(copied), .. }) = &files.workspace {
        let in_copy = |file: &Utf8PathBuf| {
            let name = Utf8Path::new(WORKSPACE).join(file);
            // What is no text has no lines.
            let content = std::fs::read_to_string(dir.join(&name)).unwrap_or_default();
            in_file(&line(name.as_str()), &content)
        };
        text += &suspects(WORKSPACE, &copied.iter().flat_map(in_copy).collect::<Vec<_>>());
    }
    if !files.has_runtime {
        text += "\npack.toml does not name the agent yet. Without `runtime = \"…\"` there, as wt.toml names it, a self-test runs on the default \
                 of wt.toml,\nelse on `loop`.";
        if files.has_unserved {
            text += " That has no tools of its own, so the calls fail: name the agent or, where a tool server serves what was called,\n\
                     uncomment the universe there.";
        }
        text += "\n";
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

/// What looks like something that is not to be committed, each with its place.
fn in_file(name: &str, content: &str) -> Vec<String> {
    let found = findings(content).into_iter();
    found.map(|finding| format!("{name}:{}: {}", finding.line, finding.what)).collect()
}

/// A line for each of them, as far as they are told.
fn suspects(name: &str, found: &[String]) -> String {
    let mut text = String::new();
    for found in found.iter().take(SHOWN) {
        let _ = writeln!(text, "  {found}");
    }
    if let Some(more) = found.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "  {name}: {more} more like these");
    }
    text
}
