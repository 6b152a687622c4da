//! Temporary folders, and what killed processes leave of them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;

use crate::scenario::platform;

/// What the folder of a world, and the one of a template, begin with. The id of their process follows: `<kind><pid>-<unique>`.
const KINDS: [&str; 2] = [WORLD, TEMPLATE];
pub(super) const WORLD: &str = "wt-scenario-";
pub(super) const TEMPLATE: &str = "wt-template-";

/// What the folder of a world begins with that is to be looked at. It says nothing of its process, and stays.
pub(super) const KEPT: &str = "wt-kept-scenario-";

/// Characters that tell the folders of a process apart.
const UNIQUE: usize = 12;

/// A folder whose process is gone was left behind after this long. Not at once: a process in another container is alive and not to
/// be seen from here, and seldom needs a folder for longer.
const ORPHANED_AFTER: Duration = Duration::from_millis(200);

/// Makes a temporary folder of this kind, after what killed processes left beside it was removed, once.
pub(super) fn make(kind: &str, within: Option<&Path>) -> io::Result<TempDir> {
    let within = within.map_or_else(std::env::temp_dir, Path::to_owned);
    sweep_once(&within);
    let prefix =
        if KINDS.contains(&kind) { format!("{kind}{}-", std::process::id()) } else { kind.to_owned() };
    tempfile::Builder::new().prefix(&prefix).rand_bytes(UNIQUE).tempdir_in(within)
}

fn sweep_once(within: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.contains(within) {
        sweep(within);
        swept.insert(within.to_owned());
    }
}

/// Removes the folders of processes that are gone. What cannot be listed or removed stays: it is in nobody's way.
fn sweep(within: &Path) {
    let Ok(entries) = fs::read_dir(within) else { return };
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(owner) else { continue };
        // Of the entry itself: a link is no folder.
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().map(|at| at.elapsed());
        let is_old = matches!(age, Ok(Ok(age)) if age > ORPHANED_AFTER);
        if metadata.is_dir() && platform::is_own(&metadata) && is_old && !platform::is_alive(pid) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The process that a temporary folder of ours belongs to.
fn owner(name: &str) -> Option<u32> {
    let rest = KINDS.iter().find_map(|kind| name.strip_prefix(kind))?;
    let (pid, unique) = rest.split_once('-')?;
    let is_unique = unique.len() == UNIQUE && unique.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_unique { pid.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_recognised() {
        for (name, expected) in [
            ("wt-scenario-17-0123456789Ab", Some(17)),
            ("wt-template-17-0123456789Ab", Some(17)),
            ("wt-scenario-0123456789Ab", None),
            ("wt-scenario-17-", None),
            ("wt-scenario-17-0123456789A.", None),
            ("wt-scenario--17-0123456789Ab", None),
            ("wt-kept-scenario-17-0123456789Ab", None),
            ("my-wt-scenario-17-0123456789Ab", None),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }

    #[test]
    fn a_folder_says_its_process_unless_it_is_to_be_kept() {
        let within = tempfile::tempdir().unwrap();
        let owner_of = |kind| {
            let folder = make(kind, Some(within.path())).unwrap();
            owner(folder.path().file_name().unwrap().to_str().unwrap())
        };
        let this = Some(std::process::id());
        assert_eq!([WORLD, TEMPLATE, KEPT].map(owner_of), [this, this, None]);
    }

    #[cfg(unix)]
    #[test]
    fn what_dead_processes_left_is_swept_and_nothing_else() {
        let within = tempfile::tempdir().unwrap();
        let at = |name: &str| within.path().join(name);
        // No process has the largest id.
        let (dead, alive) = (i32::MAX, std::process::id());
        let left = [format!("wt-scenario-{dead}-0123456789Ab"), format!("wt-template-{dead}-0123456789Ab")];
        let others =
            [format!("wt-scenario-{alive}-0123456789Ab"), format!("wt-kept-scenario-{dead}-0123456789Ab")];
        for name in left.iter().chain(&others) {
            fs::create_dir_all(at(name).join("checkout/.git")).unwrap();
        }
        let link = at(&format!("wt-scenario-{dead}-A123456789Ab"));
        std::os::unix::fs::symlink(at(&others[0]), &link).unwrap();
        sweep(within.path());
        assert!(at(&left[0]).exists(), "its process may be in another container");
        std::thread::sleep(ORPHANED_AFTER + Duration::from_millis(50));
        sweep(within.path());
        assert!(!left.iter().any(|name| at(name).exists()));
        assert!(others.iter().all(|name| at(name).join("checkout/.git").exists()));
        assert!(link.is_symlink());
    }
}
