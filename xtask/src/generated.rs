//! Files that are made from the code and checked in.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Outcome, build_wt, root};

/// A checked-in file, and the `wt` call that prints it.
const FILES: [(&str, &[&str]); 5] = [
    ("crates/windtunnel-api/schemas/pack.schema.json", &["schema", "pack"]),
    ("crates/windtunnel-api/schemas/scenario.schema.json", &["schema", "scenario"]),
    ("crates/windtunnel-api/schemas/config.schema.json", &["schema", "config"]),
    ("docs/src/reference/default-wt.toml", &["schema", "defaults"]),
    ("docs/src/reference/cli.md", &["schema", "cli"]),
];

/// Writes the files, or fails if one differs from what the code makes.
pub(crate) fn run(check: bool) -> Outcome {
    let wt = build_wt(false)?;
    let mut stale = Vec::new();
    for (file, arguments) in FILES {
        let path: PathBuf = root().join(file);
        let output = Command::new(&wt).args(arguments).env_clear().output()?;
        if !output.status.success() {
            return Err(
                format!("wt {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)).into()
            );
        }
        let current = std::fs::read(&path).unwrap_or_default();
        if current == output.stdout {
            continue;
        }
        if check {
            stale.push(file);
        } else {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, &output.stdout)?;
            eprintln!("wrote {file}");
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("out of date: {}; run `cargo xtask schema`", stale.join(", ")).into())
    }
}
