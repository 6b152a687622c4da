//! `record-feedback`.

use windtunnel_process::artifact::Artifact;
use windtunnel_process::hook::{Feedback, FeedbackKind, Outcome};

use crate::world::{World, comment};

const HOOK: &str = "{artifact: design.md}";

fn said(world: &mut World, kind: FeedbackKind, body: &str) {
    world.effects.feedback = Some(Feedback { kind, comment: comment("owner", body) });
}

#[test]
fn what_was_said_is_written_into_the_artifact() {
    let mut world = World::new();
    world.write("design.md", "# Design\n\ntext\n");
    said(&mut world, FeedbackKind::ChangesRequested, "changes requested\n\n- the store\r\n");
    assert_eq!(world.run("record-feedback", HOOK, "design-approval").unwrap(), Outcome::pass());
    said(&mut world, FeedbackKind::Approved, "approved");
    assert_eq!(world.run("record-feedback", HOOK, "design-approval").unwrap(), Outcome::pass());
    let expected = "# Design\n\ntext\n\n## Review comments\n\n\
                    - 2026-01-31 @owner: changes-requested\n\n  > changes requested\n  >\n  > - the store\n\n\
                    - 2026-01-31 @owner: approved\n\n  > approved\n";
    assert_eq!(world.read("design.md"), expected);
    assert_eq!(world.files(), ["design.md"], "nothing is left lying about");
}

#[test]
fn a_verb_that_was_cut_off_writes_it_once() {
    let mut world = World::new();
    world.write("design.md", "# Design\n");
    said(&mut world, FeedbackKind::Approved, "approved");
    world.run("record-feedback", HOOK, "design-approval").unwrap();
    let once = world.read("design.md");
    assert_eq!(world.run("record-feedback", HOOK, "design-approval").unwrap(), Outcome::pass());
    assert_eq!(world.read("design.md"), once);
}

#[test]
fn nothing_in_a_comment_becomes_part_of_the_artifact() {
    let mut world = World::new();
    let design = "---\nstatus: approved\n---\n# Design\n\n## Review comments\n\n## After\n\ntext\n";
    world.write("design.md", design);
    let hostile = "approved\r- [ ] a box\n\n## Architecture\n\ntext\n\n```\nnever closed\n\n<!-- nor this";
    said(&mut world, FeedbackKind::Approved, hostile);
    world.run("record-feedback", HOOK, "design-approval").unwrap();
    let outline = Artifact::of_text("design.md", world.read("design.md")).outline();
    let sections: Vec<_> =
        outline.sections.iter().map(|section| (section.title.as_str(), section.filled)).collect();
    assert_eq!(sections, [("Design", true), ("Review comments", true), ("After", true)]);
    assert_eq!(outline.boxes, []);
}

#[test]
fn without_feedback_or_artifact_there_is_nothing_to_do() {
    let mut world = World::new();
    world.write("design.md", "# Design\n");
    assert_eq!(world.run("record-feedback", HOOK, "design-approval").unwrap(), Outcome::Skip);
    assert_eq!(world.read("design.md"), "# Design\n");
    let mut world = World::new();
    said(&mut world, FeedbackKind::Approved, "approved");
    assert_eq!(world.run("record-feedback", HOOK, "design-approval").unwrap(), Outcome::Skip);
    assert_eq!(world.files(), [""; 0]);
}

#[test]
fn a_record_that_cannot_be_made_is_an_error() {
    let mut world = World::new();
    std::fs::create_dir(world.folder.join("design.md")).unwrap();
    said(&mut world, FeedbackKind::Approved, "approved");
    let error = world.run("record-feedback", HOOK, "design-approval").unwrap_err();
    assert_eq!(error.to_string(), "design.md is a folder; expected a regular file");

    let mut world = World::new();
    world.write("design.md", "x".repeat(1024 * 1024 - 1));
    said(&mut world, FeedbackKind::Approved, "approved");
    let error = world.run("record-feedback", HOOK, "design-approval").unwrap_err();
    assert_eq!(error.to_string(), "design.md would have more than 1048576 bytes with the comment in it");
    assert_eq!(world.read("design.md").len(), 1024 * 1024 - 1, "it is as it was");
}

#[cfg(unix)]
#[test]
fn the_artifact_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut world = World::new();
    world.write("design.md", "# Design\n");
    let path = world.folder.join("design.md");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
    said(&mut world, FeedbackKind::Approved, "approved");
    world.run("record-feedback", HOOK, "design-approval").unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o664);
}
