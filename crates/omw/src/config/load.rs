//! From files and variables to a config.

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use serde::de::IgnoredAny;
use windtunnel_doc::{
    Diagnostic, Diagnostics, Document, Fault, Format, Key, Limits, Node, NodeValue, Path, nearest,
};

use super::environment::Overlay;
use super::file::File;
use super::layer::{Layer, Written};
use super::merge::merge;
use super::model::TABLES;
use super::source::{Main, Source, folder_of};
use super::{Config, Origin, Params};

/// A config with what stood beside it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The config.
    pub config: Config,
    /// What stood at the top level and is no part of a config, such as `assertions`. The environment does not reach it.
    pub sections: IndexMap<String, Params>,
    /// What was ignored, and probably should not have been.
    pub warnings: Vec<Diagnostic>,
}

impl Loaded {
    /// The config, once its warnings are logged, each with its place.
    pub fn log_warnings(self) -> Config {
        for warning in self.warnings {
            tracing::warn!("{}", Diagnostics::from(warning));
        }
        self.config
    }
}

/// Loads a config: base files, the file itself and the environment, merged in this order.
///
/// Tables are merged by key; anything else is replaced. Keys that nobody knows are ignored with a warning. Relative scripts become
/// absolute.
///
/// # Errors
/// Everything that is wrong, each with the file, line and column, or the variable, that it came from.
pub fn load(source: &Source) -> Result<Loaded, Diagnostics> {
    let (layers, format, mut warnings) = read(source)?;
    let origin = Origin::new(layers);
    let mut root = merge(origin.layers())
        .map_err(|error| Diagnostic::of_file(source.name(), format!("cannot be merged: {error}")))?;
    let sections = take_sections(&mut root, format, &origin);
    let (file, unknown) = root.decode_known::<File>(format).map_err(|faults| origin.diagnostics(faults))?;
    let mut ignored: Vec<Fault> = sections
        .keys()
        .filter(|name| !source.sections.contains(name))
        .map(|name| unknown_table(name))
        .chain(unknown)
        .map(|fault| Fault { message: format!("{}; it is ignored", fault.message), ..fault })
        .collect();
    let config = file.into_config(root, format, origin.clone());
    let faults = config.faults();
    if !faults.is_empty() {
        return Err(origin.diagnostics(faults));
    }
    ignored.extend(config.useless());
    if !ignored.is_empty() {
        warnings.extend(origin.diagnostics(ignored).iter().cloned());
    }
    Ok(Loaded { config, sections, warnings })
}

/// Reads all layers, and says how maps are called in the format of the file itself.
fn read(source: &Source) -> Result<(Vec<Layer>, Format, Vec<Diagnostic>), Diagnostics> {
    let mut layers = Vec::new();
    let mut faults = Vec::new();
    let mut warnings = Vec::new();
    let mut format = Format::Toml;
    let folder = absolute(&source.folder(), source.name())?;
    for base in &source.bases {
        let read = absolute(&folder_of(base), base.as_str())
            .and_then(|folder| Ok(Layer { written: Written::File(read_file(base, source.format)?), folder }));
        match read {
            Ok(layer) => layers.push(layer),
            Err(problem) => faults.push(problem),
        }
    }
    let main = match &source.main {
        Main::File(path) => read_file(path, source.format),
        Main::Text { name, text } => {
            let format = source.format.unwrap_or(format);
            Document::parse(name, text, format, &Limits::default()).and_then(table)
        }
    };
    match main {
        Ok(document) => {
            format = document.format();
            layers.push(Layer { written: Written::File(document), folder: folder.clone() });
        }
        Err(problem) => faults.push(problem),
    }
    match source.environment.as_ref().map(Overlay::read) {
        Some(Ok((overlay, ignored))) => {
            warnings = ignored;
            if !overlay.is_empty() {
                layers.push(Layer { written: Written::Environment(overlay), folder });
            }
        }
        Some(Err(problem)) => faults.push(problem),
        None => {}
    }
    Diagnostics::merge(faults).map_or(Ok((layers, format, warnings)), Err)
}

fn read_file(path: &Utf8Path, format: Option<Format>) -> Result<Document, Diagnostics> {
    let document = match format {
        Some(format) => Document::read_as(path, format, &Limits::default()),
        None => Document::read(path),
    };
    document.and_then(table)
}

/// The document, if there is a table in it, or nothing but comments.
fn table(document: Document) -> Result<Document, Diagnostics> {
    if document.root().value != NodeValue::Null {
        document.decode::<IndexMap<String, IgnoredAny>>()?;
    }
    Ok(document)
}

fn absolute(folder: &Utf8Path, name: &str) -> Result<Utf8PathBuf, Diagnostics> {
    camino::absolute_utf8(folder).map_err(|error| {
        Diagnostic::of_file(name, format!("cannot find the folder {folder}: {error}")).into()
    })
}

/// Takes what is no part of a config out of the tree, and tables of which only the name was written.
fn take_sections(root: &mut Node, format: Format, origin: &Origin) -> IndexMap<String, Params> {
    let NodeValue::Map(entries) = &mut root.value else { return IndexMap::new() };
    entries.retain(|(_, node)| node.value != NodeValue::Null);
    let (known, other) =
        std::mem::take(entries).into_iter().partition(|(key, _)| TABLES.contains(&key.name.as_str()));
    *entries = known;
    let params = |node, name: &str| Params::new(node, format, origin.clone(), Path::root().then(name));
    let section = |(key, node): (Key, Node)| (key.name.clone(), params(node, &key.name));
    Vec::into_iter(other).map(section).collect()
}

fn unknown_table(name: &str) -> Fault {
    let fault = Fault::new(
        Path::root().then(name),
        format!("unknown field {name:?}; expected one of {}", TABLES.join(", ")),
    )
    .at_key();
    match nearest(name, TABLES) {
        Some(table) => fault.with_help(format!("did you mean {table:?}?")),
        None => fault,
    }
}
