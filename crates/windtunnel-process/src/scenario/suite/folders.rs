//! Which folders are scenarios.

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_discovery::{FolderRule, Standing, TestFolder, find_folders};
use windtunnel_doc::{Diagnostic, Diagnostics};

use crate::graph::Graph;
use crate::scenario::error::ScenarioError;
use crate::scenario::manifest::{ARTIFACTS, MANIFEST_FILE, Scenario};

const RULE: FolderRule = FolderRule { manifest: MANIFEST_FILE, contents: ARTIFACTS };

/// Finds the scenario folders that are named, or lie anywhere below a path that is: see [`find_folders`]. The folder that runs are kept
/// in may lie beside scenarios.
///
/// # Errors
/// Paths that cannot be read, and two folders of one name.
pub fn find(paths: &[Utf8PathBuf], runs_dir: Option<&Utf8Path>) -> Result<Vec<TestFolder>, Diagnostics> {
    find_folders(paths, &RULE, runs_dir)
}

/// Reads a folder that was found.
///
/// # Errors
/// [`ScenarioError::Format`] with all that is wrong with it, also that it is no scenario though it should be one.
pub fn load(folder: &TestFolder, graph: &Graph) -> Result<Scenario, ScenarioError> {
    let (problem, help) = match folder.standing {
        Standing::Test | Standing::Named => return Scenario::load(&folder.path, graph),
        Standing::BesideTests => (
            format!("there is no {MANIFEST_FILE} in this folder, though it lies beside scenarios"),
            "every visible folder there has to be one: add the file, move the folder, or put a dot in front of its name",
        ),
        Standing::Link => (
            "this is a symbolic link beside scenarios, and is not followed".to_owned(),
            "put a copy in its place, or name the folder that it leads to",
        ),
        Standing::Unreadable => (
            "this folder lies beside scenarios, and cannot be read".to_owned(),
            "every visible folder there has to be one: make it readable, move it, or put a dot in front of its name",
        ),
    };
    Err(ScenarioError::Format(Diagnostic::of_file(folder.path.as_str(), problem).with_help(help).into()))
}
