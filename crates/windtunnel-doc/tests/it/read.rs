//! From files and texts to trees, and what is said of those that cannot be read.

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_doc::{At, Document, Fault, Format, Limits, Path, Position};

fn parse(format: Format, text: &str) -> Document {
    Document::parse("file", text, format, &Limits::default()).unwrap_or_else(|faults| panic!("{faults}"))
}

fn refused(format: Format, text: &str) -> String {
    Document::parse("file", text, format, &Limits::default()).unwrap_err().to_string()
}

#[test]
fn a_text_that_is_wrong_is_refused_with_place_and_advice() {
    use Format::{Json, Toml, Yaml};
    let table = [
        (Toml, "a = 1\na = 2\n", "2:1: the key \"a\" is already given above; keep one of the two"),
        (Toml, "[t]\n[\"t\"]\n", "2:2: the key \"t\" is already given above; keep one of the two"),
        (Toml, "a = { b = 1, b = 2 }", "1:14: the key \"b\" is already given above; keep one of the two"),
        (Toml, "a = yes", "1:5: string values must be quoted, expected literal string"),
        (Toml, "a = 1e999", "1:5: 1e999 is no finite number that fits 64 bits"),
        (Toml, "a = nan", "1:5: nan is no finite number that fits 64 bits"),
        (
            Toml,
            "a = 18446744073709551616",
            "1:5: this integer is out of range; expected one from -9223372036854775808 to 18446744073709551615",
        ),
        (Yaml, "a: 1\n\"a\": 2\n", "2:1: the key \"a\" is already given above; keep one of the two"),
        (Yaml, "1: a\n\"1\": b\n", "2:1: the key \"1\" is already given above; keep one of the two"),
        (
            Yaml,
            "a: 1\n---\nb: 2\n",
            "3:1: a second YAML document starts here; expected one; put each document into a file of its own",
        ),
        (Yaml, "ä: *lost\n", "1:4: reference to unknown value"),
        (Yaml, "a:\n  b: c: d\n", "2:7: mapping values are not allowed in this context"),
        (Yaml, "a: .inf\n", "1:4: .inf is no finite number that fits 64 bits"),
        (Yaml, "a: !secret b\n", "1:12: unsupported tag `!secret`"),
        (Yaml, "~: 1\n", "1:1: expected a key, found null; write it in quotes to use it as a key"),
        (
            Yaml,
            "a: -99999999999999999999\n",
            "1:4: this integer is out of range; expected one from -9223372036854775808 to 18446744073709551615",
        ),
        (Json, "", "1:1: this file is empty; expected a JSON value"),
        (
            Json,
            "{\"a\": 1, \"\\u0061\": 2}",
            "1:10: the key \"a\" is already given above; keep one of the two",
        ),
        (Json, "{\"a\": 1,}", "1:9: trailing comma"),
        (Json, "[1,]", "1:4: trailing comma"),
        (Json, "[1 // one\n]", "1:4: expected `,` or `]`; JSON has no comments"),
        (Json, "{'a': 1}", "1:2: key must be a string; JSON has double quotes only"),
        (Json, "[[] []]", "1:5: expected `,` or `]`"),
        (Json, "\u{a0}1", "1:1: expected value"),
        (Json, "[\"a\nb\"]", "1:3: control character (\\u0000-\\u001F) found while parsing a string"),
        (Json, "{\"a\":\n tru}", "2:5: expected true, false or null"),
        (Json, "1 2", "1:3: trailing characters"),
        (Json, "[1, 2", "1:5: the file ends inside of a list"),
        (
            Json,
            "[\"\\ud800\"]",
            "1:3: invalid unicode escape sequence. 'd800 (unpaired high surrogate)' is not a valid UTF8 character",
        ),
        (Json, "1e999", "1:1: 1e999 is no finite number that fits 64 bits"),
    ];
    for (format, text, expected) in table {
        assert_eq!(refused(format, text), format!("file:{expected}"), "{format} {text:?}");
    }
}

#[test]
fn all_broken_lines_of_a_toml_file_are_reported() {
    let expected = "\
file:1:5: string values must be quoted, expected literal string
file:2:7: invalid basic string, expected `\"`
file:4:5: extra `=`
file:5:6: unclosed table, expected `]`";
    assert_eq!(refused(Format::Toml, "a = yes\nb = \"x\nc = 1\nd = = 2\n[tabl\n"), expected);
}

#[test]
fn plain_yaml_words_mean_what_they_say() {
    let text = "a: yes\nb: no\nc: on\nd: true\ne: 0755\nf: 1_000\ng: 12:30\nh: 1.0\ni: ~\nyes: 2024-01-02\n";
    assert_eq!(
        parse(Format::Yaml, text).root().to_json(),
        serde_json::json!({
            "a": "yes", "b": "no", "c": "on", "d": true, "e": "0755", "f": "1_000", "g": "12:30", "h": 1.0,
            "i": null, "yes": "2024-01-02"
        })
    );
}

#[test]
fn toml_dates_are_strings() {
    let text = "a = 1979-05-27T07:32:00Z\nb = 1979-05-27\nc = 07:32:00\n";
    assert_eq!(
        parse(Format::Toml, text).root().to_json(),
        serde_json::json!({"a": "1979-05-27T07:32:00Z", "b": "1979-05-27", "c": "07:32:00"})
    );
}

#[test]
fn an_empty_file_is_an_empty_table_or_null() {
    assert_eq!(parse(Format::Toml, "").root().to_json(), serde_json::json!({}));
    assert_eq!(parse(Format::Yaml, "# nothing\n").root().to_json(), serde_json::json!(null));
    let faults = parse(Format::Yaml, "").decode::<std::collections::BTreeMap<String, u8>>().unwrap_err();
    assert_eq!(faults.to_string(), "file:1:1: expected a mapping, found null");
}

#[test]
fn the_order_of_the_source_is_kept() {
    let texts = [
        (Format::Toml, "z = 1\na = 2\n[m]\n[b]\n[[y]]\n[m.x]\n"),
        (Format::Yaml, "z: 1\na: 2\nm: {}\nb: {}\ny: []\n"),
        (Format::Json, r#"{"z": 1, "a": 2, "m": {}, "b": {}, "y": []}"#),
    ];
    for (format, text) in texts {
        let json = parse(format, text).root().to_json();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["z", "a", "m", "b", "y"], "{format}");
    }
}

#[test]
fn a_byte_order_mark_and_windows_lines_do_not_move_places() {
    let texts = [
        (Format::Toml, "\u{feff}a = 1\r\n[b]\r\n\"ä€🌍\" = { c = 2 }\r\n"),
        (Format::Yaml, "\u{feff}a: 1\r\nb:\r\n  \"ä€🌍\": { c: 2 }\r\n"),
        (Format::Json, "\u{feff}{\"a\": 1,\r\n \"b\":\r\n   {\"ä€🌍\":  {\"c\": 2}}}\r\n"),
    ];
    let path = Path::root().then("b").then("ä€🌍").then("c");
    let columns = [15, 15, 19];
    for ((format, text), column) in texts.into_iter().zip(columns) {
        let document = parse(format, text);
        let faults = document.diagnose(vec![Fault::new(path.clone(), "no")]).unwrap_err();
        let position = faults.iter().next().unwrap().position();
        assert_eq!(position, Some(Position { line: 3, column }), "{format}");
        assert_eq!(&document.text()[document.span(&path, At::Value)], "2", "{format}");
        let first = document.span(&Path::root().then("a"), At::Key);
        assert_eq!(document.text()[first].trim_matches('"'), "a", "{format}");
    }
}

#[test]
fn a_path_leads_to_the_deepest_value_that_is_there() {
    let toml = "top = 1\n[tools.crm]\ncommand = [\"a\", \"b\"]\n[[cases]]\nname = \"x\"\n";
    let yaml = "top: 1\ntools:\n  crm:\n    command: [\"a\", \"b\"]\ncases:\n  - name: x\n";
    let json = r#"{"top": 1, "tools": {"crm": {"command": ["a", "b"]}}, "cases": [{"name": "x"}]}"#;
    let key = |path: &[&str]| path.iter().copied().collect::<Path>();
    let table = [
        (key(&["tools", "crm"]), At::Key, ["crm", "crm", "\"crm\""]),
        (key(&["tools", "crm", "command"]), At::Value, ["[\"a\", \"b\"]"; 3]),
        (key(&["tools", "crm", "command"]).then(1), At::Value, ["\"b\""; 3]),
        (key(&["tools", "crm", "command"]).then(1), At::Key, ["\"b\""; 3]),
        (key(&["tools", "crm", "command"]).then(7), At::Value, ["command", "command", "\"command\""]),
        (key(&["tools", "crm", "lost", "more"]), At::Value, ["crm", "crm", "\"crm\""]),
        (key(&["cases"]).then(0).then("name"), At::Value, ["\"x\"", "x", "\"x\""]),
        (key(&["cases"]).then(0).then("lost"), At::Value, ["[[cases]]", "name: x", r#"{"name": "x"}"#]),
        (key(&["lost"]), At::Value, [""; 3]),
        (key(&[]), At::Key, [""; 3]),
    ];
    for (path, at, expected) in table {
        for ((format, text), expected) in
            [Format::Toml, Format::Yaml, Format::Json].into_iter().zip([toml, yaml, json]).zip(expected)
        {
            let document = parse(format, text);
            assert_eq!(&document.text()[document.span(&path, at)], expected, "{format} {path} {at:?}");
        }
    }
}

#[test]
fn a_value_from_an_anchor_is_placed_where_the_anchor_is() {
    let document = parse(Format::Yaml, "base: &b\n  x: one\nuse: *b\n");
    let path = Path::root().then("use").then("x");
    assert_eq!(&document.text()[document.span(&path, At::Value)], "one");
    assert_eq!(document.position(&path, At::Value), Position { line: 2, column: 6 });
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> Utf8PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// What reading `path` says, without the folder.
    fn refused(&self, path: &Utf8Path) -> String {
        Document::read(path).unwrap_err().to_string().replace(&format!("{}/", self.path()), "")
    }
}

#[test]
fn a_file_is_read_in_the_format_of_its_name() {
    let folder = Folder::new();
    for (name, content) in
        [("a.toml", "a = 1"), ("a.yaml", "a: 1"), ("a.yml", "a: 1"), ("a.json", r#"{"a":1}"#)]
    {
        let path = folder.file(name, content);
        let document = Document::read(&path).unwrap();
        assert_eq!(document.root().to_json(), serde_json::json!({"a": 1}), "{name}");
        assert_eq!(document.name(), path);
        assert_eq!(document.text(), content);
    }
}

#[test]
fn what_is_no_readable_file_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("dir.toml")).unwrap();
    let table = [
        (folder.path().join("dir.toml"), "dir.toml: cannot read: this is a directory"),
        (folder.path().join("lost.toml"), "lost.toml: cannot read: No such file or directory (os error 2)"),
        (
            folder.file("notes.md", ""),
            "notes.md: cannot tell the format of this file by its name; \
             the name must end in .toml, .yaml, .yml or .json",
        ),
        (
            folder.file("latin.toml", b"# ok\na = \"gr\xfcn\"\n"),
            "latin.toml:2:8: this is not UTF-8 text; \
             save the file as UTF-8; a byte at offset 12 cannot be decoded",
        ),
        (
            folder.file("huge.json", format!("\"{}\"", "x".repeat(5 * 1024 * 1024))),
            "huge.json: this file is larger than 4194304 bytes",
        ),
    ];
    for (path, expected) in table {
        assert_eq!(folder.refused(&path), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_refused_unopened() {
    let faults = Document::read_as(Utf8Path::new("/dev/zero"), Format::Toml, &Limits::default()).unwrap_err();
    assert_eq!(faults.to_string(), "/dev/zero: cannot read: this is no regular file");
}
