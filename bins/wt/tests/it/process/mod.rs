//! Process scenarios: run beside those of packs, listed, watched, reported, made.

mod list;
mod malformed;
mod many;
mod new;
mod reports;
mod run;
mod selection;
mod stopping;
mod watch;

use windtunnel_testkit::Folder;

/// A scenario that passes, of this name.
fn passing(name: &str) -> String {
    ending_at(name, "brainstorming")
}

/// A scenario that fails, of this name.
fn failing(name: &str) -> String {
    ending_at(name, "design")
}

/// A scenario in which the item comes to brainstorming, and is expected here.
fn ending_at(name: &str, node: &str) -> String {
    format!(
        "name: {name}\nworkItem: issue-1\nsteps:\n  - comment: {{author: owner, body: the-loop execute}}\n\
         expect:\n  nodes: [phase-selection, {node}]\n"
    )
}

/// What tests do to a folder with scenarios in it.
trait WithScenarios {
    /// Adds a scenario that passes, in the folder `s`.
    fn with_passing(self, name: &str) -> Self;

    /// Adds a scenario that fails, in the folder `s`.
    fn with_failing(self, name: &str) -> Self;

    /// Adds a pack whose scenario passes, in the folder `desk`.
    fn with_pack(self) -> Self;
}

impl WithScenarios for Folder {
    fn with_passing(self, name: &str) -> Self {
        self.file(&format!("s/{name}/scenario.yaml"), passing(name))
    }

    fn with_failing(self, name: &str) -> Self {
        self.file(&format!("s/{name}/scenario.yaml"), failing(name))
    }

    fn with_pack(self) -> Self {
        self.file("desk/pack.toml", "name = 'desk'\nowner = 'docs'\ntags = ['smoke']\nruntime = 'bot'\n")
            .file(
                "desk/greet.scenario.toml",
                "name = 'greet'\nprompt = 'Say hello.'\ntarget_facts = [['hello']]\n",
            )
            .file("wt.toml", "[runtimes.bot]\nkind = 'in_memory'\nreply = 'hello there'\n")
    }
}
