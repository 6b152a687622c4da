//! What is found when a script is loaded.

use camino::Utf8Path;

use super::Rhai;
use crate::brain::{Runtime as _, fake};

#[test]
fn a_malformed_script_is_refused_with_its_place() {
    let errors: Vec<_> = ["let x = ", "1 +* 2", "let x = 1;\n  foo(", "\"open", "if true { 1 ", "fn f( { }"]
        .iter()
        .map(|script| fake::load(&Rhai::new(), script).err().expect("it is malformed").to_string())
        .collect();
    insta::assert_snapshot!(errors.join("\n"), @"
    brain:1:9: Script is incomplete
    brain:1:4: Unexpected '*'
    brain:2:7: Expecting ')' to close the arguments list of this function call 'foo'
    brain:1:1: Open string is not terminated
    brain:1:13: Expecting ';' to terminate this statement
    brain:1:7: Expecting ')' to close the parameters list of function 'f'
    ");
}

#[test]
fn a_script_that_cannot_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| Utf8Path::from_path(folder.path()).unwrap().join(name);
    std::fs::write(path("long.rhai"), " ".repeat(4 * 1024 * 1024 + 1)).unwrap();
    std::fs::write(path("latin.rhai"), [0x22, 0xE4, 0x22]).unwrap();
    let errors: Vec<_> = ["absent.rhai", "", "long.rhai", "latin.rhai"]
        .iter()
        .map(|name| Rhai::new().load(&path(name)).err().unwrap().to_string())
        .collect();
    insta::assert_snapshot!(errors.join("\n").replace(folder.path().to_str().unwrap(), "."), @"
    cannot read script ./absent.rhai: No such file or directory (os error 2)
    cannot read script ./: it is not a regular file
    cannot read script ./long.rhai: it is longer than 4194304 bytes
    cannot read script ./latin.rhai: stream did not contain valid UTF-8
    ");
}

#[test]
fn a_script_that_nests_endlessly_is_refused_and_does_not_use_up_a_small_stack() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("#{a:", "}"),
        ("{", "}"),
        ("-", ""),
        ("!", ""),
        ("|x| ", ""),
        ("x = ", ""),
        ("if x {} else ", ""),
        ("f(", ")"),
        ("`${", "}`"),
        ("a.", ""),
        ("a[", "]"),
        ("1 + ", ""),
        ("2 ** ", ""),
        ("a ?? ", ""),
        ("switch x { _ => ", "}"),
        ("while x {", "}"),
        ("fn f() {", "}"),
        ("return ", ""),
    ] {
        let script = format!("{}1{}", open.repeat(50_000), close.repeat(50_000));
        let load = move || drop(fake::load(&Rhai::new(), &script));
        // As small as the stack of a worker of the async runtime.
        let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
        thread.spawn(load).unwrap().join().unwrap_or_else(|_| panic!("{open:?} panicked"));
    }
}
