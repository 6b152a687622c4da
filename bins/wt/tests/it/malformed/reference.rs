//! Faults of reference cases.

use super::{Case, refused};

const HEAD: &str = "name = 'greet'\nprompt = 'Say hello.'\ntarget_facts = [['hello']]\n";

/// A scenario with a case that has these fields.
fn case(fields: &str) -> Case {
    Case::scenario(&format!("{HEAD}\n[[reference_cases]]\n{fields}\n"))
}

/// A golden case with these decisions.
fn decisions(decisions: &str) -> Case {
    case(&format!("name = 'greets'\nkind = 'golden'\ndecisions = [\n{decisions}\n]"))
}

/// A poison with this layer to catch it.
fn caught_by(layer: &str) -> Case {
    case(&format!(
        "name = 'leaves'\nkind = 'poison'\ncaught_by = '{layer}'\ndecisions = [{{ content = 'Bye.' }}]"
    ))
}

/// A case of a scenario with two user turns.
fn two_turns(script: &str) -> Case {
    Case::scenario(&format!(
        "name = 'greet'\nuser_turns = ['Hello.', 'And now?']\ntarget_facts = [['hello']]\n\n\
         [[reference_cases]]\nname = 'greets'\nkind = 'golden'\n{script}\n"
    ))
}

refused! {
    case_without_decisions: case("name = 'greets'\nkind = 'golden'");
    case_with_an_empty_list_of_decisions: decisions("");
    case_with_decisions_and_turns: case(
        "name = 'greets'\nkind = 'golden'\ndecisions = [{ content = 'hello' }]\nturns = [[{ content = 'hello' }]]",
    );
    case_with_one_script_for_two_user_turns: two_turns("decisions = [{ content = 'hello' }]");
    case_with_too_few_turns: two_turns("turns = [[{ content = 'hello' }]]");
    case_with_a_turn_of_no_decisions: two_turns("turns = [[{ content = 'hello' }], []]");
    case_of_an_unknown_kind: case("name = 'greets'\nkind = 'goldn'\ndecisions = [{ content = 'hello' }]");
    case_without_a_name: case("name = ''\nkind = 'golden'\ndecisions = [{ content = 'hello' }]");
    case_with_an_unknown_field: case("name = 'greets'\nkind = 'golden'\ndecision = [{ content = 'hello' }]");
    two_cases_of_one_name: case(
        "name = 'greets'\nkind = 'golden'\ndecisions = [{ content = 'hello' }]\n\n\
         [[reference_cases]]\nname = 'greets'\nkind = 'poison'\ndecisions = [{ content = 'Bye.' }]",
    );
    case_of_a_scenario_without_a_check: Case::scenario(
        "name = 'greet'\nprompt = 'Hi.'\n\n[[reference_cases]]\nname = 'greets'\nkind = 'golden'\n\
         decisions = [{ content = 'hello' }]\n",
    );

    decision_that_ends_the_turn_too_early: decisions("  { content = 'wait' },\n  { content = 'hello' },");
    last_decision_with_tool_calls: decisions("  { tool_calls = [{ name = 'lookup' }] },");
    last_decision_with_content_and_tool_calls: decisions("  { content = 'hello', tool_calls = [{ name = 'lookup' }] },");
    last_decision_that_says_nothing: decisions("  { content = ' ' },");
    decision_with_an_unknown_field: decisions("  { tool_call = [{ name = 'lookup' }] },\n  { content = 'hello' },");
    decision_that_is_a_text: decisions("  'hello',");
    tool_call_with_an_unknown_field: decisions(
        "  { tool_calls = [{ name = 'lookup', args = { id = 7 } }] },\n  { content = 'hello' },",
    );
    tool_call_with_arguments_as_a_text: decisions(
        "  { tool_calls = [{ name = 'lookup', arguments = '{}' }] },\n  { content = 'hello' },",
    );
    tool_call_without_a_name: decisions("  { tool_calls = [{ arguments = { id = 7 } }] },\n  { content = 'hello' },");
    fault_that_is_no_error: decisions("  { faults = [{ status = 200 }], content = 'hello' },");
    fault_with_a_long_wait: decisions("  { faults = [{ status = 429, retry_after = 3600 }], content = 'hello' },");

    fault_with_a_wait_and_no_status: decisions("  { faults = [{ kind = 'cut', retry_after = 1 }], content = 'hello' },");
    refusal_beside_tool_calls: decisions(
        "  { refusal = true, content = 'No.', tool_calls = [{ name = 'lookup' }] },\n  { content = 'hello' },",
    );
    refusal_that_says_nothing: decisions("  { refusal = true },");

    poison_caught_by_integrity: caught_by("integrity");
    poison_caught_outside_of_the_gate: caught_by("trajectory");
    poison_caught_by_an_unknown_layer: caught_by("constrain");
    golden_that_is_caught: case(
        "name = 'greets'\nkind = 'golden'\ncaught_by = 'outcome'\ndecisions = [{ content = 'hello' }]",
    );
    judge_that_says_something_else: case(
        "name = 'greets'\nkind = 'golden'\njudge = 'pass'\ndecisions = [{ content = 'hello' }]",
    );
}
