//! The command-line reference, made from clap's own definition.

use clap_markdown::{MarkdownOptions, help_markdown_custom};

use crate::args::Cli;

/// The reference as a page of the book.
pub(crate) fn markdown() -> String {
    let options =
        MarkdownOptions::new().title("`wt`".to_owned()).show_footer(false).show_table_of_contents(false);
    help_markdown_custom::<Cli>(&options)
}
