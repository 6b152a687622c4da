//! `wt schema`: references that are made from the code.

use windtunnel_api::exit::Exit;
use windtunnel_api::schema::Authored;

use crate::args::{SchemaArgs, SchemaKind};
use crate::config::DEFAULTS;
use crate::error::CliError;
use crate::reference;

pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, CliError> {
    windtunnel_report::print(&match args.kind {
        SchemaKind::Pack => Authored::Pack.schema(),
        SchemaKind::Scenario => Authored::Scenario.schema(),
        SchemaKind::Config => Authored::Config.schema(),
        SchemaKind::Defaults => DEFAULTS.to_owned(),
        SchemaKind::Cli => reference::markdown(),
    })?;
    Ok(Exit::Success)
}
