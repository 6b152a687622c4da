//! The checkout that every world begins with.

use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::OnceCell;
use windtunnel_child::{ChildError, Command, Environment};
use windtunnel_spi::CaseWorld;

use super::folders;
use crate::config::CONFIG_FILE;
use crate::scenario::error::ScenarioError;

/// The one user whose comments count, in whose name the process comments as well.
pub(super) const AUTHOR: &str = "owner";

/// Where items are.
pub(super) const SPEC_DIR: &str = "docs/specs";

/// Who owns the repository that items are discussed in.
pub(in crate::scenario) const OWNER: &str = "e2e";

/// What the labels of phases begin with.
pub(in crate::scenario) const LABEL_PREFIX: &str = "loop:";

/// What the checkout says about its process.
const CONFIG: &str = "\
originRepo: e2e/e2e
authorizedUsers: [owner]
workflow:
  specDir: docs/specs
  phaseLabelPrefix: \"loop:\"
";

/// What git needs to be run with so that the checkout is the same everywhere: nobody's configuration, a known author and time.
const ENVIRONMENT: [(&str, &str); 10] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", ""),
    ("GIT_DEFAULT_HASH", "sha1"),
    ("GIT_DEFAULT_REF_FORMAT", "files"),
    ("GIT_AUTHOR_NAME", "owner"),
    ("GIT_AUTHOR_EMAIL", "owner@example.org"),
    ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"),
    ("GIT_COMMITTER_NAME", "owner"),
    ("GIT_COMMITTER_EMAIL", "owner@example.org"),
    ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
];

/// How the checkout comes about, and how its objects become one file.
const COMMANDS: [&[&str]; 5] = [
    &["git", "init", "--quiet", "--template=", "--initial-branch=main"],
    &["git", "add", CONFIG_FILE],
    &["git", "-c", "core.logAllRefUpdates=false", "commit", "--quiet", "--message=Describe the process"],
    &["git", "-c", "pack.writeReverseIndex=false", "repack", "--quiet", "-a", "-d"],
    &["git", "pack-refs", "--all"],
];

/// What git does without, or makes anew where it needs it: each file and folder costs every world time.
const LEFT_OUT: [&str; 6] = ["COMMIT_EDITMSG", "config", "info", "logs", "heads", "tags"];

/// A small checkout in memory: the folders without files in them, and the files.
pub(super) struct Template {
    folders: Vec<Utf8PathBuf>,
    files: Vec<(Utf8PathBuf, Vec<u8>)>,
}

/// The template of this process. It is made by git when it is first asked for, and git is not run again.
pub(super) async fn get() -> Result<&'static Template, ScenarioError> {
    static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
    TEMPLATE.get_or_try_init(make).await
}

async fn make() -> Result<Template, ScenarioError> {
    let failed = ScenarioError::io("cannot make the template of a checkout");
    let made = async {
        let folder = folders::make(folders::TEMPLATE, None)?;
        let root = Utf8Path::from_path(folder.path())
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the temporary folder is not UTF-8"))?;
        let config = root.join(CONFIG_FILE);
        config.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(config, CONFIG)?;
        for command in COMMANDS {
            run(root, command).await?;
        }
        let mut template = Template { folders: Vec::new(), files: Vec::new() };
        template.take(root, Utf8Path::new(""))?;
        template.is_checkout()?;
        Ok(template)
    };
    made.await.map_err(failed)
}

/// Runs a command of git in the folder.
async fn run(root: &Utf8Path, command: &[&str]) -> io::Result<()> {
    let told = |error: ChildError| io::Error::other(error.to_string());
    let environment = ENVIRONMENT
        .iter()
        .try_fold(Environment::allowed(), |environment, (name, value)| environment.set_plain(name, value));
    let child = Command::new(command.iter().copied(), root)
        .source("git")
        .env(environment.map_err(told)?)
        .without_stdin()
        .capture_stdout()
        .spawn(&CaseWorld::new("template", root))
        .map_err(told)?;
    let exit = child.wait().await;
    if exit.is_success() {
        return Ok(());
    }
    let said = child.captured().text;
    Err(io::Error::other(format!("`{}` {exit}: {}", command.join(" "), said.trim())))
}

impl Template {
    /// Takes in what stands in a folder.
    fn take(&mut self, root: &Utf8Path, below: &Utf8Path) -> io::Result<()> {
        let mut is_empty = true;
        for entry in root.join(below).read_dir_utf8()? {
            let entry = entry?;
            if LEFT_OUT.contains(&entry.file_name()) {
                continue;
            }
            let path = below.join(entry.file_name());
            is_empty = false;
            if entry.file_type()?.is_dir() {
                self.take(root, &path)?;
            } else {
                self.files.push((path, fs::read(entry.path())?));
            }
        }
        if is_empty {
            self.folders.push(below.to_owned());
        }
        Ok(())
    }

    /// Refuses what a program made that is called git and is none.
    fn is_checkout(&self) -> io::Result<()> {
        let has = |wanted: fn(&Utf8Path) -> bool| self.files.iter().any(|(path, _)| wanted(path));
        let head = has(|path| path == ".git/HEAD");
        let objects = has(|path| path.starts_with(".git/objects") && path.extension() == Some("pack"));
        let missing = match (head, objects) {
            (true, true) => return Ok(()),
            (false, _) => "HEAD",
            (true, false) => "objects",
        };
        Err(io::Error::other(format!(
            "`git` reported no error, but made no checkout: it has no {missing}; see what `git` on the PATH is"
        )))
    }

    /// Makes a checkout like this.
    pub(super) fn copy_to(&self, root: &Utf8Path) -> io::Result<()> {
        let mut made: Option<&Utf8Path> = None;
        for folder in &self.folders {
            fs::create_dir_all(root.join(folder))?;
        }
        for (path, content) in &self.files {
            let folder = path.parent();
            if folder != made {
                folder.map_or(Ok(()), |folder| fs::create_dir_all(root.join(folder)))?;
                made = folder;
            }
            fs::write(root.join(path), content)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_doc::{Document, Format, Limits};

    use super::*;
    use crate::config::ProcessConfig;

    #[test]
    fn the_config_says_what_scenarios_rely_on() {
        let document = Document::parse(CONFIG_FILE, CONFIG, Format::Yaml, &Limits::default()).unwrap();
        let config: ProcessConfig = document.decode().unwrap();
        assert_eq!(config.workflow.spec_dir, SPEC_DIR);
        assert_eq!(config.workflow.phase_label_prefix, LABEL_PREFIX);
        assert_eq!(config.origin_repo.unwrap().owner(), OWNER);
        assert_eq!(config.authorized_users, [AUTHOR]);
        assert!(config.testing.command.is_empty(), "a scenario runs no program");
    }

    #[test]
    fn what_git_did_not_make_is_no_checkout() {
        let with = |files: &[&str]| {
            let files = files.iter().map(|path| (Utf8PathBuf::from(*path), Vec::new())).collect();
            Template { folders: Vec::new(), files }.is_checkout().map_err(|error| error.to_string())
        };
        let pack = ".git/objects/pack/pack-1.pack";
        assert_eq!(with(&[".git/HEAD", pack]), Ok(()));
        for (files, missing) in
            [(&[CONFIG_FILE][..], "HEAD"), (&[pack], "HEAD"), (&[".git/HEAD", ".git/index"], "objects")]
        {
            assert!(with(files).unwrap_err().contains(&format!("it has no {missing}; ")), "{files:?}");
        }
    }

    #[tokio::test]
    async fn a_template_has_few_files() {
        let template = get().await.unwrap();
        let names: Vec<&str> =
            template.files.iter().filter_map(|(path, _)| path.extension().or(path.file_name())).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["HEAD", "idx", "index", "pack", "packed-refs", "yaml"]);
    }
}
