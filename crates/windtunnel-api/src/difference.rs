//! Where two JSON values differ, and two texts.

use serde_json::Value;

/// Characters of a value that are told.
const MAX_VALUE: usize = 60;

/// The fields in which two values differ, each by JSON Pointer with what it was and what it is; the root goes by `name`.
///
/// ```
/// use serde_json::json;
/// use windtunnel_api::difference::fields;
///
/// let told = fields("it", &json!({"status": "open", "n": 1}), &json!({"status": "closed", "n": 1}));
/// assert_eq!(told, [r#"/status: "open" → "closed""#]);
/// ```
pub fn fields(name: &str, before: &Value, now: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    differ(name, "", before, now, &mut lines);
    lines
}

fn differ(name: &str, path: &str, before: &Value, now: &Value, lines: &mut Vec<String>) {
    let place = if path.is_empty() { name } else { path };
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (key, was) in before {
                match now.get(key) {
                    Some(is) => differ(name, &below(path, key), was, is, lines),
                    None => lines.push(format!("{}: {} → (nothing)", below(path, key), shown(was))),
                }
            }
            for (key, is) in now.iter().filter(|(key, _)| !before.contains_key(*key)) {
                lines.push(format!("{}: (nothing) → {}", below(path, key), shown(is)));
            }
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            for (index, (was, is)) in before.iter().zip(now).enumerate() {
                differ(name, &format!("{path}/{index}"), was, is, lines);
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            lines.push(format!("{place}: {} items → {} items", before.len(), now.len()));
        }
        _ if before == now => {}
        _ => lines.push(format!("{place}: {} → {}", shown(before), shown(now))),
    }
}

fn below(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The beginning of a value, on one line.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    let mut short: String = text.chars().take(MAX_VALUE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The lines between the first and the last in which two texts differ: `- ` what was there, `+ ` what is.
///
/// ```
/// assert_eq!(windtunnel_api::difference::lines("a\nb\nc", "a\nB\nc"), ["- b", "+ B"]);
/// ```
pub fn lines(before: &str, now: &str) -> Vec<String> {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let same = |(was, is): &(&&str, &&str)| was == is;
    let head = before.iter().zip(&now).take_while(same).count();
    let tail = before.iter().skip(head).rev().zip(now.iter().skip(head).rev()).take_while(same).count();
    let middle = |lines: &[&str], sign: char| {
        let length = lines.len().saturating_sub(head + tail);
        lines.iter().skip(head).take(length).map(|line| format!("{sign} {line}")).collect::<Vec<_>>()
    };
    [middle(&before, '-'), middle(&now, '+')].concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_that_differ_are_told_by_their_path() {
        let before =
            json!({"status": "open", "items": [{"n": 1}, {"n": 2}], "gone": true, "a/b": 1, "list": [1]});
        let after =
            json!({"status": "closed", "items": [{"n": 1}, {"n": 3}], "a/b": 2, "list": [], "new": null});
        insta::assert_snapshot!(fields("it", &before, &after).join("\n"), @r#"
        /status: "open" → "closed"
        /items/1/n: 2 → 3
        /gone: true → (nothing)
        /a~1b: 1 → 2
        /list: 1 items → 0 items
        /new: (nothing) → null
        "#);
        assert_eq!(fields("it", &json!(1), &json!("x")), [r#"it: 1 → "x""#]);
        assert!(fields("it", &before, &before.clone()).is_empty());
    }

    #[test]
    fn lines_that_differ_stand_between_those_that_do_not() {
        for (before, now, expected) in [
            ("a\nb\nc", "a\nc", vec!["- b"]),
            ("a\nc", "a\nb\nc", vec!["+ b"]),
            ("a\na", "a\na\na", vec!["+ a"]),
            ("x", "y", vec!["- x", "+ y"]),
            ("same", "same", vec![]),
            ("", "new", vec!["+ new"]),
        ] {
            assert_eq!(lines(before, now), expected, "{before:?} {now:?}");
        }
    }
}
