//! The `pack.toml` of a recorded pack.

use std::fmt::Write as _;

use serde_json::json;

use super::source::{NotTaken, WORKSPACE, Workspace};

/// What a recorded pack says of itself.
pub(super) struct Manifest<'a> {
    pub(super) name: &'a str,
    /// The runtime that the agent ran on.
    pub(super) runtime: Option<&'a str>,
    pub(super) workspace: Option<&'a Workspace>,
    /// The files of recorded calls; without a server for calls that none is known of.
    pub(super) universes: &'a [(Option<&'a str>, &'a str)],
    /// What the pack that was recorded with has besides.
    pub(super) not_taken: Option<&'a NotTaken>,
}

impl Manifest<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = format!("name = {}\n", json!(self.name));
        let runtime = self.runtime.map_or_else(
            || {
                "# runtime = \"…\"                  # the agent that was recorded, as wt.toml names it\n"
                    .to_owned()
            },
            |runtime| format!("runtime = {}\n", json!(runtime)),
        );
        text += &runtime;
        if let Some(Workspace { from, copied }) = self.workspace {
            let (comment, sign) = match copied {
                Ok(_) => (format!("A copy of {from}, which the session began with."), ""),
                Err(_) => (
                    format!(
                        "The session began with the files of {from}, which were not copied: put them here, and name them."
                    ),
                    "# ",
                ),
            };
            let comment = windtunnel_report::line(&comment);
            _ = writeln!(text, "\n# {comment}\n{sign}[workspace]\n{sign}files = {}", json!(WORKSPACE));
        }
        for (server, file) in self.universes {
            match server {
                Some(server) => {
                    _ = writeln!(
                        text,
                        "\n[tools.{server}]                    # the recorded calls, served again; or the server itself, to see what has changed\n\
                         kind = \"universe\"\nfile = {}",
                        json!(file)
                    );
                }
                None => {
                    _ = writeln!(
                        text,
                        "\n# These calls were seen where the model was asked: the agent may run such tools itself. If a tool server serves them,\n\
                         # give it its name and let the recorded calls take its place.\n\
                         # [tools.recorded]\n# kind = \"universe\"\n# file = {}",
                        json!(file)
                    );
                }
            }
        }
        if let Some(not_taken) = self.not_taken {
            _ = writeln!(text, "\n# {not_taken}.");
        }
        text
    }
}
