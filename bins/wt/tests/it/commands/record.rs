//! `wt record`, in front of a `wt serve` that plays the provider.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use windtunnel_testkit::Folder;

use crate::harness::{CallWt, endpoint, post};

/// What no file and no output may hold.
const CANARY: &str = "canary-7f3a9b-canary";

const SCRIPT: &str = r#"decisions = [
  { tool_calls = [{ name = "write_file", arguments = { path = "out.md", content = "safe" } }] },
  { content = "Wrote it, Ada: ada@example.com" },
]
"#;

const PACK: &str = "name = \"desk\"\n\n[tools.files]\nkind = \"workspace\"\n";

/// A folder with a pack and a script for its provider.
fn desk() -> Folder {
    Folder::new()
        .file("desk/pack.toml", PACK)
        .file("script.toml", SCRIPT)
        .file("hello.toml", "decisions = [{ content = \"Hello there.\" }]\n")
        .file("talk/pack.toml", "name = \"talk\"\n")
        .file(
            "talk/greet.scenario.toml",
            "name = \"greet\"\nprompt = \"Say hello.\"\ntarget_facts = [[\"hello\"]]\n",
        )
}

fn read(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.path(path)).unwrap()
}

/// Writes down what a right answer must say.
fn judge(folder: &Folder, path: &str, fact: &str) {
    let text = read(folder, path);
    assert!(text.contains("(write here what a right answer must say)"), "{text}");
    fs::write(folder.path(path), text.replace("(write here what a right answer must say)", fact)).unwrap();
}

#[test]
fn a_live_session_becomes_a_pack_that_passes_once_its_gate_is_filled_in() {
    let folder = desk();
    let mut provider = folder.wt("serve --script script.toml").start();
    let url = provider.first_line();
    let line = format!("record desk --runtime loop --prompt Write --out safe --upstream {url}");
    let call = folder.wt(&line).env("OPENAI_MODEL", "m").env("OPENAI_API_KEY", CANARY);
    let shown = call.succeeds();
    shown
        .complains("Recorded 2 requests: 2 decisions in 1 turn, 1 tool call.")
        .complains("safe.scenario.toml")
        .complains("an e-mail address")
        .complains("wt selftest safe");
    provider.signal(Signal::TERM);
    provider.exits(0);

    let failed = folder.wt("selftest safe").exits(1);
    failed.says("GOLDEN_FAILED").says("(write here what a right answer must say)");
    judge(&folder, "safe/safe.scenario.toml", "wrote it");
    folder.wt("selftest safe").succeeds().says("PASS safe/safe/recorded");

    let recording: Value = serde_json::from_str(&read(&folder, "safe/safe.recording.json")).unwrap();
    assert_eq!(recording["events"].as_array().unwrap().len(), 3, "{recording}");
    assert_eq!(recording["events"][1]["server"], "files");
    for file in ["pack.toml", "safe.scenario.toml", "safe.universe.json", "safe.recording.json"] {
        assert!(!read(&folder, &format!("safe/{file}")).contains(CANARY), "{file}");
    }
    assert!(!shown.to_string().contains(CANARY), "{shown}");

    // The real server in the place of the recorded calls, and a recording of another answer.
    fs::write(folder.path("safe/pack.toml"), PACK.replace("desk", "safe")).unwrap();
    folder.wt("selftest safe").succeeds();
    let mut other = recording;
    other["events"][1]["result"] = "another answer".into();
    fs::write(folder.path("safe/safe.recording.json"), other.to_string()).unwrap();
    let drifted = folder.wt("selftest safe").succeeds();
    drifted.says("drift: 1 of 1 tool calls differ from safe.recording.json").says("\"another answer\" →");
}

/// A pack whose scenario reads a file of its workspace.
fn notes() -> Folder {
    Folder::new()
        .file(
            "notes/pack.toml",
            "name = \"notes\"\nowner = \"desk\"\n\n[workspace]\nfiles = \"fixture\"\n\n[tools.files]\nkind = \"workspace\"\n\n\
             [tools.archive]\nkind = \"workspace\"\n\n[probe.after]\nkind = \"workspace\"\ninclude = [\"in/**\"]\n",
        )
        .file("notes/fixture/in/note.md", "Call Ada: ada@example.com\n")
        .file("notes/fixture/raw.bin", [0xff, 0x00])
        .file(
            "notes/ask.scenario.toml",
            "name = \"ask\"\nprompt = \"Whom?\"\ntarget_facts = [[\"ada\"]]\nrequires_files = [\"in/note.md\"]\n",
        )
        .file(
            "script.toml",
            "decisions = [{ tool_calls = [{ name = \"files__read_file\", arguments = { path = \"in/note.md\" } }] }, { content = \"Call Ada.\" }]\n",
        )
}

/// Records the scenario of [`notes`].
fn recorded_notes(folder: &Folder, out: &str) -> windtunnel_testkit::Finished {
    let mut provider = folder.wt("serve --script script.toml").start();
    let line = format!(
        "record notes --runtime loop --scenario ask --out {out} --upstream {}",
        provider.first_line()
    );
    let shown = folder.wt(&line).env("OPENAI_MODEL", "m").succeeds();
    provider.signal(Signal::TERM);
    provider.exits(0);
    shown
}

#[test]
fn the_files_that_a_session_began_with_are_in_its_pack_and_what_is_not_taken_over_is_told() {
    let folder = notes();
    let shown = recorded_notes(&folder, "rec");
    let (_, told) = shown.stderr.split_once("Recorded ").unwrap();
    insta::assert_snapshot!(told, @r"
    2 requests: 2 decisions in 1 turn, 1 tool call.

    Written to rec:
      pack.toml
      rec.scenario.toml
      rec.universe.json
      rec.recording.json
      workspace/ (2 files)
      note: workspace/ is a copy of notes/fixture, as it stands there: look at it before it is committed
      note: notes/pack.toml has more, which is not taken over: owner, tools.archive, probe.after
      note: notes/ask.scenario.toml has more, which is not taken over: target_facts, requires_files

    Do not commit it as it is. Production prompts, credentials and customer records do not belong into a repository:
    replace them by fictional ones, in every file alike. Known keys are taken out (***); nobody can know all.
      rec.universe.json:116: an e-mail address
      rec.recording.json:420: an e-mail address
      rec.recording.json:451: an e-mail address
      workspace/in/note.md:1: an e-mail address

    Next: write into rec.scenario.toml what a right answer must say, then `wt selftest rec`.
    ");
    insta::assert_snapshot!(read(&folder, "rec/pack.toml"), @r#"
    name = "rec"
    runtime = "loop"

    # A copy of notes/fixture, which the session began with.
    [workspace]
    files = "workspace"

    [tools.files]                    # the recorded calls, served again; or the server itself, to see what has changed
    kind = "universe"
    file = "rec.universe.json"

    # notes/pack.toml has more, which is not taken over: owner, tools.archive, probe.after.
    "#);
    let scenario = read(&folder, "rec/rec.scenario.toml");
    let about = scenario.lines().find(|line| line.contains("ask.scenario.toml"));
    insta::assert_snapshot!(about.unwrap(), @"# notes/ask.scenario.toml has more, which is not taken over: target_facts, requires_files.");
    assert_eq!(fs::read(folder.path("rec/workspace/raw.bin")).unwrap(), [0xff, 0x00]);

    judge(&folder, "rec/rec.scenario.toml", "call ada");
    let served = read(&folder, "rec/pack.toml")
        .replace("kind = \"universe\"\nfile = \"rec.universe.json\"", "kind = \"workspace\"");
    fs::write(folder.path("rec/pack.toml"), served).unwrap();
    let again = folder.wt("selftest rec").succeeds();
    assert!(!again.stdout.contains("drift"), "{again}");
}

#[test]
fn a_workspace_that_cannot_be_copied_is_told_and_does_not_cost_the_recording() {
    let folder = notes();
    let large = fs::File::create(folder.path("notes/fixture/large")).unwrap();
    large.set_len(33 * 1024 * 1024).unwrap();
    let shown = recorded_notes(&folder, "rec");
    shown
        .complains(
            "note: the session began with the files of notes/fixture, which were not copied: the files of",
        )
        .complains("are larger than 32 MiB");
    let pack = read(&folder, "rec/pack.toml");
    assert!(pack.contains("# [workspace]\n# files = \"workspace\"\n"), "{pack}");
    assert!(!folder.exists("rec/workspace"), "{:?}", folder.files("rec"));

    let within = recorded_notes(&folder, "notes/fixture/rec");
    within.complains("which were not copied: the new folder is inside of fixture");
}

#[test]
fn a_program_is_told_where_its_model_is_and_its_end_ends_the_session() {
    let folder = desk();
    let mut provider = folder.wt("serve --script hello.toml").start();
    let url = provider.first_line();
    let line = "$WT record --out hello -- $WT run talk --runs-dir runs --runtime loop";
    let shown = folder
        .shell_wt(line)
        .env("OPENAI_BASE_URL", &url)
        .env("OPENAI_MODEL", "m")
        .env("OPENAI_API_KEY", CANARY)
        .succeeds();
    shown.says("PASS talk/greet").complains("Recorded 1 request: 1 decision in 1 turn, 0 tool calls.");
    provider.signal(Signal::TERM);
    provider.exits(0);
    let scenario = read(&folder, "hello/hello.scenario.toml");
    assert!(scenario.contains("prompt = \"Say hello.\"") && scenario.contains("Hello there."), "{scenario}");
    assert!(!read(&folder, "hello/hello.recording.json").contains(CANARY));
    judge(&folder, "hello/hello.scenario.toml", "hello");
    folder.wt("selftest hello").succeeds();
}

#[test]
fn an_interrupt_ends_the_session_of_an_agent_that_was_started_elsewhere() {
    let folder = desk();
    let mut provider = folder.wt("serve --script hello.toml").start();
    let mut recording =
        folder.wt(&format!("record --out hello --upstream {}", provider.first_line())).start();
    let url = recording.first_line();
    let body =
        serde_json::json!({"model": "m", "messages": [{"role": "user", "content": "Say \"hello\".\nNow."}]});
    assert_eq!(post(&format!("{url}/chat/completions"), &body).status, 200);
    recording.signal(Signal::INT);
    recording.exits(0).complains("OPENAI_BASE_URL=http://127.0.0.1:");
    assert!(read(&folder, "hello/hello.scenario.toml").contains(r#"prompt = "Say \"hello\".\nNow.""#));
    folder.wt("list hello").succeeds().says("hello");
    provider.signal(Signal::TERM);
    provider.exits(0);
}

#[test]
fn what_cannot_be_recorded_is_said_with_what_to_do() {
    let folder = desk().file("taken/mine", "mine");
    for (line, says, help) in [
        ("record --out taken -- true", "taken is not empty", "nothing is overwritten"),
        ("record --out x -- true", "no request for an answer came", "OPENAI_BASE_URL"),
        ("record --out x -- no-such-program", "no-such-program", "not a line of a shell"),
        (
            "record --out x --upstream http://models.example/v1 -- true",
            "not encrypted",
            "--insecure-upstream",
        ),
        ("record --out x --upstream nowhere -- true", "base URL", "--upstream"),
        ("record desk --out x", "nothing says what the agent is asked", "--prompt"),
        ("record desk --runtime in_memory --prompt p --out x", "asks no model", "-- COMMAND"),
        ("record desk --runtime lop --prompt p --out x", "did you mean loop?", "loop, in_memory"),
        ("record desk --runtime nobody --prompt p --out x", "nobody", "[runtimes.nobody]"),
    ] {
        let shown = folder.wt(line).exits(2);
        shown.complains(says).complains(help);
        assert!(!folder.path("x").exists(), "{shown}");
    }
    assert_eq!(folder.files("taken"), ["taken/mine"]);
}

#[test]
fn a_folder_or_a_name_that_cannot_be_is_refused_before_the_session() {
    let folder = desk().symlink("dangling", "nowhere");
    let before = folder.files("");
    let long = "x".repeat(256);
    for (args, says) in [
        ("--out script.toml", "script.toml is there already, and is no folder"),
        ("--out script.toml/x", "cannot make script.toml/x"),
        ("--out dangling", "dangling is there already, and is no folder"),
        (&format!("--out {long}"), "File name too long"),
        (&format!("--out x --name {}", "x".repeat(101)), "101 characters are more than 100"),
        ("--out x --name a/b", "expected letters, digits"),
    ] {
        let shown = folder.wt(&format!("record {args} -- touch started")).exits(2);
        shown.complains(says);
        assert_eq!(folder.files(""), before, "{shown}");
    }
}

#[test]
fn a_recorder_in_front_of_itself_is_refused() {
    let folder = Folder::new();
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for variable in ["", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"] {
        let address = free();
        let url = format!("http://{address}");
        let upstream = if variable.is_empty() { format!("--upstream {url}") } else { String::new() };
        let call = folder.wt(&format!("record --out x --listen {address} {upstream} -- touch started"));
        let call = if variable.is_empty() { call } else { call.env(variable, &url) };
        let shown = call.exits(2);
        shown.complains("where this listens itself").complains("name the provider with --upstream");
        assert!(folder.files("").is_empty(), "{shown}");
    }
}

/// A session of `hello.toml`, after which a shell does what the line says.
fn greeted_and_then(folder: &Folder, then: &str, exit: i32) -> windtunnel_testkit::Finished {
    let mut provider = folder.wt("serve --script hello.toml").start();
    let url = provider.first_line();
    let line =
        format!("$WT record --out made -- sh -c '\"$WT\" run talk --runs-dir runs --runtime loop; {then}'");
    let call = folder.shell_wt(&line).env("OPENAI_BASE_URL", &url).env("OPENAI_MODEL", "m");
    let shown = call.env("OPENAI_API_KEY", CANARY).exits(exit);
    provider.signal(Signal::TERM);
    provider.exits(0);
    shown
}

#[test]
fn what_a_program_did_before_it_failed_is_recorded_and_the_failure_is_told() {
    let folder = desk();
    let shown = greeted_and_then(&folder, "exit 3", 1);
    shown
        .complains("Recorded 1 request: 1 decision in 1 turn")
        .complains("sh ended with exit code 3: what it did until then is recorded");
    folder.wt("list made").succeeds().says("made");

    let shown = folder.wt("record --out x -- false").exits(1);
    shown
        .complains("false ended with exit code 1, and no request for an answer came")
        .complains("OPENAI_BASE_URL");
    assert!(!folder.path("x").exists(), "{shown}");
}

#[test]
fn an_interrupt_ends_a_program_and_what_it_did_is_recorded() {
    let folder = desk();
    let mut provider = folder.wt("serve --script hello.toml").start();
    let url = provider.first_line();
    let line = "record --out made -- sh run.sh";
    let run = "\"$WT\" run talk --runs-dir runs --runtime loop\ntouch done\nexec sleep 60\n";
    fs::write(folder.path("run.sh"), run).unwrap();
    let call = folder.wt(line).env("WT", env!("CARGO_BIN_EXE_wt"));
    let call = call.env("OPENAI_BASE_URL", &url).env("OPENAI_MODEL", "m").env("OPENAI_API_KEY", CANARY);
    let recording = call.start().until("the agent is done", || folder.exists("done"));
    recording.signal(Signal::INT);
    recording.exits(0).complains("Recorded 1 request: 1 decision in 1 turn");
    folder.wt("list made").succeeds().says("made");
    provider.signal(Signal::TERM);
    provider.exits(0);
}

#[test]
fn a_recording_is_not_lost_when_its_folder_cannot_be_made_any_more() {
    let folder = desk();
    let shown = greeted_and_then(&folder, "touch made", 2);
    shown.complains("cannot make made").complains("its files were left in").complains(".wt-new-");
    let left = folder.files("").into_iter().filter(|file| file.starts_with(".wt-new-"));
    assert_eq!(left.count(), 3, "{:?}", folder.files(""));
}

/// A recording of what a client posts to a provider that answers like this.
fn recorded(
    folder: &Folder,
    name: &str,
    provider: &str,
    posts: &[(&str, u16)],
) -> windtunnel_testkit::Finished {
    let mut recording = folder.wt(&format!("record --out {name} --upstream {provider}")).start();
    let url = recording.first_line();
    for (asked, status) in posts {
        let body = json!({"model": "m", "messages": [{"role": "user", "content": asked}]});
        assert_eq!(post(&format!("{url}/chat/completions"), &body).status, *status, "{asked}");
    }
    recording.signal(Signal::INT);
    recording.exits(0)
}

fn says(content: &str) -> Value {
    let message = json!({"role": "assistant", "content": content});
    json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

#[test]
fn an_answer_larger_than_any_scenario_is_cut_there_and_whole_in_the_recording() {
    let folder = Folder::new();
    let large = "0123456789 ".repeat(1_000_000);
    let answer = says(&large);
    let provider = endpoint::serve(move |_, _| (200, answer.clone()));
    let shown = recorded(&folder, "large", &format!("{provider}/v1"), &[("Count.", 200)]);
    shown.complains("note: large.scenario.toml: 1 text cut to 2048 KiB, since no larger file is read");
    folder.wt("list large").succeeds().says("large");
    let scenario = read(&folder, "large/large.scenario.toml");
    assert!(scenario.len() < 4 * 1024 * 1024, "{}", scenario.len());
    assert!(scenario.contains("… (cut by wt record, of 11000000 bytes)"));
    let recording: Value = serde_json::from_str(&read(&folder, "large/large.recording.json")).unwrap();
    assert!(recording["events"][0]["decision"]["content"] == large.as_str(), "it is whole there");
    judge(&folder, "large/large.scenario.toml", "0123456789");
    folder.wt("selftest large").succeeds();
}

#[test]
fn a_provider_that_refuses_a_request_is_in_the_recording_and_not_in_the_script() {
    let folder = Folder::new();
    let provider = endpoint::serve(|_, body| match body["messages"][0]["content"].as_str() {
        Some("Hello?") => (200, says("Hello there.")),
        _ => (
            400,
            json!({"error": {"message": "ask ada@example.com: no such model", "code": "model_not_found"}}),
        ),
    });
    let provider = format!("{provider}/v1");
    let shown = recorded(&folder, "made", &provider, &[("Hullo?", 400), ("Hello?", 200)]);
    let (_, told) = shown.stderr.split_once('\n').unwrap();
    insta::assert_snapshot!(told, @r#"
    Recorded 2 requests: 1 decision in 1 turn, 0 tool calls.
      note: 1 request got no answer that can be scripted; the recording says why

    Written to made:
      pack.toml
      made.scenario.toml
      made.recording.json

    Do not commit it as it is. Production prompts, credentials and customer records do not belong into a repository:
    replace them by fictional ones, in every file alike. Known keys are taken out (***); nobody can know all.
      made.recording.json:21: an e-mail address
      made.recording.json:56: an e-mail address

    pack.toml does not name the agent yet. Without `runtime = "…"` there, as wt.toml names it, a self-test runs on the default of wt.toml,
    else on `loop`.

    Next: write into made.scenario.toml what a right answer must say, then `wt selftest made`.
    "#);
    let recording: Value = serde_json::from_str(&read(&folder, "made/made.recording.json")).unwrap();
    assert_eq!(recording["exchanges"][0]["status"], 400);
    assert_eq!(recording["exchanges"][0]["problem"], "ask ada@example.com: no such model");
    let fault = json!({"status": 400, "message": "ask ada@example.com: no such model"});
    assert_eq!(recording["events"][0]["decision"]["fault"], fault);
    let scenario = read(&folder, "made/made.scenario.toml");
    assert!(scenario.contains("Hello?") && !scenario.contains("no such model"), "{scenario}");

    let mut refused = folder.wt(&format!("record --out x --upstream {provider}")).start();
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "Hullo?"}]});
    assert_eq!(post(&format!("{}/chat/completions", refused.first_line()), &body).status, 400);
    refused.signal(Signal::INT);
    let refused = refused.exits(2);
    refused
        .complains("1 request came and was not answered with a decision, so nothing was recorded")
        .complains("the provider answered 400 to /v1/chat/completions: ask ada@example.com: no such model");
    assert!(!folder.path("x").exists());
}

#[test]
fn calls_that_the_agent_answers_itself_are_told_to_need_the_agent() {
    let folder = Folder::new();
    let call = json!({"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let calls = json!({"choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": null, "tool_calls": [call.clone()]}}]});
    let provider = endpoint::serve(move |_, body| match body["messages"].as_array().unwrap().len() {
        1 => (200, calls.clone()),
        _ => (200, says("It is there.")),
    });
    let mut recording = folder.wt(&format!("record --out made --upstream {provider}/v1")).start();
    let url = format!("{}/chat/completions", recording.first_line());
    let mut messages = vec![json!({"role": "user", "content": "Look."})];
    let tools = json!([{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]);
    assert_eq!(post(&url, &json!({"model": "m", "messages": messages, "tools": tools})).status, 200);
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "there"}));
    assert_eq!(post(&url, &json!({"model": "m", "messages": messages, "tools": tools})).status, 200);
    recording.signal(Signal::INT);
    let shown = recording.exits(0);
    let (_, last) = shown.stderr.split_once("nobody can know all.\n\n").unwrap();
    insta::assert_snapshot!(last, @r#"
    pack.toml does not name the agent yet. Without `runtime = "…"` there, as wt.toml names it, a self-test runs on the default of wt.toml,
    else on `loop`. That has no tools of its own, so the calls fail: name the agent or, where a tool server serves what was called,
    uncomment the universe there.

    Next: write into made.scenario.toml what a right answer must say, then `wt selftest made`.
    "#);
}

#[test]
fn an_agent_that_fails_leaves_nothing_behind() {
    let folder = desk();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let line = format!("record desk --runtime loop --prompt p --out x --upstream http://{nobody}/v1");
    let shown = folder.wt(&line).env("OPENAI_MODEL", "m").exits(1);
    shown.complains("the agent failed").complains("nothing was written");
    assert!(!folder.path("x").exists());
}
