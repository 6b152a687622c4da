//! Whatever somebody writes is read without a panic.

use proptest::prelude::*;
use windtunnel_process::artifact::Artifact;
use windtunnel_process::hook::{FeedbackKind, Outcome};

use crate::world::World;

/// What Markdown, front matter and comments are made of.
const PIECES: [&str; 50] = [
    "# ",
    "## A\n",
    "===\n",
    "---\n",
    "- [ ] ",
    "- [x] ",
    "1. ",
    "> ",
    "    ",
    "\t",
    "```",
    "```mermaid\n",
    "~~~\n",
    "<!--",
    "-->",
    "<!-->",
    "<b>",
    "<img",
    "|",
    "|---|\n",
    "`",
    "**",
    "_",
    "[a]: ",
    "](",
    "![",
    "\\",
    "&amp;",
    "approved",
    "changes requested",
    "if",
    "?",
    "/",
    "the-loop execute",
    "spec-chain",
    "status: approved\n",
    "flowchart TB\n",
    "A[",
    "]",
    "\"",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "ä",
    "🌍",
    "\u{feff}",
    "\0",
    "\u{2028}",
    "word",
];

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => ".{0,4}"];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn artifacts_are_read_without_a_panic(text in markdown()) {
        let artifact = Artifact::of_text("a.md", text.as_str());
        let lines = text.split('\n').count();
        if let Ok(Some(front)) = artifact.front_matter() {
            prop_assert!((1..=lines).contains(&front.line("status")));
        }
        let outline = artifact.outline();
        for line in outline.sections.iter().map(|section| section.line).chain(outline.boxes.iter().map(|task| task.line)) {
            prop_assert!((1..=lines).contains(&line), "line {line} of {lines}");
        }
        prop_assert!(text.ends_with(artifact.body()));
    }

    #[test]
    fn comments_are_read_without_a_panic(body in markdown()) {
        // Whatever is said, a quote says nothing.
        let quoted: Vec<String> = body.lines().map(|line| format!("> {line}")).collect();
        prop_assert_eq!(FeedbackKind::of_comment(&quoted.join("\n")), None);
        let _ = FeedbackKind::of_comment(&body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_gate_survives_every_artifact(text in markdown()) {
        let mut world = World::new();
        world.write("design.md", &text);
        world.write("requirements.md", &text);
        world.write("execution-log.md", &text);
        for (hook, parameters) in [
            ("validate-artifacts", "{locked: true, checkmarks: true, sections: [A]}"),
            ("lint-artifacts", "{maxLineLength: 5}"),
            ("enforces-boundaries-from", "{artifacts: [requirements.md], markers: [a, word]}"),
            ("await-inner-loops", ""),
        ] {
            let outcome = world.run(hook, parameters, "design").unwrap();
            if let Outcome::Block { findings } = outcome {
                prop_assert!(findings.iter().all(|finding| finding.contains(".md")), "{:?}", findings);
            }
        }
    }

    #[test]
    fn every_comment_can_be_recorded_and_leaves_the_artifact_as_it_was(body in markdown()) {
        let mut world = World::new();
        let text = "---\nstatus: approved\n---\n# Design\n\n- [x] one\n\n## Next\n\ntext\n";
        world.write("design.md", text);
        world.comments(&[("owner", &format!("approved\n\n{body}"))]);
        let outcome = world.run("classify-feedback", "", "design-approval").unwrap();
        world.run("record-feedback", "{artifact: design.md}", "design-approval").unwrap();
        let before = Artifact::of_text("design.md", text).outline();
        let after = Artifact::of_text("design.md", world.read("design.md")).outline();
        let titles = |outline: &windtunnel_process::artifact::Outline| -> Vec<String> {
            outline.sections.iter().map(|section| section.title.clone()).filter(|title| title != "Review comments").collect()
        };
        prop_assert_eq!(titles(&before), titles(&after));
        prop_assert_eq!(before.boxes, after.boxes);
        prop_assert!(world.read("design.md").starts_with(text.trim_end()), "{:?}", outcome);
    }
}
