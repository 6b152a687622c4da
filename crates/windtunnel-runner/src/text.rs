//! Setting texts.

/// A text of several lines, set below the line that it continues.
pub(crate) fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n    ")
}
