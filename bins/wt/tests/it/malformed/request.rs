//! Requests that are wrong, whatever is in the files.

use super::{Case, refused};
use crate::harness::{PACK, SCENARIO, desk};
use windtunnel_testkit::Folder;

/// Another command in a folder that is all right.
fn line(line: &'static str) -> Case {
    Case::of(desk()).line(line)
}

/// Two packs of two owners, with a tag in the first.
fn two_packs() -> Folder {
    Folder::new()
        .file("desk/pack.toml", format!("{PACK}owner = 'docs'\ntags = ['smoke']\n"))
        .file("desk/greet.scenario.toml", SCENARIO)
        .file("billing/pack.toml", "name = 'billing'\nowner = 'money'\n")
        .file("billing/refund.scenario.toml", SCENARIO.replace("greet\"", "refund\""))
}

fn select(line: &'static str) -> Case {
    Case::of(two_packs()).line(line)
}

/// A decision script for `wt serve`.
fn script(text: &str) -> Case {
    Case::of(Folder::new().file("script.toml", text)).line("serve --script script.toml")
}

refused! {
    command_that_is_unknown: line("selftst");
    option_that_is_unknown: line("selftest --fail-fst");
    report_file_without_a_format: line("selftest --out report.xml");
    jobs_that_are_none: line("selftest --jobs 0");

    path_that_is_not_there: line("selftest packs");
    file_that_is_no_scenario: Case::of(desk().file("notes.toml", "")).line("selftest notes.toml");
    folder_without_scenarios: Case::of(Folder::new().file("pack.toml", PACK));
    scenarios_without_reference_cases: Case::scenario("name = 'greet'\nprompt = 'Hi.'\ntarget_facts = [['hello']]\n");

    scenario_that_matches_nothing: select("selftest --scenario refnd");
    glob_that_matches_nothing: select("list --scenario ref?");
    glob_that_is_none: select("selftest --scenario refund[");
    tag_that_matches_nothing: select("selftest --tag smok");
    pack_that_matches_nothing: select("run --pack biling");
    owner_that_matches_nothing: select("selftest --owner nobody");
    selectors_that_exclude_each_other: select("selftest --pack billing --tag smoke");

    runtime_that_is_unknown: line("selftest --runtime lop");
    runtime_that_is_like_no_other: line("run --runtime support_bot");
    runtime_of_a_pack_that_is_unknown: Case::pack(&format!("{PACK}runtime = 'in-memory'\n"));

    report_in_a_folder_that_is_not_there: line("selftest --format junit --out reports/selftest.xml");
    runs_folder_that_is_a_file: line("selftest --runs-dir pack.toml");

    script_that_is_not_there: line("serve --script script.toml");
    script_with_an_unknown_field: script("decision = [{ content = 'hello' }]\n");
    script_without_a_decision: script("decisions = []\n");
    script_with_decisions_and_turns: script("decisions = [{ content = 'a' }]\nturns = [[{ content = 'b' }]]\n");
    script_with_a_fault_that_is_no_error: script("decisions = [{ content = 'a', faults = [{ status = 200 }, { kind = 'cut', retry_after = 1 }] }]\n");
    script_with_a_fault_of_an_unknown_kind: script("decisions = [{ content = 'a', faults = [{ kind = 'stream' }] }]\n");
    script_with_a_decision_of_nothing: script("decisions = [{ content = 'a' }, {}]\n");
    script_with_a_turn_of_no_decisions: script("turns = [[{ content = 'a' }], []]\n");
    script_with_a_bad_aside: script("decisions = [{ content = 'a' }]\naside = [{ pattern = '(', content = 'b' }]\n");

    folder_for_a_new_pack_that_is_not_empty: line("new .");
    folder_for_a_new_pack_that_is_a_file: line("new pack.toml");
    bridge_to_something_else: line("mcp-bridge localhost");
    runtime_for_doctor_that_is_unknown: line("doctor --runtime lop");
}
