//! The elements of a sequence and the walk along them, whatever their patterns test.
//!
//! One walk serves both the incremental matcher and the arrays inside a pattern.

/// One element of a sequence over patterns of type `P`.
#[derive(Debug)]
pub(crate) enum Element<P> {
    /// Skips candidates until one matches, and consumes it.
    Plain(P),
    /// The same, written with its sentinel.
    Until(P),
    /// Consumes the run of matches at the cursor.
    While(P),
    /// No candidate from here to the next anchor matches.
    Never(P),
    /// Consumes the run of matches at the cursor, which has to have this many.
    Times { of: P, min: u64, max: Option<u64> },
}

impl<P> Element<P> {
    pub(crate) fn pattern(&self) -> &P {
        match self {
            Self::Plain(pattern) | Self::Until(pattern) | Self::While(pattern) | Self::Never(pattern) => {
                pattern
            }
            Self::Times { of, .. } => of,
        }
    }

    pub(crate) fn is_anchor(&self) -> bool {
        matches!(self, Self::Plain(_) | Self::Until(_))
    }

    /// A run that any candidates satisfy, none included.
    fn is_free(&self) -> bool {
        matches!(self, Self::While(_) | Self::Times { min: 0, max: None, .. })
    }
}

/// The elements of a sequence, in order.
#[derive(Debug)]
pub(crate) struct Steps<P> {
    elements: Box<[Element<P>]>,
    /// From here on every element is a free run.
    free_from: usize,
    /// The first element behind the last anchor that only the end of the candidates can decide.
    open_end: Option<usize>,
}

impl<P> Steps<P> {
    pub(crate) fn new(elements: Vec<Element<P>>) -> Self {
        let after_last = |found: Option<usize>| found.map_or(0, |index| index + 1);
        let free_from = after_last(elements.iter().rposition(|element| !element.is_free()));
        let tail = after_last(elements.iter().rposition(Element::is_anchor));
        let stays_open = |element: &Element<P>| match element {
            Element::Never(_) | Element::Times { max: Some(_), .. } => true,
            Element::Plain(_) | Element::Until(_) | Element::While(_) | Element::Times { .. } => false,
        };
        let open_end = elements.iter().skip(tail).position(stays_open).map(|index| tail + index);
        Self { elements: elements.into(), free_from, open_end }
    }

    pub(crate) fn elements(&self) -> &[Element<P>] {
        &self.elements
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Element<P>> {
        self.elements.get(index)
    }

    pub(crate) fn open_end(&self) -> Option<usize> {
        self.open_end
    }
}

/// What one candidate did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Advance<M> {
    /// It was consumed by an anchor or a run.
    Consumed,
    /// It was skipped; `Some` tells by how much it missed the anchor that is awaited.
    Skipped(Option<M>),
    /// No later candidate can mend this.
    Broken(Break),
}

/// How a candidate broke a sequence for good; `element` is the index of the element it broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// It matches a `$never`.
    Forbidden { element: usize },
    /// It ended the run of a `$times` before its minimum.
    TooFew(Short),
    /// It continued the run of a `$times` beyond its maximum.
    TooMany { element: usize, max: u64 },
}

impl Break {
    pub(crate) fn element(self) -> usize {
        match self {
            Self::Forbidden { element }
            | Self::TooFew(Short { element, .. })
            | Self::TooMany { element, .. } => element,
        }
    }
}

/// What a sequence lacked when the candidates ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// A match of the anchor `element`.
    Anchor { element: usize },
    /// More candidates in the run of a `$times`.
    TooFew(Short),
}

impl Lack {
    pub(crate) fn element(self) -> usize {
        match self {
            Self::Anchor { element } | Self::TooFew(Short { element, .. }) => element,
        }
    }
}

/// A run of a `$times` below its minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) element: usize,
    pub(crate) run: u64,
    pub(crate) min: u64,
}

/// A finger on the elements. Moves forward only: an anchor once found is never reconsidered.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Walk {
    /// The element that is tried next.
    element: usize,
    /// Candidates that the `$times` under the finger has consumed.
    run: u64,
    /// The element behind the last anchor found; every `$never` from here to the finger holds.
    watch_from: usize,
}

impl Walk {
    pub(crate) fn element(&self) -> usize {
        self.element
    }

    /// Tries one candidate. `test` is asked at most twice per element, so one candidate costs no more than the
    /// sequence is long.
    pub(crate) fn advance<P, M>(
        &mut self,
        steps: &Steps<P>,
        test: impl Fn(&P) -> Result<(), M>,
    ) -> Advance<M> {
        while let Some(element) = steps.get(self.element) {
            match element {
                Element::Plain(pattern) | Element::Until(pattern) => match test(pattern) {
                    Ok(()) => {
                        self.step();
                        self.watch_from = self.element;
                        return Advance::Consumed;
                    }
                    Err(miss) => return self.watched(steps, test, Advance::Skipped(Some(miss))),
                },
                Element::While(pattern) => {
                    if test(pattern).is_ok() {
                        return self.watched(steps, test, Advance::Consumed);
                    }
                }
                Element::Times { of, min, max } => {
                    if test(of).is_ok() {
                        if let Some(max) = max.filter(|max| self.run >= *max) {
                            return Advance::Broken(Break::TooMany { element: self.element, max });
                        }
                        self.run += 1;
                        return self.watched(steps, test, Advance::Consumed);
                    }
                    if self.run < *min {
                        return Advance::Broken(Break::TooFew(self.short_of(*min)));
                    }
                }
                Element::Never(_) => {}
            }
            self.step();
        }
        self.watched(steps, test, Advance::Skipped(None))
    }

    /// Whether no later candidate can change that the sequence matches.
    pub(crate) fn is_settled<P>(&self, steps: &Steps<P>) -> bool {
        let watching = || self.watches(steps).next().is_some();
        let run_suffices = || match steps.get(self.element) {
            Some(Element::Times { min, max: None, .. }) => {
                self.run >= *min && self.element + 1 >= steps.free_from
            }
            _ => false,
        };
        (self.element >= steps.free_from || run_suffices()) && !watching()
    }

    /// What the sequence still lacks if the candidates end here.
    pub(crate) fn finish<P>(&self, steps: &Steps<P>) -> Result<(), Lack> {
        let mut rest = *self;
        while let Some(element) = steps.get(rest.element) {
            match element {
                Element::Plain(_) | Element::Until(_) => return Err(Lack::Anchor { element: rest.element }),
                Element::Times { min, .. } if rest.run < *min => {
                    return Err(Lack::TooFew(rest.short_of(*min)));
                }
                Element::Times { .. } | Element::While(_) | Element::Never(_) => rest.step(),
            }
        }
        Ok(())
    }

    fn step(&mut self) {
        self.element += 1;
        self.run = 0;
    }

    fn short_of(&self, min: u64) -> Short {
        Short { element: self.element, run: self.run, min }
    }

    /// `outcome`, unless the candidate matches a `$never` that holds here.
    fn watched<P, M>(
        &self,
        steps: &Steps<P>,
        test: impl Fn(&P) -> Result<(), M>,
        outcome: Advance<M>,
    ) -> Advance<M> {
        self.watches(steps)
            .find(|(_, pattern)| test(pattern).is_ok())
            .map_or(outcome, |(element, _)| Advance::Broken(Break::Forbidden { element }))
    }

    fn watches<'s, P>(&self, steps: &'s Steps<P>) -> impl Iterator<Item = (usize, &'s P)> {
        let passed = steps.elements.get(self.watch_from..self.element).unwrap_or_default();
        (self.watch_from..).zip(passed).filter_map(|(index, element)| match element {
            Element::Never(pattern) => Some((index, pattern)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use Element::{Never, Plain, Times, Until, While};

    use super::*;

    #[derive(Debug, PartialEq)]
    enum Outcome {
        SettledAfter(usize),
        Matched,
        Broke(Break),
        Lacked(Lack),
    }
    use Outcome::{Broke, Lacked, Matched, SettledAfter};

    /// Walks one-letter patterns along one-letter candidates.
    fn walk(elements: Vec<Element<char>>, candidates: &str) -> Outcome {
        let steps = Steps::new(elements);
        let mut walk = Walk::default();
        for (seen, candidate) in candidates.chars().enumerate() {
            if walk.is_settled(&steps) {
                return SettledAfter(seen);
            }
            let test = |pattern: &char| if *pattern == candidate { Ok(()) } else { Err(()) };
            if let Advance::Broken(broken) = walk.advance(&steps, test) {
                return Broke(broken);
            }
        }
        if walk.is_settled(&steps) {
            return SettledAfter(candidates.len());
        }
        walk.finish(&steps).map_or_else(Lacked, |()| Matched)
    }

    fn times(of: char, min: u64, max: Option<u64>) -> Element<char> {
        Times { of, min, max }
    }

    #[test]
    fn anchors_take_the_earliest_match_and_are_not_reconsidered() {
        assert_eq!(walk(vec![], "a"), SettledAfter(0));
        assert_eq!(walk(vec![Plain('a'), Plain('b')], "xaxbx"), SettledAfter(4));
        assert_eq!(walk(vec![Until('a'), Until('a')], "aa"), SettledAfter(2));
        assert_eq!(walk(vec![Plain('a'), Plain('b')], "ba"), Lacked(Lack::Anchor { element: 1 }));
        // The second `a` would do, the first is taken.
        assert_eq!(walk(vec![Plain('a'), times('b', 1, None)], "acab"), Broke(few(1, 0, 1)));
    }

    #[test]
    fn a_run_is_taken_at_the_cursor_and_greedily() {
        assert_eq!(walk(vec![While('a'), Plain('b')], "aab"), SettledAfter(3));
        assert_eq!(walk(vec![While('a'), Plain('a')], "aaa"), Lacked(Lack::Anchor { element: 1 }));
        assert_eq!(walk(vec![While('a'), Plain('a')], "xa"), SettledAfter(2));
        // The candidate that ends one run starts the next.
        assert_eq!(walk(vec![While('a'), While('b'), Plain('c')], "abbc"), SettledAfter(4));
        assert_eq!(walk(vec![While('a')], "aaa"), SettledAfter(0));
        assert_eq!(walk(vec![Plain('a'), While('b'), While('c')], "ab"), SettledAfter(1));
    }

    #[test]
    fn never_holds_between_the_anchors_around_it() {
        let between = || vec![Plain('a'), Never('x'), Plain('b')];
        assert_eq!(walk(between(), "xayb"), SettledAfter(4));
        assert_eq!(walk(between(), "ayxb"), Broke(Break::Forbidden { element: 1 }));
        assert_eq!(walk(vec![Never('x'), Plain('b')], "xb"), Broke(Break::Forbidden { element: 0 }));
        assert_eq!(walk(vec![Plain('a'), Never('x'), Plain('b'), Plain('c')], "abxc"), SettledAfter(4));
        assert_eq!(
            walk(vec![Never('x'), Never('y'), Plain('b')], "yb"),
            Broke(Break::Forbidden { element: 1 })
        );
    }

    #[test]
    fn the_anchor_is_tried_before_never() {
        assert_eq!(walk(vec![Never('a'), Plain('a')], "a"), SettledAfter(1));
    }

    #[test]
    fn never_watches_the_runs_written_behind_it_and_not_those_before_it() {
        assert_eq!(
            walk(vec![Never('b'), While('b'), Plain('c')], "bc"),
            Broke(Break::Forbidden { element: 0 })
        );
        assert_eq!(
            walk(vec![Never('b'), times('b', 1, None), Plain('c')], "bc"),
            Broke(Break::Forbidden { element: 0 })
        );
        assert_eq!(walk(vec![While('b'), Never('b'), Plain('c')], "bbc"), SettledAfter(3));
        assert_eq!(
            walk(vec![While('b'), Never('x'), Plain('c')], "bxc"),
            Broke(Break::Forbidden { element: 1 })
        );
    }

    #[test]
    fn a_trailing_never_holds_to_the_end() {
        assert_eq!(walk(vec![Plain('a'), Never('x')], "ayy"), Matched);
        assert_eq!(walk(vec![Plain('a'), Never('x')], "ayx"), Broke(Break::Forbidden { element: 1 }));
        assert_eq!(walk(vec![Never('x'), While('a')], "aabx"), Broke(Break::Forbidden { element: 0 }));
        assert_eq!(walk(vec![While('a'), Never('x')], "aab"), Matched);
    }

    #[test]
    fn times_counts_the_run_at_the_cursor() {
        let two_or_three = || vec![times('a', 2, Some(3)), Plain('b')];
        assert_eq!(walk(two_or_three(), "ab"), Broke(few(0, 1, 2)));
        assert_eq!(walk(two_or_three(), "aab"), SettledAfter(3));
        assert_eq!(walk(two_or_three(), "aaaxb"), SettledAfter(5));
        assert_eq!(walk(two_or_three(), "aaaab"), Broke(Break::TooMany { element: 0, max: 3 }));
        assert_eq!(walk(two_or_three(), "xaab"), Broke(few(0, 0, 2)));
        assert_eq!(
            walk(vec![times('a', 0, Some(0)), Plain('a')], "a"),
            Broke(Break::TooMany { element: 0, max: 0 })
        );
        assert_eq!(
            walk(vec![times('a', 1, Some(1)), times('b', 1, Some(1)), Plain('c')], "abc"),
            SettledAfter(3)
        );
    }

    #[test]
    fn a_trailing_times_settles_at_its_minimum_unless_it_is_bounded() {
        assert_eq!(walk(vec![times('a', 0, None)], "a"), SettledAfter(0));
        assert_eq!(walk(vec![times('a', 2, None)], "aaa"), SettledAfter(2));
        assert_eq!(walk(vec![times('a', 2, None), While('b')], "aaa"), SettledAfter(2));
        assert_eq!(walk(vec![times('a', 1, None), times('b', 0, None)], "a"), SettledAfter(1));
        assert_eq!(walk(vec![times('a', 1, None), Plain('b')], "aab"), SettledAfter(3));
        assert_eq!(walk(vec![times('a', 0, Some(1))], "aa"), Broke(Break::TooMany { element: 0, max: 1 }));
        assert_eq!(
            walk(vec![times('a', 2, None)], "a"),
            Lacked(Lack::TooFew(Short { element: 0, run: 1, min: 2 }))
        );
        assert_eq!(walk(vec![times('a', 1, Some(2))], "aa"), Matched);
        assert_eq!(walk(vec![times('a', 1, Some(2))], "aaa"), Broke(Break::TooMany { element: 0, max: 2 }));
        assert_eq!(walk(vec![times('a', 1, Some(2))], "abaaa"), SettledAfter(2));
        assert_eq!(walk(vec![times('a', 1, Some(2)), times('b', 1, None)], "abb"), SettledAfter(2));
    }

    #[test]
    fn what_only_the_end_decides_is_known_beforehand() {
        let open_end = |elements| Steps::<char>::new(elements).open_end();
        assert_eq!(open_end(vec![]), None);
        assert_eq!(open_end(vec![Never('x'), times('a', 0, Some(1)), Plain('b')]), None);
        assert_eq!(open_end(vec![Plain('b'), While('a'), times('a', 3, None)]), None);
        assert_eq!(open_end(vec![Plain('b'), While('a'), Never('x')]), Some(2));
        assert_eq!(open_end(vec![times('a', 0, Some(1)), While('b')]), Some(0));
    }

    fn few(element: usize, run: u64, min: u64) -> Break {
        Break::TooFew(Short { element, run, min })
    }
}
