//! Where the event logs of plays are kept.

use std::fs::{self, File};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_spi::Seam;
use windtunnel_store::stamp;

/// Makes an empty event log of a play, under a name that nobody else has.
pub(super) fn reserve(runs: &Utf8Path, scenario: &str, seam: &Seam) -> io::Result<Utf8PathBuf> {
    let folder = runs.join("process").join(scenario);
    fs::create_dir_all(&folder)?;
    let time = stamp(seam.clock.now());
    let id = seam.ids.id().simple().to_string();
    let named = |id: &str| folder.join(format!("{time}_{id}.events.jsonl"));
    let (short, whole) = (named(id.get(..8).unwrap_or(&id)), named(&id));
    match File::create_new(&short) {
        Ok(_) => Ok(short),
        // Of two plays in the same microsecond, the whole id tells which is which.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::create_new(&whole).map(|_| whole),
        Err(error) => Err(error),
    }
}
