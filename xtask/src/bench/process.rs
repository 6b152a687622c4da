//! What a process scenario costs.

use std::fs;
use std::path::Path;

use super::suite;
use crate::shell::{Outcome, root};

/// Copies of the scenario.
const COPIES: usize = 1000;

/// The scenario that is copied: a whole walk.
const SCENARIO: &str = "happy-path";

/// Scenarios per second of `wt run`, with worlds and runs on disk and on a memory file system.
pub(super) fn run(wt: &Path) -> Outcome {
    let disk = root().join("target");
    fs::create_dir_all(&disk)?;
    let folder = tempfile::tempdir_in(disk)?;
    let scenarios = folder.path().join("scenarios");
    copies(&scenarios)?;
    for (place, scratch) in [("disk", folder.path()), ("memory", Path::new("/dev/shm"))] {
        if scratch.is_dir() {
            for jobs in [1, 2] {
                measure(wt, &scenarios, scratch, place, jobs)?;
            }
        }
    }
    Ok(())
}

fn copies(scenarios: &Path) -> Outcome {
    let original = root().join("examples/process").join(SCENARIO);
    let manifest = fs::read_to_string(original.join("scenario.yaml"))?;
    for copy in 0..COPIES {
        let name = format!("{SCENARIO}-{copy:04}");
        let to = scenarios.join(&name);
        fs::create_dir_all(to.join("artifacts"))?;
        for artifact in fs::read_dir(original.join("artifacts"))? {
            let artifact = artifact?;
            fs::copy(artifact.path(), to.join("artifacts").join(artifact.file_name()))?;
        }
        fs::write(
            to.join("scenario.yaml"),
            manifest.replace(&format!("name: {SCENARIO}\n"), &format!("name: {name}\n")),
        )?;
    }
    Ok(())
}

fn measure(wt: &Path, scenarios: &Path, scratch: &Path, place: &str, jobs: usize) -> Outcome {
    let (elapsed, peak) = suite(wt, "run", scenarios, scratch, jobs)?;
    println!(
        "process, {place}, --jobs {jobs}: {:.0} scenarios/s, {:.2} s, peak {:.0} MB",
        f64::from(u32::try_from(COPIES)?) / elapsed.as_secs_f64(),
        elapsed.as_secs_f64(),
        f64::from(peak) / 1024.0
    );
    Ok(())
}
