//! The rules for every single answer, over all answers to turns that there were.

use super::finding::{Finding, Rule, Standing};
use crate::http_inject::contract::{self, Breach, Reading};

pub(super) fn check(readings: &[Reading]) -> Vec<Finding> {
    contract::Rule::ALL.into_iter().map(|rule| finding(rule, readings)).collect()
}

/// | answers that break the rule | answers that show it | |
/// |---|---|---|
/// | some | any | broken |
/// | none | some | kept |
/// | none | none | not checked |
fn finding(rule: contract::Rule, readings: &[Reading]) -> Finding {
    let named = Rule { name: rule.name(), demands: rule.demand() };
    let breaches: Vec<&Breach> =
        readings.iter().flat_map(|reading| &reading.breaches).filter(|breach| breach.rule == rule).collect();
    let shown = readings.iter().filter(|reading| shows(rule, reading)).count();
    match (breaches.first(), shown) {
        (Some(first), _) => {
            let more = breaches.len() - 1;
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            named.broken(format!("{first}{more}"))
        }
        (None, 0) => Finding { standing: Standing::NotChecked, ..named.kept("no answer showed it") },
        (None, 1) => named.kept("in the one answer that shows it"),
        (None, shown) => named.kept(format!("in {shown} answers")),
    }
}

/// Whether an answer has the part that a rule is about.
fn shows(rule: contract::Rule, reading: &Reading) -> bool {
    let unread = reading.breaches.iter().any(|breach| breach.rule.ends_reading() && breach.rule < rule);
    let part = match rule {
        contract::Rule::CallNames | contract::Rule::CallArguments => reading.calls > 0,
        contract::Rule::DecisionsLeft => reading.reply.decisions_left.is_some(),
        contract::Rule::Error => reading.reply.error.is_some(),
        _ => true,
    };
    part && !unread
}
