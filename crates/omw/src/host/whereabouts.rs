//! What a brain is doing.

use std::sync::Mutex;
use std::time::Instant;

use crate::run::Whereabouts;

use super::sync::lock;

/// Follows one run of a brain through its calls of the host.
pub(super) struct Place(Mutex<State>);

struct State {
    op: Option<&'static str>,
    in_call: bool,
    since: Instant,
    calls: u64,
}

impl Place {
    /// Before the first call.
    pub(super) fn new() -> Self {
        Self(Mutex::new(State { op: None, in_call: false, since: Instant::now(), calls: 0 }))
    }

    /// A call begins.
    pub(super) fn enter(&self, op: &'static str) {
        let mut state = lock(&self.0);
        state.op = Some(op);
        state.in_call = true;
        state.calls += 1;
        state.since = Instant::now();
    }

    /// The call is over.
    pub(super) fn leave(&self) {
        let mut state = lock(&self.0);
        state.in_call = false;
        state.since = Instant::now();
    }

    /// Where the brain is, with so many events in its inbox.
    pub(super) fn look(&self, inbox: usize) -> Whereabouts {
        let state = lock(&self.0);
        let State { op, in_call, calls, .. } = *state;
        Whereabouts { op, in_call, since: state.since.elapsed(), calls, inbox }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brain_is_followed_into_and_out_of_its_calls() {
        let place = Place::new();
        let seen = |inbox| {
            let Whereabouts { op, in_call, calls, inbox, .. } = place.look(inbox);
            (op, in_call, calls, inbox)
        };
        assert_eq!(seen(0), (None, false, 0, 0));
        place.enter("recv");
        assert_eq!(seen(2), (Some("recv"), true, 1, 2));
        place.leave();
        assert_eq!(seen(1), (Some("recv"), false, 1, 1));
    }
}
