//! One case: its verdict line, and for a failure everything there is to know.

use windtunnel_api::artifact::score::{Layer, Score};
use windtunnel_api::event::{CapturedOutput, CaseRecord, CaseReport, CaseStatus, RunRecord, ScenarioRecord};
use windtunnel_api::selftest::{SelftestRecord, SelftestVerdict};

use super::colour::{Palette, Tone};
use crate::text::{block, line, wrapped};

/// Failed runs of one scenario that are shown with their layers; the others have their traces.
const MAX_RUNS_SHOWN: usize = 3;

/// The text of a case, with a line break at its end.
pub(super) fn render(report: &CaseReport, palette: Palette) -> String {
    let mut text = Lines { text: String::new(), palette };
    text.verdict(report);
    if report.status != CaseStatus::Passed {
        match &report.record {
            CaseRecord::Selftest(record) => {
                text.block(1, &report.detail);
                text.selftest(record, &report.detail);
            }
            CaseRecord::Scenario(record) if record.runs.is_empty() || record.error.is_some() => {
                text.block(1, &report.detail);
                text.scenario(record);
            }
            CaseRecord::Scenario(record) => {
                // The runs follow with all their layers.
                text.block(1, report.detail.lines().next().unwrap_or_default());
                text.scenario(record);
            }
            CaseRecord::Omw(_) => text.block(1, &report.detail),
            CaseRecord::Process(record) => {
                text.block(1, &wrapped(&report.detail, PROCESS_WIDTH));
                if let Some(path) = &record.events_path {
                    text.labelled("events", path);
                }
            }
        }
        let said = words(&text.text);
        for output in &report.output {
            // The cause often is all that the agent wrote, and stands above.
            if output.omitted_bytes > 0 || !is_said(&output.text, &said) {
                text.captured(output);
            }
        }
    }
    // It fails nothing, and nobody would look for it in a case that passed.
    if let (CaseStatus::Passed, CaseRecord::Selftest(SelftestRecord { drift: Some(drift), .. })) =
        (report.status, &report.record)
    {
        text.block(1, drift);
    }
    if let Some(workspace) = &report.workspace {
        text.labelled("workspace kept", workspace);
    }
    text.text
}

/// The most lines of one captured output that are shown; what went wrong stands at the end.
const OUTPUT_LINES: usize = 30;

/// Characters of a line of what is wrong with a process scenario, beyond which it goes on below: events are long.
const PROCESS_WIDTH: usize = 106;

struct Lines {
    text: String,
    palette: Palette,
}

impl Lines {
    /// `PASS pack/scenario/case  12 ms`
    fn verdict(&mut self, report: &CaseReport) {
        let verdict = self.palette.paint(report.status.into(), &line(&report.verdict));
        let id = report.id.to_string();
        let time = self.palette.paint(Tone::Faint, &duration(report.duration_s));
        let runs = match &report.record {
            CaseRecord::Scenario(record) if record.runs.len() > 1 => format!("  {}", rate(record)),
            CaseRecord::Scenario(_)
            | CaseRecord::Selftest(_)
            | CaseRecord::Omw(_)
            | CaseRecord::Process(_) => String::new(),
        };
        self.push(0, &format!("{verdict} {}  {time}{runs}", line(&id)));
    }

    fn selftest(&mut self, record: &SelftestRecord, said: &str) {
        let (verdict, kind) = (record.verdict, record.kind.name());
        if let Some(score) = &record.score {
            self.push(
                1,
                &format!("self-test: {verdict} of a {kind} case; the run itself: {}", score.verdict),
            );
            let said = if verdict == SelftestVerdict::Error { said } else { "" };
            self.layers(score, said);
        }
        if let Some(path) = &record.trace_path {
            self.labelled("trace", path);
        }
    }

    fn scenario(&mut self, record: &ScenarioRecord) {
        let failed: Vec<&RunRecord> = record.runs.iter().filter(|run| !run.score.verdict.is_pass()).collect();
        for run in failed.iter().take(MAX_RUNS_SHOWN) {
            let (number, total, verdict) = (run.run, record.runs_requested, run.score.verdict);
            self.push(1, &format!("run {number} of {total}: {verdict}  {}", duration(run.duration_s)));
            self.layers(&run.score, "");
            if let Some(path) = &run.trace_path {
                self.labelled("trace", path);
            }
        }
        if let Some(more) = failed.len().checked_sub(MAX_RUNS_SHOWN).filter(|more| *more > 0) {
            let (runs, their) = if more == 1 { ("run", "its") } else { ("runs", "their") };
            self.push(
                1,
                &format!("{more} more {runs} did not pass; see {their} score beside the trace above"),
            );
        }
    }

    /// What the layers say, but for a cause that was said above.
    fn layers(&mut self, score: &Score, said: &str) {
        let said = words(said);
        for layer in Layer::ALL {
            let judged = score.layer(layer);
            let (tone, word) = if judged.passed { (Tone::Pass, "pass") } else { (Tone::Fail, "FAIL") };
            let word = self.palette.paint(tone, word);
            let is_said = !judged.passed && said.contains(&words(&judged.detail));
            let detail = if is_said { "see above".to_owned() } else { block(&judged.detail).into_owned() };
            let mut lines = detail.lines();
            let first = lines.next().unwrap_or_default();
            self.push(2, format!("{:<10}  {word}  {first}", layer.name()).trim_end());
            for more in lines {
                self.push(2, &format!("{:<10}        {more}", ""));
            }
        }
    }

    fn captured(&mut self, output: &CapturedOutput) {
        let omitted = match output.omitted_bytes {
            0 => String::new(),
            bytes => format!(" (the last part; {bytes} bytes before it left out)"),
        };
        self.push(1, &format!("{}{omitted}:", line(&output.source)));
        let text = block(&output.text);
        let lines = text.lines().count();
        if lines > OUTPUT_LINES {
            self.push(
                2,
                &format!(
                    "({} lines before these left out; reports as JUnit hold them)",
                    lines - OUTPUT_LINES
                ),
            );
        }
        for line in text.lines().skip(lines.saturating_sub(OUTPUT_LINES)) {
            let bar = self.palette.paint(Tone::Faint, "|");
            self.push(2, format!("{bar} {line}").trim_end());
        }
    }

    fn labelled(&mut self, label: &str, text: &str) {
        self.push(1, &format!("{label}: {}", line(text)));
    }

    fn block(&mut self, depth: usize, text: &str) {
        for line in block(text).lines() {
            self.push(depth, line.trim_end());
        }
    }

    /// One line, indented by four for each depth.
    fn push(&mut self, depth: usize, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }
}

/// A text without its line breaks and indents.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether every line of an output is in what was said, which is in words. An output without any says nothing by that.
fn is_said(output: &str, said: &str) -> bool {
    let shown = block(output);
    let mut lines = shown.lines().map(words).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| said.contains(&line))
}

/// `2 of 3 runs passed, 0.67 ± 0.47`
fn rate(record: &ScenarioRecord) -> String {
    let passed = record.runs.iter().filter(|run| run.score.verdict.is_pass()).count();
    let runs = format!("{passed} of {} runs passed", record.runs.len());
    if record.stddev > 0.0 {
        format!("{runs}, {:.2} ± {:.2}", record.pass_rate, record.stddev)
    } else {
        runs
    }
}

/// `12 ms`, `1.25 s`, `2 min 5 s`
fn duration(seconds: f64) -> String {
    if seconds < 0.9995 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 59.995 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round();
        format!("{:.0} min {:.0} s", (whole / 60.0).floor(), whole % 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_said_where_all_of_its_lines_are() {
        let said =
            words("the agent ended with exit code 3; standard error ended with:\n  no key\n  giving  up");
        for (output, expected) in
            [("no key\ngiving up\n", true), ("starting\nno key\ngiving up\n", false), ("\n", false)]
        {
            assert_eq!(is_said(output, &said), expected, "{output:?}");
        }
    }

    #[test]
    fn durations_are_as_exact_as_people_want_them() {
        for (seconds, expected) in [
            (0.0, "0 ms"),
            (0.0124, "12 ms"),
            (0.9996, "1.00 s"),
            (1.254, "1.25 s"),
            (59.999, "1 min 0 s"),
            (125.4, "2 min 5 s"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }
}
