//! Whether the time limit of a turn is kept.

use std::time::Duration;

use super::finding::{Finding, Rule};
use super::visit::{Outcome, Visit};
use crate::http_inject::exchange::Lost;

const TIME: Rule = Rule {
    name: "time-limit",
    demands: "a turn that takes longer than timeout_s is given up, and told in error",
};

/// Less than a model needs.
const LIMIT: Duration = Duration::from_millis(50);

/// A limit that short may be passed by a little.
const LENIENCE: Duration = Duration::from_secs(1);

/// | what came | |
/// |---|---|
/// | an answer within the limit | not checked: the agent is quicker |
/// | an `error` in time | kept |
/// | a reply a little late | not checked: it cannot be told from a slow clock |
/// | a reply later than that, or nothing | broken |
/// | anything out of contract | not checked: other rules tell |
pub(super) async fn check(visit: &mut Visit<'_>) -> Finding {
    let (outcome, took) =
        visit.turn_within("wt-conformance-6", "Explain in fifty words what wind is.", LIMIT).await;
    let seconds = took.as_secs_f64();
    match outcome {
        Outcome::Answered(_) if took <= LIMIT + LENIENCE => {
            TIME.not_checked("the agent answered before a limit that short could be seen")
        }
        Outcome::Answered(_) => {
            TIME.broken(format!("with timeout_s = {} it replied after {seconds:.1} s", LIMIT.as_secs_f64()))
        }
        Outcome::Failed(error) if took <= LIMIT => {
            TIME.not_checked(format!("the agent failed before its time was up: {}", visit.excerpt(&error)))
        }
        Outcome::Failed(error) => TIME.kept(format!("after {seconds:.1} s: {}", visit.excerpt(&error))),
        Outcome::Lost(Lost::Late(waited)) => TIME.broken(format!(
            "with timeout_s = {} there was no answer within {} s",
            LIMIT.as_secs_f64(),
            waited.as_secs_f64()
        )),
        Outcome::Lost(lost) => TIME.not_checked(lost.to_string()),
        Outcome::Wrong(what) => TIME.not_checked(what),
    }
}
