//! Real files, edited as editors do.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use tokio::time::timeout;

use super::{WatchError, Watcher};

const DEBOUNCE: Duration = Duration::from_millis(40);
/// Long enough for a busy machine.
const SOON: Duration = Duration::from_secs(10);
/// Long enough for a change to have been reported.
const QUIET: Duration = Duration::from_millis(300);

struct Place {
    folder: Utf8PathBuf,
    watcher: Watcher,
    _owned: TempDir,
}

impl Place {
    fn new() -> Self {
        Self::patient(DEBOUNCE)
    }

    fn patient(debounce: Duration) -> Self {
        let owned = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(owned.path()).unwrap().canonicalize_utf8().unwrap();
        Self { folder, watcher: Watcher::new(debounce).unwrap(), _owned: owned }
    }

    fn write(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    async fn changed(&mut self) -> BTreeSet<String> {
        let changes = timeout(SOON, self.watcher.changed()).await.expect("a change was reported");
        let name = |path: &Utf8PathBuf| path.strip_prefix(&self.folder).unwrap_or(path).to_string();
        changes.paths.iter().map(name).collect()
    }

    /// These are reported and no others; on a busy machine not all at once.
    async fn assert_changed<const N: usize>(&mut self, expected: [&str; N]) {
        let expected = BTreeSet::from(expected.map(str::to_owned));
        let mut reported = BTreeSet::new();
        while !reported.is_superset(&expected) {
            reported.extend(self.changed().await);
        }
        assert_eq!(reported, expected);
    }

    async fn assert_quiet(&mut self) {
        if let Ok(changes) = timeout(QUIET, self.watcher.changed()).await {
            panic!("nothing had changed, but reported was {changes:?}");
        }
    }
}

#[tokio::test]
async fn an_edit_of_a_watched_file_is_reported_once() {
    let mut place = Place::patient(QUIET / 2);
    let script = place.write("script", "one");
    place.write("other", "one");
    place.watcher.watch_file(&script).unwrap();
    place.write("other", "two");
    for text in ["two", "three", "four"] {
        place.write("script", text);
    }
    place.assert_changed(["script"]).await;
    place.assert_quiet().await;
}

#[tokio::test]
async fn a_file_replaced_by_rename_is_reported_each_time() {
    let mut place = Place::new();
    let script = place.write("script", "one");
    place.watcher.watch_file(&script).unwrap();
    for text in ["two", "three"] {
        let draft = place.write(".script.tmp", text);
        fs::rename(draft, &script).unwrap();
        place.assert_changed(["script"]).await;
    }
    // As editors do that keep a backup.
    fs::rename(&script, place.folder.join("script~")).unwrap();
    place.write("script", "four");
    place.assert_changed(["script"]).await;
}

#[tokio::test]
async fn a_file_may_come_and_go() {
    let mut place = Place::new();
    let script = place.folder.join("script");
    place.watcher.watch_file(&script).unwrap();
    place.write("script", "one");
    place.assert_changed(["script"]).await;
    fs::remove_file(&script).unwrap();
    place.assert_changed(["script"]).await;
}

#[tokio::test]
async fn a_look_at_a_file_is_no_change() {
    let mut place = Place::new();
    let script = place.write("script", "one");
    place.watcher.watch_file(&script).unwrap();
    fs::read(&script).unwrap();
    place.assert_quiet().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_and_what_it_points_to_are_both_watched() {
    let mut place = Place::new();
    let target = place.write("versions/one", "one");
    let other = place.write("versions/two", "two");
    let link = place.folder.join("script");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    place.watcher.watch_file(&link).unwrap();
    fs::write(&target, "one, edited").unwrap();
    place.assert_changed(["script"]).await;
    std::os::unix::fs::symlink(&other, place.folder.join("next")).unwrap();
    fs::rename(place.folder.join("next"), &link).unwrap();
    place.assert_changed(["script"]).await;
}

#[cfg(unix)]
#[tokio::test]
async fn paths_are_spelled_as_they_were_asked_for() {
    let mut place = Place::new();
    place.write("real/script", "one");
    std::os::unix::fs::symlink(place.folder.join("real"), place.folder.join("linked")).unwrap();
    place.watcher.watch_file(&place.folder.join("linked/script")).unwrap();
    place.watcher.watch_file(&place.folder.join("real/script")).unwrap();
    place.watcher.watch_folder(&place.folder.join("linked")).unwrap();
    place.write("real/script", "two");
    place.assert_changed(["linked/script", "real/script"]).await;
}

#[tokio::test]
async fn a_folder_is_watched_with_what_comes_into_it() {
    let mut place = Place::new();
    place.write("a/b/deep", "one");
    let folder = place.folder.clone();
    place.watcher.watch_folder(&folder).unwrap();
    place.write("a/b/deep", "two");
    place.assert_changed(["a/b/deep"]).await;

    place.write("new/c/file", "one");
    place.assert_changed(["new", "new/c", "new/c/file"]).await;
    place.write("new/c/file", "two");
    place.assert_changed(["new/c/file"]).await;

    fs::remove_dir_all(folder.join("a")).unwrap();
    while !place.changed().await.contains("a") {}
}

#[tokio::test]
async fn a_file_watched_beside_its_folder_leaves_the_folder_watched() {
    let mut place = Place::new();
    let script = place.write("script", "one");
    let folder = place.folder.clone();
    place.watcher.watch_file(&script).unwrap();
    place.watcher.watch_folder(&folder).unwrap();
    place.watcher.watch_file(&script).unwrap();
    place.write("new/file", "one");
    place.assert_changed(["new", "new/file"]).await;
}

#[tokio::test]
async fn what_is_excluded_is_not_reported() {
    let mut place = Place::new();
    let folder = place.folder.clone();
    place.watcher.watch_folder(&folder).unwrap();
    place.watcher.exclude(&folder.join("out")).unwrap();
    place.write("out/report/junit.xml", "<testsuites/>");
    place.assert_quiet().await;
    place.write("outside", "one");
    place.assert_changed(["outside"]).await;
}

#[tokio::test]
async fn a_folder_that_is_replaced_is_watched_again() {
    let mut place = Place::new();
    let script = place.write("a/script", "one");
    place.watcher.watch_file(&script).unwrap();
    for text in ["two", "three"] {
        fs::rename(place.folder.join("a"), place.folder.join(format!("before-{text}"))).unwrap();
        place.write("a/script", text);
        place.assert_changed(["a/script"]).await;
    }
    place.write("a/script", "four");
    place.assert_changed(["a/script"]).await;
}

#[tokio::test]
async fn files_that_are_never_quiet_are_reported_all_the_same() {
    let mut place = Place::new();
    let folder = place.folder.clone();
    place.watcher.watch_folder(&folder).unwrap();
    let busy = tokio::spawn(async move {
        for round in 0.. {
            fs::write(folder.join("log"), round.to_string()).unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    place.assert_changed(["log"]).await;
    busy.abort();
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_nothing() {
    let mut place = Place::new();
    let script = place.write("script", "one");
    place.watcher.watch_file(&script).unwrap();
    place.write("script", "two");
    let mut tries = 0;
    let changes = loop {
        tries += 1;
        assert!(tries < 5_000, "the change was lost");
        if let Ok(changes) = timeout(Duration::from_millis(2), place.watcher.changed()).await {
            break changes;
        }
    };
    assert_eq!(changes.paths.into_iter().collect::<Vec<_>>(), [script]);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let mut place = Place::new();
    let missing = place.folder.join("missing");
    let error = place.watcher.watch_file(&missing.join("script")).unwrap_err();
    assert!(matches!(&error, WatchError::NoFolder { folder, .. } if *folder == missing), "{error}");
    let error = place.watcher.watch_folder(&missing).unwrap_err().to_string();
    assert_eq!(error, format!("cannot watch {missing}: there is no folder {missing}"));
    let file = place.write("file", "");
    let error = place.watcher.watch_folder(&file).unwrap_err();
    assert!(matches!(error, WatchError::NoFolder { .. }), "{error}");
}
