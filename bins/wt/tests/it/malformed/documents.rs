//! Faults of files as such: syntax, encoding, size, depth.

use super::{Case, refused};
use crate::harness::{PACK, SCENARIO};
use windtunnel_testkit::Folder;

/// A scenario in another format, in a pack that is all right.
fn written(ending: &str, text: impl AsRef<[u8]>) -> Case {
    Case::of(Folder::new().file("pack.toml", PACK).file(&format!("greet.scenario.{ending}"), text))
}

fn yaml_bomb() -> String {
    let levels = (1..10).map(|level| {
        let aliases = vec![format!("*l{}", level - 1); 10].join(", ");
        format!("l{level}: &l{level} [{aliases}]\n")
    });
    format!("name: greet\nl0: &l0 [lol, lol]\n{}", levels.collect::<String>())
}

fn nested(open: &str, close: &str) -> String {
    open.repeat(500) + &close.repeat(500)
}

refused! {
    toml_with_a_syntax_error: Case::scenario("name = \"greet\"\nprompt = \"Say hello.\ntarget_facts = [[\"hello\"]]\n");
    toml_with_a_key_twice: Case::scenario("name = \"greet\"\nprompt = \"Hi.\"\nname = \"other\"\n");
    toml_that_is_nested_too_deep: Case::scenario(&format!("name = \"greet\"\nsampler = {{ a = {} }}\n", nested("[", "]")));
    toml_with_line_ends_of_windows: Case::scenario("name = \"greet\"\r\nprompt = \"Hi.\"\r\n\r\npromt = \"Hi.\"\r\n");

    json_with_a_syntax_error: written("json", "{\n  \"name\": \"greet\",\n  \"prompt\": \"Hi.\",,\n}\n");
    json_with_a_key_twice: written("json", "{\n  \"name\": \"greet\",\n  \"prompt\": \"Hi.\",\n  \"name\": \"other\"\n}\n");
    json_that_is_nested_too_deep: written("json", nested("[", "]"));
    json_that_is_a_list: written("json", "[{ \"name\": \"greet\" }]\n");

    yaml_with_a_syntax_error: written("yaml", "name: greet\nprompt: \"Hi.\n");
    yaml_with_a_tab: written("yaml", "name: greet\nsampler:\n\ttemperature: 0\n");
    yaml_with_a_key_twice: written("yaml", "name: greet\nprompt: Hi.\nname: other\n");
    yaml_that_is_nested_too_deep: written("yaml", nested("[", "]"));
    yaml_of_aliases_that_explode: written("yaml", yaml_bomb());
    yaml_of_several_documents: written("yaml", "name: greet\nprompt: Hi.\n---\nname: other\nprompt: Hi.\n");
    yaml_with_an_unquoted_no: written("yaml", "name: greet\nprompt: Hi.\ntarget_facts: [[no]]\nforbidden_facts: [1.0]\n");

    file_that_is_not_utf_8: Case::scenario("").file("greet.scenario.toml", b"name = \"greet\"\nprompt = \"H\xe9llo.\"\n");
    file_that_is_too_large: Case::scenario(&format!("{SCENARIO}{}", "# filler\n".repeat(500_000)));
    scenario_that_is_empty: Case::scenario("");
    pack_that_is_empty: Case::pack("");
}
