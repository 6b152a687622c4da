//! Errors as people see them.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

/// Characters of a line, beyond which text is wrapped.
const WIDTH: usize = 110;

/// Lines that are shown before and after one that is at fault.
const CONTEXT: usize = 1;

/// An error with the places in the files where there are any, and what to do about it, over several lines without a line
/// break at the end.
///
/// ```
/// use windtunnel_doc::{Document, Format, Limits};
///
/// let problems = Document::parse("pack.toml", "name = ", Format::Toml, &Limits::default()).unwrap_err();
/// let text = windtunnel_report::diagnostic(&problems.into_report(), false);
/// assert!(text.contains("[pack.toml:1:"), "{text}");
/// ```
pub fn diagnostic(error: &dyn Diagnostic, colours: bool) -> String {
    draw(error, colours, CONTEXT)
}

/// The same with no other line of a file than those at fault: beside them may stand secrets.
pub fn diagnostic_without_context(error: &dyn Diagnostic, colours: bool) -> String {
    draw(error, colours, 0)
}

fn draw(error: &dyn Diagnostic, colours: bool, context: usize) -> String {
    let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_context_lines(context)
        .with_links(false);
    let mut text = String::new();
    if handler.render_report(&mut text, error).is_err() {
        text = error.to_string();
    }
    text.truncate(text.trim_end().len());
    text
}
