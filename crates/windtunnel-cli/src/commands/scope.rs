//! What a command is about: the settings, the selected scenarios and the runtime of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use windtunnel_api::Pack;
use windtunnel_discovery::{Found, Selection, SelectionError, discover};
use windtunnel_runner::RuntimeChoice;

use crate::App;
use crate::args::{GlobalArgs, SelectArgs};
use crate::config::Settings;
use crate::error::CliError;

/// The runtime of packs that name none, where the settings name none either.
const FALLBACK_RUNTIME: &str = "loop";

/// The settings and the selected scenarios.
pub(crate) struct Scope {
    pub(crate) settings: Settings,
    pub(crate) found: Vec<Found>,
}

impl Scope {
    /// Reads the settings and finds the scenarios: those of the files, and those compiled into this program.
    pub(crate) fn resolve(app: &App, global: &GlobalArgs, select: &SelectArgs) -> Result<Self, CliError> {
        let Self { settings, found } = Self::everything(app, global, select)?;
        let selection = Selection::new()
            .scenarios(select.scenario.iter().cloned())?
            .tags(select.tag.iter().cloned())
            .packs(select.pack.iter().cloned())
            .owners(select.owner.iter().cloned());
        Ok(Self { settings, found: selection.select(found)? })
    }

    /// The same, where no scenario at all is fine too.
    pub(crate) fn resolve_any(app: &App, global: &GlobalArgs, select: &SelectArgs) -> Result<Self, CliError> {
        match Self::resolve(app, global, select) {
            Err(CliError::Selection(SelectionError::NothingFound)) => Self::everything(app, global, select),
            outcome => outcome,
        }
    }

    fn everything(app: &App, global: &GlobalArgs, select: &SelectArgs) -> Result<Self, CliError> {
        let paths = if select.paths.is_empty() { app.paths() } else { select.paths.clone() };
        let settings = Settings::load(global.config.as_deref(), &paths)?;
        let mut found = discover(&paths)?;
        for compiled in app.scenarios() {
            if let Some(taken) = found.iter().find(|found| found.scenario().name == compiled.scenario().name)
            {
                return Err(CliError::usage(
                    format!(
                        "the scenario name {:?} is taken by one compiled into this program",
                        taken.scenario().name
                    ),
                    "scenario names are unique within a run; rename one of the two",
                ));
            }
            found.push(compiled.clone());
        }
        Ok(Self { settings, found })
    }

    /// The packs of the scenarios, each once, in order.
    pub(crate) fn packs(&self) -> Vec<Arc<Pack>> {
        let mut packs: Vec<Arc<Pack>> = Vec::new();
        for found in &self.found {
            if !packs.iter().any(|pack| pack.name() == found.pack.name()) {
                packs.push(Arc::clone(&found.pack));
            }
        }
        packs
    }

    /// The runtime of packs that name none.
    pub(crate) fn default_runtime(&self) -> &str {
        self.settings.config.default_runtime.as_deref().unwrap_or(FALLBACK_RUNTIME)
    }

    /// The runtime of a pack's scenarios: the flag's, else its own, else the default.
    pub(crate) fn runtime_of_pack(&self, pack: &Pack, flag: Option<&str>) -> String {
        let choice =
            RuntimeChoice { asked: flag.map(str::to_owned), default: self.default_runtime().to_owned() };
        choice.of(pack).to_owned()
    }

    /// The names of the runtimes that the selected scenarios run on.
    pub(crate) fn wanted(&self, flag: Option<&str>) -> BTreeSet<String> {
        self.found.iter().map(|found| self.runtime_of_pack(&found.pack, flag)).collect()
    }
}
