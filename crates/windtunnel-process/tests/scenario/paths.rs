//! No path of a manifest leads out of its folder.

use std::fs;

use camino::Utf8Path;

use crate::kit::{Folder, graph};
use windtunnel_process::scenario::Scenario;

fn emitting(fixture: &str) -> Folder {
    Folder::of(&format!(
        "steps:\n  - emit: {{artifact: plan.md, fixture: {fixture:?}}}\nexpect: {{finalNode: plan}}\n"
    ))
}

#[test]
fn a_path_that_is_not_plain_is_refused_as_it_is_written() {
    let told = [
        "../plan.md",
        "a/../../plan.md",
        "/etc/passwd",
        "",
        "./plan.md",
        "a//b",
        "plan.md/",
        "C:\\plan.md",
        "a\\b",
        "~/plan.md",
    ]
    .map(|fixture| emitting(fixture).refusal());
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn an_artifact_is_put_below_the_items_folder_only() {
    let told = [
        "../plan.md",
        "/tmp/plan.md",
        "",
        "pr-loops/pr-1/graph-state.json",
        "Graph-State.JSON",
        "graph-state.json/plan.md",
        ".graph-state.json.draft",
        "a\\b",
    ]
    .map(|artifact| {
        Folder::of(&format!(
            "steps:\n  - emit: {{artifact: {artifact:?}, fixture: plan.md}}\n  - complete: {{node: plan}}\n"
        ))
        .refusal()
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[cfg(unix)]
#[test]
fn links_may_lead_to_fixtures_and_nowhere_else() {
    use std::os::unix::fs::symlink;

    let folder = emitting("link.md");
    let link = folder.path().join("artifacts/link.md");
    let point = |target: &Utf8Path| {
        let _ = fs::remove_file(&link);
        symlink(target, &link).unwrap();
    };
    point(Utf8Path::new("plan.md"));
    folder.load().unwrap();

    let outside = folder.above().join("secret.md");
    fs::write(&outside, "secret").unwrap();
    let inside = folder.path().join("secret.md");
    fs::write(&inside, "no fixture").unwrap();
    let mut told = Vec::new();
    for target in [
        outside.as_path(),
        &inside,
        Utf8Path::new("../../secret.md"),
        Utf8Path::new("gone.md"),
        Utf8Path::new("link.md"),
    ] {
        point(target);
        told.push(folder.refusal());
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[cfg(unix)]
#[test]
fn a_folder_of_fixtures_that_is_a_link_out_is_refused() {
    let folder = emitting("plan.md");
    let elsewhere = folder.above().join("elsewhere");
    fs::rename(folder.path().join("artifacts"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.path().join("artifacts")).unwrap();
    insta::assert_snapshot!(folder.refusal());
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_a_link_out_is_refused() {
    let folder = emitting("plan.md");
    let elsewhere = folder.above().join("elsewhere.yaml");
    fs::rename(folder.path().join("scenario.yaml"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.path().join("scenario.yaml")).unwrap();
    insta::assert_snapshot!(folder.refusal());
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_no_file_is_not_opened() {
    let folder = emitting("plan.md");
    let manifest = folder.path().join("scenario.yaml");
    fs::remove_file(&manifest).unwrap();
    fs::create_dir(&manifest).unwrap();
    let mut told = vec![folder.refusal()];
    fs::remove_dir(&manifest).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&manifest).status().unwrap().success());
    told.push(folder.refusal());
    insta::assert_snapshot!(told.join("\n"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let folder = emitting("thing");
    let thing = folder.path().join("artifacts/thing");
    fs::create_dir(&thing).unwrap();
    let mut told = vec![folder.refusal()];
    fs::remove_dir(&thing).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&thing).status().unwrap().success());
    told.push(folder.refusal());
    fs::remove_file(&thing).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &thing).unwrap();
    told.push(folder.refusal());
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_fixture_has_a_size_and_a_comment_is_text() {
    let folder = emitting("large.md");
    folder.write("artifacts/large.md", vec![b'x'; 1024 * 1024]);
    folder.load().unwrap();
    folder.write("artifacts/large.md", vec![b'x'; 1024 * 1024 + 1]);
    let large = folder.refusal();

    let folder =
        Folder::of("steps:\n  - comment: {author: owner, fixture: raw.bin}\nexpect: {finalNode: plan}\n");
    folder.write("artifacts/raw.bin", b"\xff\xfe");
    insta::assert_snapshot!([large, folder.refusal()].join("\n"));
}

#[test]
fn a_name_that_no_file_can_have_is_refused_as_it_is_read() {
    let long = "x".repeat(256);
    for (step, expect) in [
        (format!("emit: {{artifact: {long}, fixture: plan.md}}"), String::new()),
        (format!("emit: {{artifact: a/{long}/b, fixture: plan.md}}"), String::new()),
        (format!("emit: {{artifact: plan.md, fixture: {long}}}"), String::new()),
        ("advance".to_owned(), format!(", lockedBeforeImplementation: [{long}]")),
    ] {
        let told =
            Folder::of(&format!("steps:\n  - {step}\nexpect: {{finalNode: plan{expect}}}\n")).refusal();
        assert!(told.starts_with("ScenarioFormatError: "), "{told}");
        assert!(told.contains("255 bytes"), "{told}");
    }
    let longest = "x".repeat(255);
    Folder::of(&format!(
        "steps:\n  - emit: {{artifact: {longest}, fixture: plan.md}}\nexpect: {{finalNode: plan}}\n"
    ))
    .play()
    .outcome
    .unwrap();
}

#[test]
fn comments_send_so_much_and_no_more() {
    let manifest = |comments: usize| {
        let steps = "  - comment: {author: stranger, fixture: large.md}\n".repeat(comments);
        let folder = Folder::of(&format!("steps:\n{steps}expect: {{finalNode: plan}}\n"));
        folder.write("artifacts/large.md", vec![b'x'; 1024 * 1024]);
        folder
    };
    manifest(8).load().unwrap();
    insta::assert_snapshot!(manifest(300).refusal());
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_do_no_harm() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = emitting("plann.md");
    let odd = folder.path().join("artifacts").as_std_path().join(OsStr::from_bytes(b"pl\xff.md"));
    // Some file systems take no such names.
    let _ = fs::write(odd, "x");
    assert!(folder.refusal().contains("did you mean \"plan.md\"?"));
}

#[test]
fn a_fixture_in_another_folder_is_found_by_its_name() {
    let folder = emitting("review.md");
    folder.write("artifacts/second/review.md", "x");
    assert!(folder.refusal().ends_with("did you mean \"second/review.md\"?"), "{}", folder.refusal());
}

#[test]
fn a_folder_without_a_manifest_is_a_fault_and_not_passed_over() {
    let empty = Folder::bare("errand");
    let absent = Scenario::load(&empty.above().join("nowhere"), &graph()).unwrap_err();
    insta::assert_snapshot!([empty.refusal(), empty.told(&absent)].join("\n"));
}
