//! Faults of `pack.toml`.

use super::{Case, refused};
use crate::harness::{Folder, PACK, SCENARIO};

/// A pack with a folder for its workspace.
fn workspace(files: &str) -> Case {
    Case::pack(&format!("name = \"desk\"\n\n[workspace]\nfiles = \"{files}\"\n"))
}

refused! {
    pack_with_an_unknown_field: Case::pack("name = \"desk\"\nownr = \"docs\"\n");
    pack_without_a_name: Case::pack("owner = \"docs\"\n");
    pack_with_a_blank_name: Case::pack("name = \" \"\n");
    pack_with_one_tag_that_is_no_list: Case::pack("name = \"desk\"\ntags = \"smoke\"\n");

    tool_server_of_an_unknown_kind: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"studio\"\ncommand = [\"crm\"]\n");
    tool_server_without_a_kind: Case::pack("name = \"desk\"\n\n[tools.crm]\ncommand = [\"crm\"]\n");
    tool_server_with_an_unknown_field: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"stdio\"\ncomand = [\"crm\"]\n");
    tool_server_with_a_shell_line: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"stdio\"\ncommand = \"python3 crm.py\"\n");
    tool_server_with_an_empty_command: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"stdio\"\ncommand = []\n");
    tool_server_with_an_empty_program: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"stdio\"\ncommand = [\"\", \"crm.py\"]\n");
    tool_server_with_a_bad_url: Case::pack("name = \"desk\"\n\n[tools.crm]\nkind = \"http\"\nurl = \"localhost:9001/mcp\"\n");
    tool_server_with_a_spaced_name: Case::pack("name = \"desk\"\n\n[tools.\"my crm\"]\nkind = \"workspace\"\n");
    tool_of_an_unknown_effect: Case::pack(
        "name = \"desk\"\n\n[tools.crm]\nkind = \"stdio\"\ncommand = [\"crm\"]\neffects = { send_mail = \"external_sent\" }\n",
    );

    probe_of_an_unknown_kind: Case::pack("name = \"desk\"\n\n[probe.books]\nkind = \"sqlit\"\n");
    probe_without_a_query: Case::pack("name = \"desk\"\n\n[probe.books]\nkind = \"sqlite\"\nfile = \"books.db\"\n");
    probe_with_a_blank_query: Case::pack("name = \"desk\"\n\n[probe.books]\nkind = \"sqlite\"\nfile = \"books.db\"\nquery = \"\"\n");
    probe_with_a_bad_url: Case::pack("name = \"desk\"\n\n[probe.state]\nkind = \"http\"\nurl = \"ftp://127.0.0.1/state\"\n");
    probe_with_a_bad_glob: Case::pack("name = \"desk\"\n\n[probe.files]\nkind = \"workspace\"\ninclude = [\"notes/[a-\"]\n");

    workspace_above_the_pack: workspace("../fixtures");
    workspace_that_is_absolute: workspace("/etc");
    workspace_that_is_not_there: workspace("fixtures");
    workspace_that_is_a_file: workspace("pack.toml");
    workspace_that_leads_out_by_a_symlink: {
        let case = workspace("fixtures");
        Case { folder: case.folder.symlink("fixtures", "/"), ..case }
    };

    workspace_with_an_unknown_field: Case::pack("name = \"desk\"\n\n[workspace]\nfile = \"fixtures\"\n");

    two_packs_of_one_name: Case::of(
        Folder::new()
            .file("a/pack.toml", PACK)
            .file("a/greet.scenario.toml", SCENARIO)
            .file("b/pack.toml", PACK)
            .file("b/other.scenario.toml", SCENARIO.replace("greet\"", "other\"")),
    );
    scenario_without_a_pack_above: Case::of(Folder::new().file("greet.scenario.toml", SCENARIO));
    faults_of_two_files_at_once: Case::pack("name = \"desk\"\nownr = \"docs\"\ntag = [\"a\"]\n")
        .file("other.scenario.toml", "name = \"other\"\n");
}
