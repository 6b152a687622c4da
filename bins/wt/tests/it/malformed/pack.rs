//! Faults of `pack.toml`.

use super::{Case, refused};
use crate::harness::{PACK, SCENARIO};
use windtunnel_testkit::Folder;

/// A pack with a table.
fn table(name: &str, fields: &str) -> Case {
    Case::pack(&format!("name = 'desk'\n\n[{name}]\n{fields}\n"))
}

fn tools(fields: &str) -> Case {
    table("tools.crm", fields)
}

fn probe(fields: &str) -> Case {
    table("probe.state", fields)
}

fn workspace(files: &str) -> Case {
    table("workspace", &format!("files = '{files}'"))
}

refused! {
    pack_with_an_unknown_field: Case::pack("name = 'desk'\nownr = 'docs'\n");
    pack_without_a_name: Case::pack("owner = 'docs'\n");
    pack_with_a_blank_name: Case::pack("name = ' '\n");
    pack_with_one_tag_that_is_no_list: Case::pack("name = 'desk'\ntags = 'smoke'\n");

    tool_server_of_an_unknown_kind: tools("kind = 'studio'\ncommand = ['crm']");
    tool_server_without_a_kind: tools("command = ['crm']");
    tool_server_with_an_unknown_field: tools("kind = 'stdio'\ncomand = ['crm']");
    tool_server_with_a_shell_line: tools("kind = 'stdio'\ncommand = 'python3 crm.py'");
    tool_server_with_an_empty_command: tools("kind = 'stdio'\ncommand = []");
    tool_server_with_an_empty_program: tools("kind = 'stdio'\ncommand = ['', 'crm.py']");
    tool_server_with_a_bad_url: tools("kind = 'http'\nurl = 'localhost:9001/mcp'");
    tool_server_with_a_spaced_name: table("tools.'my crm'", "kind = 'workspace'");
    tool_of_an_unknown_effect: tools("kind = 'stdio'\ncommand = ['crm']\neffects = { send_mail = 'external_sent' }");

    probe_of_an_unknown_kind: probe("kind = 'sqlit'");
    probe_without_a_query: probe("kind = 'sqlite'\nfile = 'books.db'");
    probe_with_a_blank_query: probe("kind = 'sqlite'\nfile = 'books.db'\nquery = ''");
    probe_with_a_bad_url: probe("kind = 'http'\nurl = 'ftp://127.0.0.1/state'");
    probe_with_a_bad_glob: probe("kind = 'workspace'\ninclude = ['notes/[a-']");

    workspace_above_the_pack: workspace("../fixtures");
    workspace_that_is_absolute: workspace("/etc");
    workspace_that_is_not_there: workspace("fixtures");
    workspace_that_is_a_file: workspace("pack.toml");
    workspace_that_leads_out_by_a_symlink: {
        let case = workspace("fixtures");
        Case { folder: case.folder.symlink("fixtures", "/"), ..case }
    };

    workspace_with_an_unknown_field: table("workspace", "file = 'fixtures'");

    two_packs_of_one_name: Case::of(
        Folder::new()
            .file("a/pack.toml", PACK)
            .file("a/greet.scenario.toml", SCENARIO)
            .file("b/pack.toml", PACK)
            .file("b/other.scenario.toml", SCENARIO.replace("greet\"", "other\"")),
    );
    scenario_without_a_pack_above: Case::of(Folder::new().file("greet.scenario.toml", SCENARIO));
    faults_of_two_files_at_once: Case::pack("name = 'desk'\nownr = 'docs'\ntag = ['a']\n")
        .file("other.scenario.toml", "name = 'other'\n");
}
