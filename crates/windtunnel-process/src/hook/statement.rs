//! A paragraph that decides something: it has the words that decide, and beside them nothing but courtesy.

/// What may stand beside those words: it takes nothing back, and makes nothing depend on anything. A longer courtesy stands
/// before one that it begins with.
const COURTESIES: [&str; 18] = [
    "thank you",
    "thanks",
    "looks good to me",
    "looks good",
    "lgtm",
    "great work",
    "great",
    "good work",
    "good",
    "nice work",
    "nice",
    "well done",
    "ship it",
    "ok",
    "go ahead",
    "please proceed",
    "please",
    "+1",
];

/// What else may: marks that end or join sentences, and signs of consent with their variants.
const MARKS: [char; 24] = [
    '.', '!', ',', ':', ';', '-', '–', '—', '👍', '👌', '👏', '🙏', '🙌', '✅', '✔', '🎉', '🎊', '🚀', '💯',
    '❤', '💚', '🙂', '😊', '\u{fe0f}',
];

/// What follows these words, if a text in lower case begins with them, whatever the space between them.
pub(super) fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut rest = text.trim_start();
    for word in words.split_whitespace() {
        rest = rest.trim_start().strip_prefix(word)?;
    }
    let goes_on = words.ends_with(is_of_word) && rest.starts_with(is_of_word);
    (!goes_on).then_some(rest)
}

/// Whether a text in lower case is nothing but courtesy.
pub(super) fn is_courtesy(text: &str) -> bool {
    let mut rest = text;
    while let Some(shorter) = without_courtesy(rest) {
        rest = shorter;
    }
    rest.is_empty()
}

/// A text in lower case without the courtesy, mention or mark that it begins with, if it does.
pub(super) fn without_courtesy(text: &str) -> Option<&str> {
    let is_mark = |c: char| c.is_whitespace() || MARKS.contains(&c) || is_skin_tone(c);
    let courtesy = || COURTESIES.iter().find_map(|courtesy| after(text, courtesy));
    text.strip_prefix(is_mark).or_else(|| without_mention(text)).or_else(courtesy)
}

fn without_mention(text: &str) -> Option<&str> {
    let name = text.strip_prefix('@')?;
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '_'));
    (rest.len() < name.len()).then_some(rest)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}
