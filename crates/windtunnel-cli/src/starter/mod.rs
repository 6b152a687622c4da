//! What `wt new` makes.

use camino::Utf8Path;

use crate::error::CliError;
use crate::folder::{self, NewFolder};
use crate::shell;

/// What a folder is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Starter {
    /// A pack with a scenario.
    Pack,
    /// A folder of process scenarios.
    Process,
}

impl Starter {
    /// Its files; `{{ name }}` is filled in, also in their paths, and `{{ folder }}`, the folder as a shell's word. Templates
    /// that would be taken for a pack or a scenario where they lie end in `.in`.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Pack => &[
                ("pack.toml", include_str!("pack/pack.toml.in")),
                ("greeting.scenario.toml", include_str!("pack/greeting.scenario.toml.in")),
                ("README.md", include_str!("pack/README.md")),
                ("workspace/name.txt", include_str!("pack/workspace/name.txt")),
            ],
            Self::Process => &[
                ("README.md", include_str!("process/README.md")),
                ("{{ name }}-requirements/scenario.yaml", include_str!("process/scenario.yaml.in")),
                ("{{ name }}-requirements/artifacts/draft.md", include_str!("process/draft.md")),
                (
                    "{{ name }}-requirements/artifacts/requirements.md",
                    include_str!("process/requirements.md"),
                ),
            ],
        }
    }
}

/// Writes the files into a folder that is not there yet, or is empty. Until all of them are written, nothing of it is there.
pub(crate) fn write(dir: &Utf8Path, starter: Starter) -> Result<(), CliError> {
    let folder = NewFolder::begin(dir)?;
    let dir = camino::absolute_utf8(dir)?;
    let name = folder::plain_name(&dir, "starter");
    let word = shell::word(dir.file_name().unwrap_or(&name).into());
    let fill = |template: &str| template.replace("{{ name }}", &name).replace("{{ folder }}", &word);
    let files = starter.files().iter();
    folder.commit(files.map(|(file, template)| (file.replace("{{ name }}", &name), fill(template))))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_with_something_in_it_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(folder.path()).unwrap();
        fs::write(dir.join("mine"), "mine").unwrap();
        write(dir, Starter::Pack).unwrap_err();
        let left: Vec<_> =
            dir.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        assert_eq!(left, ["mine"]);
    }

    #[test]
    fn an_empty_folder_that_somebody_stands_in_is_filled() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(folder.path()).unwrap().join("mine");
        fs::create_dir(&dir).unwrap();
        let before = fs::metadata(&dir).unwrap();
        write(&dir.join("."), Starter::Pack).unwrap();
        assert!(dir.join("workspace/name.txt").is_file());
        assert!(fs::read_to_string(dir.join("pack.toml")).unwrap().contains("name = \"mine\""));
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            assert_eq!(fs::metadata(&dir).unwrap().ino(), before.ino(), "it is the same folder");
        }
    }

    #[test]
    fn commands_name_the_folder_as_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(folder.path()).unwrap().join("C d");
        for (starter, said) in [(Starter::Pack, "`wt selftest 'C d'`"), (Starter::Process, "`wt run 'C d'`")]
        {
            write(&dir, starter).unwrap();
            let readme = fs::read_to_string(dir.join("README.md")).unwrap();
            assert!(readme.contains(said) && readme.starts_with("# C_d\n"), "{readme}");
            fs::remove_dir_all(&dir).unwrap();
        }
    }
}
