//! Cutting text for streams.

/// Pieces that a long text is cut into at most, and the bytes that a piece has at least.
const MAX_PIECES: usize = 64;
const MIN_PIECE: usize = 24;

/// A text in pieces that end where characters do.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let size = text.len().div_ceil(MAX_PIECES).max(MIN_PIECE);
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(char_end(rest, size));
        rest = after;
        Some(piece)
    })
}

/// The last end of a character within `size` bytes; `size` has room for any one character.
fn char_end(text: &str, size: usize) -> usize {
    (0..=size.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_where_characters_end() {
        let text = "a😀".repeat(2000);
        let cut: Vec<&str> = pieces(&text).collect();
        assert_eq!(cut.concat(), text);
        assert!(cut.len() > 1 && cut.len() <= MAX_PIECES + 1, "{} pieces", cut.len());
        assert_eq!(pieces("").count(), 0);
        assert_eq!(pieces("short").collect::<Vec<_>>(), ["short"]);
    }
}
