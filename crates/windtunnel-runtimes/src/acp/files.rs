//! The text files that an agent reads and writes through its client.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ReadTextFileRequest, WriteTextFileRequest};
use camino::Utf8Path;
use windtunnel_mcp::{WorkspaceRoot, open_regular, write_regular};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 8 * 1024 * 1024;

/// The files of a workspace, and no others.
#[derive(Debug, Clone)]
pub(super) struct Files {
    workspace: WorkspaceRoot,
}

impl Files {
    pub(super) fn of(workspace: &Utf8Path) -> io::Result<Self> {
        Ok(Self { workspace: WorkspaceRoot::new(workspace)? })
    }

    /// The workspace, with links resolved.
    pub(super) fn workspace(&self) -> &Path {
        self.workspace.real()
    }

    /// The lines that are asked for; all of them without `line` and `limit`.
    pub(super) fn read(&self, request: &ReadTextFileRequest) -> Result<String, Error> {
        let path = self.inside(&request.path)?;
        let mut text = String::new();
        open_regular(&path, fs::File::options().read(true))
            .and_then(|file| file.take(MAX_FILE + 1).read_to_string(&mut text))
            .map_err(|error| failed("read", &request.path, &error))?;
        if text.len() as u64 > MAX_FILE {
            return Err(refused(&request.path, &format!("is larger than {MAX_FILE} bytes")));
        }
        if request.line.is_none() && request.limit.is_none() {
            return Ok(text);
        }
        let before = request.line.map_or(0, |line| line.saturating_sub(1)) as usize;
        let lines = request.limit.map_or(usize::MAX, |limit| limit as usize);
        Ok(text.split_inclusive('\n').skip(before).take(lines).collect())
    }

    /// Writes a file, and the folders above it.
    pub(super) fn write(&self, request: &WriteTextFileRequest) -> Result<(), Error> {
        let path = self.inside(&request.path)?;
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| write_regular(&path, request.content.as_bytes()))
            .map_err(|error| failed("write", &request.path, &error))
    }

    /// The path with links resolved, as far as it exists; what does not exist yet has to be plain names.
    fn inside(&self, path: &Path) -> Result<PathBuf, Error> {
        if !path.is_absolute() {
            return Err(refused(path, "is not absolute"));
        }
        self.workspace.check().map_err(|error| failed("find", path, &error))?;
        let mut missing = Vec::new();
        let mut existing = path;
        while let Err(error) = existing.symlink_metadata() {
            let (Some(name), Some(parent)) = (existing.file_name(), existing.parent()) else {
                return Err(failed("find", path, &error));
            };
            missing.push(name);
            existing = parent;
        }
        // A link that leads nowhere exists and has no real path: writing through it could end anywhere.
        let mut real = existing.canonicalize().map_err(|error| failed("find", path, &error))?;
        if !real.starts_with(self.workspace.real()) {
            return Err(refused(path, "is outside the workspace"));
        }
        real.extend(missing.iter().rev());
        Ok(real)
    }
}

fn refused(path: &Path, why: &str) -> Error {
    Error::invalid_params().data(format!("{} {why}", path.display()))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Error {
    let text = format!("cannot {what} {}: {error}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => {
            let missing = agent_client_protocol::v1::schema::Error::resource_not_found(None);
            Error::from(missing).data(text)
        }
        _ => Error::internal_error().data(text),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use camino::Utf8PathBuf;
    use tempfile::TempDir;

    use super::*;

    fn workspace() -> (TempDir, Files, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let inner = Utf8PathBuf::try_from(folder.path().join("workspace")).unwrap();
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("secret"), "s").unwrap();
        let files = Files::of(&inner).unwrap();
        (folder, files, inner.into())
    }

    fn read(files: &Files, path: &Path) -> Result<String, String> {
        files.read(&ReadTextFileRequest::new("s", path)).map_err(shown)
    }

    fn write(files: &Files, path: &Path) -> Result<(), String> {
        files.write(&WriteTextFileRequest::new("s", path, "text")).map_err(shown)
    }

    fn shown(error: Error) -> String {
        error.data.unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_written_with_its_folders_and_read_by_lines() {
        let (_folder, files, workspace) = workspace();
        let path = workspace.join("a/b.txt");
        let request = WriteTextFileRequest::new("s", &path, "one\ntwo\nthree");
        files.write(&request).unwrap();
        assert_eq!(read(&files, &path).unwrap(), "one\ntwo\nthree");
        for (line, limit, expected) in [
            (Some(2), None, "two\nthree"),
            (Some(1), Some(1), "one\n"),
            (None, Some(2), "one\ntwo\n"),
            (Some(9), Some(1), ""),
        ] {
            let request = ReadTextFileRequest::new("s", &path).line(line).limit(limit);
            assert_eq!(files.read(&request).unwrap(), expected);
        }
    }

    #[test]
    fn nothing_outside_the_workspace_is_read_or_written() {
        let (folder, files, workspace) = workspace();
        let secret = folder.path().join("secret");
        symlink(&secret, workspace.join("link")).unwrap();
        symlink(folder.path(), workspace.join("up")).unwrap();
        symlink(folder.path().join("not-yet"), workspace.join("dangling")).unwrap();
        for path in
            [&secret, &workspace.join("link"), &workspace.join("up/secret"), &workspace.join("../secret")]
        {
            assert!(read(&files, path).unwrap_err().ends_with(" is outside the workspace"), "{path:?}");
            assert!(write(&files, path).unwrap_err().ends_with(" is outside the workspace"), "{path:?}");
        }
        assert!(write(&files, &workspace.join("up/new")).unwrap_err().ends_with(" is outside the workspace"));
        assert!(write(&files, &workspace.join("dangling")).unwrap_err().starts_with("cannot find "));
        assert!(write(&files, &workspace.join("new/../../new")).is_err());
        assert_eq!(read(&files, Path::new("relative")).unwrap_err(), "relative is not absolute");
        assert_eq!(fs::read_to_string(secret).unwrap(), "s");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_pipe_is_not_waited_for_and_a_link_that_took_a_file_s_place_is_not_followed() {
        let (folder, files, workspace) = workspace();
        let pipe = workspace.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(read(&files, &pipe).unwrap_err().ends_with(": it is not a regular file"));
        assert!(write(&files, &pipe).unwrap_err().starts_with("cannot write "));
        fs::write(workspace.join("own"), "own").unwrap();
        symlink(workspace.join("own"), workspace.join("link")).unwrap();
        write(&files, &workspace.join("link")).unwrap();
        assert_eq!(read(&files, &workspace.join("own")).unwrap(), "text", "a link within is followed");
        fs::rename(&workspace, folder.path().join("away")).unwrap();
        symlink(folder.path(), &workspace).unwrap();
        for told in [
            read(&files, &workspace.join("secret")),
            write(&files, &workspace.join("new")).map(|()| String::new()),
        ] {
            let error = told.unwrap_err();
            assert!(error.contains("the workspace was replaced: "), "{error}");
        }
        assert!(!folder.path().join("new").exists());
    }

    #[test]
    fn a_missing_file_is_told_as_missing() {
        let (_folder, files, workspace) = workspace();
        let error = files.read(&ReadTextFileRequest::new("s", workspace.join("no"))).unwrap_err();
        assert_eq!(error.code, agent_client_protocol::ErrorCode::RESOURCE_NOT_FOUND);
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused() {
        let (_folder, files, workspace) = workspace();
        let path = workspace.join("big");
        fs::File::create(&path).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert!(read(&files, &path).unwrap_err().ends_with(" is larger than 8388608 bytes"));
    }
}
