//! What a command is about: the settings, the selected scenarios and the runtime of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_api::Pack;
use windtunnel_discovery::{
    Found, Selectable, Selection, SelectionError, Standing, TestFolder, bare_packs, discover_beside,
};
use windtunnel_process::scenario::{MANIFEST_FILE, suite};
use windtunnel_runner::RuntimeChoice;

use crate::App;
use crate::args::{GlobalArgs, SelectArgs};
use crate::config::Settings;
use crate::error::CliError;

/// The runtime of packs that name none, where the settings name none either.
const FALLBACK_RUNTIME: &str = "loop";

/// The settings, and the scenarios: all that there are, and then those that are selected.
pub(crate) struct Scope {
    pub(crate) settings: Settings,
    /// The scenarios of packs.
    pub(crate) found: Vec<Found>,
    /// The process scenarios.
    pub(crate) folders: Vec<TestFolder>,
    /// Packs that were named and have no scenario; only where those are fine.
    pub(crate) bare: Vec<Arc<Pack>>,
}

impl Scope {
    /// Reads the settings and finds the scenarios of both kinds: those of the files, and those compiled into this program. `runs_dir`
    /// is the flag's folder.
    pub(crate) fn resolve(
        app: &App,
        global: &GlobalArgs,
        select: &SelectArgs,
        runs_dir: Option<&Utf8Path>,
    ) -> Result<Self, CliError> {
        let scope = everything(app, global, select, runs_dir)?;
        refuse_taken(&scope.found, &scope.folders)?;
        scope.selected(select)
    }

    /// The same without process scenarios, which have no gate to prove.
    pub(crate) fn resolve_packs(
        app: &App,
        global: &GlobalArgs,
        select: &SelectArgs,
        runs_dir: Option<&Utf8Path>,
    ) -> Result<Self, CliError> {
        let Self { settings, found, folders, .. } = everything(app, global, select, runs_dir)?;
        if found.is_empty()
            && let Some(one) = folders.first()
        {
            return Err(CliError::usage(
                format!(
                    "there are only process scenarios here, as {}, and they have no gate to prove",
                    one.path
                ),
                "`wt run` plays them, without a model",
            ));
        }
        Ok(Self { found: selection(select)?.select(found)?, ..Self::of(settings) })
    }

    /// The same as with [`Self::resolve`], where no scenario at all is fine. A pack that is named is read all the same.
    pub(crate) fn resolve_any(app: &App, global: &GlobalArgs, select: &SelectArgs) -> Result<Self, CliError> {
        let everything = everything(app, global, select, None)?;
        let bare = bare_packs(&paths(app, select), &everything.found, app.tools().synthesizes())?;
        let settings = everything.settings.clone();
        let selected = match everything.selected(select) {
            Err(CliError::Selection(SelectionError::NothingFound)) => Self::of(settings),
            selected => selected?,
        };
        Ok(Self { bare, ..selected })
    }

    /// The settings alone: no file of a scenario or a pack is looked at.
    pub(crate) fn without_scenarios(app: &App, global: &GlobalArgs) -> Result<Self, CliError> {
        Ok(Self::of(Settings::load(global.config.as_deref(), &app.paths())?))
    }

    /// Nothing but the settings.
    pub(crate) fn of(settings: Settings) -> Self {
        Self { settings, found: Vec::new(), folders: Vec::new(), bare: Vec::new() }
    }

    fn selected(self, select: &SelectArgs) -> Result<Self, CliError> {
        let Self { settings, found, folders, .. } = self;
        let all = found.into_iter().map(Either::Pack).chain(folders.into_iter().map(Either::Process));
        let mut scope = Self::of(settings);
        for selected in selection(select)?.select(all.collect())? {
            match selected {
                Either::Pack(found) => scope.found.push(found),
                Either::Process(folder) => scope.folders.push(folder),
            }
        }
        Ok(scope)
    }

    /// Whether nothing is selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty() && self.folders.is_empty()
    }

    /// The packs of the scenarios, each once, in order, and then those without any.
    pub(crate) fn packs(&self) -> Vec<Arc<Pack>> {
        let mut packs: Vec<Arc<Pack>> = Vec::new();
        for found in &self.found {
            if !packs.iter().any(|pack| pack.name() == found.pack.name()) {
                packs.push(Arc::clone(&found.pack));
            }
        }
        packs.extend(self.bare.iter().cloned());
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

/// A scenario of either kind.
enum Either {
    Pack(Found),
    Process(TestFolder),
}

impl Either {
    fn selectable(&self) -> &dyn Selectable {
        match self {
            Self::Pack(found) => found,
            Self::Process(folder) => folder,
        }
    }
}

impl Selectable for Either {
    fn scenario(&self) -> &str {
        self.selectable().scenario()
    }

    fn tags(&self) -> Vec<&str> {
        self.selectable().tags()
    }

    fn pack(&self) -> Option<&str> {
        self.selectable().pack()
    }

    fn owner(&self) -> Option<&str> {
        self.selectable().owner()
    }
}

fn selection(select: &SelectArgs) -> Result<Selection, CliError> {
    Ok(Selection::new()
        .scenarios(select.scenario.iter().cloned())?
        .tags(select.tag.iter().cloned())
        .packs(select.pack.iter().cloned())
        .owners(select.owner.iter().cloned()))
}

/// What is looked through: the paths that are named, else what this program means without any.
fn paths(app: &App, select: &SelectArgs) -> Vec<Utf8PathBuf> {
    if select.paths.is_empty() { app.paths() } else { select.paths.clone() }
}

/// Reads the settings and finds the scenarios of both kinds.
fn everything(
    app: &App,
    global: &GlobalArgs,
    select: &SelectArgs,
    runs_dir: Option<&Utf8Path>,
) -> Result<Scope, CliError> {
    let paths = paths(app, select);
    let settings = Settings::load(global.config.as_deref(), &paths)?;
    let folders = folders(&paths, select, &settings.runs_dir(runs_dir));
    // What is wrong with a path is said where more kinds of scenarios are known.
    let found = packs(app, paths, folders.as_deref().unwrap_or_default())?;
    Ok(Scope { found, folders: folders?, ..Scope::of(settings) })
}

/// The scenarios of packs.
fn packs(app: &App, mut paths: Vec<Utf8PathBuf>, folders: &[TestFolder]) -> Result<Vec<Found>, CliError> {
    paths.retain(|path| path.file_name() != Some(MANIFEST_FILE));
    let mut found = discover_beside(&paths, folders, app.tools().synthesizes())?;
    for compiled in app.scenarios() {
        if let Some(taken) = found.iter().find(|found| found.scenario().name == compiled.scenario().name) {
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
    Ok(found)
}

/// The process scenarios.
fn folders(
    paths: &[Utf8PathBuf],
    select: &SelectArgs,
    runs_dir: &Utf8Path,
) -> Result<Vec<TestFolder>, CliError> {
    let mut folders = suite::find(paths, Some(runs_dir))?;
    if select.paths.is_empty() {
        // A working folder that happens to have artifacts was not meant as a scenario.
        folders.retain(|folder| folder.standing != Standing::Named);
    }
    Ok(folders)
}

fn refuse_taken(found: &[Found], folders: &[TestFolder]) -> Result<(), CliError> {
    for folder in folders {
        if let Some(taken) = found.iter().find(|found| found.scenario().name == folder.name) {
            let by = match &taken.file {
                Some(file) => file.as_str(),
                None => "one compiled into this program",
            };
            return Err(CliError::usage(
                format!("{}: the scenario name {:?} is taken by {by}", folder.path, folder.name),
                "scenario names are unique within a run; rename one of the two",
            ));
        }
    }
    Ok(())
}
