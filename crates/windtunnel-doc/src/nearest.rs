//! What someone probably meant to write.

/// Longer names are no typing slips, and comparing them costs time.
const MAX_LEN: usize = 64;

/// The known name that is so close to `name` that it was probably meant; the first of several
/// equally close ones.
///
/// Case and the choice between `-` and `_` count for nothing; otherwise about one slip in three
/// letters is forgiven.
///
/// ```
/// assert_eq!(windtunnel_doc::nearest("promt", ["name", "prompt"]), Some("prompt"));
/// assert_eq!(windtunnel_doc::nearest("colour", ["name", "prompt"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let folded = fold(name);
    let slips = (folded.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= slips && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Shorter pieces are in too many names.
const MIN_PIECE: usize = 4;

/// The known name that was probably meant: the [`nearest`], or else the first that begins with `name` or has it as one of
/// its words.
pub(crate) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    nearest(name, known.iter().copied()).or_else(|| {
        let piece = fold(name);
        let is_part = |whole: String| whole.starts_with(&piece) || whole.split('_').any(|word| word == piece);
        let is_long = piece.chars().count() >= MIN_PIECE;
        known.iter().copied().find(|candidate| is_long && is_part(fold(candidate)))
    })
}

fn fold(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_close_names_are_suggested() {
        let known = ["name", "prompt", "must_call", "tags", "x"];
        let table = [
            ("nmae", Some("name")),
            ("must-call", Some("must_call")),
            ("MustCall", Some("must_call")),
            ("tag", Some("tags")),
            ("PROMPT", Some("prompt")),
            ("y", None),
            ("entirely_else", None),
            ("", None),
        ];
        for (name, expected) in table {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
    }

    #[test]
    fn a_piece_of_a_name_stands_for_the_first_that_has_it() {
        let known = ["openai-chat", "openai-responses", "anthropic-messages", "get_order"];
        let table = [
            ("openai", Some("openai-chat")),
            ("Anthropic", Some("anthropic-messages")),
            ("responses", Some("openai-responses")),
            ("openai_resp", Some("openai-responses")),
            ("antropic-messages", Some("anthropic-messages")),
            ("get", None),
            ("essa", None),
            ("openai-completions", None),
            ("", None),
        ];
        for (name, expected) in table {
            assert_eq!(meant(name, &known), expected, "{name}");
        }
    }

    #[test]
    fn a_very_long_name_is_not_compared() {
        let long = "a".repeat(1000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
