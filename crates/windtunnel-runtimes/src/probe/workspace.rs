//! The files of the workspace.

use std::fs::{self, File, FileType};
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::{Map, Value, json};
use windtunnel_api::pack::WorkspaceProbe;
use windtunnel_mcp::{WorkspaceRoot, open_regular};

/// The most files that are captured.
const MAX_FILES: usize = 2_000;
/// The most bytes that are captured, over all files.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The most files and folders that are looked at.
const MAX_ENTRIES: usize = 100_000;
/// The deepest nesting of folders that is looked at.
const MAX_DEPTH: usize = 64;

/// Captures `{ files = { "<path>" = { text | base64, size } } }`, with `/` in paths and sorted by them. A symbolic link is not
/// followed but is `{ link }`, and what is neither a file nor a folder is `{ kind }`.
pub(super) struct WorkspaceSource {
    files: Files,
}

#[derive(Clone)]
struct Files {
    include: GlobSet,
    exclude: GlobSet,
}

impl WorkspaceSource {
    pub(super) fn new(spec: &WorkspaceProbe) -> Result<Self, String> {
        let files =
            Files { include: globs("include", &spec.include)?, exclude: globs("exclude", &spec.exclude)? };
        Ok(Self { files })
    }

    pub(super) async fn capture(&self, root: WorkspaceRoot) -> Result<Value, String> {
        let files = self.files.clone();
        tokio::task::spawn_blocking(move || files.capture(&root))
            .await
            .map_err(|error| format!("reading the workspace failed: {error}"))?
    }
}

/// `*` and `?` stay within a folder, `**` does not.
fn globs(field: &str, patterns: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("{field}[{index}]: {error}"))?;
        set.add(glob);
    }
    set.build().map_err(|error| format!("{field}: {error}"))
}

impl Files {
    fn capture(&self, root: &WorkspaceRoot) -> Result<Value, String> {
        let check = || root.check().map_err(|error| error.to_string());
        check()?;
        let folder = root.path();
        let mut found = self.list(folder)?;
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut left = MAX_BYTES;
        let mut files = Map::new();
        for (path, kind) in found {
            let content = if kind.is_file() {
                read(&folder.join(&path), &mut left)?
            } else {
                special(&folder.join(&path), kind)?
            };
            files.insert(path.into_string(), content);
        }
        // An agent that still runs may have replaced it meanwhile.
        check()?;
        Ok(json!({ "files": files }))
    }

    /// What is captured, relative to the workspace.
    fn list(&self, root: &Utf8Path) -> Result<Vec<(Utf8PathBuf, FileType)>, String> {
        let mut found = Vec::new();
        let mut folders = vec![(Utf8PathBuf::new(), 0)];
        let mut entries = 0;
        while let Some((folder, depth)) = folders.pop() {
            if depth > MAX_DEPTH {
                return Err(format!("{folder} is nested more than {MAX_DEPTH} folders deep; exclude it"));
            }
            let unreadable = |error| format!("the folder {} cannot be read: {error}", root.join(&folder));
            for entry in root.join(&folder).read_dir_utf8().map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                entries += 1;
                if entries > MAX_ENTRIES {
                    return Err(format!(
                        "the workspace has more than {MAX_ENTRIES} files and folders; exclude some folders"
                    ));
                }
                let path = folder.join(entry.file_name());
                if self.exclude.is_match(&path) {
                    continue;
                }
                let kind = entry.file_type().map_err(|error| format!("{path} cannot be read: {error}"))?;
                if kind.is_dir() {
                    folders.push((path, depth + 1));
                } else if self.include.is_match(&path) {
                    found.push((path, kind));
                }
            }
            if found.len() > MAX_FILES {
                return Err(format!(
                    "more than {MAX_FILES} files match; narrow `include`, or `exclude` some"
                ));
            }
        }
        Ok(found)
    }
}

/// A link with what it names, or what else it is.
fn special(path: &Utf8Path, kind: FileType) -> Result<Value, String> {
    if !kind.is_symlink() {
        return Ok(json!({ "kind": kind_name(kind) }));
    }
    let target = fs::read_link(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    Ok(json!({ "link": target.to_string_lossy() }))
}

#[cfg(unix)]
fn kind_name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    if kind.is_fifo() {
        "fifo"
    } else if kind.is_socket() {
        "socket"
    } else {
        "device"
    }
}

#[cfg(not(unix))]
fn kind_name(_kind: FileType) -> &'static str {
    "device"
}

fn read(path: &Utf8Path, left: &mut u64) -> Result<Value, String> {
    let mut bytes = Vec::new();
    // An agent that still runs may have put something else in its place since it was listed.
    open_regular(path.as_std_path(), File::options().read(true))
        .and_then(|file| file.take(*left + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("{path} cannot be read: {error}"))?;
    let size = bytes.len() as u64;
    *left = left.checked_sub(size).ok_or_else(|| {
        format!("the files have more than {MAX_BYTES} bytes; narrow `include`, or `exclude` large ones")
    })?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => json!({ "text": text, "size": size }),
        Err(error) => json!({ "base64": STANDARD.encode(error.as_bytes()), "size": size }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        for (path, content) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        (folder, root)
    }

    fn source(include: &[&str], exclude: &[&str]) -> WorkspaceSource {
        let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        WorkspaceSource::new(&WorkspaceProbe { include: owned(include), exclude: owned(exclude) }).unwrap()
    }

    fn captured(root: &Utf8Path, include: &[&str], exclude: &[&str]) -> Value {
        source(include, exclude).files.capture(&WorkspaceRoot::new(root).unwrap()).unwrap()
    }

    fn error(root: &Utf8Path) -> String {
        source(&["**"], &[]).files.capture(&WorkspaceRoot::new(root).unwrap()).unwrap_err()
    }

    fn names(value: &Value) -> Vec<&str> {
        value["files"].as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn files_are_text_or_base64_with_their_size() {
        let (_folder, root) = workspace(&[("b/note.md", "sä".as_bytes()), ("a.bin", &[0xff, 0])]);
        let expected = json!({"files": {
            "a.bin": {"base64": "/wA=", "size": 2},
            "b/note.md": {"text": "sä", "size": 3},
        }});
        assert_eq!(captured(&root, &["**"], &[]), expected);
    }

    #[test]
    fn a_star_stays_within_a_folder() {
        let (_folder, root) =
            workspace(&[("a.md", b""), ("d/b.md", b""), ("d/e/c.md", b""), ("d/x.txt", b"")]);
        let table: [(&[&str], &[&str], &[&str]); 6] = [
            (&["*.md"], &[], &["a.md"]),
            (&["**/*.md"], &[], &["a.md", "d/b.md", "d/e/c.md"]),
            (&["d/*"], &[], &["d/b.md", "d/x.txt"]),
            (&["**"], &["d/**"], &["a.md"]),
            (&["**"], &["d"], &["a.md"]),
            (&["a.md", "d/**"], &["**/*.txt"], &["a.md", "d/b.md", "d/e/c.md"]),
        ];
        for (include, exclude, expected) in table {
            assert_eq!(
                names(&captured(&root, include, exclude)),
                expected,
                "{include:?} without {exclude:?}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_special_files_are_told_and_not_followed() {
        let (_folder, root) = workspace(&[("a.md", b"a")]);
        let (_outside, outside) = workspace(&[("secret.md", b"secret")]);
        std::os::unix::fs::symlink(&outside, root.join("folder")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.md"), root.join("link.md")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
        let expected = json!({"files": {
            "a.md": {"text": "a", "size": 1},
            "folder": {"link": outside},
            "link.md": {"link": outside.join("secret.md")},
            "pipe": {"kind": "fifo"},
            "socket": {"kind": "socket"},
        }});
        assert_eq!(captured(&root, &["**"], &[]), expected);
        assert_eq!(names(&captured(&root, &["**/*.md"], &["link.md"])), ["a.md"]);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn what_replaced_the_workspace_is_not_read() {
        let (folder, _) = workspace(&[("w/a.md", b"a")]);
        let (_outside, outside) = workspace(&[("secret.md", b"secret")]);
        let root = Utf8PathBuf::try_from(folder.path().join("w")).unwrap();
        let known = WorkspaceRoot::new(&root).unwrap();
        let source = source(&["**"], &[]);
        assert_eq!(names(&source.capture(known.clone()).await.unwrap()), ["a.md"]);
        fs::remove_dir_all(&root).unwrap();
        std::os::unix::fs::symlink(outside, &root).unwrap();
        let error = source.capture(known).await.unwrap_err();
        assert!(error.starts_with("the workspace was replaced: "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_or_a_pipe_that_takes_a_listed_file_s_place_is_an_error() {
        let (_folder, root) = workspace(&[("a.md", b"a")]);
        std::os::unix::fs::symlink(root.join("a.md"), root.join("link.md")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("pipe.md")).status().unwrap().success());
        for name in ["link.md", "pipe.md"] {
            let error = read(&root.join(name), &mut 10).unwrap_err();
            assert!(error.contains(&format!("{name} cannot be read: ")), "{error}");
        }
    }

    #[test]
    fn too_many_files_are_an_error() {
        let (_folder, root) = workspace(&[]);
        for n in 0..=MAX_FILES {
            fs::write(root.join(format!("{n}.md")), "").unwrap();
        }
        let error = error(&root);
        assert_eq!(error, "more than 2000 files match; narrow `include`, or `exclude` some");
        assert_eq!(names(&captured(&root, &["7.md"], &[])), ["7.md"]);
    }

    #[test]
    fn too_many_bytes_are_an_error() {
        let (_folder, root) = workspace(&[("a.md", b"a")]);
        File::create(root.join("large")).unwrap().set_len(MAX_BYTES).unwrap();
        let error = error(&root);
        assert!(error.starts_with("the files have more than 16777216 bytes"), "{error}");
    }

    #[test]
    fn a_wrong_glob_is_told_with_its_place() {
        let spec = WorkspaceProbe { include: vec!["**".to_owned(), "a[".to_owned()], exclude: Vec::new() };
        let error = WorkspaceSource::new(&spec).map(|_| ()).unwrap_err();
        assert!(error.starts_with("include[1]: "), "{error}");
    }
}
