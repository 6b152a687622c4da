//! Where a program is: by path, or through PATH.

use std::env;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use crate::environment::Environment;
use crate::error::ChildError;

/// The program's file. A name with a separator is a path, relative to `base`; a bare name is looked for in PATH.
pub(crate) fn resolve(
    program: &str,
    base: &Utf8Path,
    environment: &Environment,
) -> Result<Utf8PathBuf, ChildError> {
    if program.is_empty() {
        return Err(ChildError::NoProgram);
    }
    if program.contains(std::path::is_separator) {
        by_path(program, base)
    } else {
        by_name(program, base, environment)
    }
}

fn by_path(program: &str, base: &Utf8Path) -> Result<Utf8PathBuf, ChildError> {
    let path = absolute(&base.join(program));
    match candidates(&path).into_iter().find(|path| path.is_file()) {
        Some(path) if is_executable(path.as_std_path()) => Ok(path),
        Some(path) => Err(ChildError::NotExecutable { path }),
        None => Err(ChildError::NotFound {
            program: program.to_owned(),
            looked_for: path.to_string(),
            hint: String::new(),
        }),
    }
}

fn by_name(program: &str, base: &Utf8Path, environment: &Environment) -> Result<Utf8PathBuf, ChildError> {
    let search = environment.get("PATH").unwrap_or_default();
    let folders: Vec<Utf8PathBuf> = env::split_paths(search)
        .filter_map(|folder| Utf8PathBuf::try_from(folder).ok())
        .filter(|folder| folder.is_absolute())
        .collect();
    let found = folders
        .iter()
        .flat_map(|folder| candidates(&folder.join(program)))
        .find(|path| path.is_file() && is_executable(path.as_std_path()));
    found.ok_or_else(|| {
        let names: Vec<&str> = folders.iter().map(|folder| folder.as_str()).collect();
        let hint = if base.join(program).is_file() {
            format!("; for the file in {base} write ./{program}")
        } else {
            String::new()
        };
        ChildError::NotFound {
            program: program.to_owned(),
            looked_for: format!("it in PATH ({})", names.join(", ")),
            hint,
        }
    })
}

fn absolute(path: &Utf8Path) -> Utf8PathBuf {
    camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(not(windows))]
fn candidates(path: &Utf8Path) -> Vec<Utf8PathBuf> {
    vec![path.to_owned()]
}

#[cfg(windows)]
fn candidates(path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let with = |extension: &str| Utf8PathBuf::from(format!("{path}.{extension}"));
    vec![path.to_owned(), with("exe"), with("cmd"), with("bat")]
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn folder_with(name: &str, mode: u32) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        fs::write(path.join(name), "#!/bin/sh\n").unwrap();
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    fn with_path(path: &str) -> Environment {
        Environment::default().set_plain("PATH", path).unwrap()
    }

    #[test]
    fn a_path_is_relative_to_the_base_folder() {
        let (_folder, base) = folder_with("bot", 0o755);
        assert_eq!(resolve("./bot", &base, &Environment::default()).unwrap().file_name(), Some("bot"));
        let error = resolve("./no-bot", &base, &Environment::default()).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("program `./no-bot` was not found: looked for {base}/")),
            "{error}"
        );
    }

    #[test]
    fn a_bare_name_is_looked_for_in_path_only() {
        let (_folder, base) = folder_with("bot", 0o755);
        assert_eq!(resolve("bot", Utf8Path::new("/"), &with_path(base.as_str())).unwrap(), base.join("bot"));
        assert_eq!(
            resolve("bot", &base, &with_path("/nowhere:relative")).unwrap_err().to_string(),
            format!(
                "program `bot` was not found: looked for it in PATH (/nowhere); for the file in {base} write ./bot"
            ),
        );
    }

    #[test]
    fn a_file_that_may_not_be_executed_is_said_to_be_one() {
        let (_folder, base) = folder_with("bot", 0o644);
        let error = resolve("./bot", &base, &Environment::default()).unwrap_err();
        assert!(matches!(error, ChildError::NotExecutable { .. }), "{error}");
    }
}
