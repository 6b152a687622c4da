//! Faults of scenario files, their reference cases aside.

use super::{Case, refused};
use crate::harness::{PACK, SCENARIO};
use windtunnel_testkit::Folder;

/// A scenario that is all right, followed by this.
fn greet(rest: &str) -> Case {
    Case::scenario(&format!("name = 'greet'\nprompt = 'Say hello.'\ntarget_facts = [['hello']]\n{rest}\n"))
}

/// One with a policy that has these fields.
fn policy(fields: &str) -> Case {
    greet(&format!("\n[[policies]]\nname = 'tidy'\n{fields}"))
}

refused! {
    scenario_with_an_unknown_field: greet("requires_tool_uses = true");
    scenario_without_a_name: Case::scenario("prompt = 'Say hello.'\ntarget_facts = [['hello']]\n");
    scenario_that_asks_nothing: Case::scenario("name = 'greet'\ntarget_facts = [['hello']]\n");
    scenario_with_a_blank_user_turn: greet("user_turns = ['Hello.', ' ']");
    scenario_with_a_flat_list_of_facts: Case::scenario("name = 'greet'\nprompt = 'Hi.'\ntarget_facts = ['hello']\n");
    scenario_with_no_alternative_for_a_fact: Case::scenario("name = 'greet'\nprompt = 'Hi.'\ntarget_facts = [[]]\n");
    scenario_with_a_blank_fact: Case::scenario("name = 'greet'\nprompt = 'Hi.'\ntarget_facts = [['hello', '']]\n");
    scenario_with_a_number_in_quotes: greet("target_numbers = [{ value = '75', unit = 'orders' }]");
    scenario_with_a_flag_in_quotes: greet("requires_tool_use = 'yes'");
    scenario_with_a_pass_rate_in_percent: greet("variance_allowed = true\nmin_pass_rate = 80");
    scenario_with_a_pass_rate_and_no_variance: greet("min_pass_rate = 0.8");
    scenario_with_an_order_of_nothing: greet("order_matters = true");
    scenario_with_an_unknown_severity: greet("failure_cost = { severity = 'hihg' }");
    scenario_with_an_unknown_perturbation: greet("perturbations = [{ kind = 'malformed_jsn' }]");
    scenario_that_makes_a_tool_fail_where_none_is_served: greet("perturbations = [{ kind = 'timeout', tool = 'lookup' }]");
    scenario_that_observes_an_unknown_probe: Case::of(
        Folder::new()
            .file("pack.toml", "name = 'desk'\n[probe.books]\nkind = 'workspace'\n")
            .file(
                "greet.scenario.toml",
                "name = 'greet'\nprompt = 'Hi.'\noutcome = { observation = { source = 'boks', exists = true } }\n\
                 trajectory = [{ kind = 'observation', source = 'mails' }, { kind = 'observation', source = 'permission' }]\n",
            ),
    );
    scenario_with_an_unknown_precondition: greet("preconditions = [{ tools = 'write_file' }]");
    scenario_with_two_preconditions_in_one: greet("preconditions = [{ state_probe = true, tool = 'write_file' }]");
    scenario_with_an_unknown_scorer: greet("outcome = { observe = { source = 'files' } }");
    scenario_with_an_empty_rubric: greet("outcome = { llm_judge = { rubric = '' } }");
    two_scenarios_of_one_name: Case::of(
        Folder::new()
            .file("pack.toml", PACK)
            .file("a.scenario.toml", SCENARIO)
            .file("b.scenario.toml", SCENARIO),
    );

    gate_with_an_unknown_layer: greet("gate_layers = ['outcom']");
    gate_with_integrity: greet("gate_layers = ['outcome', 'integrity']");
    gate_without_a_layer: greet("gate_layers = []");
    gate_with_a_layer_that_nothing_checks: greet("gate_layers = ['outcome', 'constraint']");
    gate_with_a_layer_twice: greet("gate_layers = ['outcome', 'outcome']");

    policy_without_a_rule: policy("effect_class = 'read'");
    policy_with_two_rules: policy("never = { tool = 'send' }\nat_most = { count = 1, pattern = { tool = 'send' } }");
    policy_with_an_unknown_field: policy("nevr = { tool = 'send' }");
    policy_without_a_name: greet("\n[[policies]]\nnever = { tool = 'send' }");
    policy_with_a_negative_count: policy("at_most = { count = -1, pattern = { tool = 'send' } }");
    policy_with_half_of_an_order: policy("always_before = { first = { tool = 'lookup' } }");
    observation_without_a_slash: policy("observation = { source = 'files', path = 'files.out.md', exists = true }");
    observation_that_wants_nothing: policy("observation = { source = 'files', path = '/files' }");
    observation_that_wants_two_things: policy("observation = { source = 'files', exists = true, equals = 1 }");

    pattern_with_a_bad_regex: policy("never = { kind = 'tool_call', args = { path = '[a-' } }");
    pattern_with_an_unknown_operator: policy("never = { args = { '$untill' = 'x' } }");
    pattern_with_a_bad_regex_in_a_trajectory: greet("trajectory = [{ tool = 'a', args = { id = '(' } }]");
    patterns_with_several_faults: policy("never = { args = { a = '(', b = '[', '$c' = 1 } }");
}
