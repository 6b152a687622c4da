//! A test as it is read.

use std::sync::Arc;

use windtunnel_doc::{Diagnostic, Diagnostics, Fault, Format, Path, nearest};

use crate::config::{self, Config, Loaded, Source};

use super::Assertions;

/// The table that a test's config has beside those of a config.
const SECTION: &str = "assertions";

/// A test: a config, and what is asserted of its agents.
#[derive(Debug, Clone)]
pub struct Test {
    /// The config.
    pub config: Arc<Config>,
    /// What is asserted.
    pub assertions: Assertions,
    /// What was ignored in its files, and probably should not have been.
    pub warnings: Vec<Diagnostic>,
}

impl Test {
    /// Loads a test: a config with an `[assertions]` table, which may be absent.
    ///
    /// # Errors
    /// Everything that is wrong with the config, or else with its assertions, at its places.
    pub fn load(source: Source) -> Result<Self, Diagnostics> {
        let Loaded { config, sections, warnings } = config::load(&source.knows([SECTION]))?;
        let misspelt: Vec<Fault> = sections.keys().filter_map(|name| misspelt(name)).collect();
        if !misspelt.is_empty() {
            return Err(config.origin.diagnostics(misspelt));
        }
        let assertions = match sections.get(SECTION) {
            Some(section) => Assertions::parse(section, config.agents.keys().map(String::as_str))?,
            None => Assertions::default(),
        };
        Ok(Self { config: Arc::new(config), assertions, warnings })
    }
}

/// A table that is meant to be the assertions. Other tables that nobody knows are worth a warning only, but a test without its assertions
/// would pass for ever.
fn misspelt(name: &str) -> Option<Fault> {
    let meant = if name == SECTION { None } else { nearest(name, [SECTION]) }?;
    let fault = Fault::new(Path::root().then(name), format!("unknown table \"{name}\"")).at_key();
    Some(fault.with_help(format!("did you mean \"{meant}\"?")))
}

/// Reads a test from a text. Its relative scripts lie in the working folder.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(text: &str, format: Format) -> Result<Test, Diagnostics> {
    Test::load(Source::text("test", text, format))
}
