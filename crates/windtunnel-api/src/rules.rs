//! Rules that several files share.

use camino::Utf8Path;
use windtunnel_doc::{Fault, Path};

/// A text that has to say something.
pub(crate) fn not_blank(text: &str, path: Path, help: &str, faults: &mut Vec<Fault>) {
    if text.trim().is_empty() {
        faults.push(Fault::new(path, "the text is empty").with_help(help));
    }
}

/// A name that is shown in lists and reports: on one line, and without what would paint the terminal.
pub(crate) fn printable(name: &str, path: Path, faults: &mut Vec<Fault>) {
    if name.chars().any(char::is_control) {
        faults.push(
            Fault::new(path, format!("{name:?} has a control character in it"))
                .with_help("write it on one line, without line breaks, tabs and escapes"),
        );
    }
}

/// A name that goes into addresses, variables and file names.
pub(crate) fn plain_name(name: &str, path: &Path, what: &str, faults: &mut Vec<Fault>) {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if !plain {
        faults.push(
            Fault::new(path.clone(), format!("{name:?} is no name for a {what}"))
                .at_key()
                .with_help("use letters, digits, `_` and `-`"),
        );
    }
}

/// A program with its arguments.
pub(crate) fn argv(command: &[String], path: Path, faults: &mut Vec<Fault>) {
    match command.first() {
        None => faults
            .push(Fault::new(path, "the command is empty").with_help("write [\"program\", \"argument\", …]")),
        Some(program) if program.trim().is_empty() => {
            faults.push(
                Fault::new(path.then(0), "the program's name is empty")
                    .with_help("name the program to start"),
            );
        }
        Some(_) => {}
    }
}

/// An address with a scheme that we speak.
pub(crate) fn http_url(url: &str, path: Path, example: &str, faults: &mut Vec<Fault>) {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    if !rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')) {
        faults.push(
            Fault::new(
                path,
                format!("expected an address that begins with http:// or https://, found {url:?}"),
            )
            .with_help(format!("for example {example:?}")),
        );
    }
}

/// A length of time.
pub(crate) fn seconds(seconds: f64, path: Path, faults: &mut Vec<Fault>) {
    if !(seconds.is_finite() && seconds > 0.0 && seconds <= 86_400.0) {
        faults.push(
            Fault::new(path, format!("expected seconds above 0 and at most 86400, found {seconds}"))
                .with_help("write a number of seconds, such as 30"),
        );
    }
}

/// A file or folder of the pack: relative, and not above it. Symlinks are resolved where it is read.
pub(crate) fn contained(named: &Utf8Path, what: &str, path: Path, faults: &mut Vec<Fault>) {
    let climbs = named.components().any(|part| part.as_str() == "..");
    if named.is_absolute() || climbs || named.as_str().is_empty() {
        faults.push(
            Fault::new(path, format!("expected a {what} inside the pack, found {named:?}"))
                .with_help("write a path relative to pack.toml, without `..`"),
        );
    }
}
