//! The examples pass, and do so every time.

use windtunnel_testkit::Folder;

use crate::harness::CallOmwTest;

#[test]
fn every_example_passes_side_by_side_and_one_by_one() {
    let folder = Folder::example("omw");
    for jobs in ["1", "4"] {
        let finished = folder.omw_test(&format!("run . -j {jobs}")).succeeds();
        assert!(finished.stdout.ends_with("10 passed, 0 failed\n"), "{finished}");
    }
}

#[cfg(feature = "js")]
#[test]
fn every_javascript_twin_passes() {
    let finished = Folder::example("omw-js").omw_test("run .").succeeds();
    assert!(finished.stdout.ends_with("3 passed, 0 failed\n"), "{finished}");
}

#[test]
fn the_failure_that_the_tutorial_shows_is_what_happens() {
    let folder = Folder::example("omw/01-hello");
    let test = folder.read("omw.test.toml").replace(r#"content = "hello" }]"#, r#"content = "bye" }]"#);
    let folder = folder.file("omw.test.toml", test);
    let finished = folder.omw_test("run .").exits(1);
    assert_eq!(finished.stdout, "FAIL omw.test.toml\n0 passed, 1 failed\n");
    assert_eq!(finished.stderr, folder.read("failure.txt"), "{finished}");
}
