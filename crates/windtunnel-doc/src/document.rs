//! A file that has been read, and where each of its values stands.

use std::{fs::File, io::Read, ops::Range, sync::Arc};

use camino::Utf8Path;
use serde::de::DeserializeOwned;

use crate::{
    At, Diagnostic, Diagnostics, Fault, Format, Limits, Node, Path, Position, decode, parse, source::Source,
};

/// More faults of one file than this are not listed.
pub(crate) const MAX_FAULTS: usize = 50;

/// A TOML, YAML or JSON file as a tree of values that know where they stand.
#[derive(Clone, Debug)]
pub struct Document {
    source: Arc<Source>,
    format: Format,
    root: Node,
}

impl Document {
    /// Reads a text; `name` is what diagnostics call the file. A byte order mark is dropped.
    pub fn parse(
        name: impl Into<String>,
        text: impl Into<String>,
        format: Format,
        limits: &Limits,
    ) -> Result<Self, Diagnostics> {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        if text.len() > limits.max_bytes {
            return Err(oversize(name.into(), limits).into());
        }
        let source = Arc::new(Source::new(name.into(), text));
        match parse::parse(source.text(), format, limits) {
            Ok(root) => Ok(Self { source, format, root }),
            Err(problems) => {
                let list = problems.into_iter().map(|problem| {
                    Diagnostic::of_source(Arc::clone(&source), problem.message)
                        .with_span(problem.span)
                        .with_optional_help(problem.help)
                });
                Err(listed(&source, list.collect()))
            }
        }
    }

    /// Reads a file whose extension says its format, within the default [`Limits`].
    pub fn read(path: &Utf8Path) -> Result<Self, Diagnostics> {
        let format = Format::from_path(path).ok_or_else(|| {
            Diagnostic::of_file(path.as_str(), "cannot tell the format of this file by its name")
                .with_help("the name must end in .toml, .yaml, .yml or .json")
        })?;
        Self::read_as(path, format, &Limits::default())
    }

    /// Reads a file. Anything but a regular file is refused unopened, and of a file that is too
    /// large no more than the limit is read.
    pub fn read_as(path: &Utf8Path, format: Format, limits: &Limits) -> Result<Self, Diagnostics> {
        let unreadable =
            |error: std::io::Error| Diagnostic::of_file(path.as_str(), format!("cannot read: {error}"));
        let metadata = path.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            let kind = if metadata.is_dir() { "a directory" } else { "no regular file" };
            return Err(Diagnostic::of_file(path.as_str(), format!("cannot read: this is {kind}")).into());
        }
        let limit = u64::try_from(limits.max_bytes).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
            .map_err(unreadable)?;
        if bytes.len() > limits.max_bytes {
            return Err(oversize(path.to_string(), limits).into());
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Diagnostic::of_source(Arc::new(Source::new(path.to_string(), text)), "this is not UTF-8 text")
                .with_span(valid..valid + 1)
                .with_help(format!("save the file as UTF-8; a byte at offset {valid} cannot be decoded"))
        })?;
        Self::parse(path.as_str(), text, format, limits)
    }

    /// What diagnostics call the file.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The text that all spans point into.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The format that it was read as.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The whole document.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Makes a `T` of the whole document, or says everything that is wrong with it.
    ///
    /// `T` needs no more than `#[derive(Deserialize)]`, and `#[serde(deny_unknown_fields)]` to have
    /// unknown fields reported. Reported at once are unknown and missing fields, values of the wrong
    /// type or out of range, unknown enum variants, and what conversions (`try_from`,
    /// `deserialize_with`) say. What serde buffers (`flatten`, `untagged`, `tag`) is reported at the
    /// value that is buffered, one fault each.
    ///
    /// # Enums
    ///
    /// An externally tagged enum (serde's default) may be written in two ways in a map, beside a bare
    /// string for a variant without content:
    ///
    /// 1. With the key `kind`: `{ kind = "stdio", command = […] }`. If there is a key `kind` with a
    ///    string that names a variant, the rest of the map is the content of that variant. It must be
    ///    a struct variant, a newtype of something map-like or a unit variant with nothing else.
    /// 2. With the variant as the only key: `{ stdio = { command = […] } }`.
    ///
    /// They are tried in this order, so `{ kind = "stdio" }` is the first even where a variant is
    /// called `kind`. A map that is neither is a fault that lists the variants.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, Diagnostics> {
        self.decode_node(&Path::root())
    }

    /// [`Document::decode`] for the value at a path.
    pub fn decode_node<T: DeserializeOwned>(&self, path: &Path) -> Result<T, Diagnostics> {
        let Some(node) = self.root.at(path) else {
            return Err(self.diagnostics(vec![Fault::new(path.clone(), "there is no such value")]));
        };
        decode::decode(self.format, node).map_err(|faults| {
            let within = |fault: Fault| Fault { path: path.join(&fault.path), ..fault };
            self.diagnostics(faults.into_iter().map(within).collect())
        })
    }

    /// Says where faults are that someone found who had only the values.
    pub fn diagnose(&self, faults: Vec<Fault>) -> Result<(), Diagnostics> {
        if faults.is_empty() { Ok(()) } else { Err(self.diagnostics(faults)) }
    }

    /// Where the value at `path` stands in the text, or its key.
    ///
    /// If the path leads further than the document does, it is the key (in a list: the element) of
    /// the last value on the path that is there. The root has no key; there it is the first byte.
    pub fn span(&self, path: &Path, at: At) -> Range<usize> {
        let mut node = &self.root;
        let mut key = Some(0..0);
        for segment in path.segments() {
            let Some((child_key, child)) = node.child(segment) else {
                return key.unwrap_or_else(|| node.span.clone());
            };
            node = child;
            key = child_key.map(|key| key.span.clone());
        }
        match at {
            At::Value => node.span.clone(),
            At::Key => key.unwrap_or_else(|| node.span.clone()),
        }
    }

    /// Line and column of where [`Document::span`] begins.
    pub fn position(&self, path: &Path, at: At) -> Position {
        self.source.position(self.span(path, at).start)
    }

    fn diagnostics(&self, faults: Vec<Fault>) -> Diagnostics {
        let mut list: Vec<Diagnostic> = faults
            .into_iter()
            .map(|fault| {
                let span = self.span(&fault.path, fault.at);
                Diagnostic::of_source(Arc::clone(&self.source), fault.message)
                    .with_span(span)
                    .with_path(fault.path)
                    .with_optional_help(fault.help)
            })
            .collect();
        list.sort_by_key(Diagnostic::position);
        listed(&self.source, list)
    }
}

/// What is listed of the faults of one file, of which there is at least one.
pub(crate) fn listed(source: &Arc<Source>, mut list: Vec<Diagnostic>) -> Diagnostics {
    if list.len() > MAX_FAULTS {
        list.truncate(MAX_FAULTS);
        list.push(Diagnostic::of_source(
            Arc::clone(source),
            format!("there are more faults than these {MAX_FAULTS}"),
        ));
    }
    Diagnostics::from_list(list)
        .unwrap_or_else(|| Diagnostic::of_source(Arc::clone(source), "cannot be read").into())
}

fn oversize(name: String, limits: &Limits) -> Diagnostic {
    Diagnostic::of_file(name, format!("this file is larger than {} bytes", limits.max_bytes))
}
