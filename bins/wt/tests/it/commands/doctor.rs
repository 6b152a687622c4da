//! `wt doctor`

use crate::harness::{CallWt, SCENARIO, desk};
use windtunnel_testkit::Folder;

fn pack(tools: &str) -> Folder {
    Folder::new().file("pack.toml", format!("name = 'desk'\n{tools}")).file("greet.scenario.toml", SCENARIO)
}

#[test]
fn everything_that_starts_is_listed() {
    let folder = pack("[tools.files]\nkind = 'workspace'\n");
    let shown = folder.wt("doctor").succeeds();
    insta::assert_snapshot!(shown.stdout, @r#"
    ok     wt.toml: none, so the defaults hold
    ok     scenarios: 1 in 1 pack
    ok     tool server desk/files: 4 tools: read_file, write_file, list_files, delete_file
    ok     runtime loop for desk: can be self-tested; not ready for live runs: runtime `loop` has no model and no base URL for a live run: set OPENAI_MODEL and OPENAI_BASE_URL, or write under [runtimes.loop] in wt.toml: kind = "loop", model = "<name>", base_url = "http://127.0.0.1:8000/v1" (`wt selftest` needs no model)
    everything is in order
    "#);
    assert_eq!(folder.files(""), ["greet.scenario.toml", "pack.toml"]);
}

#[test]
fn a_tool_server_that_ends_at_once_is_wrong_with_its_last_words() {
    let folder = pack("[tools.crm]\nkind = 'stdio'\ncommand = ['sh', '-c', 'echo no licence >&2; exit 3']\n");
    let shown = folder.wt("doctor").exits(1);
    shown.says("WRONG  tool server desk/crm: ").says("no licence").says("1 thing is wrong");
}

#[test]
fn a_tool_server_whose_program_is_missing_is_wrong() {
    let folder = pack("[tools.crm]\nkind = 'stdio'\ncommand = ['crm-server-of-nobody']\n");
    let shown = folder.wt("doctor").exits(1);
    shown
        .says("WRONG  tool server desk/crm: ")
        .says("`crm-server-of-nobody` was not found")
        .says("1 thing is wrong");
}

#[test]
fn a_tool_server_that_says_nothing_is_wrong_after_its_time() {
    let folder = pack("[tools.crm]\nkind = 'stdio'\ncommand = ['sleep', '60']\n");
    let shown = folder.wt("doctor").env("WT__TIMEOUTS__START_S", "0.5").exits(1);
    shown.says("WRONG  tool server desk/crm: ").says("within 0.5 s");
}

#[test]
fn a_tool_server_that_is_not_running_is_wrong() {
    let folder = pack("[tools.remote]\nkind = 'http'\nurl = 'http://127.0.0.1:1/mcp'\n");
    folder.wt("doctor").exits(1).says("WRONG  tool server desk/remote: ").says("http://127.0.0.1:1/mcp");
}

#[test]
fn a_secret_that_is_not_set_is_wrong_by_name() {
    let headers = "headers = { authorization = 'Bearer ${CRM_TOKEN}' }";
    let folder = pack(&format!("[tools.remote]\nkind = 'http'\nurl = 'http://127.0.0.1:1/mcp'\n{headers}\n"));
    folder.wt("doctor").exits(1).says("CRM_TOKEN");
    let shown = folder.wt("doctor").env("CRM_TOKEN", "canary-8417").exits(1);
    assert!(!format!("{shown}").contains("canary-8417"), "{shown}");
}

#[test]
fn everything_that_is_wrong_is_counted() {
    let folder = pack("[tools.crm]\nkind = 'stdio'\ncommand = ['crm-server-of-nobody']\n")
        .file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['bot-of-nobody']\n");
    let shown = folder.wt("doctor").exits(1);
    shown.says("WRONG  tool server desk/crm: ").says("WRONG  runtime bot").says("2 things are wrong");
}

#[test]
fn a_template_that_cannot_be_filled_in_is_wrong() {
    let folder = desk()
        .file("mcp.json.j2", "{{ servers[0].adress }}")
        .file(
            "wt.toml",
            "default_runtime = 'bot'\n[runtimes.bot]\nkind = 'command'\ncommand = ['sh']\n\
             inference = { base_url_env = 'BASE' }\ntools = { config_file = { env = 'MCP', template = 'mcp.json.j2' } }\n",
        )
        .file("pack.toml", "name = 'desk'\n");
    folder.wt("doctor").exits(1).says("WRONG  runtime bot for desk: ").says("mcp.json.j2");
}
