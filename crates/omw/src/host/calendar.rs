//! Times of day: when something is due, and how it is written.

use std::fmt::{Display, Write as _};
use std::str::FromStr as _;
use std::time::Duration;

use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, Utc};
use cron::Schedule;

use super::{HostError, HostResult};

/// The longest cron schedule or time format, in bytes.
const MAX_SPEC: usize = 4_096;

/// How long it is from one time to a later one; both in milliseconds since the epoch.
pub(super) fn until(ts: i64, now: i64) -> HostResult<Duration> {
    match u64::try_from(i128::from(ts) - i128::from(now)) {
        Ok(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        _ => Err(HostError::failed("timestamp must be in the future")),
    }
}

/// How long it is until a cron schedule of 6 or 7 fields, seconds first, in UTC, is next due.
pub(super) fn until_cron(spec: &str, now: i64) -> HostResult<Duration> {
    let invalid =
        |error: &dyn Display| HostError::failed(format!("invalid cron spec \"{}\": {error}", shown(spec)));
    if spec.len() > MAX_SPEC {
        return Err(invalid(&format_args!("it has {} bytes, and the limit is {MAX_SPEC}", spec.len())));
    }
    let fields = spec.split_whitespace().count();
    let is_short = spec.starts_with('@');
    if !is_short && !(6..=7).contains(&fields) {
        return Err(invalid(&format_args!("expected 6 or 7 fields, seconds first, found {fields}")));
    }
    let schedule = Schedule::from_str(spec).map_err(|error| {
        if is_short {
            return invalid(&"expected @yearly, @monthly, @weekly, @daily or @hourly");
        }
        // The library's text begins with the schedule and a mark under the fault.
        let text = error.to_string();
        let cause = text.lines().skip(1).find(|line| !matches!(line.trim(), "" | "^"));
        invalid(&cause.unwrap_or("it is malformed"))
    })?;
    let never = || HostError::failed("cron schedule yields no future fire time");
    let after = DateTime::<Utc>::from_timestamp_millis(now).ok_or_else(never)?;
    let next = schedule.after(&after).next().ok_or_else(never)?;
    until(next.timestamp_millis(), now)
}

/// A time, in milliseconds since the epoch, as text in UTC; empty where the calendar has no such time.
pub(super) fn format(ts: i64, format: &str) -> HostResult<String> {
    let invalid = || HostError::failed(format!("invalid time format \"{}\"", shown(format)));
    if format.len() > MAX_SPEC {
        return Err(invalid());
    }
    let items: Vec<Item<'_>> = StrftimeItems::new(format).collect();
    if items.contains(&Item::Error) {
        return Err(invalid());
    }
    let Some(time) = DateTime::<Utc>::from_timestamp_millis(ts) else { return Ok(String::new()) };
    let mut text = String::new();
    // Writing to a string fails only where the formatter itself does.
    write!(text, "{}", time.format_with_items(items.iter())).map_err(|_| invalid())?;
    Ok(text)
}

/// As much of a text as belongs in a message.
fn shown(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-02 03:04:05.678 UTC, a Friday.
    const NOW: i64 = 1_767_323_045_678;

    fn error<T: std::fmt::Debug>(result: HostResult<T>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn only_a_later_time_can_be_waited_for() {
        assert_eq!(until(NOW + 1, NOW), Ok(Duration::from_millis(1)));
        assert_eq!(until(i64::MAX, i64::MIN), Ok(Duration::from_millis(u64::MAX)));
        for ts in [NOW, NOW - 1, i64::MIN] {
            assert_eq!(error(until(ts, NOW)), "timestamp must be in the future");
        }
    }

    #[test]
    fn cron_schedules_have_seconds_first() {
        for (spec, ms) in [
            ("* * * * * *", 322),
            ("*/10 * * * * *", 4_322),
            ("0 5 3 * * *", 54_322),
            ("@hourly", (55 * 60 + 54) * 1_000 + 322),
            ("0 0 0 * * * 2026", (20 * 3_600 + 55 * 60 + 54) * 1_000 + 322),
        ] {
            assert_eq!(until_cron(spec, NOW), Ok(Duration::from_millis(ms)), "{spec}");
        }
    }

    #[test]
    fn bad_cron_schedules_are_errors_with_their_text() {
        let specs =
            ["", "* * * * *", "* * * * * * * *", "61 * * * * *", "a b c d e f", "0 0 0 32 * *", "@often"];
        let texts = specs.map(|spec| error(until_cron(spec, NOW)));
        insta::assert_snapshot!(texts.join("\n"));
        assert!(error(until_cron(&"*".repeat(MAX_SPEC + 1), NOW)).ends_with("and the limit is 4096"));
    }

    #[test]
    fn a_schedule_that_is_over_or_never_comes_is_an_error() {
        for spec in ["0 0 0 1 1 * 2020", "0 0 0 30 2 *"] {
            assert_eq!(error(until_cron(spec, NOW)), "cron schedule yields no future fire time", "{spec}");
        }
        assert_eq!(error(until_cron("* * * * * *", i64::MAX)), "cron schedule yields no future fire time");
    }

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(format(NOW, "%Y-%m-%dT%H:%M:%S%.3fZ %a").unwrap(), "2026-01-02T03:04:05.678Z Fri");
        assert_eq!(format(-1, "%F").unwrap(), "1969-12-31");
        assert_eq!(format(NOW, "").unwrap(), "");
        assert_eq!(format(i64::MAX, "%Y").unwrap(), "");
    }

    #[test]
    fn a_bad_format_is_an_error() {
        for bad in ["%", "%Q", "ok %!", &"x".repeat(MAX_SPEC + 1)] {
            assert!(error(format(NOW, bad)).starts_with("invalid time format \""), "{bad}");
        }
    }
}
