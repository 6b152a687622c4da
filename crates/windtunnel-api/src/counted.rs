/// So many of something, in words: `1 case`, `5 cases`. The noun is one whose plural ends in `s`.
///
/// ```
/// use windtunnel_api::counted;
///
/// assert_eq!(counted(1, "tool call"), "1 tool call");
/// assert_eq!(counted(0, "tool call"), "0 tool calls");
/// ```
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
