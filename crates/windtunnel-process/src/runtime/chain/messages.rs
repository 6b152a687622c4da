//! How much is heard of what a hook says. It is told, answered and kept with the item, and none of these is a place for a whole log.

/// So many messages of one hook are heard.
const MOST: usize = 50;

/// So many characters of one message are heard.
const LONGEST: usize = 500;

/// What is heard of these messages, with a count of those left out.
pub(super) fn heard(mut messages: Vec<String>) -> Vec<String> {
    let left_out = messages.len().saturating_sub(MOST);
    messages.truncate(MOST);
    for message in &mut messages {
        cut(message);
    }
    if left_out > 0 {
        messages.push(format!("… and {left_out} more"));
    }
    messages
}

/// What is heard of one message.
pub(super) fn heard_of(mut message: String) -> String {
    cut(&mut message);
    message
}

fn cut(message: &mut String) {
    if let Some((end, _)) = message.char_indices().nth(LONGEST) {
        message.truncate(end);
        message.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_heard_as_it_was_said() {
        let messages: Vec<String> = (0..MOST).map(|number| format!("{number}{}", "é".repeat(400))).collect();
        assert_eq!(heard(messages.clone()), messages);
    }

    #[test]
    fn many_messages_are_counted_and_a_long_one_is_cut() {
        let messages = vec!["é".repeat(LONGEST + 1); 1_000_000];
        let heard = heard(messages);
        assert_eq!(heard.len(), MOST + 1);
        assert_eq!(heard[0], format!("{}…", "é".repeat(LONGEST)));
        assert_eq!(heard[MOST], "… and 999950 more");
    }
}
