//! The rules of a pack that its types cannot say. Every fault is reported, each with its field's path.

use windtunnel_doc::{Fault, Path};

use super::spec::{PackManifest, ProbeSpec, ToolSpec};
use crate::rules;

impl PackManifest {
    /// Checks every rule that the types cannot say. What only the disk can tell (whether a folder is there) is checked
    /// where the pack is read.
    pub fn validate(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let at = |field: &str| Path::root().then(field);
        rules::not_blank(&self.name, at("name"), "name the pack; it is how `--pack` selects it", &mut faults);
        rules::printable(&self.name, at("name"), &mut faults);
        for (index, tag) in self.tags.iter().enumerate() {
            rules::printable(tag, at("tags").then(index), &mut faults);
        }
        for (name, spec) in &self.tools {
            let path = at("tools").then(name.as_str());
            rules::plain_name(name, &path, "tool server", &mut faults);
            tool_server(spec, &path, &mut faults);
        }
        for (name, spec) in &self.probe {
            let path = at("probe").then(name.as_str());
            rules::plain_name(name, &path, "probe", &mut faults);
            probe(spec, &path, &mut faults);
        }
        if let Some(files) = self.workspace.as_ref().and_then(|workspace| workspace.files.as_deref()) {
            rules::contained(files, "folder", at("workspace").then("files"), &mut faults);
        }
        faults
    }
}

fn tool_server(spec: &ToolSpec, path: &Path, faults: &mut Vec<Fault>) {
    match spec {
        ToolSpec::Workspace(_) => {}
        ToolSpec::Universe(tools) => rules::contained(&tools.file, "file", path.clone().then("file"), faults),
        ToolSpec::Stdio(tools) => rules::argv(&tools.command, path.clone().then("command"), faults),
        ToolSpec::Http(tools) => {
            rules::http_url(&tools.url, path.clone().then("url"), "http://127.0.0.1:9001/mcp", faults);
        }
    }
}

fn probe(spec: &ProbeSpec, path: &Path, faults: &mut Vec<Fault>) {
    match spec {
        ProbeSpec::Workspace(_) => {}
        ProbeSpec::Command(probe) => rules::argv(&probe.command, path.clone().then("command"), faults),
        ProbeSpec::Http(probe) => {
            rules::http_url(&probe.url, path.clone().then("url"), "http://127.0.0.1:9001/state", faults);
            if let Some(url) = &probe.reset_url {
                rules::http_url(url, path.clone().then("reset_url"), "http://127.0.0.1:9001/reset", faults);
            }
        }
        ProbeSpec::Sqlite(probe) => {
            rules::not_blank(&probe.query, path.clone().then("query"), "write one SELECT statement", faults);
        }
    }
}
