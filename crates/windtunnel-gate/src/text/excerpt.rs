//! Parts of a text as messages show them.

use std::ops::Range;

use super::window;

/// Characters of an answer that a message shows.
const SHOWN: usize = 200;

/// Characters on either side of a place that a message shows.
const CONTEXT: usize = 40;

/// The text in quotes, cut if it is long.
pub(crate) fn quoted(text: &str) -> String {
    let kept = window::after(text, 0, SHOWN);
    match text.len() - kept.len() {
        0 => literal(kept),
        cut => format!("{}… (+{cut} bytes)", literal(kept)),
    }
}

/// The text around a place, in quotes, with `…` where it goes on.
pub(crate) fn around(text: &str, place: &Range<usize>) -> String {
    let before = window::before(text, place.start, CONTEXT);
    let found = window::after(text.get(place.clone()).unwrap_or_default(), 0, SHOWN);
    let after = window::after(text, place.end, CONTEXT);
    let goes_on = |more: bool| if more { "…" } else { "" };
    format!(
        "{}{}{}",
        goes_on(before.len() < place.start),
        literal(&[before, found, after].concat()),
        goes_on(place.end + after.len() < text.len()),
    )
}

/// Names in quotes, joined by commas.
pub(crate) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    names.into_iter().map(|name| quoted(name.as_ref())).collect::<Vec<_>>().join(", ")
}

fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(quoted("a\n\"b\""), r#""a\n\"b\"""#);
        let text = "ä".repeat(201);
        assert_eq!(quoted(&text), format!("\"{}\"… (+2 bytes)", "ä".repeat(200)));
    }

    #[test]
    fn the_surroundings_of_a_place_say_where_they_were_cut() {
        let text = format!("{}needle{}", "ä".repeat(50), "ö".repeat(10));
        let start = text.find("needle").unwrap();
        assert_eq!(
            around(&text, &(start..start + 6)),
            format!("…\"{}needle{}\"", "ä".repeat(40), "ö".repeat(10))
        );
    }
}
