//! Settings in their layers: built-in defaults, `wt.toml`, `WT__` environment. Flags come on top where they are read.

mod locate;

use camino::{Utf8Path, Utf8PathBuf};
use figment::Figment;
use figment::providers::{Env, Format as _, Toml};
use serde_json::Value;
use windtunnel_api::config::Config;
use windtunnel_doc::{Diagnostic, Diagnostics, Document, Format, Limits, Segment};

/// The built-in defaults, as the book shows them.
pub(crate) const DEFAULTS: &str = include_str!("defaults.toml");

/// The prefix of settings in the environment; `__` also stands between levels.
const ENV_PREFIX: &str = "WT__";

/// The settings of a project.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The merged values.
    pub(crate) config: Config,
    /// The folder that relative paths of the configuration resolve against: that of wt.toml, else the working folder.
    pub(crate) base: Utf8PathBuf,
    /// The wt.toml, if there is one.
    pub(crate) file: Option<Utf8PathBuf>,
}

impl Settings {
    /// Reads the settings: of the given file, else of the `wt.toml` nearest to the working folder, else of the one nearest to the
    /// first path.
    pub(crate) fn load(given: Option<&Utf8Path>, paths: &[Utf8PathBuf]) -> Result<Self, Diagnostics> {
        let file = match given {
            Some(file) => Some(file.to_owned()),
            None => locate::nearest(Utf8Path::new("."))
                .or_else(|| paths.first().and_then(|path| locate::nearest(path))),
        };
        let text = match &file {
            Some(file) => Some(checked_text(file)?),
            None => None,
        };
        let env = Env::prefixed(ENV_PREFIX).split("__");
        let figment = Figment::from(Toml::string(DEFAULTS))
            .merge(Toml::string(text.as_deref().unwrap_or_default()))
            .merge(env);
        let config = decode(&figment)?;
        let base = match file.as_deref().and_then(Utf8Path::parent) {
            Some(folder) if !folder.as_str().is_empty() => folder.to_owned(),
            Some(_) | None => Utf8PathBuf::from("."),
        };
        let base = base.canonicalize_utf8().unwrap_or(base);
        Ok(Self { config, base, file })
    }

    /// Where runs go: the flag's folder, the environment's, or the configuration's.
    pub(crate) fn runs_dir(&self, flag: Option<&Utf8Path>) -> Utf8PathBuf {
        if let Some(dir) = flag {
            return dir.to_owned();
        }
        let dir = self.config.runs_dir.clone().unwrap_or_else(|| Utf8PathBuf::from("runs"));
        // A path in the environment is relative to where the command is called, as everywhere.
        if std::env::var_os("WT__RUNS_DIR").is_some() { dir } else { self.base.join(dir) }
    }
}

/// The text of a `wt.toml` with every fault in it reported where it stands, before layers are merged and places are lost.
fn checked_text(file: &Utf8Path) -> Result<String, Diagnostics> {
    let document = Document::read_as(file, Format::Toml, &Limits::default())?;
    let config: Config = document.decode()?;
    document.diagnose(config.validate())?;
    Ok(document.text().to_owned())
}

/// The merged settings. What is wrong with them is the environment's, since the defaults hold and the file was checked alone.
fn decode(figment: &Figment) -> Result<Config, Diagnostics> {
    let name = "the settings";
    let merged: Value =
        figment.extract().map_err(|error| Diagnostic::of_file(name, format!("cannot be merged: {error}")))?;
    let decoded =
        Document::parse(name, merged.to_string(), Format::Json, &Limits::default()).and_then(|document| {
            let config: Config = document.decode()?;
            document.diagnose(config.validate())?;
            Ok(config)
        });
    decoded.map_err(|problems| {
        match Diagnostics::merge(problems.iter().map(|problem| of_variable(problem).into())) {
            Some(named) => named,
            None => problems,
        }
    })
}

/// The same fault with the variable that would set its field in place of a document that nobody wrote.
fn of_variable(problem: &Diagnostic) -> Diagnostic {
    let levels = problem.path().segments().iter().filter_map(|segment| match segment {
        Segment::Key(key) => Some(key.to_uppercase()),
        Segment::Index(_) => None,
    });
    let levels: Vec<String> = levels.collect();
    let named = Diagnostic::of_file(format!("{ENV_PREFIX}{}", levels.join("__")), problem.message());
    match problem.help() {
        Some(help) => named.with_help(help),
        None => named,
    }
}
