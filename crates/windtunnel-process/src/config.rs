//! What a repository says about its process, in `.the-loop/harness-config.yaml`.

use camino::Utf8Path;
use serde::Deserialize;
use windtunnel_doc::{Diagnostics, Document};

/// The config's place below the root of a checkout.
pub const CONFIG_FILE: &str = ".the-loop/harness-config.yaml";

/// What a repository says about its process.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ProcessConfig {
    /// Where files and labels go.
    pub workflow: Workflow,
    /// The repository that items are discussed in, as `<owner>/<repo>`.
    pub origin_repo: Option<String>,
    /// Whose comments are read at all.
    pub authorized_users: Vec<String>,
    /// How the repository's tests are run.
    pub testing: Testing,
}

/// Where files and labels go.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Workflow {
    /// The folder of the items' folders, below the root of the checkout.
    pub spec_dir: String,
    /// What a label begins with, before the phase.
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
    /// The program and its arguments; empty where none is declared.
    pub command: Vec<String>,
}

impl ProcessConfig {
    /// Reads the config of a checkout.
    ///
    /// # Errors
    /// Everything that is wrong with the file, or that it cannot be read.
    pub fn load(root: &Utf8Path) -> Result<Self, Diagnostics> {
        Document::read(&root.join(CONFIG_FILE))?.decode()
    }
}
