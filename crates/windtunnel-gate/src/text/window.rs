//! The characters around a place in a text.

/// Up to `count` characters that end at byte `at`.
pub(crate) fn before(text: &str, at: usize, count: usize) -> &str {
    let head = text.get(..at).unwrap_or_default();
    let skipped = count.checked_sub(1).and_then(|last| head.char_indices().rev().nth(last));
    match (count, skipped) {
        (0, _) => "",
        (_, Some((start, _))) => head.get(start..).unwrap_or_default(),
        (_, None) => head,
    }
}

/// Up to `count` characters that begin at byte `at`.
pub(crate) fn after(text: &str, at: usize, count: usize) -> &str {
    let tail = text.get(at..).unwrap_or_default();
    match tail.char_indices().nth(count) {
        Some((end, _)) => tail.get(..end).unwrap_or_default(),
        None => tail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_count_characters_and_never_split_one() {
        let text = "äöü🌍xyz";
        let globe = text.find('🌍').unwrap();
        for (count, expected_before, expected_after) in
            [(0, "", ""), (1, "ü", "🌍"), (2, "öü", "🌍x"), (3, "äöü", "🌍xy"), (9, "äöü", "🌍xyz")]
        {
            assert_eq!(before(text, globe, count), expected_before, "{count}");
            assert_eq!(after(text, globe, count), expected_after, "{count}");
        }
        assert_eq!((before(text, 0, 5), after(text, text.len(), 5)), ("", ""));
    }
}
