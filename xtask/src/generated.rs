//! Files that are made from the code and checked in.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Outcome, Programs, root};

/// A checked-in file, and the call that prints it: the program's name, and its arguments.
const FILES: [(&str, &str, &[&str]); 9] = [
    ("crates/windtunnel-api/schemas/pack.schema.json", "wt", &["schema", "pack"]),
    ("crates/windtunnel-api/schemas/scenario.schema.json", "wt", &["schema", "scenario"]),
    ("crates/windtunnel-api/schemas/config.schema.json", "wt", &["schema", "config"]),
    ("docs/src/reference/default-wt.toml", "wt", &["schema", "defaults"]),
    ("docs/src/reference/cli.md", "wt", &["schema", "cli"]),
    ("crates/omw/schemas/omw.schema.json", "omw", &["schema", "config", "--output", "-"]),
    ("crates/omw/schemas/omw.test.schema.json", "omw-test", &["schema", "config", "--output", "-"]),
    ("docs/src/reference/omw/cli.md", "omw", &["schema", "cli", "--output", "-"]),
    ("docs/src/reference/omw/test-cli.md", "omw-test", &["schema", "cli", "--output", "-"]),
];

/// Writes the files, or fails if one differs from what the code makes.
pub(crate) fn run(check: bool) -> Outcome {
    let programs = Programs::build(false)?;
    let mut stale = Vec::new();
    for (file, program, arguments) in FILES {
        let path: PathBuf = root().join(file);
        let output = Command::new(programs.path(program)).args(arguments).env_clear().output()?;
        if !output.status.success() {
            return Err(format!(
                "{program} {}: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr)
            )
            .into());
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
