//! The decisions of a case, and how far an endpoint says that they were asked for.

use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::{ReferenceCase, ReferenceDecision};

/// The script of one case: which decisions are handed over before which turn.
///
/// A case with `turns` hands each list over before its user turn; one with `decisions` hands them all over before the first.
#[derive(Debug, Clone)]
pub(super) struct Script {
    lists: Vec<Vec<ReferenceDecision>>,
    /// Whether the lists are one per user turn.
    by_turn: bool,
    count: Count,
    violations: Vec<String>,
}

/// What was handed over since the last rewind, and what came of it.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// User turns begun.
    turns: usize,
    /// Decisions handed over.
    handed_over: usize,
    /// Of those, the newest list's.
    newest: usize,
    /// Decisions of earlier lists that nobody asked for.
    dropped: usize,
    /// Decisions of the newest list that nobody asked for so far; `None` where the endpoint did not tell.
    left: Option<usize>,
    /// Whether the endpoint told after every list.
    is_known: bool,
}

const NOTHING_YET: Count =
    Count { turns: 0, handed_over: 0, newest: 0, dropped: 0, left: Some(0), is_known: true };

impl Script {
    pub(super) fn of(case: &ReferenceCase) -> Self {
        let by_turn = !case.turns.is_empty();
        let lists = if by_turn { case.turns.clone() } else { vec![case.decisions.clone()] };
        Self { lists, by_turn, count: NOTHING_YET, violations: Vec::new() }
    }

    /// Back to the first decision.
    pub(super) fn rewind(&mut self) {
        self.count = NOTHING_YET;
        self.violations.clear();
    }

    /// Begins a user turn: the decisions to hand over, if it has any of its own.
    ///
    /// # Errors
    /// The case has no decisions for it, and without any the agent's own model would answer.
    pub(super) fn begin_turn(&mut self) -> Result<Option<&[ReferenceDecision]>, String> {
        let count = &mut self.count;
        let turn = count.turns;
        count.turns += 1;
        if turn > 0 && !self.by_turn {
            return Ok(None);
        }
        let list = self
            .lists
            .get(turn)
            .filter(|list| !list.is_empty())
            .ok_or_else(|| format!("the reference case has no decisions for user turn {}", turn + 1))?;
        count.is_known &= count.left.is_some();
        count.dropped += count.left.unwrap_or(0);
        count.newest = list.len();
        count.handed_over += list.len();
        count.left = None;
        Ok(Some(list))
    }

    /// What the endpoint told with its answer.
    pub(super) fn told(&mut self, left: Option<usize>) {
        let newest = self.count.newest;
        if let Some(left) = left.filter(|left| *left > newest) {
            self.violations
                .push(format!("decisions_left is {left}, but only {newest} decisions were handed over"));
        }
        self.count.left = left.map(|left| left.min(newest));
    }

    /// How far the script was asked for; `None` where the endpoint did not tell.
    pub(super) fn progress(&self) -> Option<ScriptProgress> {
        let Count { handed_over, dropped, left, .. } = self.count;
        let left = left.filter(|_| self.count.is_known)?;
        Some(ScriptProgress {
            decisions: self.lists.iter().map(Vec::len).sum(),
            consumed: handed_over.saturating_sub(dropped + left),
            asides: 0,
            violations: self.violations.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::ReferenceKind;

    use super::*;

    fn case(turns: &[usize]) -> ReferenceCase {
        let list = |length: &usize| vec![ReferenceDecision::says("x"); *length];
        let mut case = ReferenceCase::new("known-good", ReferenceKind::Golden, []);
        case.turns = turns.iter().map(list).collect();
        case
    }

    fn handed_over(script: &mut Script) -> Option<usize> {
        script.begin_turn().unwrap().map(<[_]>::len)
    }

    #[test]
    fn each_turn_hands_its_own_decisions_over() {
        let mut script = Script::of(&case(&[2, 1]));
        for _ in 0..2 {
            assert_eq!(script.progress().unwrap().consumed, 0);
            assert_eq!(handed_over(&mut script), Some(2));
            script.told(Some(0));
            assert_eq!(script.progress().unwrap().consumed, 2);
            assert_eq!(handed_over(&mut script), Some(1));
            script.told(Some(0));
            assert!(script.progress().unwrap().is_exact());
            let beyond = script.begin_turn().unwrap_err();
            assert_eq!(beyond, "the reference case has no decisions for user turn 3");
            script.rewind();
        }
    }

    #[test]
    fn one_list_serves_every_turn() {
        let mut script = Script::of(&ReferenceCase::golden("g", vec![ReferenceDecision::says("x"); 3]));
        assert_eq!(handed_over(&mut script), Some(3));
        script.told(Some(2));
        assert_eq!(script.progress().unwrap().consumed, 1);
        assert_eq!(handed_over(&mut script), None);
        script.told(Some(0));
        assert!(script.progress().unwrap().is_exact());
    }

    #[test]
    fn decisions_that_nobody_asked_for_are_missing() {
        let mut script = Script::of(&case(&[2, 1]));
        script.begin_turn().unwrap();
        script.told(Some(1));
        script.begin_turn().unwrap();
        script.told(Some(0));
        let progress = script.progress().unwrap();
        assert_eq!((progress.decisions, progress.consumed), (3, 2));
    }

    #[test]
    fn nothing_is_counted_once_an_answer_does_not_tell() {
        let mut script = Script::of(&case(&[1, 1]));
        script.begin_turn().unwrap();
        assert_eq!(script.progress(), None, "the turn is not answered");
        script.told(None);
        assert_eq!(script.progress(), None);
        script.begin_turn().unwrap();
        script.told(Some(0));
        assert_eq!(script.progress(), None);
    }

    #[test]
    fn more_left_than_was_handed_over_is_a_violation() {
        let mut script = Script::of(&case(&[1]));
        script.begin_turn().unwrap();
        script.told(Some(2));
        let progress = script.progress().unwrap();
        assert_eq!(progress.violations, ["decisions_left is 2, but only 1 decisions were handed over"]);
        assert!(!progress.is_exact());
    }
}
