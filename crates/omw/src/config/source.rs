//! What a config is loaded from.

use std::ffi::{OsStr, OsString};
use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_doc::Format;

/// Where a config comes from: one file or text, the base files below it, and the environment on top.
///
/// ```
/// use omw::config::{Source, load};
/// use windtunnel_doc::Format;
///
/// let text = r#"
/// [runtime.main]
/// kind = "rhai"
///
/// [agents.alice]
/// runtime = "main"
/// script = "alice.rhai"
/// "#;
/// let source = Source::text("omw.toml", text, Format::Toml)
///     .with_environment("OMW__", [("OMW__TUNABLES__INBOX_BOUND", "16")])
///     .scripts_relative_to("/srv/agents");
/// let config = load(&source)?.config;
/// assert_eq!(config.agents["alice"].script, "/srv/agents/alice.rhai");
/// assert_eq!(config.tunables.inbox_bound, 16);
/// # Ok::<(), windtunnel_doc::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Source {
    pub(super) main: Main,
    pub(super) format: Option<Format>,
    pub(super) bases: Vec<Utf8PathBuf>,
    pub(super) environment: Option<Variables>,
    pub(super) scripts: Option<Utf8PathBuf>,
    pub(super) sections: Vec<String>,
}

/// What is loaded itself.
#[derive(Clone)]
pub(super) enum Main {
    File(Utf8PathBuf),
    Text { name: String, text: String },
}

/// The environment to overlay a config from.
#[derive(Clone)]
pub(super) struct Variables {
    pub(super) prefix: String,
    pub(super) pairs: Vec<(OsString, OsString)>,
}

impl fmt::Debug for Source {
    /// Without texts and variables, which may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name())
            .field("bases", &self.bases)
            .finish_non_exhaustive()
    }
}

impl Source {
    /// A file. Its extension says its format; its relative scripts lie in its own folder.
    pub fn file(path: impl Into<Utf8PathBuf>) -> Self {
        Self::new(Main::File(path.into()), None)
    }

    /// A text; `name` is what messages call it. Its relative scripts lie in the working folder.
    pub fn text(name: impl Into<String>, text: impl Into<String>, format: Format) -> Self {
        Self::new(Main::Text { name: name.into(), text: text.into() }, Some(format))
    }

    fn new(main: Main, format: Option<Format>) -> Self {
        Self { main, format, bases: Vec::new(), environment: None, scripts: None, sections: Vec::new() }
    }

    /// Reads every file in this format, base files included, whatever their names say.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Files that it is merged over, the outermost first. Relative scripts in them lie in their own folders.
    #[must_use]
    pub fn with_bases(self, bases: Vec<Utf8PathBuf>) -> Self {
        Self { bases, ..self }
    }

    /// Environment variables that overlay the config, but not the sections beside it.
    ///
    /// `OMW__TUNABLES__INBOX_BOUND` sets `tunables.inbox_bound` if the prefix is `OMW__`, which may be written in either case. Levels are
    /// lower-cased, but for those below maps whose keys are free: `providers.*.params`, `tooling.*.env`,
    /// `tooling.*.initial_resource_contents`, `runtime.*.env` and `memory.*`. A value is text, or the number or boolean that it spells
    /// where one is wanted.
    #[must_use]
    pub fn with_environment<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        self,
        prefix: impl Into<String>,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let owned = |(name, value): (N, V)| (name.as_ref().to_owned(), value.as_ref().to_owned());
        let pairs = variables.into_iter().map(owned).collect();
        Self { environment: Some(Variables { prefix: prefix.into(), pairs }), ..self }
    }

    /// The folder of relative scripts, in place of the file's own. Those of base files stay in the folders of the base files.
    #[must_use]
    pub fn scripts_relative_to(self, folder: impl Into<Utf8PathBuf>) -> Self {
        Self { scripts: Some(folder.into()), ..self }
    }

    /// Top-level tables that the config has no use for but the caller has, so that no warning is due.
    #[must_use]
    pub fn knows<S: Into<String>>(self, sections: impl IntoIterator<Item = S>) -> Self {
        Self { sections: sections.into_iter().map(Into::into).collect(), ..self }
    }

    /// What messages call it.
    pub(super) fn name(&self) -> &str {
        match &self.main {
            Main::File(path) => path.as_str(),
            Main::Text { name, .. } => name,
        }
    }

    /// The folder of relative scripts.
    pub(super) fn folder(&self) -> Utf8PathBuf {
        match (&self.scripts, &self.main) {
            (Some(folder), _) => folder.clone(),
            (None, Main::File(path)) => folder_of(path),
            (None, Main::Text { .. }) => Utf8PathBuf::from("."),
        }
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(file: &Utf8Path) -> Utf8PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder.to_owned(),
        _ => Utf8PathBuf::from("."),
    }
}
