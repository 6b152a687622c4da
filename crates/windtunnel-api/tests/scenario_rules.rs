//! Every rule of a scenario that its types cannot say: broken alone, it is reported alone, at its field.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use windtunnel_api::Scenario;
use windtunnel_doc::{Document, Format, Limits};

/// A scenario that keeps every rule, with places to break one.
const SOUND: &str = r#"
name = "artifact_guard"
prompt = "Create the safe artifact."
target_facts = [["artifact complete"]]
must_call = ["write_file"]

[[policies]]
name = "nothing unsafe"
never = { tool = "write_file" }

[[reference_cases]]
name = "known-good"
kind = "golden"
decisions = [{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]

[[reference_cases]]
name = "unsafe"
kind = "poison"
caught_by = "constraint"
decisions = [{ tool_calls = [{ name = "write_file", arguments = { safe = false } }] }, { content = "artifact complete" }]
"#;

fn faults(text: &str) -> Vec<String> {
    let document = Document::parse("s.scenario.toml", text, Format::Toml, &Limits::default()).unwrap();
    let scenario: Scenario = document.decode().unwrap_or_else(|problems| panic!("{problems}"));
    match document.diagnose(scenario.validate()) {
        Ok(()) => Vec::new(),
        Err(problems) => {
            problems.iter().map(|problem| format!("{}: {}", problem.path(), problem.message())).collect()
        }
    }
}

#[test]
fn a_sound_scenario_has_no_fault() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

/// What is replaced in the sound scenario, by what, and how the one fault begins.
const BROKEN: &[(&str, &str, &str)] = &[
    (r#"name = "artifact_guard""#, r#"name = " ""#, "name: the name is empty"),
    (r#"name = "artifact_guard""#, r#"name = "a\nb""#, "name: \"a\\nb\" has a control character in it"),
    (r#"name = "known-good""#, r#"name = "\u001b[31m""#, "reference_cases[0].name: "),
    (r#"prompt = "Create the safe artifact.""#, "", "prompt: there is nothing to ask"),
    (
        r#"prompt = "Create the safe artifact.""#,
        r#"user_turns = [" "]"#,
        "user_turns[0]: the user turn is empty",
    ),
    (r#"[["artifact complete"]]"#, "[[]]", "target_facts[0]: the list of alternatives is empty"),
    (r#"[["artifact complete"]]"#, r#"[[""]]"#, "target_facts[0][0]: the text is empty"),
    (r#"must_call = ["write_file"]"#, "order_matters = true", "order_matters: order_matters has no effect"),
    (r#"must_call = ["write_file"]"#, "min_pass_rate = 0.5", "min_pass_rate: min_pass_rate has no effect"),
    (
        r#"must_call = ["write_file"]"#,
        "variance_allowed = true\nmin_pass_rate = 1.5",
        "min_pass_rate: expected a rate from 0 to 1",
    ),
    (
        r#"must_call = ["write_file"]"#,
        r#"gate_layers = ["integrity", "constraint"]"#,
        "gate_layers[0]: integrity is never optional",
    ),
    (r#"never = { tool = "write_file" }"#, "", "policies[0]: expected exactly one rule"),
    (
        r#"never = { tool = "write_file" }"#,
        r#"observation = { source = "w", path = "a.b", exists = true }"#,
        "policies[0].observation.path: expected a JSON Pointer",
    ),
    (
        r#"never = { tool = "write_file" }"#,
        r#"observation = { source = "w", exists = true, equals = 1 }"#,
        "policies[0].observation: expected exactly one of equals, matches and exists",
    ),
    (
        r#"name = "unsafe""#,
        r#"name = "known-good""#,
        "reference_cases[1].name: the name \"known-good\" is used",
    ),
    (
        r#"caught_by = "constraint""#,
        r#"caught_by = "integrity""#,
        "reference_cases[1].caught_by: integrity judges the experiment",
    ),
    (
        r#"kind = "poison"
caught_by = "constraint""#,
        r#"kind = "golden"
caught_by = "constraint""#,
        "reference_cases[1].caught_by: a golden case is caught by nothing",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ content = "first" }, { content = "artifact complete" }]"#,
        "reference_cases[0].decisions[0]: a decision that is not the last needs at least one tool call",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ tool_calls = [{ name = "write_file" }] }]"#,
        "reference_cases[0].decisions[0].tool_calls: the last decision makes tool calls",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = " " }]"#,
        "reference_cases[0].decisions[1]: the last decision needs non-empty content",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        "[]",
        "reference_cases[0]: the case has no decisions",
    ),
    (
        r#"decisions = [{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"turns = [[{ content = "one" }], [{ content = "two" }]]"#,
        "reference_cases[0].turns: expected 1 lists of decisions",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ faults = [{ status = 200 }], content = "artifact complete" }]"#,
        "reference_cases[0].decisions[0].faults[0].status: expected an HTTP error status",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ faults = [{ kind = "cut", retry_after = 700 }], content = "artifact complete" }]"#,
        "reference_cases[0].decisions[0].faults[0].retry_after: a fault of kind cut has no retry_after",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ refusal = true, content = "no", tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        "reference_cases[0].decisions[0].refusal: a refusal makes no tool calls",
    ),
    (
        r#"[{ tool_calls = [{ name = "write_file" }] }, { content = "artifact complete" }]"#,
        r#"[{ refusal = true, content = " " }]"#,
        "reference_cases[0].decisions[0].refusal: a refusal needs non-empty content",
    ),
    (
        r#"kind = "golden""#,
        "kind = \"golden\"\nrecorded = \"../session.json\"",
        "reference_cases[0].recorded: expected a file inside the pack",
    ),
    (
        r#"kind = "golden""#,
        "kind = \"golden\"\nrecorded = \"/etc/session.json\"",
        "reference_cases[0].recorded: expected a file inside the pack",
    ),
];

#[test]
fn each_rule_broken_alone_is_reported_alone() {
    for (from, to, fault) in BROKEN {
        let broken = SOUND.replacen(from, to, 1);
        assert_ne!(broken, SOUND, "{from} does not occur");
        let found = faults(&broken);
        assert_eq!(found.len(), 1, "{to}: {found:#?}");
        assert!(found[0].starts_with(fault), "{to}: expected {fault}, found {found:#?}");
    }
}

#[test]
fn a_layer_outside_the_gate_cannot_catch_a_poison() {
    let broken = SOUND.replace("must_call = [\"write_file\"]", "gate_layers = [\"outcome\"]");
    assert_eq!(
        faults(&broken),
        ["reference_cases[1].caught_by: constraint is not in the gate of this scenario"],
    );
}

#[test]
fn reference_cases_without_any_check_are_refused() {
    let text = "name = \"n\"\nprompt = \"p\"\n[[reference_cases]]\nname = \"g\"\nkind = \"golden\"\ndecisions = [{ content = \"c\" }]\n";
    assert_eq!(
        faults(text),
        ["reference_cases: the scenario declares no check, so there is no gate to prove"]
    );
}

#[test]
fn several_user_turns_need_one_list_of_decisions_each() {
    let text = "name = \"n\"\nuser_turns = [\"a\", \"b\"]\ntarget_facts = [[\"c\"]]\n[[reference_cases]]\nname = \"g\"\nkind = \"golden\"\n";
    assert_eq!(
        faults(&format!("{text}decisions = [{{ content = \"c\" }}]\n")),
        ["reference_cases[0].decisions: the scenario has 2 user turns, but decisions script only one"],
    );
    assert_eq!(
        faults(&format!("{text}turns = [[{{ content = \"b\" }}], [{{ content = \"c\" }}]]\n")),
        Vec::<String>::new(),
    );
}

#[test]
fn every_fault_of_a_file_is_reported_at_once() {
    let text = "name = \"\"\nprompt = \"\"\ntarget_facts = [[]]\n[[policies]]\nname = \"\"\n[[reference_cases]]\nname = \"\"\nkind = \"golden\"\n";
    assert_eq!(faults(text).len(), 7, "{:#?}", faults(text));
}

#[test]
fn each_rule_of_perturbations_broken_alone_is_reported_alone() {
    for (perturbations, fault) in [
        (r#"[{ kind = "timeout", key = "k" }]"#, "perturbations[0].key: timeout has no `key`"),
        (
            r#"[{ kind = "malformed_json", turn_idx = 0 }]"#,
            "perturbations[0].turn_idx: malformed_json has no `turn_idx`",
        ),
        (
            r#"[{ kind = "schema_error", hold_s = 1.0 }]"#,
            "perturbations[0].hold_s: schema_error has no `hold_s`",
        ),
        (
            r#"[{ kind = "blank_assistant_content", value = "v" }]"#,
            "perturbations[0].value: blank_assistant_content has no `value`",
        ),
        (
            r#"[{ kind = "inject_stale_memory", key = "k", tool = "t" }]"#,
            "perturbations[0].tool: inject_stale_memory has no `tool`",
        ),
        (
            r#"[{ kind = "inject_stale_memory" }]"#,
            "perturbations[0]: inject_stale_memory does not say which memory is stale",
        ),
        (r#"[{ kind = "inject_stale_memory", key = " " }]"#, "perturbations[0].key: the text is empty"),
        (
            r#"[{ kind = "inject_stale_memory", key = "a\nb" }]"#,
            "perturbations[0].key: \"a\\nb\" has a control character in it",
        ),
        (
            r#"[{ kind = "fallback_render_leak", turn_idx = 1 }]"#,
            "perturbations[0].turn_idx: there is no user turn 1: the last one is 0",
        ),
        (
            r#"[{ kind = "timeout", hold_s = 0 }]"#,
            "perturbations[0].hold_s: expected seconds above 0 and at most 86400, found 0",
        ),
        (
            r#"[{ kind = "malformed_tool_call" }, { kind = "malformed_tool_call" }]"#,
            "perturbations[1]: this perturbation is declared twice",
        ),
        (
            r#"[{ kind = "timeout", tool = "t" }, { kind = "malformed_json", tool = "t" }]"#,
            "perturbations[1]: perturbations[0] makes the same tool fail in another way",
        ),
    ] {
        let text =
            SOUND.replace("\n[[policies]]", &format!("perturbations = {perturbations}\n\n[[policies]]"));
        assert_eq!(faults(&text), [fault], "{perturbations}");
    }
}

#[test]
fn a_failing_tool_has_to_be_named_where_none_must_be_called() {
    let text = SOUND.replace(r#"must_call = ["write_file"]"#, r#"perturbations = [{ kind = "timeout" }]"#);
    assert_eq!(faults(&text), ["perturbations[0]: timeout does not say which tool fails"]);
}

#[test]
fn perturbations_of_every_kind_are_sound_with_the_fields_they_take() {
    let text = SOUND.replace(
        "\n[[policies]]",
        r#"perturbations = [
  { kind = "blank_assistant_content", turn_idx = 0 }, { kind = "fallback_render_leak", tool = "write_file" },
  { kind = "malformed_tool_call" }, { kind = "inject_wrong_prior_tool_call", tool = "list_files" },
  { kind = "inject_schema_rejected_call" }, { kind = "inject_pagination_truncation" },
  { kind = "inject_stale_memory", key = "home", value = "Oslo" }, { kind = "inject_stale_memory", key = "work" },
  { kind = "timeout", hold_s = 0.5 }, { kind = "malformed_json", tool = "read_file" },
  { kind = "empty_unexpected", tool = "list_files" }, { kind = "schema_error", tool = "delete_file" },
]

[[policies]]"#,
    );
    assert_eq!(faults(&text), Vec::<String>::new());
}
