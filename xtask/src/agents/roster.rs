//! Which agents there are, and which of them are installed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::shell::{Outcome, root};

/// `agents.toml`, joined with the runtimes of `wt.toml`.
#[derive(Debug)]
pub(super) struct Roster(Vec<Agent>);

/// One agent on one wire.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agent {
    /// The runtime's name.
    pub(super) name: String,
    /// Where it is, and is installed, below `examples/agents`.
    pub(super) folder: String,
    /// The package whose version is shown.
    package: String,
    /// The packs it is tested with.
    packs: Vec<String>,
    /// How many cases those have.
    pub(super) cases: usize,
    /// Whether it talks to servers of its vendor by itself.
    #[serde(default)]
    pub(super) calls_home: bool,
    /// From its runtime.
    #[serde(skip)]
    pub(super) wire: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentsToml {
    agent: Vec<Agent>,
}

#[derive(Deserialize)]
struct WtToml {
    runtimes: BTreeMap<String, Runtime>,
}

#[derive(Deserialize)]
struct Runtime {
    inference: Inference,
}

#[derive(Deserialize)]
struct Inference {
    wire: String,
}

/// The folder of all of it.
pub(super) fn folder() -> PathBuf {
    root().join("examples/agents")
}

impl Roster {
    pub(super) fn read() -> Outcome<Self> {
        let read = |file: &str| std::fs::read_to_string(folder().join(file));
        let AgentsToml { agent: mut agents } = toml::from_str(&read("agents.toml")?)?;
        let WtToml { mut runtimes } = toml::from_str(&read("wt.toml")?)?;
        for agent in &mut agents {
            let runtime = runtimes
                .remove(&agent.name)
                .ok_or_else(|| format!("agents.toml: wt.toml has no runtime {}", agent.name))?;
            agent.wire = runtime.inference.wire;
        }
        match runtimes.keys().next() {
            Some(name) => Err(format!("agents.toml leaves out the runtime {name} of wt.toml").into()),
            None => Ok(Self(agents)),
        }
    }

    /// The agents of these names, or in these folders; all of them without a name.
    pub(super) fn select(&self, names: &[String]) -> Outcome<Vec<&Agent>> {
        let is_of = |agent: &Agent, name: &String| agent.name == *name || agent.folder == *name;
        if let Some(unknown) = names.iter().find(|name| !self.0.iter().any(|agent| is_of(agent, name))) {
            let known: Vec<&str> = self.0.iter().map(|agent| agent.name.as_str()).collect();
            return Err(format!("there is no agent {unknown}; there are {}", known.join(", ")).into());
        }
        let is_selected = |agent: &&Agent| names.is_empty() || names.iter().any(|name| is_of(agent, name));
        Ok(self.0.iter().filter(is_selected).collect())
    }
}

impl Agent {
    /// The folders of its packs.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.packs.iter().map(|pack| folder().join(pack)).collect()
    }

    /// The version that is installed, as the package itself says it.
    pub(super) fn installed_version(&self) -> Option<String> {
        let folder = folder().join(&self.folder);
        if folder.join("package.json").is_file() {
            #[derive(Deserialize)]
            struct PackageJson {
                version: String,
            }
            let file = folder.join("node_modules").join(&self.package).join("package.json");
            let package: PackageJson = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
            return Some(package.version);
        }
        let libraries = std::fs::read_dir(folder.join(".venv/lib")).ok()?.next()?.ok()?.path();
        let prefix = format!("{}-", self.package.replace('-', "_"));
        std::fs::read_dir(libraries.join("site-packages")).ok()?.find_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            Some(name.strip_prefix(&prefix)?.strip_suffix(".dist-info")?.to_owned())
        })
    }
}
