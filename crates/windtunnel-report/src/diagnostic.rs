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

/// Lines longer than this are shown without what is beside a mark: nobody reads them, and drawing them has limits.
const LONG: usize = 4096;

/// Whether a line that is at fault, in the error or those it is made of, is a long one.
fn is_long(error: &dyn Diagnostic) -> bool {
    let marked = error.source_code().zip(error.labels()).is_some_and(|(source, mut labels)| {
        labels.any(|label| {
            let around = source.read_span(label.inner(), CONTEXT, CONTEXT);
            around.is_ok_and(|around| around.data().len() > LONG)
        })
    });
    marked || error.related().is_some_and(|mut parts| parts.any(is_long))
}

fn draw(error: &dyn Diagnostic, colours: bool, context: usize) -> String {
    let context = if is_long(error) { 0 } else { context };
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
