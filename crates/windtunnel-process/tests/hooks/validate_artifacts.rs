//! `validate-artifacts`.

use windtunnel_process::artifact::MAX_BYTES;
use windtunnel_process::hook::Outcome;

use crate::world::{World, block};

const GATE: &str = "{locked: true, sections: [Architecture, Security design]}";
const GOOD: &str =
    "---\nstatus: approved\n---\n# Design\n\n## Architecture\n\ntext\n\n## Security design\n\ntext\n";

fn at(node: &str, parameters: &str, files: &[(&str, &str)]) -> Outcome {
    let mut world = World::new();
    for (file, text) in files {
        world.write(file, text);
    }
    world.run("validate-artifacts", parameters, node).unwrap()
}

fn design(text: &str) -> Outcome {
    at("design", GATE, &[("design.md", text)])
}

#[test]
fn a_good_artifact_passes() {
    assert_eq!(design(GOOD), Outcome::pass());
    assert_eq!(design(&GOOD.replace('\n', "\r\n")), Outcome::pass());
    assert_eq!(design(&format!("\u{feff}{GOOD}")), Outcome::pass());
}

#[test]
fn an_artifact_that_is_not_locked_is_reported_with_what_it_says() {
    let draft = GOOD.replace("approved", "draft");
    assert_eq!(design(&draft), block(["design.md:2: status is \"draft\"; expected \"approved\""]));
    let loud = GOOD.replace("approved", "Approved");
    assert_eq!(design(&loud), block(["design.md:2: status is \"Approved\"; expected \"approved\""]));
    let list = GOOD.replace("approved", "[approved]");
    assert_eq!(design(&list), block(["design.md:2: status is [\"approved\"]; expected \"approved\""]));
    let other = GOOD.replace("status", "state");
    assert_eq!(design(&other), block(["design.md:1: no status in the front matter; expected \"approved\""]));
}

#[test]
fn front_matter_that_is_absent_or_malformed_is_one_finding() {
    let without = GOOD.trim_start_matches("---\nstatus: approved\n---\n");
    assert_eq!(design(without), block(["design.md:1: no front matter; expected status: \"approved\""]));
    let later = format!("\n{GOOD}");
    assert_eq!(design(&later), block(["design.md:1: no front matter; expected status: \"approved\""]));
    let open = GOOD.replacen("---\n# Design", "# Design", 1);
    let expected = "design.md:1: the front matter has no end; expected a second line ---";
    assert_eq!(design(&open), block([expected]));
    let malformed = GOOD.replace("approved", "[approved");
    assert_eq!(design(&malformed), block(["design.md:2:9: unclosed bracket '['"]));
}

#[test]
fn other_keys_of_front_matter_are_compared_with_their_type() {
    let gate = "{frontMatter: {tier: 3, owners: [a, b]}}";
    let of = |front: &str| at("design", gate, &[("design.md", &format!("---\n{front}---\n"))]);
    assert_eq!(of("owners: [a, b]\ntier: 3\n"), Outcome::pass());
    assert_eq!(
        of("owners: [a]\ntier: \"3\"\n"),
        block([
            "design.md:3: tier is \"3\"; expected 3",
            "design.md:2: owners is [\"a\"]; expected [\"a\",\"b\"]"
        ])
    );
}

#[test]
fn a_section_that_is_missing_is_reported_with_the_nearest() {
    let without = GOOD.replace("## Security design\n\ntext\n", "");
    assert_eq!(design(&without), block(["design.md: no section \"Security design\""]));
    let misspelt = GOOD.replace("## Security design", "## Security desing");
    assert_eq!(
        design(&misspelt),
        block(["design.md: no section \"Security design\"; line 10 has \"Security desing\""])
    );
    let fenced = GOOD.replace("## Security design\n", "```\n## Security design\n```\n");
    assert_eq!(design(&fenced), block(["design.md: no section \"Security design\""]));
}

#[test]
fn a_section_without_content_is_reported() {
    let empty = "design.md:10: section \"Security design\" is empty; expected something below its heading";
    for content in ["", "<!-- what can go wrong -->\n", "### Threats\n", " \n\n"] {
        let text = GOOD.replace("## Security design\n\ntext\n", &format!("## Security design\n\n{content}"));
        assert_eq!(design(&text), block([empty]), "{content:?}");
    }
    let below = GOOD.replace("## Security design\n\ntext\n", "## Security design\n\n### Threats\n\ntext\n");
    assert_eq!(design(&below), Outcome::pass());
}

#[test]
fn all_findings_come_at_once() {
    let text = "---\nstatus: draft\n---\n## Architecture\n";
    assert_eq!(
        design(text),
        block([
            "design.md:2: status is \"draft\"; expected \"approved\"",
            "design.md: nothing is said in it; expected text below the front matter and headings",
            "design.md:4: section \"Architecture\" is empty; expected something below its heading",
            "design.md: no section \"Security design\"",
        ])
    );
}

#[test]
fn each_box_that_is_not_ticked_is_reported() {
    let tasks = "# Task list\n\n- [x] one\n- [ ] two `code`\n  - [ ] three\n\n```\n- [ ] four\n```\n";
    assert_eq!(
        at("implementation", "{checkmarks: true}", &[("tasks.md", tasks)]),
        block(["tasks.md:4: not ticked: two `code`", "tasks.md:5: not ticked: three"])
    );
    let done = tasks.replace("[ ]", "[x]");
    assert_eq!(at("implementation", "{checkmarks: true}", &[("tasks.md", &done)]), Outcome::pass());
}

#[test]
fn an_absent_artifact_is_reported_under_all_its_names() {
    assert_eq!(at("design", GATE, &[]), block(["no design.md in docs/specs/issue-42"]));
    assert_eq!(
        at("requirements-definition", "{}", &[]),
        block(["no requirements.md or bugfix.md in docs/specs/issue-42"])
    );
    assert_eq!(at("requirements-definition", "{}", &[("bugfix.md", "")]), Outcome::pass());
}

#[test]
fn an_artifact_under_two_names_is_ambiguous() {
    assert_eq!(
        at("requirements-definition", "{}", &[("bugfix.md", GOOD), ("requirements.md", GOOD)]),
        block([
            "requirements.md and bugfix.md are both there, and only one of them is read: remove the other"
        ])
    );
}

#[test]
fn an_optional_node_may_leave_nothing_behind_but_nothing_wrong() {
    assert_eq!(at("brainstorming", "{locked: true}", &[]), Outcome::Skip);
    assert_eq!(
        at("brainstorming", "{locked: true}", &[("brainstorm.md", "")]),
        block([
            "brainstorm.md:1: no front matter; expected status: \"approved\"",
            "brainstorm.md: nothing is said in it; expected text below the front matter and headings",
        ])
    );
}

#[test]
fn what_nobody_was_to_write_is_not_missed() {
    let mut world = World::new();
    world.skip("tasks-breakdown");
    assert_eq!(
        world.run("validate-artifacts", "{checkmarks: true}", "implementation").unwrap(),
        Outcome::Skip
    );
    // It is read all the same if it is there.
    world.write("tasks.md", "- [ ] one\n");
    assert_eq!(
        world.run("validate-artifacts", "{checkmarks: true}", "implementation").unwrap(),
        block(["tasks.md:1: not ticked: one"])
    );
    // Who writes it must have been skipped, not who reads it.
    let mut world = World::new();
    world.skip("verification");
    assert_eq!(
        world.run("validate-artifacts", "{}", "verification").unwrap(),
        block(["no testing-plan.md in docs/specs/issue-42"])
    );
}

#[test]
fn another_nodes_artifact_is_read_instead_of_ones_own() {
    let gate = "{validates: execution-log.md, sections: [Review cycles]}";
    assert_eq!(at("self-review", gate, &[]), block(["no execution-log.md in docs/specs/issue-42"]));
    assert_eq!(
        at("self-review", gate, &[("execution-log.md", "## Review cycles (2)\n\ntext\n")]),
        block(["execution-log.md: no section \"Review cycles\"; line 1 has \"Review cycles (2)\""])
    );
    assert_eq!(
        at("self-review", gate, &[("execution-log.md", "## Review cycles:\n\ntext\n")]),
        Outcome::pass()
    );
    // An optional node has to read what others wrote as everybody has to.
    assert_eq!(
        at("brainstorming", "{validates: design.md}", &[]),
        block(["no design.md in docs/specs/issue-42"])
    );
}

#[test]
fn a_gate_may_wait_for_a_node_to_be_skipped() {
    let gate = "{validates: execution-log.md, onlyWhenSkipped: test-planning}";
    let mut world = World::new();
    assert_eq!(world.run("validate-artifacts", gate, "verification").unwrap(), Outcome::Skip);
    world.skip("test-planning");
    assert_eq!(
        world.run("validate-artifacts", gate, "verification").unwrap(),
        block(["no execution-log.md in docs/specs/issue-42"])
    );
}

#[test]
fn a_node_that_nobody_opted_in_to_counts_as_skipped() {
    let gate = "{validates: execution-log.md, onlyWhenSkipped: design-critic-review}";
    let mut world = World::new();
    assert_eq!(
        world.run("validate-artifacts", gate, "verification").unwrap(),
        block(["no execution-log.md in docs/specs/issue-42"])
    );
    world.state.opted_in.insert("design-critic-review".to_owned());
    assert_eq!(world.run("validate-artifacts", gate, "verification").unwrap(), Outcome::Skip);
}

#[test]
fn a_gate_that_names_no_artifact_fails() {
    let error = World::new().run("validate-artifacts", "{}", "self-review").unwrap_err();
    assert_eq!(
        error.to_string(),
        "self-review produces nothing; the hook needs artifacts or validates there"
    );
}

#[test]
fn an_emptied_artifact_is_reported_whatever_its_front_matter_says() {
    let emptied = "---\nstatus: approved\n---\n\n# Task list\n\n<!-- all done -->\n";
    let expected =
        block(["tasks.md: nothing is said in it; expected text below the front matter and headings"]);
    for gate in ["{locked: true}", "{checkmarks: true}"] {
        assert_eq!(at("tasks-breakdown", gate, &[("tasks.md", emptied)]), expected, "{gate}");
    }
    assert_eq!(at("tasks-breakdown", "{}", &[("tasks.md", emptied)]), Outcome::pass());
}

#[test]
fn boxes_and_faults_of_front_matter_are_reported_where_boxes_are_read() {
    let hidden = "---\nopen: |\n    - [ ] one\n---\ntext\n";
    assert_eq!(
        at("tasks-breakdown", "{checkmarks: true}", &[("tasks.md", hidden)]),
        block(["tasks.md:3: not ticked: one"])
    );
    let unclosed = "---\nopen: |\n    - [ ] one\n\ntext\n";
    assert_eq!(
        at("tasks-breakdown", "{checkmarks: true}", &[("tasks.md", unclosed)]),
        block(["tasks.md:1: the front matter has no end; expected a second line ---"])
    );
    let second = "---\nstatus: draft\n...\nstatus: approved\n---\ntext\n";
    assert_eq!(
        at("tasks-breakdown", "{locked: true}", &[("tasks.md", second)]),
        block(["tasks.md:2: status is \"draft\"; expected \"approved\""])
    );
    let second = "---\nstatus: draft\n--- {status: approved}\n---\ntext\n";
    assert!(matches!(
        at("tasks-breakdown", "{locked: true}", &[("tasks.md", second)]),
        Outcome::Block { .. }
    ));
}

#[test]
fn several_artifacts_are_reported_together() {
    let gate = "{artifacts: [design.md, tasks.md, testing-plan.md], locked: true}";
    assert_eq!(
        at("design", gate, &[("design.md", "---\nstatus: x\n---\ntext\n"), ("tasks.md", GOOD)]),
        block([
            "no testing-plan.md in docs/specs/issue-42",
            "design.md:2: status is \"x\"; expected \"approved\""
        ])
    );
}

#[test]
fn only_a_regular_file_is_read() {
    let mut world = World::new();
    std::fs::create_dir(world.folder.join("design.md")).unwrap();
    let outcome = world.run("validate-artifacts", GATE, "design").unwrap();
    assert_eq!(outcome, block(["design.md is a folder; expected a regular file"]));
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let linked = block(["design.md is a symbolic link; expected a regular file"]);
    let mut world = World::new();
    world.write("elsewhere.md", GOOD);
    for target in ["elsewhere.md", "absent.md", "../../../..", "/dev/zero"] {
        crate::world::link(&world.folder.join("design.md"), target.into());
        assert_eq!(world.run("validate-artifacts", GATE, "design").unwrap(), linked, "{target}");
        std::fs::remove_file(world.folder.join("design.md")).unwrap();
    }
}

#[test]
fn a_huge_file_is_not_read() {
    let limit = usize::try_from(MAX_BYTES).unwrap();
    assert_eq!(at("design", "{}", &[("design.md", &"x".repeat(limit))]), Outcome::pass());
    assert_eq!(
        at("design", "{}", &[("design.md", &"x".repeat(limit + 1))]),
        block(["design.md has more than 1048576 bytes, which is more than an artifact may have"])
    );
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_line() {
    let mut world = World::new();
    world.write("design.md", b"# Design\n\nab\xff\n");
    let outcome = world.run("validate-artifacts", GATE, "design").unwrap();
    assert_eq!(outcome, block(["design.md:3: this is not UTF-8 text"]));
}

#[test]
fn no_more_is_reported_than_somebody_reads() {
    let tasks = format!("- [ ] {}\n", "x".repeat(1_000)) + &"- [ ] one\n".repeat(99);
    let Outcome::Block { findings } = at("implementation", "{checkmarks: true}", &[("tasks.md", &tasks)])
    else {
        panic!("it has to block")
    };
    assert_eq!(findings.len(), 51);
    assert_eq!(findings[0].chars().count(), 501);
    assert!(findings[0].starts_with("tasks.md:1: not ticked: xxx") && findings[0].ends_with("xx…"));
    assert_eq!(findings[49], "tasks.md:50: not ticked: one");
    assert_eq!(findings[50], "there are 50 findings more");
}
