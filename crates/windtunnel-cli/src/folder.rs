//! Folders that are made complete or not at all.

use std::fs;
use std::io;

use camino::Utf8Path;

/// Writes files into a folder that is not there yet, or is empty. Until all of them are written, nothing of it is there.
pub(crate) fn write(dir: &Utf8Path, files: impl IntoIterator<Item = (String, String)>) -> io::Result<()> {
    let dir = camino::absolute_utf8(dir)?;
    if dir.is_dir() && fs::read_dir(&dir)?.next().is_some() {
        return Err(io::ErrorKind::DirectoryNotEmpty.into());
    }
    let parent = dir.parent().unwrap_or(&dir);
    fs::create_dir_all(parent)?;
    let staging = tempfile::Builder::new().prefix(".wt-new-").tempdir_in(parent)?;
    for (file, text) in files {
        let path = staging.path().join(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    if dir.is_dir() {
        // Whoever stands in an empty folder goes on standing in it.
        for entry in fs::read_dir(staging.path())? {
            let entry = entry?;
            fs::rename(entry.path(), dir.as_std_path().join(entry.file_name()))?;
        }
        Ok(())
    } else {
        fs::rename(staging.path(), &dir)?;
        set_default_mode(&dir)
    }
}

/// What keeps files from being written into a folder, in words.
pub(crate) fn occupied(dir: &Utf8Path) -> Option<&'static str> {
    match dir.read_dir_utf8() {
        Ok(mut entries) => entries.next().map(|_| "is not empty"),
        Err(_) => dir.symlink_metadata().ok().map(|_| "is there already, and is no folder"),
    }
}

/// A temporary folder is private; one that is made for somebody is not.
#[cfg(unix)]
fn set_default_mode(dir: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn set_default_mode(_dir: &Utf8Path) -> io::Result<()> {
    Ok(())
}

/// The folder's name as a pack's name; this one where nothing is left of it.
pub(crate) fn plain_name(dir: &Utf8Path, fallback: &str) -> String {
    let name = dir.file_name().unwrap_or(fallback);
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if plain.trim_matches(['_', '-']).is_empty() { fallback.to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_plain() {
        for (dir, name) in [("a/my pack", "my_pack"), ("a/..", "starter"), ("ok-1", "ok-1"), ("Ünï", "_n_")]
        {
            assert_eq!(plain_name(Utf8Path::new(dir), "starter"), name, "{dir}");
        }
    }
}
