//! `target_numbers`: numbers on word boundaries, each with its unit near by.

use std::ops::Range;

use windtunnel_api::scenario::TargetNumber;

use crate::findings::{Finding, Findings};
use crate::text::excerpt::around;
use crate::text::folded::{Folded, fold};
use crate::text::number::{Decimal, Written, written};
use crate::text::window;

/// Characters on either side of a number in which its unit has to stand.
const UNIT_DISTANCE: usize = 30;

/// Whether every number is there.
pub(crate) fn check(answer: &Folded<'_>, targets: &[TargetNumber], findings: &mut Findings) -> bool {
    if targets.is_empty() {
        return true;
    }
    let numbers = written(answer.original());
    let mut found = 0;
    for target in targets {
        match find(answer, &numbers, target) {
            Ok(_) => found += 1,
            missing @ Err(_) => findings.add(missing),
        }
    }
    findings.metric("numbers_found", found);
    findings.metric("numbers_total", targets.len());
    let all = found == targets.len();
    if all {
        findings.add(Ok(format!("numbers: {found} of {found} found")));
    }
    all
}

fn find(answer: &Folded<'_>, numbers: &[Written<'_>], target: &TargetNumber) -> Finding {
    let value = Decimal::of(&target.value);
    let mut equal = numbers.iter().filter(|number| number.value == value);
    let Some(unit) = &target.unit else {
        return match equal.find(|number| number.is_number()) {
            Some(_) => Ok(target.value.to_string()),
            None => Err(format!("the number {} is missing", target.value)),
        };
    };
    let units: Vec<Range<usize>> = answer.find_alone(unit).collect();
    let mut without_unit = None;
    for number in equal.filter(|number| number.is_number_with_suffix()) {
        let is_near = fold(number.suffix) == fold(unit)
            || (number.is_number() && units.iter().any(|unit| near(answer.original(), &number.range, unit)));
        if is_near {
            return Ok(format!("{} {unit}", target.value));
        }
        if number.is_number() {
            without_unit.get_or_insert(&number.range);
        }
    }
    Err(match without_unit {
        Some(place) => format!(
            "the number {} is there, but not {unit:?} within {UNIT_DISTANCE} characters of it: {}",
            target.value,
            around(answer.original(), place)
        ),
        None => format!("the number {} with the unit {unit:?} is missing", target.value),
    })
}

/// Whether the unit is wholly within the window before or behind the number.
fn near(text: &str, number: &Range<usize>, unit: &Range<usize>) -> bool {
    let from = number.start - window::before(text, number.start, UNIT_DISTANCE).len();
    let to = number.end + window::after(text, number.end, UNIT_DISTANCE).len();
    (from <= unit.start && unit.end <= number.start) || (number.end <= unit.start && unit.end <= to)
}

#[cfg(test)]
mod tests {
    use serde_json::{Number, Value, json};
    use windtunnel_api::Layer;

    use super::*;

    fn detail(answer: &str, value: Value, unit: Option<&str>) -> Result<String, String> {
        let value: Number = serde_json::from_value(value).unwrap();
        let targets = [TargetNumber { value, unit: unit.map(str::to_owned) }];
        let mut findings = Findings::default();
        let all = check(&Folded::new(answer), &targets, &mut findings);
        let score = findings.score(Layer::Outcome);
        assert_eq!(score.passed, all);
        if all { Ok(score.detail) } else { Err(score.detail) }
    }

    #[test]
    fn a_number_is_found_on_word_boundaries_and_by_value() {
        for (answer, value, passed) in [
            ("There are 75.", json!(75), true),
            ("75", json!(75), true),
            ("(75) 75% $75", json!(75), true),
            ("75.0", json!(75), true),
            ("175", json!(75), false),
            ("750", json!(75), false),
            ("7.5", json!(75), false),
            ("75.5", json!(75), false),
            ("1.75", json!(75), false),
            ("75kg", json!(75), false),
            ("x75", json!(75), false),
            ("1.75.2", json!(75), false),
            ("1,234 orders", json!(1234), true),
            ("1,234 orders", json!(234), false),
            ("7.50", json!(7.5), true),
            ("-5", json!(-5), true),
            ("-5", json!(5), false),
            ("INV-5", json!(5), true),
            ("seventy-five", json!(75), false),
        ] {
            assert_eq!(detail(answer, value.clone(), None).is_ok(), passed, "{value} in {answer:?}");
        }
    }

    #[test]
    fn the_unit_stands_within_thirty_characters_on_either_side() {
        let gap = |characters: usize| "ä".repeat(characters - 1);
        for (answer, passed) in [
            ("75 orders".to_owned(), true),
            ("75 ORDERS.".to_owned(), true),
            ("Orders: 75".to_owned(), true),
            ("75orders".to_owned(), true),
            ("75 preorders".to_owned(), false),
            ("75 items, 80 orders".to_owned(), true),
            ("75 items".to_owned(), false),
            ("175 orders".to_owned(), false),
            (format!("75 {} orders", "ä".repeat(22)), true),
            (format!("75 {} orders", "ä".repeat(23)), false),
            (format!("orders {} 75", gap(23)), true),
            (format!("orders {} 75", gap(24)), false),
            (format!("75 items. {} 75 orders", gap(60)), true),
        ] {
            assert_eq!(detail(&answer, json!(75), Some("orders")).is_ok(), passed, "{answer:?}");
        }
    }

    #[test]
    fn a_symbol_is_a_unit_too() {
        for (answer, unit, passed) in [
            ("75%", "%", true),
            ("€ 75", "€", true),
            ("75 dollars", "$", false),
            ("75GB", "gb", true),
            ("75GBs", "GB", false),
        ] {
            assert_eq!(detail(answer, json!(75), Some(unit)).is_ok(), passed, "{unit} in {answer:?}");
        }
    }

    #[test]
    fn a_failure_tells_a_missing_number_from_a_missing_unit() {
        assert_eq!(detail("80", json!(75), None).unwrap_err(), "the number 75 is missing");
        assert_eq!(
            detail("80 orders", json!(75), Some("orders")).unwrap_err(),
            "the number 75 with the unit \"orders\" is missing"
        );
        assert_eq!(
            detail("We have 75 items.", json!(75), Some("orders")).unwrap_err(),
            "the number 75 is there, but not \"orders\" within 30 characters of it: \"We have 75 items.\""
        );
    }
}
