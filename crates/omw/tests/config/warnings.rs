//! What nobody knows is ignored, and said to be.

use omw::config::{Source, load};
use windtunnel_doc::Format;

use crate::folder::warnings;

#[test]
fn keys_that_nobody_knows_are_ignored_with_a_warning() {
    let text = "\
description = \"what for\"
[runtime.r]
kind = \"rhai\"
env = { A = \"1\" }
inherit_stdoi = true
max_loops = 3
[runtime.native]
kind = \"greeter\"
greeting = \"hi\"
[agents.alice]
runtime = \"r\"
script = \"a.rhai\"
scripts = \"b.rhai\"
[provider.p]
kind = \"mock\"
[memory.alcie]
k = \"v\"
[tunables]
inbox_bounds = 3
[assertions.alice]
outcome = \"completed\"
";
    let loaded = load(&Source::text("omw.toml", text, Format::Toml)).unwrap();
    insta::assert_snapshot!(warnings(&loaded));
    assert_eq!(loaded.config.tunables.inbox_bound, 1024);
    assert_eq!(loaded.sections.keys().collect::<Vec<_>>(), ["description", "provider", "assertions"]);

    let known =
        load(&Source::text("omw.toml", text, Format::Toml).knows(["assertions", "description"])).unwrap();
    assert_eq!(known.warnings.len(), loaded.warnings.len() - 2);
}

#[test]
fn unknown_keys_do_not_hide_faults() {
    let text = "[tunables]\ninbox_bounds = 3\ninbox_bound = \"x\"\n[agents.a]\nscirpt = \"a.rhai\"\n";
    let faults = load(&Source::text("omw.toml", text, Format::Toml)).unwrap_err();
    insta::assert_snapshot!(faults.to_string());
}
