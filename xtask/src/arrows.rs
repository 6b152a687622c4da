//! The order of the crates: each may use only those above it.

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::shell::{Outcome, root};

/// The library crates, lowest first, as in the book's page on the architecture.
const ORDER: [&str; 19] = [
    "windtunnel-doc",
    "windtunnel-pattern",
    "windtunnel-api",
    "windtunnel-gate",
    "windtunnel-store",
    "windtunnel-spi",
    "windtunnel-discovery",
    "windtunnel-runner",
    "windtunnel-report",
    "windtunnel-http",
    "windtunnel-child",
    "windtunnel-mcp",
    "windtunnel-inference",
    "omw",
    "windtunnel-runtimes",
    "windtunnel-process",
    "windtunnel-core",
    "windtunnel-cli",
    "windtunnel-testkit",
];

/// Crates that judge saved evidence: they build without an async runtime.
const WITHOUT_TOKIO: [&str; 4] =
    ["windtunnel-doc", "windtunnel-pattern", "windtunnel-api", "windtunnel-gate"];

/// Checks the order, dev-dependencies aside, and that what judges evidence is not async.
pub(crate) fn run() -> Outcome {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let mut problems = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let place = ORDER.iter().position(|known| *known == name);
        if place.is_none() && package.manifest_path.starts_with(metadata.workspace_root.join("crates")) {
            problems.push(format!("{name} has no place in the order of xtask/src/arrows.rs"));
        }
        for dependency in &package.dependencies {
            if dependency.kind == DependencyKind::Development {
                continue;
            }
            let used = ORDER.iter().position(|known| *known == dependency.name);
            if let (Some(place), Some(used)) = (place, used)
                && used >= place
            {
                problems.push(format!("{name} uses {}, which stands below it", dependency.name));
            }
            if WITHOUT_TOKIO.contains(&name) && dependency.name == "tokio" {
                problems.push(format!("{name} uses tokio, but judging must not be async"));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
