//! A folder of files for a test.

use camino::{Utf8Path, Utf8PathBuf};
use omw::config::{Loaded, Source, load};

/// A folder that is removed after the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = folder.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, path: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.0.path()).unwrap().join(path)
    }

    /// A file over base files.
    pub(crate) fn source(&self, file: &str, bases: &[&str]) -> Source {
        Source::file(self.path(file)).with_bases(bases.iter().map(|base| self.path(base)).collect())
    }

    /// The faults of a file over base files, with the folder's name cut out.
    pub(crate) fn faults(&self, source: &Source) -> String {
        self.cut(&load(source).unwrap_err().to_string())
    }

    pub(crate) fn cut(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.path("").as_str().trim_end_matches('/')), "")
    }
}

/// The warnings, one a line.
pub(crate) fn warnings(loaded: &Loaded) -> String {
    let line = |warning: &windtunnel_doc::Diagnostic| {
        let place =
            warning.position().map(|place| format!("{}:{}:{}: ", warning.file(), place.line, place.column));
        let help = warning.help().map(|help| format!("; {help}"));
        format!("{}{warning}{}", place.unwrap_or_default(), help.unwrap_or_default())
    };
    loaded.warnings.iter().map(line).collect::<Vec<_>>().join("\n")
}
