//! What a repository says about its process, in `.the-loop/harness-config.yaml`.

use camino::{Utf8Component, Utf8Path};
use serde::{Deserialize, Deserializer, de};
use windtunnel_doc::{Diagnostics, Document, Fault, Path};

use crate::item::RepoName;

/// The config's place below the root of a checkout.
pub const CONFIG_FILE: &str = ".the-loop/harness-config.yaml";

/// What a repository says about its process.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ProcessConfig {
    /// Where files and labels go.
    pub workflow: Workflow,
    /// The repository that items are discussed in, as `<owner>/<repo>`.
    pub origin_repo: Option<RepoName>,
    /// Whose comments are read at all: names as in `owner`, without an `@`.
    #[serde(deserialize_with = "authorized_users")]
    pub authorized_users: Vec<String>,
    /// How the repository's tests are run.
    pub testing: Testing,
}

/// Where files and labels go.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Workflow {
    /// The folder of the items' folders: a relative path that stays below the root of the checkout.
    #[serde(deserialize_with = "spec_dir")]
    pub spec_dir: String,
    /// What a label begins with, before the phase. The runtime takes every label that begins so for its own.
    #[serde(deserialize_with = "label_prefix")]
    pub phase_label_prefix: String,
}

impl Default for Workflow {
    fn default() -> Self {
        Self { spec_dir: "docs/specs".to_owned(), phase_label_prefix: "loop:".to_owned() }
    }
}

/// How the repository's tests are run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Testing {
    /// The program and its arguments; empty where none is declared. No shell reads it.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
}

impl ProcessConfig {
    /// Whether a config that was not read keeps to the rules of those that are.
    pub(crate) fn check(&self) -> Result<(), Diagnostics> {
        let Self { workflow, authorized_users, testing, origin_repo: _ } = self;
        let at = |fields: &[&str], checked: Result<(), String>| {
            let path = fields.iter().copied().collect::<Path>();
            checked.err().map(|reason| Fault::new(path, reason))
        };
        let faults = [
            at(&["workflow", "specDir"], check_spec_dir(&workflow.spec_dir)),
            at(&["workflow", "phaseLabelPrefix"], check_label_prefix(&workflow.phase_label_prefix)),
            at(&["authorizedUsers"], check_users(authorized_users)),
            at(&["testing", "command"], check_command(&testing.command)),
        ];
        let faults: Vec<Fault> = faults.into_iter().flatten().collect();
        if faults.is_empty() { Ok(()) } else { Err(Diagnostics::of_value("config", faults)) }
    }

    /// Reads the config of a checkout.
    ///
    /// # Errors
    /// Everything that is wrong with the file, or that it cannot be read.
    pub fn load(root: &Utf8Path) -> Result<Self, Diagnostics> {
        let document = Document::read(&root.join(CONFIG_FILE))?;
        let config: Self = document.decode()?;
        let field = Path::root().then("workflow").then("specDir");
        let fault = contained(root, &root.join(&config.workflow.spec_dir)).err();
        document.diagnose(fault.map(|reason| Fault::new(field, reason)).into_iter().collect())?;
        Ok(config)
    }
}

/// Checks that a folder is in the root of a checkout once symbolic links are followed, whether it exists or not.
pub(crate) fn contained(root: &Utf8Path, folder: &Utf8Path) -> Result<(), String> {
    let unreadable = |path: &Utf8Path, error| format!("{path} cannot be looked at: {error}");
    let real_root = root.canonicalize().map_err(|error| unreadable(root, error))?;
    let there = folder.ancestors().find(|path| path.symlink_metadata().is_ok()).unwrap_or(root);
    let real = there.canonicalize().map_err(|error| unreadable(there, error))?;
    if real.starts_with(&real_root) {
        Ok(())
    } else {
        Err(format!("{there} leads out of the checkout, to {}", real.display()))
    }
}

/// Checks that a path can only lead to something below where it begins.
fn check_spec_dir(path: &str) -> Result<(), String> {
    let mut parts = Utf8Path::new(path).components().peekable();
    let plain = parts.peek().is_some() && parts.all(|part| matches!(part, Utf8Component::Normal(_)));
    if plain && !path.contains(['\\', '\0']) && !path.starts_with('/') {
        Ok(())
    } else {
        Err(format!(
            "{path:?} is no folder of the checkout; expected a relative path without .., as in \"docs/specs\""
        ))
    }
}

/// Every label begins with nothing, and would be replaced.
fn check_label_prefix(prefix: &str) -> Result<(), String> {
    if prefix.trim().is_empty() {
        return Err("a prefix is needed: without one all labels would be the process's own".to_owned());
    }
    Ok(())
}

fn check_users(users: &[String]) -> Result<(), String> {
    let plain = |user: &str| {
        !user.is_empty() && !user.contains(|letter: char| letter == '@' || letter.is_whitespace())
    };
    match users.iter().find(|user| !plain(user)) {
        Some(user) => Err(format!("{user:?} is no user; expected a name as in \"owner\", without @")),
        None => Ok(()),
    }
}

fn check_command(command: &[String]) -> Result<(), String> {
    if command.first().is_some_and(|program| program.trim().is_empty()) {
        return Err("the program is empty; leave the list out where there are no tests".to_owned());
    }
    Ok(())
}

fn spec_dir<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    checked(deserializer, |path: &String| check_spec_dir(path))
}

fn label_prefix<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    checked(deserializer, |prefix: &String| check_label_prefix(prefix))
}

fn authorized_users<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    checked(deserializer, |users: &Vec<String>| check_users(users))
}

fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    checked(deserializer, |command: &Vec<String>| check_command(command))
}

/// A value that is checked as it is read, so that its fault has its line and stands beside all others.
fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<T, D::Error> {
    let value = T::deserialize(deserializer)?;
    check(&value).map_err(de::Error::custom)?;
    Ok(value)
}
