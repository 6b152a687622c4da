//! How the process knows its own comments.

/// What a comment of the process itself carries. It does not show in rendered Markdown.
pub const SELF_MARKER: &str = "<!-- the-loop:self -->";

/// A comment's body with the marker.
pub fn marked(body: &str) -> String {
    format!("{body}\n\n{SELF_MARKER}")
}

/// Whether a comment is the process's own.
pub fn is_marked(body: &str) -> bool {
    body.contains(SELF_MARKER)
}
