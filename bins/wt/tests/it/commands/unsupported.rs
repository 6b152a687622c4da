//! `wt selftest` on a runtime that cannot be self-tested: it says so, and touches nothing.

use std::sync::{Arc, Mutex};

use windtunnel_api::selftest::SelftestVerdict::Unsupported;

use super::selftest::SelftestJson;
use crate::harness::{CallWt, SCENARIO, endpoint};
use windtunnel_testkit::Folder;

/// A pack of which every part leaves a file behind when it is started.
fn traps() -> Folder {
    let pack = r#"name = "traps"

[tools.crm]
kind = "stdio"
command = ["sh", "-c", "touch tool-server-started; exec cat"]

[workspace]
files = "fixtures"

[probe.state]
kind = "command"
command = ["sh", "-c", "touch probe-started; echo 1"]
reset = ["sh", "-c", "touch probe-reset"]
"#;
    Folder::new()
        .file("pack.toml", pack)
        .file("fixtures/a.txt", "a")
        .file("greet.scenario.toml", SCENARIO)
        .file("wt.toml", "[runtimes.bot]\nkind = 'command'\ncommand = ['sh', '-c', 'touch agent-started']\n")
}

#[test]
fn nothing_is_started_and_nothing_is_written() {
    for runtime in ["in_memory", "bot"] {
        let folder = traps();
        let before = folder.files("");
        let finished = folder.wt(&format!("selftest --runtime {runtime}")).exits(2);
        finished.says("UNSUPPORTED traps/greet/greets").says("--runtime").says("2 cases: 2 UNSUPPORTED");
        assert_eq!(folder.files(""), before, "{finished}");
    }
}

#[test]
fn a_runtime_that_is_not_installed_is_known_by_its_name() {
    let crew = "[runtimes.crew]\nkind = 'command'\ncommand = ['crew-of-nobody']\n";
    let folder = traps().file("wt.toml", crew);
    let nope = folder.wt("selftest --runtime nope").exits(2);
    nope.complains(
        "unknown runtime \"nope\"; known are loop, in_memory, crew; add [runtimes.nope] to wt.toml",
    );
    folder.wt("selftest --runtime crw").exits(2).complains("did you mean crew?");
    folder.wt("selftest --runtime crew").exits(2).complains("`crew-of-nobody` was not found");
}

#[test]
fn an_endpoint_is_asked_whether_it_can_and_nothing_else() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let url = endpoint::serve(move |path, body| {
        log.lock().unwrap().push(format!("{path} {body}"));
        endpoint::echo(path, body)
    });
    let folder = traps().file("wt.toml", format!("[runtimes.far]\nkind = 'http_inject'\nurl = '{url}'\n"));
    let before = folder.files("");
    let finished = folder.wt("selftest --runtime far").exits(2);
    finished.says("2 cases: 2 UNSUPPORTED");
    assert_eq!(folder.files(""), before, "{finished}");
    assert_eq!(*asked.lock().unwrap(), [r#"/wt/reference {"wt_inject":1}"#]);
}

#[test]
fn every_case_has_a_record() {
    let finished = traps().wt("selftest --runtime in_memory --format json").exits(2);
    let report: SelftestJson = finished.json();
    assert_eq!(report.verdicts(), [("greets", Unsupported), ("leaves", Unsupported)]);
    assert_eq!((report.summary.cases, report.summary.unsupported), (2, 2));
    for case in &report.cases {
        assert!(case.run_id.is_none() && case.score.is_none() && case.trace_path.is_none(), "{case:?}");
    }
}

#[test]
fn packs_on_other_runtimes_are_proved_all_the_same() {
    let folder = Folder::new()
        .file("a/pack.toml", "name = 'a'\nruntime = 'in_memory'\n")
        .file("a/greet.scenario.toml", SCENARIO)
        .file("b/pack.toml", "name = 'b'\nruntime = 'loop'\n")
        .file("b/other.scenario.toml", SCENARIO.replace("greet\"", "other\""));
    folder.wt("selftest").exits(2).says("4 cases: 2 PASS, 2 UNSUPPORTED");
}
