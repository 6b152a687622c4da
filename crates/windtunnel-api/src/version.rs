//! Files of versions that this program does not read.

use windtunnel_doc::{Fault, Path};

/// The fault of a file whose version, in this field, is not the one that this program reads.
///
/// ```
/// let fault = windtunnel_api::unknown_version("windtunnel_universe", 7, 1);
/// assert_eq!(fault.message, "expected version 1, found 7");
/// ```
pub fn unknown_version(field: &str, found: u64, known: u32) -> Fault {
    Fault::new(Path::root().then(field), format!("expected version {known}, found {found}"))
        .with_help("this program reads no other: make the file anew, or use the program that wrote it")
}
