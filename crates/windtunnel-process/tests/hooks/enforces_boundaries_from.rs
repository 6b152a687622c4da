//! `enforces-boundaries-from`.

use windtunnel_process::hook::Outcome;

use crate::world::{World, block};

const GATE: &str = "{artifacts: [requirements.md|bugfix.md], markers: [trust boundary, Abuse case]}";

fn at_design(files: &[(&str, &str)]) -> Outcome {
    let mut world = World::new();
    for (file, text) in files {
        world.write(file, text);
    }
    world.run("enforces-boundaries-from", GATE, "design").unwrap()
}

const REQUIREMENTS: &str = "# Requirements\n\nA Trust\nboundary runs here.\n\n- abuse cases: none\n";

#[test]
fn what_is_named_has_to_be_taken_up() {
    assert_eq!(
        at_design(&[
            ("requirements.md", REQUIREMENTS),
            ("design.md", "# Design\n\nThe trust boundary holds.\n")
        ]),
        block(["design.md: nothing is said of \"abuse case\", which requirements.md:6 names"])
    );
    assert_eq!(
        at_design(&[("bugfix.md", REQUIREMENTS), ("design.md", "<!-- trust boundary, abuse case -->\n")]),
        block([
            "design.md: nothing is said of \"trust boundary\", which bugfix.md:3 names",
            "design.md: nothing is said of \"abuse case\", which bugfix.md:6 names",
        ])
    );
    let taken_up = "Trust boundary, ABUSE CASE.\n";
    assert_eq!(at_design(&[("requirements.md", REQUIREMENTS), ("design.md", taken_up)]), Outcome::pass());
}

#[test]
fn what_is_not_named_need_not_be_taken_up() {
    let commented = "<!-- name each trust boundary -->\n";
    assert_eq!(at_design(&[("requirements.md", commented), ("design.md", "")]), Outcome::pass());
}

#[test]
fn it_reads_nothing_where_nobody_was_to_write_requirements() {
    let mut world = World::new();
    world.write("design.md", "");
    world.skip("requirements-definition");
    assert_eq!(world.run("enforces-boundaries-from", GATE, "design").unwrap(), Outcome::Skip);
}

#[test]
fn either_artifact_can_be_missing() {
    assert_eq!(
        at_design(&[("design.md", "")]),
        block(["no requirements.md or bugfix.md in docs/specs/issue-42"])
    );
    assert_eq!(at_design(&[("bugfix.md", "")]), block(["no design.md in docs/specs/issue-42"]));
}
