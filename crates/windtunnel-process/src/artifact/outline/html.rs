//! HTML in Markdown.

/// Whether HTML shows anything: text outside of tags and comments, or a picture.
pub(super) fn shows_something(html: &str) -> bool {
    let mut rest = html;
    loop {
        let Some(at) = rest.find('<') else { return !rest.trim().is_empty() };
        let (before, tag) = rest.split_at(at);
        if !before.trim().is_empty() || tag.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("<img")) {
            return true;
        }
        let end = if tag.starts_with("<!--") { "-->" } else { ">" };
        // `<!-->` is a comment as well: its end may overlap its beginning.
        let from = if end == "-->" { 2 } else { 1 };
        match tag.get(from..).and_then(|inner| inner.find(end)) {
            Some(length) => rest = tag.get(from + length + end.len()..).unwrap_or_default(),
            None => return false,
        }
    }
}
