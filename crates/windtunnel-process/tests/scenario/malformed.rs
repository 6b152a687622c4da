//! Manifests that are refused, each with all that is said of it.

use crate::kit::Folder;

/// What each shows, and the manifest below its name and item.
const REFUSED: [(&str, &str); 58] = [
    // Steps.
    ("an unknown step", "steps:\n  - emitt: {artifact: plan.md, fixture: plan.md}\n"),
    ("a step that is like none", "steps:\n  - run: {command: make}\n"),
    ("a bare word that is no step", "steps:\n  - advanse\n"),
    ("a bare word that needs more", "steps:\n  - complete\n"),
    ("a step of two kinds", "steps:\n  - advance: {}\n    restore-github: {}\n"),
    ("fields that are not indented", "steps:\n  - expect:\n    status: waiting\n"),
    ("a step that is nothing", "steps:\n  - {}\n"),
    ("a step that is a number", "steps:\n  - 7\n"),
    ("steps that are no list", "steps:\n  advance: {}\n"),
    ("no steps", "expect: {finalNode: plan}\n"),
    // Fields of steps.
    ("an unknown field of a step", "steps:\n  - comment: {autor: owner, body: approved}\n"),
    ("a field for a step without any", "steps:\n  - advance: {node: plan}\n"),
    ("a missing field", "steps:\n  - emit: {artifact: plan.md}\n"),
    ("a comment without anything to say", "steps:\n  - comment: {author: owner}\n"),
    ("a field that was left empty", "steps:\n  - comment: {author: owner, body: }\n"),
    ("an author without a name", "steps:\n  - comment: {author: '', body: approved}\n"),
    ("a mistyped field", "steps:\n  - comment: {author: owner, body: 42}\n"),
    ("a mark that is no truth", "steps:\n  - comment: {author: owner, body: hi, marked: maybe}\n"),
    ("an unknown node", "steps:\n  - complete: {node: implementaton}\n"),
    ("a node that is like none", "steps:\n  - complete: {node: cleanup}\n"),
    ("an unknown verdict", "steps:\n  - complete: {node: plan, status: blocked}\n"),
    ("an unknown operation", "steps:\n  - fail-github: {ops: [set-label, add-comment]}\n"),
    ("an unknown operation in a plain list", "steps:\n  - fail-github: [get-label]\n"),
    ("no operation at all", "steps:\n  - fail-github: {ops: []}\n"),
    ("an empty question", "steps:\n  - ask: {question: ' '}\n"),
    ("an answer by nobody", "steps:\n  - reply: {text: Go on.}\n"),
    ("a loop of no pull request", "steps:\n  - inner-loop: {pr: 0, node: complete}\n"),
    ("a loop in no repository", "steps:\n  - inner-loop: {pr: 7, node: complete, repo: ../../etc}\n"),
    // Fixtures.
    ("an absent fixture", "steps:\n  - emit: {artifact: plan.md, fixture: plann.md}\n"),
    ("a fixture like none", "steps:\n  - comment: {author: owner, fixture: answers/final.txt}\n"),
    ("an artifact outside", "steps:\n  - emit: {artifact: ../plan.md, fixture: plan.md}\n"),
    ("the runtime's own file", "steps:\n  - emit: {artifact: graph-state.json, fixture: plan.md}\n"),
    // Expectations.
    ("an unknown expectation", "steps: []\nexpect: {finalNod: plan, node: [plan]}\n"),
    ("nodes that are unknown", "steps: []\nexpect: {nodes: [plan, ~scetch, aproval~], currentNode: plann}\n"),
    ("a node that is named twice over", "steps: []\nexpect: {nodes: [~plan~]}\n"),
    ("an unknown status", "steps: []\nexpect: {status: parked}\n"),
    ("a place that is none", "steps: []\nexpect: {parked: 3, completed: complte}\n"),
    ("expectations that were left empty", "steps: []\nexpect:\n  nodes:\n  labels: loop:plan\n"),
    (
        "events that are no patterns",
        "steps: []\nexpect:\n  events:\n    - {event: {$regex: x}}\n    - {event: {$re: '('}}\n",
    ),
    ("an event that never comes", "steps: []\nexpect:\n  events: [{$never: {event: graph.eskalated}}]\n"),
    (
        "an event that there is not",
        "steps: []\nexpect:\n  events: [{$until: {event: {$any: [graph.started, graph.adv]}}}]\n",
    ),
    (
        "fields that no event has",
        "steps: []\nexpect:\n  events:\n    - {$never: {$any: [{event: {$re: '^graph'}, nod: plan}, {colour: red}]}}\n",
    ),
    (
        "fields of another event",
        "steps: []\nexpect:\n  events:\n    - {$never: {event: graph.advanced, nod: plan}}\n    - {event: graph.parked, outcome: pass}\n",
    ),
    (
        "nodes of events that the graph does not have",
        "steps: []\nexpect:\n  events:\n    - {$never: {event: graph.advanced, to: implementaton}}\n    \
         - {$times: {of: {event: graph.parked, node: {$any: [plan, {$not: {$eq: scetch}}]}}, max: 2}}\n    \
         - {event: graph.skips_declared, nodes: [sketch, {$never: planing}]}\n",
    ),
    (
        "hooks of events that the graph does not have",
        "steps: []\nexpect:\n  events:\n    - {event: graph.blocked, hook: classify-feedbak}\n    - {event: graph.hook_degraded, hook: [notify]}\n",
    ),
    ("a name in a step", "steps:\n  - expect: {events: [{event: graph.parked, node: aproval}]}\n"),
    (
        "a name and a pattern at once",
        "steps: []\nexpect:\n  events: [{event: graph.parkt, node: {$re: '('}}]\n",
    ),
    ("an event that is none of two", "steps: []\nexpect:\n  events: [{$not: {event: {$not: graph.end}}}]\n"),
    ("a lock on no artifact", "steps: []\nexpect: {lockedBeforeImplementation: [docs/plan.md]}\n"),
    ("a log without sections", "steps: []\nexpect: {executionLog: {section: [Plan]}}\n"),
    ("nothing that is expected", "steps:\n  - advance\n"),
    (
        "titles of no section",
        "steps: []\nexpect: {executionLogSections: ['', ': '], executionLog: {sections: [':']}}\n",
    ),
    ("a status that is a mapping", "steps: []\nexpect: {status: {blocked: }}\n"),
    ("a verdict that is a mapping", "steps:\n  - complete: {node: plan, status: {wait: }}\n"),
    (
        "an operation that is a mapping",
        "steps:\n  - fail-github: {ops: [add-comment, {set-labels: }]}\n  - fail-github: [{add-comment: }]\n",
    ),
    (
        "ways and outcomes that there are not",
        "steps: []\nexpect:\n  events:\n    - {event: graph.node_skipped, via: clii}\n    - {$never: {via: {$any: [vote, cli]}}}\n    \
         - {event: graph.advanced, outcome: aproved}\n    - {$never: {event: graph.advanced, outcome: done}}\n",
    ),
    (
        "texts where events have lists",
        "steps: []\nexpect:\n  events:\n    - {event: graph.skips_declared, nodes: sketch}\n    \
         - {$never: {event: graph.blocked, messages: {$any: [{$eq: late}, [early]]}}}\n",
    ),
    // All at once.
    (
        "several faults",
        "teir: 3\nsteps:\n  - complete: {node: paln}\n  - emit: {artifact: /etc/passwd, fixture: ../plan.md}\n\
         expect:\n  status: done\n  nodes: [nowhere]\n",
    ),
];

#[test]
fn each_fault_is_told_with_its_place_and_what_was_probably_meant() {
    let told = REFUSED.map(|(shows, rest)| format!("## {shows}\n{}\n", Folder::of(rest).refusal()));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_head_of_a_manifest_is_checked_too() {
    let table = [
        "name: errant\nworkItem: issue-42\nsteps: []\nexpect: {finalNode: plan}\n",
        "workItem: issue-42\nsteps: []\nexpect: {finalNode: plan}\n",
        "name: errand\nsteps: []\nexpect: {finalNode: plan}\n",
        "name: errand\nworkItem: docs/issue-42\nsteps: []\nexpect: {finalNode: plan}\n",
        "name: errand\nworkItem: issue\nsteps: []\nexpect: {finalNode: plan}\n",
        "name: errand\nworkItem: issue-42\ntier: high\ndescription: [a]\nsteps: []\nexpect: {finalNode: plan}\n",
        "",
        "- advance\n",
        "just text\n",
    ];
    let told = table.map(|manifest| format!("## {manifest:?}\n{}\n", Folder::with(manifest).refusal()));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_scenario_that_cannot_fail_is_refused_whatever_it_is_made_to_look_like() {
    let nothing = [
        "expect: {}",
        "expect: {events: []}",
        "expect: {executionLogSections: []}",
        "expect: {executionLogEntries: [], executionLog: {sections: []}}",
    ];
    for expect in nothing {
        let idle = ["advance", "expect: ", "expect: {events: []}"]
            .map(|step| format!("steps:\n  - {step}\n{expect}\n"));
        for manifest in idle {
            let told = Folder::of(&manifest).refusal();
            assert!(told.contains("this scenario expects nothing, so it cannot fail"), "{manifest}: {told}");
        }
        for step in [
            "complete: {node: plan}",
            "ask: {question: 'Why?'}",
            "reply: {text: Go on., actor: owner}",
            "expect: {labels: []}",
            "expect: {events: [{event: graph.started}]}",
        ] {
            Folder::of(&format!("steps:\n  - {step}\n{expect}\n")).load().unwrap();
        }
    }
}

#[test]
fn what_may_be_written_in_two_ways_is_read_in_both() {
    for steps in [
        "[advance, restore-github, fail-github]",
        "[advance: , restore-github: , fail-github: ]",
        "[advance: {}, restore-github: {}, fail-github: {}]",
        "[fail-github: [set-labels], fail-github: {ops: [set-labels]}, advance: ]",
        "[comment: {author: a, body: b}, comment: {author: a, fixture: log.md}, comment: {author: a, body: b, fixture: log.md}]",
    ] {
        let scenario = Folder::of(&format!("steps: {steps}\nexpect: {{finalNode: plan}}\n")).load().unwrap();
        assert!(scenario.steps().len() >= 3, "{steps}");
    }
    let described =
        Folder::of("description: d\ntier: 3\nsteps: []\nexpect: {finalNode: plan}\n").load().unwrap();
    assert_eq!((described.name(), described.description(), described.tier()), ("errand", "d", Some(3)));
}

#[test]
fn names_in_patterns_are_not_judged_where_something_else_may_stand() {
    for events in [
        "{event: {$re: graph}, node: {$re: pla}, to: {$exists: false}}",
        "{event: graph.skips_rejected, nodes: [{$re: x}, paln, everything]}",
        "{nodes: [paln]}",
        "{event: graph.blocked, messages: [{$re: nod}], ts: {$exists: true}, ref: 'github:e2e/e2e#42', work_item: issue-42}",
        "{$any: [{event: graph.advanced, to: {$not: plan}}, {outcome: paln}, {hook: await-inner-loops}]}",
        "{event: graph.skips_declared, nodes: {$eq: [sketch]}, via: cli, by: plan, reason: none}",
        "{event: graph.advanced, outcome: approved-with-comments}, {event: graph.no_edge, outcome: paln}",
        "{event: graph.skips_rejected, nodes: {$any: [[sketch], {$not: [plan]}]}, via: {$re: sel}}",
    ] {
        Folder::of(&format!("steps: []\nexpect: {{events: [{events}]}}\n")).load().unwrap();
    }
}
