//! The command: remembering, comparing, and how it ends.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use windtunnel_api::counted;
use windtunnel_api::exit::Exit;
use windtunnel_api::surface::{GoldenFile, Surface, SurfaceGolden};
use windtunnel_report::{block, line};

use super::golden;
use super::take::{self, PackSurfaces, Taken};
use crate::App;
use crate::args::{GlobalArgs, SurfaceAction, SurfaceArgs, SurfaceOf};
use crate::commands::execute::block_on;
use crate::commands::scope::Scope;
use crate::error::CliError;
use crate::log;
use crate::shell;

/// The golden file of a pack.
const FILE: &str = "surface.golden.json";

pub(crate) fn run(app: &App, global: &GlobalArgs, args: &SurfaceArgs) -> Result<Exit, CliError> {
    match &args.action {
        SurfaceAction::Record { of, with_text } => {
            let mut text = String::new();
            let scope = resolve(app, global, of)?;
            // Before anything is run.
            for pack in scope.packs() {
                golden::check(&golden_of(of, &pack.dir))?;
            }
            let Taken { packs, unseen } = block_on(1, take::surfaces(app, scope, of.runtime.as_deref()))?;
            for pack in packs {
                let file = file_of(of, &pack);
                let goldens: IndexMap<_, _> = pack
                    .scenarios
                    .iter()
                    .map(|(name, surface)| (name.clone(), SurfaceGolden::of(surface, *with_text)))
                    .collect();
                let scenarios = counted(goldens.len(), "scenario");
                let Some(golden) = GoldenFile::of(goldens) else { continue };
                golden::write(&file, &golden)?;
                let surfaces = counted(1 + distinct(&golden), "surface");
                let shown = of.golden.as_ref().map_or(FILE, |file| file.as_str());
                let _ = writeln!(text, "{}: {surfaces} of {scenarios} in {}", line(&pack.name), line(shown));
            }
            windtunnel_report::print(&text)?;
            tell_unseen(&unseen);
            Ok(Exit::Success)
        }
        SurfaceAction::Diff { of } => compare(app, global, of).map(|_| Exit::Success),
        SurfaceAction::Check { of } => {
            let changed = compare(app, global, of)?;
            Ok(if changed { Exit::Failure } else { Exit::Success })
        }
    }
}

/// Tells every change. Whether there is any.
fn compare(app: &App, global: &GlobalArgs, of: &SurfaceOf) -> Result<bool, CliError> {
    let scope = resolve(app, global, of)?;
    // Before anything is run.
    for pack in scope.packs() {
        let file = golden_of(of, &pack.dir);
        if file.exists() && !file.is_file() {
            return Err(golden::no_file(&file));
        }
        if !file.is_file() {
            let paths: Vec<String> = of.select.paths.iter().map(|path| shell::word(path)).collect();
            return Err(CliError::usage(
                format!("{file} is not there, so there is nothing to compare with"),
                format!(
                    "remember the surface first: `{}`",
                    ["wt surface record".to_owned()].into_iter().chain(paths).collect::<Vec<_>>().join(" ")
                ),
            ));
        }
    }
    let (mut text, mut any) = (String::new(), false);
    let Taken { packs, unseen } = block_on(1, take::surfaces(app, scope, of.runtime.as_deref()))?;
    for pack in packs {
        let golden = golden::read(&file_of(of, &pack))?;
        for (scenario, changes) in changes(&golden, &pack.scenarios) {
            any = true;
            let _ = writeln!(text, "{}/{}", line(&pack.name), line(&scenario));
            for change in changes {
                let _ = writeln!(text, "  {}", block(&change).replace('\n', "\n  "));
            }
        }
    }
    if !any {
        text.push_str("the surface is as it was remembered\n");
    }
    windtunnel_report::print(&text)?;
    tell_unseen(&unseen);
    Ok(any)
}

/// Names the scenarios of which nothing is remembered or compared.
fn tell_unseen(unseen: &[String]) {
    if !unseen.is_empty() {
        log::line(format!(
            "note: {} left out, without a golden reference case: {}",
            counted(unseen.len(), "scenario"),
            line(&unseen.join(", "))
        ));
    }
}

/// The changes of each scenario that has any.
fn changes(golden: &GoldenFile, now: &IndexMap<String, Surface>) -> Vec<(String, Vec<String>)> {
    let changes = |(name, surface): (&String, &Surface)| {
        let changes = golden.of_scenario(name).changes(surface);
        let told: Vec<String> = changes.iter().map(ToString::to_string).collect();
        (!told.is_empty()).then(|| (name.clone(), told))
    };
    now.iter().filter_map(changes).collect()
}

/// How many other surfaces there are.
fn distinct(golden: &GoldenFile) -> usize {
    let mut seen: Vec<&SurfaceGolden> = Vec::new();
    for other in golden.scenarios.values() {
        if !seen.contains(&other) {
            seen.push(other);
        }
    }
    seen.len()
}

fn resolve(app: &App, global: &GlobalArgs, of: &SurfaceOf) -> Result<Scope, CliError> {
    let scope = Scope::resolve_packs(app, global, &of.select, None)?;
    let packs = scope.packs().len();
    if of.golden.is_some() && packs > 1 {
        return Err(CliError::usage(
            format!("--golden names one file, and {packs} packs are selected"),
            "select one with --pack, or leave --golden out: every pack has a file of its own",
        ));
    }
    Ok(scope)
}

fn file_of(of: &SurfaceOf, pack: &PackSurfaces) -> Utf8PathBuf {
    golden_of(of, &pack.dir)
}

fn golden_of(of: &SurfaceOf, pack_dir: &Utf8Path) -> Utf8PathBuf {
    of.golden.clone().unwrap_or_else(|| pack_dir.join(FILE))
}
