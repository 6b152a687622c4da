//! The latest events, for the message of a failure.

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::fmt;

use serde_json::Value;

use crate::text::excerpt;

/// Events that a [`Window`] keeps unless told otherwise.
pub const WINDOW_LEN: usize = 200;

/// Characters of one event in the text of a window.
const EVENT_LIMIT: usize = 400;

/// The latest events with their indexes, and a count of those left out.
///
/// Pushing moves the event in and renders nothing; text is made when it is displayed. `E` is whatever holds a value
/// cheaply, such as an `Arc<Value>`.
///
/// ```
/// use std::sync::Arc;
/// use serde_json::json;
/// use windtunnel_pattern::Window;
///
/// let mut window = Window::last(2);
/// for n in 0..4 {
///     window.push(Arc::new(json!({"n": n})));
/// }
/// assert_eq!(window.to_string(), "2 earlier left out\n[2] {\"n\":2}\n[3] {\"n\":3}\n");
/// ```
#[derive(Debug, Clone)]
pub struct Window<E> {
    kept: VecDeque<E>,
    limit: Option<usize>,
    left_out: usize,
}

impl<E> Window<E> {
    /// Keeps the last [`WINDOW_LEN`] events.
    pub fn new() -> Self {
        Self::last(WINDOW_LEN)
    }

    /// Keeps the last `limit` events.
    pub fn last(limit: usize) -> Self {
        Self { kept: VecDeque::new(), limit: Some(limit), left_out: 0 }
    }

    /// Keeps every event, for a dump that was asked for.
    pub fn everything() -> Self {
        Self { kept: VecDeque::new(), limit: None, left_out: 0 }
    }

    /// Adds the next event and lets go of the oldest one beyond the limit.
    pub fn push(&mut self, event: E) {
        self.kept.push_back(event);
        if self.limit.is_some_and(|limit| self.kept.len() > limit) {
            self.kept.pop_front();
            self.left_out += 1;
        }
    }

    /// The number of earlier events that were let go.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The events that are kept, each with its index among all events pushed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &E)> {
        self.kept.iter().enumerate().map(|(offset, event)| (self.left_out + offset, event))
    }
}

impl<E> Default for Window<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// One line per event: `[7] {"kind":"call",…}`, long values cut; above them the count of events left out, if any.
impl<E: Borrow<Value>> fmt::Display for Window<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.left_out > 0 {
            writeln!(f, "{} earlier left out", self.left_out)?;
        }
        self.iter()
            .try_for_each(|(index, event)| writeln!(f, "[{index}] {}", excerpt(event.borrow(), EVENT_LIMIT)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_last_two_hundred_are_kept_under_their_own_indexes() {
        let mut window = Window::new();
        for n in 0..1_000 {
            window.push(json!(n));
        }
        assert_eq!(window.left_out(), 800);
        let kept: Vec<_> = window.iter().map(|(index, value)| (index, value.clone())).collect();
        assert_eq!(kept.len(), 200);
        assert_eq!(kept.first(), Some(&(800, json!(800))));
        assert_eq!(kept.last(), Some(&(999, json!(999))));
        assert!(window.to_string().starts_with("800 earlier left out\n[800] 800\n"));
    }

    #[test]
    fn a_window_that_is_not_full_leaves_nothing_out() {
        let mut window = Window::last(2);
        window.push(json!("a"));
        window.push(json!("b"));
        assert_eq!(window.to_string(), "[0] \"a\"\n[1] \"b\"\n");
    }

    #[test]
    fn a_dump_keeps_everything() {
        let mut window = Window::everything();
        for n in 0..1_000 {
            window.push(json!(n));
        }
        assert_eq!((window.left_out(), window.iter().len()), (0, 1_000));
    }

    #[test]
    fn long_events_are_cut() {
        let mut window = Window::new();
        window.push(json!((0..10_000).collect::<Vec<_>>()));
        let text = window.to_string();
        assert!(text.chars().count() < EVENT_LIMIT + 10 && text.ends_with("…\n"), "{text}");
    }
}
