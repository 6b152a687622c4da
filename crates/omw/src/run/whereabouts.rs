//! What an agent is doing.

use std::fmt;
use std::time::Duration;

/// What an agent was doing when it was asked after, or when it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The call it was in, or the last one that returned; none before the first.
    pub op: Option<&'static str>,
    /// Whether it was in that call, rather than in its own code after it.
    pub in_call: bool,
    /// Since when.
    pub since: Duration,
    /// Calls of the host so far.
    pub calls: u64,
    /// Events in its inbox that it has not taken.
    pub inbox: usize,
}

impl fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.op, self.in_call) {
            (Some(op), true) => write!(f, "in {op}")?,
            (Some(op), false) => write!(f, "in its own code after {op}")?,
            (None, _) => write!(f, "in its own code before its first call of the host")?,
        }
        write!(f, " for {:.1} s", self.since.as_secs_f64())?;
        write!(f, ", after {}", counted(self.calls, "call"))?;
        match self.inbox {
            0 => f.write_str(", with an empty inbox"),
            inbox => write!(f, ", with {} in its inbox", counted(inbox as u64, "event")),
        }
    }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(op: Option<&'static str>, in_call: bool, calls: u64, inbox: usize) -> String {
        Whereabouts { op, in_call, since: Duration::from_millis(1_240), calls, inbox }.to_string()
    }

    #[test]
    fn whereabouts_say_call_time_and_inbox() {
        assert_eq!(
            shown(Some("recv"), true, 12, 0),
            "in recv for 1.2 s, after 12 calls, with an empty inbox"
        );
        assert_eq!(
            shown(Some("chat"), false, 1, 1),
            "in its own code after chat for 1.2 s, after 1 call, with 1 event in its inbox"
        );
        assert_eq!(
            shown(None, false, 0, 3),
            "in its own code before its first call of the host for 1.2 s, after 0 calls, with 3 events in its inbox"
        );
    }
}
