//! Scenario folders as a test target: one test for each, named like its folder.
//!
//! The target has `harness = false`, and a `main` like this:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use windtunnel_process::graph::work_item_loop;
//! use windtunnel_process::scenario::{Setup, suite::libtest};
//!
//! fn main() -> ExitCode {
//!     libtest::main("scenarios", work_item_loop().map(Setup::new))
//! }
//! ```
//!
//! `cargo test` and `cargo nextest run` both know its tests by name, and so do their filters.

use std::process::ExitCode;

use camino::Utf8PathBuf;
use libtest_mimic::{Arguments, Failed, Trial};
use windtunnel_doc::{Diagnostic, Diagnostics};

use super::{TestFolder, find, load};
use crate::scenario::manifest::MANIFEST_FILE;
use crate::scenario::play::play;
use crate::scenario::setup::Setup;

/// How a test target ends that could not run its tests.
const FAILURE: u8 = 101;

/// Runs the scenarios of a folder as this process's arguments say. A relative path begins where cargo runs the tests of a package: in
/// the package's folder.
///
/// A folder that is not there or holds no scenario is a failure, whatever the arguments.
pub fn main(folder: impl Into<Utf8PathBuf>, setup: Result<Setup, Diagnostics>) -> ExitCode {
    // Programs that gates start live below a process of this same program.
    if let Some(code) = windtunnel_child::reenter() {
        return ExitCode::from(code);
    }
    let arguments = Arguments::from_args();
    match setup.and_then(|setup| trials(folder.into(), &setup)) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(problems) => {
            eprintln!("{problems}");
            ExitCode::from(FAILURE)
        }
    }
}

fn trials(folder: Utf8PathBuf, setup: &Setup) -> Result<Vec<Trial>, Diagnostics> {
    let folders = find(std::slice::from_ref(&folder), setup.runs_dir.as_deref())?;
    if folders.is_empty() {
        let nothing = Diagnostic::of_file(folder, "there is no scenario in this folder");
        return Err(nothing.with_help(format!("a scenario is a folder with a {MANIFEST_FILE}")).into());
    }
    let trial = |folder: TestFolder| {
        let setup = setup.clone();
        Trial::test(folder.name.clone(), move || run(&folder, &setup))
    };
    Ok(folders.into_iter().map(trial).collect())
}

fn run(folder: &TestFolder, setup: &Setup) -> Result<(), Failed> {
    let scenario = load(folder, setup.graph())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(play(&scenario, setup)).outcome?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use libtest_mimic::Conclusion;

    use super::*;
    use crate::graph::work_item_loop;

    fn refusal(folder: &str) -> String {
        trials(folder.into(), &Setup::new(work_item_loop().unwrap())).err().unwrap().to_string()
    }

    #[test]
    fn a_folder_without_scenarios_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let refused = refusal(path);
        assert!(refused.starts_with(&format!("{path}: there is no scenario in this folder")), "{refused}");
        let nowhere = format!("{path}/nowhere");
        let refused = refusal(&nowhere);
        assert!(refused.starts_with(&format!("{nowhere}: cannot read")), "{refused}");
    }

    #[test]
    fn each_folder_is_a_test_of_its_name_and_a_malformed_one_fails() {
        let folder = tempfile::tempdir().unwrap();
        let scenario = "name: a\nworkItem: issue-1\nsteps: [advance]\nexpect: {currentNode: phase-selection, parked: true}\n";
        for (name, text) in [("a", scenario), ("ab", "steps: 1")] {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("scenario.yaml"), text).unwrap();
        }
        let path = Utf8PathBuf::from(folder.path().to_str().unwrap());
        let setup = Setup::new(work_item_loop().unwrap());
        let concluded = |arguments: &[&str]| {
            let arguments = Arguments::from_iter(["target"].iter().chain(arguments));
            let trials = trials(path.clone(), &setup).unwrap();
            let Conclusion { num_passed, num_failed, num_filtered_out, .. } =
                libtest_mimic::run(&arguments, trials);
            (num_passed, num_failed, num_filtered_out)
        };
        assert_eq!(concluded(&[]), (1, 1, 0));
        assert_eq!(concluded(&["a"]), (1, 1, 0));
        assert_eq!(concluded(&["--exact", "a"]), (1, 0, 1));
        assert_eq!(concluded(&["--skip", "b"]), (1, 0, 1));
    }
}
