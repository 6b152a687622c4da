//! Removing folders that somebody else filled.

use std::fs;
use std::io;
use std::path::Path;

/// Removes a folder with everything in it, also where the permissions of its folders stand against that.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            restore_permissions(folder);
            fs::remove_dir_all(folder)
        }
        done => done,
    }
}

/// Makes a folder and those below it accessible to their owner. Links are not followed. What cannot be changed stays as it is:
/// whoever needs it finds out.
#[cfg(unix)]
pub(super) fn restore_permissions(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;

    if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
        return;
    }
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
    let mut folders: Vec<_> = is_folder.then(|| folder.to_owned()).into_iter().collect();
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(below.map(|entry| entry.path()));
    }
}

/// Elsewhere permissions are no obstacle of this kind.
#[cfg(not(unix))]
pub(super) fn restore_permissions(_: &Path) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn lock(path: &Path) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }

    #[test]
    fn folders_are_opened_and_what_links_lead_to_is_not() {
        let (outside, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [outer, inner] = ["outer", "outer/inner"].map(|name| folder.path().join(name));
        fs::create_dir_all(&inner).unwrap();
        symlink(outside.path(), inner.join("link")).unwrap();
        fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o500)).unwrap();
        lock(&inner);
        lock(&outer);
        restore_permissions(&outer);
        let link = folder.path().join("link");
        symlink(outside.path(), &link).unwrap();
        restore_permissions(&link);
        assert_eq!([mode(&outer), mode(&inner), mode(outside.path())], [0o700, 0o700, 0o500]);
    }

    #[test]
    fn a_locked_folder_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [outer, inner] = ["outer", "outer/inner"].map(|name| folder.path().join(name));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        lock(&inner);
        lock(&outer);
        remove(&outer).unwrap();
        assert!(!outer.exists());
    }
}
