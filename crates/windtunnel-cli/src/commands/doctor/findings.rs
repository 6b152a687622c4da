//! What the doctor found, and how it is printed.

use std::fmt::Write as _;

use serde::Serialize;
use windtunnel_api::exit::Exit;
use windtunnel_report::{block, line};
use windtunnel_runtimes::http_inject::conformance::{Conformance, Standing};

use crate::args::DoctorFormat;
use crate::error::CliError;

/// The version of the JSON report.
const DOCTOR_VERSION: u32 = 1;

/// Everything that was found, in order.
#[derive(Debug, Default)]
pub(super) struct Findings {
    findings: Vec<Finding>,
    conformance: Vec<Examined>,
}

#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    ok: bool,
    detail: String,
}

/// An endpoint with what it keeps of the contract.
#[derive(Debug, Serialize)]
struct Examined {
    runtime: String,
    #[serde(flatten)]
    conformance: Conformance,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(rename = "windtunnel_doctor")]
    version: u32,
    wrong: usize,
    findings: &'a [Finding],
    conformance: &'a [Examined],
}

impl Findings {
    pub(super) fn good(&mut self, what: &str, detail: &str) {
        self.add(what, true, detail);
    }

    pub(super) fn bad(&mut self, what: &str, detail: &str) {
        self.add(what, false, detail);
    }

    fn add(&mut self, what: &str, ok: bool, detail: &str) {
        self.findings.push(Finding { what: what.to_owned(), ok, detail: detail.to_owned() });
    }

    /// What an endpoint keeps of the contract.
    pub(super) fn endpoint(&mut self, runtime: &str, conformance: Conformance) {
        self.conformance.push(Examined { runtime: runtime.to_owned(), conformance });
    }

    /// Whether the endpoint of this runtime was examined.
    pub(super) fn has_endpoint(&self, runtime: &str) -> bool {
        self.conformance.iter().any(|examined| examined.runtime == runtime)
    }

    /// Prints everything and says how the command ends.
    pub(super) fn conclude(&self, format: DoctorFormat) -> Result<Exit, CliError> {
        let wrong = self.wrong();
        let printed = match format {
            DoctorFormat::Text => self.text(),
            DoctorFormat::Json => {
                let report = Report {
                    version: DOCTOR_VERSION,
                    wrong,
                    findings: &self.findings,
                    conformance: &self.conformance,
                };
                let json = serde_json::to_string_pretty(&report)
                    .map_err(|error| CliError::io("cannot write", error.into()))?;
                json + "\n"
            }
        };
        windtunnel_report::print(&printed)?;
        Ok(if wrong == 0 { Exit::Success } else { Exit::Failure })
    }

    fn wrong(&self) -> usize {
        let findings = self.findings.iter().filter(|finding| !finding.ok).count();
        let broken = |examined: &Examined| examined.conformance.count(Standing::Broken);
        findings + self.conformance.iter().map(broken).sum::<usize>()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for Finding { what, ok, detail } in &self.findings {
            if *ok {
                let _ = writeln!(text, "ok     {what}: {detail}");
            } else {
                let _ = writeln!(text, "WRONG  {}: {}", line(what), indented(detail));
            }
        }
        for examined in &self.conformance {
            examined.write(&mut text);
        }
        text + self.last_line().as_str()
    }

    fn last_line(&self) -> String {
        let unchecked: usize =
            self.conformance.iter().map(|examined| examined.conformance.count(Standing::NotChecked)).sum();
        match (self.wrong(), unchecked) {
            (0, 0) => "everything is in order\n".to_owned(),
            (0, 1) => "in order as far as it was checked; 1 rule was not\n".to_owned(),
            (0, unchecked) => format!("in order as far as it was checked; {unchecked} rules were not\n"),
            (1, _) => "1 thing is wrong\n".to_owned(),
            (more, _) => format!("{more} things are wrong\n"),
        }
    }
}

impl Examined {
    fn write(&self, text: &mut String) {
        let Self { runtime, conformance } = self;
        let _ = writeln!(
            text,
            "\n{runtime} at {}: {} rules kept, {} broken, {} not checked",
            line(&conformance.url),
            conformance.count(Standing::Kept),
            conformance.count(Standing::Broken),
            conformance.count(Standing::NotChecked)
        );
        for finding in &conformance.rules {
            let seen = line(&finding.seen);
            let _ = match finding.standing {
                Standing::Kept => writeln!(text, "ok     {}: {seen}", finding.rule),
                Standing::NotChecked => writeln!(text, "-      {}: not checked: {seen}", finding.rule),
                Standing::Broken => {
                    writeln!(text, "WRONG  {}: {}\n       {seen}", finding.rule, finding.demands)
                }
            };
        }
        text.push('\n');
    }
}

/// A detail of several lines below its first.
fn indented(detail: &str) -> String {
    block(detail).replace('\n', "\n       ")
}
