//! Which requests are retries.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Answer, Sent};

/// Answers that are remembered. Requests of one agent that overlap are few.
const REMEMBERED: usize = 8;

/// The last answers, to tell a retry from a new request with an equal body.
#[derive(Debug, Clone, Default)]
pub(super) struct RecentAnswers(VecDeque<RecentAnswer>);

#[derive(Debug, Clone)]
struct RecentAnswer {
    digest: u64,
    number: u64,
    answer: Arc<Answer>,
    delivered: bool,
}

impl RecentAnswers {
    /// The answer to give again, if the request is a retry. A fault is over once it was served: what comes after it is the try
    /// that it asked for, however much of it arrived.
    ///
    /// ```text
    /// equal body before | was a fault | delivered | retry header | is a retry
    /// no                | -           | -         | -            | no
    /// yes               | yes         | -         | -            | no
    /// yes               | no          | no        | -            | yes
    /// yes               | no          | yes       | no           | no: the agent asks again
    /// yes               | no          | yes       | yes          | yes: the client did not get it
    /// ```
    pub(super) fn retried(&self, sent: Sent) -> Option<(u64, Arc<Answer>)> {
        let last = self.0.iter().rev().find(|recent| recent.digest == sent.digest)?;
        let fault = matches!(*last.answer, Answer::Fault { .. });
        (!fault && (!last.delivered || sent.retried)).then(|| (last.number, Arc::clone(&last.answer)))
    }

    pub(super) fn remember(&mut self, sent: Sent, number: u64, answer: Arc<Answer>) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(RecentAnswer { digest: sent.digest, number, answer, delivered: false });
    }

    pub(super) fn delivered(&mut self, number: u64) {
        if let Some(recent) = self.0.iter_mut().find(|recent| recent.number == number) {
            recent.delivered = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::InferenceFault;

    use super::*;
    use crate::chat::ChatReply;

    #[test]
    fn every_row_of_the_retry_table_holds() {
        let fault = Answer::Fault { fault: InferenceFault::status(429), reply: None };
        for (equal, delivered, header, was, is_retry) in [
            (false, false, true, Answer::Decision(ChatReply::default()), false),
            (false, true, true, Answer::Decision(ChatReply::default()), false),
            (true, false, false, Answer::Decision(ChatReply::default()), true),
            (true, false, false, fault.clone(), false),
            (true, false, true, fault.clone(), false),
            (true, true, false, Answer::Decision(ChatReply::default()), false),
            (true, true, false, fault.clone(), false),
            (true, true, true, Answer::Decision(ChatReply::default()), true),
            (true, true, true, fault, false),
        ] {
            let mut recent = RecentAnswers::default();
            recent.remember(Sent { digest: 1, retried: false }, 7, Arc::new(was.clone()));
            if delivered {
                recent.delivered(7);
            }
            let sent = Sent { digest: if equal { 1 } else { 2 }, retried: header };
            let number = recent.retried(sent).map(|(number, _)| number);
            assert_eq!(
                number,
                is_retry.then_some(7),
                "equal {equal}, delivered {delivered}, header {header}, {was:?}"
            );
        }
    }

    #[test]
    fn the_newest_answer_to_an_equal_body_counts_and_old_ones_are_forgotten() {
        let mut recent = RecentAnswers::default();
        let answer = Arc::new(Answer::Decision(ChatReply::default()));
        for number in 1..=20 {
            recent.remember(Sent { digest: number % 2, retried: false }, number, Arc::clone(&answer));
        }
        assert_eq!(recent.0.len(), REMEMBERED);
        assert_eq!(recent.retried(Sent { digest: 1, retried: false }).map(|(number, _)| number), Some(19));
    }
}
