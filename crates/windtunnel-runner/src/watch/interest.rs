//! Which events of the file system count, and under which names they are reported.

use std::collections::BTreeSet;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use notify_debouncer_full::notify::EventKind;
use notify_debouncer_full::notify::event::{Event, MetadataKind, ModifyKind, RenameMode};

/// The most files of a new folder that are reported one by one. The folder itself is reported in any case.
const MAX_NEW_FILES: usize = 10_000;

/// What is watched. The system names folders by their real paths, so that is what events are held against; reported are the paths that were
/// asked for.
#[derive(Debug, Default)]
pub(super) struct Interest {
    files: Vec<Watched>,
    folders: Vec<Watched>,
    excluded: Vec<Utf8PathBuf>,
}

#[derive(Debug)]
struct Watched {
    real: Utf8PathBuf,
    asked: Utf8PathBuf,
}

/// What events come to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// What changed, under the names that were asked for.
    pub(super) paths: BTreeSet<Utf8PathBuf>,
    /// Paths that are no longer where they were; a watch of one of them sees nothing any more.
    pub(super) gone: BTreeSet<Utf8PathBuf>,
}

impl Interest {
    pub(super) fn add_file(&mut self, real: Utf8PathBuf, asked: Utf8PathBuf) {
        self.files.push(Watched { real, asked });
    }

    pub(super) fn add_folder(&mut self, real: Utf8PathBuf, asked: Utf8PathBuf) {
        self.folders.push(Watched { real, asked });
    }

    pub(super) fn exclude(&mut self, real: Utf8PathBuf) {
        self.excluded.push(real);
    }

    /// Adds what an event says.
    pub(super) fn see(&self, event: &Event, seen: &mut Seen) {
        if event.need_rescan() {
            self.see_everything(seen);
            return;
        }
        if !counts(event.kind) {
            return;
        }
        let is_arrival = matches!(event.kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)));
        for path in &event.paths {
            self.see_path(path, is_arrival, seen);
        }
        if leaves(event.kind)
            && let Some(path) = event.paths.first().and_then(|path| Utf8Path::from_path(path))
        {
            seen.gone.insert(path.to_owned());
        }
    }

    /// Adds all that is watched: events were lost.
    pub(super) fn see_everything(&self, seen: &mut Seen) {
        seen.paths.extend(self.files.iter().chain(&self.folders).map(|watched| watched.asked.clone()));
    }

    /// Adds what is watched in a folder that was gone for a while.
    pub(super) fn see_folder(&self, real: &Utf8Path, seen: &mut Seen) {
        let files = self.files.iter().filter(|file| file.real.parent() == Some(real));
        seen.paths.extend(files.map(|file| file.asked.clone()));
        self.see_path(real.as_std_path(), true, seen);
    }

    fn see_path(&self, path: &Path, is_arrival: bool, seen: &mut Seen) {
        let path = nearest_utf8(path);
        if self.excluded.iter().any(|excluded| path.starts_with(excluded)) {
            return;
        }
        let files = self.files.iter().filter(|file| file.real == path);
        seen.paths.extend(files.map(|file| file.asked.clone()));
        let mut is_inside = false;
        for folder in &self.folders {
            if let Ok(rest) = path.strip_prefix(&folder.real) {
                is_inside = true;
                // Joining an empty path would add a slash.
                let asked =
                    if rest.as_str().is_empty() { folder.asked.clone() } else { folder.asked.join(rest) };
                seen.paths.insert(asked);
            }
        }
        // What was put into a new folder before it was watched has no events of its own.
        if is_inside && is_arrival && is_folder(path) {
            for file in files_below(path) {
                self.see_path(&file, false, seen);
            }
        }
    }
}

/// Whether an event is more than a look.
fn counts(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(_)
        | EventKind::Other
        | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)) => false,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
    }
}

/// Whether the event's first path is no longer there.
fn leaves(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From | RenameMode::Both))
    )
}

/// The path, or the nearest folder above it whose path is UTF-8.
fn nearest_utf8(path: &Path) -> &Utf8Path {
    path.ancestors().find_map(Utf8Path::from_path).unwrap_or(Utf8Path::new(""))
}

fn is_folder(path: &Utf8Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}

/// The files and folders below a folder, as many as are reported. What cannot be read is left out: it has just changed again.
fn files_below(folder: &Utf8Path) -> Vec<std::path::PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.as_std_path().to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            if found.len() == MAX_NEW_FILES {
                return found;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use notify_debouncer_full::notify::event::{AccessKind, DataChange, Flag, RemoveKind};

    use super::*;

    fn interest() -> Interest {
        let mut interest = Interest::default();
        interest.add_file("/real/a".into(), "/asked/a".into());
        interest.add_folder("/real/f".into(), "/asked/f".into());
        interest
    }

    fn seen(event: &Event) -> Seen {
        let mut seen = Seen::default();
        interest().see(event, &mut seen);
        seen
    }

    fn of(kind: EventKind, path: &str) -> Event {
        Event::new(kind).add_path(path.into())
    }

    #[test]
    fn changes_are_reported_where_they_were_asked_for() {
        let change = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        for (path, reported) in [
            ("/real/a", Some("/asked/a")),
            ("/real/a/b", None),
            ("/real/other", None),
            ("/real/f", Some("/asked/f")),
            ("/real/f/g/h", Some("/asked/f/g/h")),
            ("/real/fg", None),
        ] {
            let paths = seen(&of(change, path)).paths;
            assert_eq!(paths.into_iter().collect::<Vec<_>>(), Vec::from_iter(reported), "{path}");
        }
    }

    #[test]
    fn looks_are_not_reported() {
        for kind in [
            EventKind::Access(AccessKind::Read),
            EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)),
            EventKind::Other,
        ] {
            assert_eq!(seen(&of(kind, "/real/a")), Seen::default(), "{kind:?}");
        }
        let touched = EventKind::Modify(ModifyKind::Metadata(MetadataKind::WriteTime));
        assert_eq!(seen(&of(touched, "/real/a")).paths.len(), 1);
    }

    #[test]
    fn lost_events_report_all_that_is_watched() {
        let paths = seen(&Event::new(EventKind::Other).set_flag(Flag::Rescan)).paths;
        assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["/asked/a", "/asked/f"]);
    }

    #[test]
    fn what_leaves_is_known_to_be_gone() {
        let gone = seen(&of(EventKind::Remove(RemoveKind::Folder), "/real/f")).gone;
        assert_eq!(gone.into_iter().collect::<Vec<_>>(), ["/real/f"]);
    }
}
