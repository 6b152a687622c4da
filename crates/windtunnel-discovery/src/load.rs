//! Reading packs and scenarios, with every fault of every file reported at once.

use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use globset::Glob;
use serde::de::DeserializeOwned;
use windtunnel_api::pack::{ProbeSpec, ToolSpec};
use windtunnel_api::universe::Universe;
use windtunnel_api::{Pack, PackManifest, Scenario};
use windtunnel_doc::{Diagnostic, Diagnostics, Document, Fault, Format, Path};
use windtunnel_gate::{Checks, Gate};

use crate::folder::TestFolder;
use crate::found::Found;
use crate::{outside, walk};

/// Finds and reads the scenarios below these paths: packs, folders of packs, or scenario files.
///
/// # Errors
/// Everything that is wrong with any of the files, and scenarios or packs whose names are taken. One malformed file refuses
/// the whole.
pub fn discover(paths: &[Utf8PathBuf]) -> Result<Vec<Found>, Diagnostics> {
    discover_beside(paths, &[], true)
}

/// The same beside folders that are tests of another kind. What cannot be read inside of one of these is left to whoever reads it.
/// Where nothing `synthesizes` results, a universe file that wants it is at fault.
///
/// # Errors
/// As those of [`discover`].
pub fn discover_beside(
    paths: &[Utf8PathBuf],
    folders: &[TestFolder],
    synthesizes: bool,
) -> Result<Vec<Found>, Diagnostics> {
    let files = walk::scenario_files(paths, folders)?;
    let mut loader = Loader::new(synthesizes);
    let found = files.iter().filter_map(|file| loader.scenario(file)).collect();
    match Diagnostics::merge(loader.problems) {
        Some(problems) => Err(problems),
        None => Ok(found),
    }
}

/// Reads the packs that these paths name themselves, as a folder or by their file, and that own none of the scenarios that were found.
///
/// # Errors
/// Everything that is wrong with any of them, and names that are taken.
pub fn bare_packs(
    paths: &[Utf8PathBuf],
    found: &[Found],
    synthesizes: bool,
) -> Result<Vec<Arc<Pack>>, Diagnostics> {
    let mut loader = Loader::new(synthesizes);
    for Found { pack, .. } in found {
        let file = pack.dir.join(walk::PACK_FILE);
        loader.pack_names.insert(pack.manifest.name.clone(), file.clone());
        loader.packs.insert(walk::canonical(&file), Some(Arc::clone(pack)));
    }
    let mut bare = Vec::new();
    for file in paths.iter().filter_map(|path| walk::named_pack(path)) {
        let canonical = walk::canonical(&file);
        if !loader.packs.contains_key(&canonical) {
            let pack = loader.pack(&file).map(Arc::new);
            bare.extend(pack.clone());
            loader.packs.insert(canonical, pack);
        }
    }
    Diagnostics::merge(loader.problems).map_or(Ok(bare), Err)
}

/// Reads the pack of a folder, for scenarios that are built in Rust.
///
/// # Errors
/// Everything that is wrong with its `pack.toml`.
pub fn load_pack(folder: &Utf8Path) -> Result<Arc<Pack>, Diagnostics> {
    let file = folder.join(walk::PACK_FILE);
    let mut loader = Loader::new(true);
    loader.pack(&file).map(Arc::new).ok_or_else(|| {
        let unreadable = || Diagnostic::of_file(file.as_str(), "cannot read").into();
        Diagnostics::merge(loader.problems).unwrap_or_else(unreadable)
    })
}

struct Loader {
    synthesizes: bool,
    /// By pack file, canonical; `None` where it could not be read, which was said once.
    packs: HashMap<Utf8PathBuf, Option<Arc<Pack>>>,
    /// Names to the files that have them.
    pack_names: HashMap<String, Utf8PathBuf>,
    scenario_names: HashMap<String, Utf8PathBuf>,
    problems: Vec<Diagnostics>,
}

impl Loader {
    fn new(synthesizes: bool) -> Self {
        Self {
            synthesizes,
            packs: HashMap::new(),
            pack_names: HashMap::new(),
            scenario_names: HashMap::new(),
            problems: Vec::new(),
        }
    }

    fn scenario(&mut self, file: &Utf8Path) -> Option<Found> {
        let pack = self.owning_pack(file);
        let (document, scenario) = self.read::<Scenario>(file)?;
        if let Some(first) = self.scenario_names.insert(scenario.name.clone(), file.to_owned()) {
            self.taken(&document, "scenario", &scenario.name, &first);
            return None;
        }
        let gate = match Gate::compile(Arc::new(scenario), Checks::default()) {
            Ok(gate) => gate,
            Err(faults) => {
                self.diagnose(&document, faults);
                return None;
            }
        };
        let pack = pack?;
        let faults = gate.scenario().validate_beside_pack(&pack.manifest);
        if !faults.is_empty() {
            self.diagnose(&document, faults);
            return None;
        }
        Some(Found { gate: Arc::new(gate), pack, file: Some(file.to_owned()), preconditions: Vec::new() })
    }

    fn owning_pack(&mut self, scenario: &Utf8Path) -> Option<Arc<Pack>> {
        let file = match walk::owning_pack(scenario) {
            Ok(file) => file,
            Err(problem) => {
                self.problems.push(problem.into());
                return None;
            }
        };
        let canonical = walk::canonical(&file);
        if let Some(pack) = self.packs.get(&canonical) {
            return pack.clone();
        }
        let pack = self.pack(&file).map(Arc::new);
        self.packs.insert(canonical, pack.clone());
        pack
    }

    fn pack(&mut self, file: &Utf8Path) -> Option<Pack> {
        let (document, manifest) = self.read::<PackManifest>(file)?;
        if let Some(first) = self.pack_names.insert(manifest.name.clone(), file.to_owned()) {
            self.taken(&document, "pack", &manifest.name, &first);
            return None;
        }
        let dir = file.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
        let mut faults: Vec<Fault> = manifest.validate().into_iter().chain(bad_globs(&manifest)).collect();
        let mut universes = Vec::new();
        if faults.is_empty() {
            faults.extend(outside::workspace(&manifest, dir));
            for (name, file) in universe_files(&manifest) {
                match outside::file(dir, file) {
                    Ok(()) => universes.push(dir.join(file)),
                    Err(fault) => faults.push(Fault { path: at_universe(name), ..fault }),
                }
            }
        }
        if !faults.is_empty() {
            self.diagnose(&document, faults);
            return None;
        }
        let malformed: Vec<Diagnostics> =
            universes.iter().filter_map(|path| check_universe(path, self.synthesizes).err()).collect();
        if !malformed.is_empty() {
            self.problems.extend(malformed);
            return None;
        }
        match dir.canonicalize_utf8() {
            Ok(dir) => Some(Pack { manifest, dir }),
            Err(error) => {
                self.problems.push(
                    Diagnostic::of_file(file.as_str(), format!("cannot resolve its folder: {error}")).into(),
                );
                None
            }
        }
    }

    fn read<T: DeserializeOwned>(&mut self, file: &Utf8Path) -> Option<(Document, T)> {
        let read = Document::read(file).and_then(|document| document.decode().map(|value| (document, value)));
        read.map_err(|problems| self.problems.push(problems)).ok()
    }

    fn diagnose(&mut self, document: &Document, faults: Vec<Fault>) {
        if let Err(problems) = document.diagnose(faults) {
            self.problems.push(problems);
        }
    }

    fn taken(&mut self, document: &Document, what: &str, name: &str, first: &Utf8Path) {
        let fault =
            Fault::new(Path::root().then("name"), format!("the {what} name {name:?} is taken by {first}"))
                .with_help(format!("{what} names are unique within a run; rename one of the two"));
        self.diagnose(document, vec![fault]);
    }
}

/// Globs of workspace probes that are none.
fn bad_globs(manifest: &PackManifest) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, probe) in &manifest.probe {
        let ProbeSpec::Workspace(probe) = probe else { continue };
        for (field, globs) in [("include", &probe.include), ("exclude", &probe.exclude)] {
            for (index, glob) in globs.iter().enumerate() {
                if let Err(error) = Glob::new(glob) {
                    let path = Path::root().then("probe").then(name.as_str()).then(field).then(index);
                    let fault = Fault::new(path, format!("{glob:?} is not a glob: {}", error.kind()));
                    faults.push(
                        fault.with_help("for example \"**/*.md\"; a backslash takes a character as it is"),
                    );
                }
            }
        }
    }
    faults
}

/// The files of recorded calls that a pack's tool servers serve, by server.
fn universe_files(manifest: &PackManifest) -> impl Iterator<Item = (&str, &Utf8Path)> {
    manifest.tools.iter().filter_map(|(name, spec)| match spec {
        ToolSpec::Universe(tools) => Some((name.as_str(), tools.file.as_path())),
        _ => None,
    })
}

fn at_universe(server: &str) -> Path {
    Path::root().then("tools").then(server).then("file")
}

/// Reads a universe file only to say what is wrong with it; whoever serves it reads it once for all cases.
fn check_universe(path: &Utf8Path, synthesizes: bool) -> Result<(), Diagnostics> {
    let document = Document::read_as(path, Format::Json, &Universe::limits())?;
    let universe = Universe::of_document(&document)?;
    document.diagnose(if synthesizes { Vec::new() } else { universe.synthesized() })
}
