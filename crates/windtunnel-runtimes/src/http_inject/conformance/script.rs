//! Whether decisions really take the place of the agent's model, and leave it again.

use reqwest::StatusCode;
use windtunnel_api::{InferenceFault, ReferenceDecision};

use super::finding::{Finding, Rule, Standing};
use super::visit::{Outcome, Visit};

const CAPABILITY: Rule = Rule {
    name: "reference",
    demands: "POST /wt/reference is answered with status 200, or with 404 or 501 where the model cannot be replaced",
};
const REPLACES: Rule = Rule { name: "reference-replaces", demands: "decisions answer in the model's place" };
const ASKING: Rule =
    Rule { name: "reference-asking", demands: "a request without decisions leaves those that are there" };
const COUNTS: Rule = Rule {
    name: "reference-counts",
    demands: "decisions_left, where it is told, is what is left of the decisions",
};
const ENDS: Rule =
    Rule { name: "reference-ends", demands: "a model that is asked beyond its decisions has failed" };
const ERRORS: Rule =
    Rule { name: "agent-errors", demands: "what goes wrong in the agent is told in error, with status 200" };
const REFUSES: Rule = Rule {
    name: "reference-refuses",
    demands: "decisions that cannot be played are refused with status 422, and others taken over with 200 or 204",
};
const REMOVED: Rule =
    Rule { name: "reference-removed", demands: "an empty list gives the agent its own model back" };

const GO: &str = "Go on.";

/// Whether the agent's model can be replaced; the rest of the visit knows then.
pub(super) async fn capability(visit: &mut Visit<'_>) -> Finding {
    match visit.asks_capability().await {
        Ok(is_scriptable) => {
            visit.is_scriptable = is_scriptable;
            CAPABILITY.kept(if is_scriptable {
                "decisions can be handed over: this agent can be self-tested"
            } else {
                "the route is absent: this agent cannot be self-tested"
            })
        }
        Err(what) => CAPABILITY.broken(what),
    }
}

pub(super) async fn check(visit: &mut Visit<'_>) -> Vec<Finding> {
    if !visit.is_scriptable {
        let absent = "the model cannot be replaced";
        let failing = "an agent cannot be made to fail where its model cannot be replaced";
        let rules = [REPLACES, ASKING, COUNTS, ENDS, REFUSES].map(|rule| rule.not_checked(absent));
        return [rules.to_vec(), vec![ERRORS.not_checked(failing), REMOVED.not_checked(absent)]].concat();
    }
    let (replaces, counts) = replaces(visit).await;
    let asking = asking(visit).await;
    let (ends, errors, beyond) = ends(visit).await;
    let refuses = refuses(visit).await;
    let removed = removed(visit, replaces.standing, beyond.as_deref()).await;
    vec![replaces, asking, counts, ends, refuses, errors, removed]
}

async fn replaces(visit: &mut Visit<'_>) -> (Finding, Finding) {
    let [first, second] = [(visit.nonce)(), (visit.nonce)()];
    if let Err(what) = visit.says(&[&first, &second]).await {
        return (REPLACES.broken(what.clone()), COUNTS.not_checked(what));
    }
    let mut left = Vec::new();
    for expected in [&first, &second] {
        match visit.turn("wt-script-1", GO).await {
            Outcome::Answered(reply) if reply.text.contains(expected.as_str()) => {
                left.push(reply.decisions_left);
            }
            other => {
                let seen = match other.text() {
                    Ok(text) => format!("expected the decision `{expected}`, found {}", visit.excerpt(&text)),
                    Err(what) => what,
                };
                return (REPLACES.broken(seen), COUNTS.not_checked("the decisions were not taken over"));
            }
        }
    }
    let counts = match left.as_slice() {
        [None, None] => COUNTS
            .not_checked("it does not tell, so that a self-test cannot say whether a script was used up"),
        [Some(1), Some(0)] => COUNTS.kept("1, then 0"),
        other => {
            let told =
                other.iter().map(|left| left.map_or_else(|| "nothing".to_owned(), |left| left.to_string()));
            COUNTS.broken(format!("expected 1, then 0; found {}", told.collect::<Vec<_>>().join(", then ")))
        }
    };
    (REPLACES.kept("two decisions answered two turns"), counts)
}

async fn asking(visit: &mut Visit<'_>) -> Finding {
    let word = (visit.nonce)();
    let asked = match visit.says(&[&word]).await {
        Ok(()) => visit.asks_capability().await,
        Err(what) => Err(what),
    };
    if let Err(what) = asked {
        return ASKING.not_checked(what);
    }
    match visit.turn("wt-script-2", GO).await.text() {
        Ok(text) if text.contains(&word) => ASKING.kept("the decision that was there answered"),
        Ok(text) => ASKING.broken(format!("expected the decision `{word}`, found {}", visit.excerpt(&text))),
        Err(what) => ASKING.broken(what),
    }
}

/// One decision and two turns. What the agent says of the second, where it says that it failed, is told as well.
///
/// | the second turn | reference-ends | agent-errors |
/// |---|---|---|
/// | `error`, status 200 | kept | kept |
/// | a reply | broken | not checked |
/// | out of contract | not checked | broken |
/// | nothing | not checked | not checked |
async fn ends(visit: &mut Visit<'_>) -> (Finding, Finding, Option<String>) {
    let word = (visit.nonce)();
    let ready = match visit.says(&[&word]).await {
        Ok(()) => visit.turn("wt-script-3", GO).await.text(),
        Err(what) => Err(what),
    };
    if let Err(what) = ready {
        return (ENDS.not_checked(what.clone()), ERRORS.not_checked(what), None);
    }
    match visit.turn("wt-script-3", GO).await {
        Outcome::Failed(error) => {
            let seen = format!("the error was {}", visit.excerpt(&error));
            (ENDS.kept(seen.clone()), ERRORS.kept(seen), Some(error))
        }
        Outcome::Answered(reply) => (
            ENDS.broken(format!(
                "the turn beyond the decisions was answered with {}",
                visit.excerpt(&reply.text)
            )),
            ERRORS.not_checked("the agent could not be made to fail"),
            None,
        ),
        Outcome::Wrong(what) => (ENDS.not_checked("see agent-errors"), ERRORS.broken(what), None),
        Outcome::Lost(lost) => {
            (ENDS.not_checked(lost.to_string()), ERRORS.not_checked(lost.to_string()), None)
        }
    }
}

/// Decisions with more than texts and calls; none of them is played.
async fn refuses(visit: &mut Visit<'_>) -> Finding {
    let says = || ReferenceDecision::says("No.");
    let special = [
        ("faults", ReferenceDecision { faults: vec![InferenceFault::status(503)], ..says() }),
        ("reasoning", ReferenceDecision { reasoning: Some("May I?".to_owned()), ..says() }),
        ("a refusal", ReferenceDecision { refusal: true, ..says() }),
    ];
    let (mut kept, mut broken) = (Vec::new(), Vec::new());
    for (what, decision) in special {
        match visit.hands_over(&[decision]).await {
            Ok(answer) => {
                let is_kept = matches!(
                    answer.status,
                    StatusCode::OK | StatusCode::NO_CONTENT | StatusCode::UNPROCESSABLE_ENTITY
                );
                let told = if is_kept { &mut kept } else { &mut broken };
                told.push(format!("{what}: {}", answer.status.as_u16()));
            }
            Err(lost) => broken.push(format!("{what}: {lost}")),
        }
    }
    if broken.is_empty() { REFUSES.kept(kept.join(", ")) } else { REFUSES.broken(broken.join(", ")) }
}

/// Two decisions, of which the first is used: after an empty list the second must never be heard, nor that the script is used up. The
/// agent's own model need not be there. `beyond` is what the agent says of a turn beyond its decisions.
///
/// | the turn after the empty list | |
/// |---|---|
/// | the second decision | broken |
/// | any other reply | kept |
/// | `error`, the same as beyond the decisions | broken: the script is still there, and empty |
/// | any other `error` | kept: it is the agent's own |
/// | out of contract, or nothing | not checked |
async fn removed(visit: &mut Visit<'_>, taken_over: Standing, beyond: Option<&str>) -> Finding {
    let [first, second] = [(visit.nonce)(), (visit.nonce)()];
    let first_turn = match visit.says(&[&first, &second]).await {
        Ok(()) => visit.turn("wt-script-4", GO).await.text(),
        Err(what) => Err(what),
    };
    // Whatever was seen so far, the agent gets its model back.
    if let Err(what) = visit.decide(&[]).await {
        return REMOVED.broken(what);
    }
    match first_turn {
        Err(what) => return REMOVED.not_checked(what),
        Ok(_) if taken_over != Standing::Kept => {
            return REMOVED.not_checked("the decisions were not taken over");
        }
        Ok(_) => {}
    }
    match visit.turn("wt-script-4", GO).await {
        Outcome::Answered(reply) if reply.text.contains(&second) => {
            REMOVED.broken("the next decision answered all the same")
        }
        Outcome::Answered(reply) => {
            REMOVED.kept(format!("it answered for itself: {}", visit.excerpt(&reply.text)))
        }
        Outcome::Failed(error) if beyond.is_some_and(|beyond| is_same_error(beyond, &error)) => {
            REMOVED.broken(format!("a turn still fails as beyond the decisions: {}", visit.excerpt(&error)))
        }
        Outcome::Failed(error) => {
            REMOVED.kept(format!("the decisions are gone; without them: the agent reports: {error}"))
        }
        Outcome::Wrong(what) => REMOVED.not_checked(what),
        Outcome::Lost(lost) => REMOVED.not_checked(lost.to_string()),
    }
}

/// Whether two errors say the same, but for numbers: how many decisions there were, or which request it was.
fn is_same_error(one: &str, other: &str) -> bool {
    fn words(error: &str) -> impl Iterator<Item = &str> {
        error.split(|c: char| c.is_ascii_digit()).filter(|word| !word.is_empty())
    }
    words(one).eq(words(other))
}
