//! How the process knows its own comments.

/// What a comment of the process itself carries. It does not show in rendered Markdown.
pub const SELF_MARKER: &str = "<!-- the-loop:self -->";

/// What a comment of the process carries besides, if its words are those of an agent that asks something.
pub const QUESTION_MARKER: &str = "<!-- the-loop:question -->";

/// A comment's body with the marker.
pub fn marked(body: &str) -> String {
    format!("{body}\n\n{SELF_MARKER}")
}

/// Whether a comment is the process's own.
pub fn is_marked(body: &str) -> bool {
    body.contains(SELF_MARKER)
}

/// An agent's question as a comment of the process: with both markers, behind what the agent says.
pub fn marked_question(question: &str) -> String {
    marked(&format!("{question}\n\n{QUESTION_MARKER}"))
}

/// Whether a comment is a question that the process posted for an agent.
pub fn is_question(body: &str) -> bool {
    body.contains(QUESTION_MARKER)
}
