//! How faults look to people and to programs.

use miette::{GraphicalReportHandler, GraphicalTheme};
use windtunnel_doc::{Diagnostic, Diagnostics, Document, Fault, Format, Limits, Path};

fn faults(name: &str, text: &str, faults: Vec<Fault>) -> Diagnostics {
    Document::parse(name, text, Format::Toml, &Limits::default()).unwrap().diagnose(faults).unwrap_err()
}

fn rendered(diagnostics: Diagnostics) -> String {
    let mut text = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(80)
        .render_report(&mut text, &diagnostics.into_report())
        .unwrap();
    text
}

const PACK: &str =
    "name = \"quickstart\"\n\n[tools.crm]\nkind = \"studio\"\ncommand = [\n  \"python3\",\n]\n";

fn pack_faults() -> Diagnostics {
    let crm = Path::root().then("tools").then("crm");
    faults(
        "pack.toml",
        PACK,
        vec![
            Fault::new(crm.clone().then("command"), "the program is not installed"),
            Fault::new(crm.then("kind"), "unknown kind \"studio\"; expected one of stdio, http")
                .with_help("did you mean \"stdio\"?"),
            Fault::new(Path::root().then("name"), "this name is taken").at_key(),
        ],
    )
}

#[test]
fn as_text_each_fault_is_one_line() {
    insta::assert_snapshot!(pack_faults(), @r#"
    pack.toml:1:1: name: this name is taken
    pack.toml:4:8: tools.crm.kind: unknown kind "studio"; expected one of stdio, http; did you mean "stdio"?
    pack.toml:5:11: tools.crm.command: the program is not installed
    "#);
}

#[test]
fn as_a_report_each_fault_is_a_frame_under_a_heading() {
    insta::assert_snapshot!(rendered(pack_faults()));
}

#[test]
fn a_single_fault_is_a_frame_without_heading() {
    let fault = Fault::new(Path::root().then("a"), "too small").with_help("use 2");
    insta::assert_snapshot!(rendered(faults("a.toml", "a = 1\n", vec![fault])), @r#"
     × a: too small
      ╭─[a.toml:1:5]
    1 │ a = 1
      ·     ─
      ╰────
     help: use 2
    "#);
}

#[test]
fn of_a_long_line_no_more_is_drawn_than_stands_around_the_fault() {
    let text =
        format!("{{\"first\": \"{0}\", \"a\": 1, \"last\": {{\"b\": \"{0}\"}}}}", "x".repeat(1_000_000));
    let document = Document::parse("a.json", text, Format::Json, &Limits::default()).unwrap();
    let faults = ["a", "last"].map(|field| Fault::new(Path::root().then(field), "too small"));
    insta::assert_snapshot!(rendered(document.diagnose(faults.into()).unwrap_err()), @r#"
      × 2 faults in a.json

    Error: 
      × a: too small
       ╭─[a.json:1:1000020]
     1 │ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "a": 1, "last": {"b": "xxxxxxxxxxxxxxxxxxxxxxx
       ·                                         ─
       ╰────

    Error: 
      × last: too small
       ╭─[a.json:1:1000031]
     1 │ xxxxxxxxxxxxxxxxxxxxx", "a": 1, "last": {"b": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
       ·                                         ────────────────────────────────────────────────────────────────────────────────────────────────────
       ╰────
    "#);
}

#[test]
fn faults_of_several_files_are_told_together() {
    let fault = || Fault::new(Path::root().then("a"), "too small");
    let one = faults("one.toml", "a = 1\n", vec![fault()]);
    let two = Diagnostic::of_file("two.toml", "this file is a pack without scenarios").with_help("add one");
    let mut all = Diagnostics::merge([one.clone(), two.into()]).unwrap();
    assert_eq!(all.len(), 2);
    all.extend(faults("three.toml", "\n\na = 1", vec![fault()]));
    insta::assert_snapshot!(all, @r#"
    one.toml:1:5: a: too small
    two.toml: this file is a pack without scenarios; add one
    three.toml:3:5: a: too small
    "#);
    insta::assert_snapshot!(rendered(all));
    assert!(Diagnostics::merge([]).is_none());
}

#[test]
fn programs_get_the_parts_of_each_fault() {
    let mut all =
        faults("a.toml", "a = 1\n", vec![Fault::new(Path::root().then("a"), "too small").with_help("use 2")]);
    all.extend(Diagnostic::of_file("b.toml", "lost").into());
    assert_eq!(
        all.to_json(),
        serde_json::json!([
            {"file": "a.toml", "line": 1, "column": 5, "path": "a", "message": "too small", "help": "use 2"},
            {"file": "b.toml", "line": null, "column": null, "path": "", "message": "lost", "help": null},
        ])
    );
}

#[test]
fn no_faults_are_no_error() {
    let document = Document::parse("a.toml", "", Format::Toml, &Limits::default()).unwrap();
    document.diagnose(Vec::new()).unwrap();
}
