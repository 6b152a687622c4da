//! `wt doctor`

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::harness::{CallWt, SCENARIO, desk, endpoint};
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
fn a_pack_without_a_scenario_is_looked_at_and_said_to_have_none() {
    let folder = Folder::new()
        .file("desk/pack.toml", "name = 'desk'\nruntime = 'in_memory'\n[tools.files]\nkind = 'workspace'\n");
    for named in ["desk", "desk/pack.toml"] {
        let shown = folder.wt(&format!("doctor {named}")).succeeds();
        insta::allow_duplicates! {
            insta::assert_snapshot!(shown.stdout, @"
            ok     wt.toml: none, so the defaults hold
            ok     scenarios: 0 in 1 pack
            ok     pack desk: can be read, and has no scenario yet; one is a file *.scenario.toml below it
            ok     tool server desk/files: 4 tools: read_file, write_file, list_files, delete_file
            ok     runtime in_memory for desk: is set up, cannot be self-tested
            everything is in order
            ");
        }
    }
    folder.wt("doctor").succeeds().says("scenarios: 0 in 0 packs");
}

#[test]
fn a_pack_without_a_scenario_may_be_wrong() {
    let folder = Folder::new().file("desk/pack.toml", "nmae = 'desk'\n");
    let shown = folder.wt("doctor desk").exits(2);
    shown
        .complains("nmae: unknown field")
        .complains("desk/pack.toml:1:1")
        .complains("did you mean \"name\"?");
}

#[test]
fn a_pack_without_a_scenario_has_a_name_of_its_own() {
    let folder = pack("").file("other/pack.toml", "name = 'desk'\n");
    folder.wt("doctor greet.scenario.toml other").exits(2).complains("the pack name \"desk\" is taken by");
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

#[test]
fn every_runtime_of_the_settings_is_described() {
    let folder = pack("")
        .file("bot/bot.sh", "")
        .file("here", "")
        .file("mcp.json.j2", "{}")
        .file(
            "wt.toml",
            "[runtimes.bot]\nkind = 'command'\ncommand = ['sh', 'bot.sh']\ncwd = 'bot'\npass_env = ['BOT_KEY', 'HOME']\n\
             tools = { config_file = { env = 'MCP', template = 'mcp.json.j2' } }\n\
             [runtimes.elsewhere]\nkind = 'command'\ncommand = ['sh']\ncwd = 'nowhere'\n\
             [runtimes.file]\nkind = 'acp'\ncommand = ['sh']\ncwd = 'here'\n\
             [runtimes.unread]\nkind = 'acp'\ncommand = ['sh']\ntools = { config_file = { template = 'no.j2' } }\n\
             [runtimes.missing]\nkind = 'acp'\ncommand = ['missing/bin/bot']\n\
             install = { makes = 'missing/bin', command = './install missing' }\n\
             [runtimes.stub]\nkind = 'in_memory'\n",
        );
    let shown = folder.wt("doctor").exits(1);
    let here = folder.path("").canonicalize().unwrap();
    let stdout = shown.stdout.replace(here.to_str().unwrap(), "/desk");
    let lines = stdout.lines().filter(|line| line.contains("runtime ") && !line.contains("loop"));
    let lines = lines.map(|line| line.replace("/usr/bin/", "/bin/")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(lines, @r"
    ok     runtime bot: command, program /bin/sh, in bot, template mcp.json.j2, not set (pass_env): BOT_KEY; is set up, cannot be self-tested
    WRONG  runtime elsewhere: cwd: there is no folder /desk/nowhere
    WRONG  runtime file: cwd: expected a folder, and /desk/here is a file
    WRONG  runtime missing: it is not installed: missing/bin is missing in /desk; there, this installs it: `./install missing`
    ok     runtime stub: in_memory; is set up, cannot be self-tested
    WRONG  runtime unread: tools.config_file: the template /desk/no.j2 cannot be read: No such file or directory (os error 2)
    ");
    shown.says("4 things are wrong");
}

#[test]
fn a_folder_that_is_not_there_refuses_a_run() {
    let folder =
        pack("").file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['sh']\ncwd = 'nowhere'\n");
    folder.wt("run --runtime bot").exits(2).complains("runtimes.bot: cwd: there is no folder ");
}

#[test]
fn tools_that_the_agent_is_not_told_of_are_said_to_be_out_of_reach() {
    let folder = pack("[tools.files]\nkind = 'workspace'\n")
        .file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['cat']\n");
    let note = "nothing tells the agent where the tool servers of the pack desk are (files): add `tools` to its settings, or \
                {mcp_url} to its command; `tools = {}` says that it brings these tools itself";
    folder.wt("doctor --runtime bot").succeeds().says(note);
    let run = folder.wt("run --runtime bot").succeeds();
    assert_eq!(run.stderr.matches(note).count(), 1, "{run}");
    for tools in ["{ url_env = 'MCP_URL' }", "{}"] {
        let settled = format!("[runtimes.bot]\nkind = 'command'\ncommand = ['cat']\ntools = {tools}\n");
        std::fs::write(folder.path("wt.toml"), settled).unwrap();
        assert!(!folder.wt("run --runtime bot").succeeds().stderr.contains(note), "{tools}");
    }
}

#[test]
fn perturbations_that_cannot_be_applied_are_wrong() {
    let scenario = SCENARIO.replacen("name =", "perturbations = [{ kind = 'timeout', tool = 'write_fil' }, { kind = 'inject_stale_memory', key = 'k' }]\nname =", 1);
    let folder = pack("[tools.files]\nkind = 'workspace'\n").file("greet.scenario.toml", scenario).file(
        "wt.toml",
        "[runtimes.bot]\nkind = 'command'\ncommand = ['cat']\ntools = { url_env = 'MCP_URL' }\n",
    );
    let shown = folder.wt("doctor --runtime bot").exits(1);
    insta::assert_snapshot!(shown.stdout.lines().filter(|line| line.contains("perturb") || line.contains("memory")).collect::<Vec<_>>().join("\n"), @"
    WRONG  scenario desk/greet: perturbations[0]: timeout: write_fil is not served; served are read_file, write_file, list_files, delete_file; did you mean write_file?
           perturbations[1]: inject_stale_memory: agents of this runtime cannot be given earlier messages
    ");
}

#[test]
fn what_is_observed_without_a_probe_is_wrong() {
    let observing = SCENARIO.replacen(
        "name =",
        "outcome = { observation = { source = 'books', exists = true } }\nname =",
        1,
    );
    let folder = pack("").file("greet.scenario.toml", observing);
    folder.wt("doctor").exits(1).says(
        "WRONG  scenario desk/greet: outcome.observation.source: \"books\" is observed, and the pack has no probe: add [probe.books] to pack.toml",
    );
}

#[test]
fn an_endpoint_is_examined_rule_by_rule() {
    let url = endpoint::serve(endpoint::echo);
    let shown = Folder::new().wt(&format!("doctor --runtime http_inject --url {url}")).succeeds();
    insta::assert_snapshot!(shown.stdout.replace(&url, "http://desk"), @"
    ok     wt.toml: none, so the defaults hold
    ok     scenarios: 0 in 0 packs
    ok     runtime http_inject: http_inject, at http://desk; is set up, cannot be self-tested

    http_inject at http://desk: 16 rules kept, 0 broken, 14 not checked
    ok     reset: it was
    ok     turn: the reply was `Hello. Answer with one word.`
    ok     session: the reply was `And another word.`
    ok     unknown-fields: the reply was `Hello. Answer with one word.`
    ok     sessions-at-once: both were
    ok     refuses-malformed: no text: 400, a text that is a number: 400, no session_id: 400, a body that is no JSON: 400
    ok     refuses-versions: wt_inject = 2: 400, no wt_inject: 400
    -      sessions-apart: not checked: the session that was told a word cannot repeat it, so nothing follows if others do not: it answered `Which word that begins with wt- were you asked to remember? Answer with that word, or with none if you know of none.`
    -      reset-canary: not checked: the session that was told a word cannot repeat it, so nothing follows if others do not: it answered `Which word that begins with wt- were you asked to remember? Answer with that word, or with none if you know of none.`
    -      time-limit: not checked: the agent answered before a limit that short could be seen
    ok     no-redirect: in 8 answers
    ok     status: in 8 answers
    ok     content-type: in 8 answers
    ok     json: in 8 answers
    ok     version: in 8 answers
    ok     reply: in 8 answers
    ok     tool-calls: in 8 answers
    -      call-names: not checked: no answer showed it
    -      call-arguments: not checked: no answer showed it
    -      error: not checked: no answer showed it
    -      decisions-left: not checked: no answer showed it
    ok     reference: the route is absent: this agent cannot be self-tested
    -      reference-replaces: not checked: the model cannot be replaced
    -      reference-asking: not checked: the model cannot be replaced
    -      reference-counts: not checked: the model cannot be replaced
    -      reference-ends: not checked: the model cannot be replaced
    -      reference-refuses: not checked: the model cannot be replaced
    -      agent-errors: not checked: an agent cannot be made to fail where its model cannot be replaced
    -      reference-removed: not checked: the model cannot be replaced
    ok     surface: the route is absent: traces say that the surface is unavailable

    in order as far as it was checked; 14 rules were not
    ");
}

#[test]
fn an_endpoint_that_is_named_is_examined_beside_broken_packs() {
    let url = endpoint::serve(endpoint::echo);
    let folder = pack("[tools.files]\nkind = 'no such kind'\n");
    folder.wt("doctor").exits(2).complains("no such kind");
    let shown = folder.wt(&format!("doctor --runtime http_inject --url {url}")).succeeds();
    shown.says("ok     reset: it was").says("scenarios: 0 in 0 packs");
    // Where a path is given, its packs are meant as well.
    folder.wt(&format!("doctor . --runtime http_inject --url {url}")).exits(2).complains("no such kind");
}

/// An endpoint whose agent reports its calls loosely, and takes anything for a turn.
fn loose() -> String {
    endpoint::serve(|path, body| match path {
        "/wt/inject" => (
            200,
            json!({"wt_inject": 1, "reply": body["text"], "tool_calls": [{"name": "note", "arguments": "{}"}]}),
        ),
        _ => endpoint::echo(path, body),
    })
}

#[test]
fn what_an_endpoint_breaks_is_wrong_with_what_was_seen() {
    let shown = Folder::new().wt(&format!("doctor --runtime http_inject --url {}", loose())).exits(1);
    let wrong: Vec<&str> = shown.stdout.lines().skip_while(|line| !line.starts_with("WRONG")).collect();
    let wrong = wrong.join("\n");
    let rules: Vec<&str> =
        wrong.lines().filter_map(|line| line.strip_prefix("WRONG  ")?.split(':').next()).collect();
    assert_eq!(rules, ["refuses-malformed", "refuses-versions", "call-arguments"]);
    shown
        .says("WRONG  call-arguments: arguments are JSON objects, not texts that hold JSON")
        .says("`tool_calls[0].arguments`: expected a JSON object, not a text that holds one, found `\"{}\"`")
        .says("3 things are wrong");
}

#[test]
fn an_examination_is_printed_for_programs() {
    let shown =
        Folder::new().wt(&format!("doctor --runtime http_inject --url {} --format json", loose())).exits(1);
    let report: Value = shown.json();
    assert_eq!((&report["windtunnel_doctor"], &report["wrong"]), (&json!(1), &json!(3)));
    let examined = &report["conformance"][0];
    assert_eq!(examined["runtime"], "http_inject");
    let rules = examined["rules"].as_array().unwrap();
    let arguments = rules.iter().find(|rule| rule["rule"] == "call-arguments").unwrap();
    assert_eq!(arguments["standing"], "broken");
    assert_eq!(report["findings"][0]["what"], "wt.toml");
}

#[test]
fn an_endpoint_of_the_settings_gets_the_tools_of_its_pack() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    // Its first session can repeat what it was told.
    let told = Mutex::new(String::new());
    let url = endpoint::serve(move |path, body| {
        let mut told = told.lock().unwrap();
        match (path, body["text"].as_str()) {
            ("/wt/reset", _) => {
                log.lock().unwrap().push(body["tools"][0]["name"].clone());
                told.clear();
            }
            ("/wt/inject", Some(text)) if body["session_id"] == "wt-canary-1" => told.push_str(text),
            _ => {}
        }
        let (status, mut answer) = endpoint::echo(path, body);
        if body["session_id"] == "wt-canary-1" {
            answer["reply"] = told.as_str().into();
        }
        (status, answer)
    });
    let settings = format!("[runtimes.far]\nkind = 'http_inject'\nurl = '{url}'\n");
    let folder = pack("[tools.files]\nkind = 'workspace'\n[probe.files]\nkind = 'workspace'\n")
        .file("wt.toml", settings);
    folder
        .wt("doctor --runtime far")
        .succeeds()
        .says("runtime far for desk: is set up, cannot be self-tested")
        .says("nor does the probe see it");
    assert!(asked.lock().unwrap().iter().all(|name| name == "files"), "{asked:?}");
}

#[test]
fn an_endpoint_that_is_not_there_is_wrong() {
    let shown = Folder::new().wt("doctor --runtime http_inject --url http://127.0.0.1:1").exits(1);
    shown.says("POST http://127.0.0.1:1/wt/reference: the request could not be sent: Connection refused");
}

#[test]
fn a_request_about_no_endpoint_is_wrong() {
    let folder = Folder::new().file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['sh']\n");
    for (line, expected) in [
        ("doctor --runtime bot --url http://127.0.0.1:1", "it is not of kind http_inject"),
        ("doctor --runtime far --url http://127.0.0.1:1", "no runtime \"far\" is configured"),
        ("doctor --runtime http_inject --url desk", "runtimes.http_inject: url"),
    ] {
        folder.wt(line).exits(2).complains(expected);
    }
}

#[test]
fn a_secret_that_an_endpoint_repeats_is_not_printed() {
    let secret = "canary-7f3a9b";
    let url = endpoint::serve(move |path, body| match path {
        "/wt/reference" if body["decisions"].is_array() => (200, json!({"error": format!("no: {secret}")})),
        "/wt/reference" => (200, json!({})),
        _ => endpoint::echo(path, body),
    });
    let settings = format!(
        "[runtimes.far]\nkind = 'http_inject'\nurl = '{url}'\nheaders = {{ authorization = 'Bearer ${{DESK_TOKEN}}' }}\n"
    );
    let folder = pack("").file("wt.toml", settings);
    for format in ["text", "json"] {
        let call = folder.wt(&format!("doctor --runtime far --format {format}")).env("DESK_TOKEN", secret);
        let shown = call.exits(1);
        shown.says("reports: no: ***");
        assert!(!shown.to_string().contains(secret), "{shown}");
    }
}
