//! What is refused before it costs anything.

use std::time::{Duration, Instant};

use windtunnel_doc::{Document, Format, Limits, NodeValue};

const FORMATS: [Format; 3] = [Format::Toml, Format::Yaml, Format::Json];

fn refused(format: Format, text: &str, limits: &Limits) -> String {
    Document::parse("file", text, format, limits).unwrap_err().to_string()
}

/// A text whose values are nested `levels` deep, in each of the ways that a format has.
fn nested(format: Format, levels: usize) -> Vec<String> {
    let open = "[".repeat(levels);
    let close = "]".repeat(levels);
    let inner = levels - 1;
    match format {
        Format::Json => {
            vec![format!("{open}{close}"), format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))]
        }
        Format::Yaml => vec![
            format!("{open}{close}\n"),
            format!("{}1{}\n", "{a: ".repeat(levels), "}".repeat(levels)),
            format!("{}1\n", "- ".repeat(levels)),
            (0..levels).fold(String::new(), |text, level| format!("{text}{}a:\n", " ".repeat(level))),
        ],
        Format::Toml => vec![
            format!("a = {}{}\n", "[".repeat(inner), "]".repeat(inner)),
            format!("a = {}1{}\n", "{a = ".repeat(inner), "}".repeat(inner)),
            format!("{} = 1\n", vec!["a"; levels].join(".")),
            format!("[{}]\n", vec!["a"; inner].join(".")),
            format!("[{}]\na = {{}}\n", vec!["a"; inner - 1].join(".")),
            format!("[[{}]]\n", vec!["a"; inner - 1].join(".")),
        ],
    }
}

#[test]
fn values_may_be_nested_up_to_the_limit_and_no_deeper() {
    let limits = Limits { max_depth: 20, ..Limits::default() };
    for format in FORMATS {
        for text in nested(format, 20) {
            if let Err(faults) = Document::parse("file", text.as_str(), format, &limits) {
                panic!("{format} {text}: {faults}");
            }
        }
        for text in nested(format, 21) {
            let faults = refused(format, &text, &limits);
            assert!(faults.contains("nested more than 20 levels deep here"), "{format} {text}: {faults}");
        }
    }
}

#[test]
fn a_depth_bomb_does_not_overflow_the_stack() {
    let limits = Limits { max_depth: usize::MAX, ..Limits::default() };
    for format in FORMATS {
        for text in nested(format, 1000).into_iter().chain(bombs(format)) {
            let faults = refused(format, &text, &limits);
            assert!(faults.contains("nested more than 80 levels deep here"), "{format}: {faults}");
        }
        for text in nested(format, 80) {
            if let Err(faults) = Document::parse("file", text.as_str(), format, &limits) {
                panic!("{format} {text}: {faults}");
            }
        }
    }
}

fn bombs(format: Format) -> Vec<String> {
    let dotted = vec!["a"; 60].join(".");
    let unclosed = "[".repeat(300_000);
    match format {
        Format::Json => vec![format!("{unclosed}{}", "]".repeat(300_000))],
        Format::Yaml => {
            // Each anchor adds its own depth to that of the one before.
            let chain = (1..50).fold("a0: &a0 [[[[[[[[1]]]]]]]]\n".to_owned(), |text, level| {
                format!("{text}a{level}: &a{level} [[[[[[[[*a{}]]]]]]]]\n", level - 1)
            });
            vec![unclosed, chain]
        }
        Format::Toml => vec![
            format!("a = {unclosed}"),
            format!("{}1{}", format!("{dotted} = {{").repeat(60), "}".repeat(60)),
            format!("[{}]", vec!["a"; 300_000].join(".")),
        ],
    }
}

#[test]
fn an_alias_bomb_is_refused_at_once() {
    let bomb = ('b'..='k').fold("a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, name| {
        let before = char::from_u32(u32::from(name) - 1).unwrap();
        format!("{text}{name}: &{name} [{}]\n", vec![format!("*{before}"); 10].join(", "))
    });
    let started = Instant::now();
    let faults = refused(Format::Yaml, &bomb, &Limits::default());
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
    assert!(faults.contains("the aliases up to here stand for more than a file may hold"), "{faults}");
}

#[test]
fn a_few_aliases_are_fine() {
    let text = "base: &base { a: 1 }\nlist: [*base, *base]\nmerged: { <<: *base, b: 2 }\n";
    let document = Document::parse("file", text, Format::Yaml, &Limits::default()).unwrap();
    assert_eq!(
        document.root().to_json(),
        serde_json::json!({"base": {"a": 1}, "list": [{"a": 1}, {"a": 1}], "merged": {"b": 2, "a": 1}})
    );
}

#[test]
fn a_document_holds_up_to_the_limit_of_values_and_no_more() {
    let limits = Limits { max_nodes: 10, ..Limits::default() };
    let text = |format, count: usize| {
        let list = format!("[{}]", vec!["1"; count].join(", "));
        match format {
            Format::Toml => format!("a = {list}"),
            Format::Yaml => format!("a: {list}"),
            Format::Json => format!("{{\"a\": {list}}}"),
        }
    };
    for format in FORMATS {
        // The map and the list are values as well.
        let document = Document::parse("file", text(format, 8), format, &limits).unwrap();
        assert!(matches!(document.root().get("a").unwrap().value, NodeValue::Seq(_)));
        let faults = refused(format, &text(format, 9), &limits);
        assert!(faults.contains("this file holds more than 10 values"), "{format}: {faults}");
        let faults = refused(format, &text(format, 90), &limits);
        assert!(faults.contains("this file holds more than 10 values"), "{format}: {faults}");
    }
}

#[test]
fn an_oversized_text_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    for format in FORMATS {
        assert_eq!(refused(format, "# 345678901", &limits), "file: this file is larger than 10 bytes");
    }
    Document::parse("file", "# 34567890", Format::Toml, &limits).unwrap();
}
