//! Command-line references, made from clap's own definitions.

use clap::CommandFactory;
use clap_markdown::{MarkdownOptions, help_markdown_custom};

/// The reference of a program as a page of the book.
pub(super) fn markdown<P: CommandFactory>() -> String {
    let title = format!("`{}`", P::command().get_name());
    let options = MarkdownOptions::new().title(title).show_footer(false).show_table_of_contents(false);
    help_markdown_custom::<P>(&options)
}
