//! Values as scenario files write them.

use serde_json::Value;
use windtunnel_doc::Format;

/// The notation of a scenario file: TOML, or YAML for what TOML has no word for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Toml,
    Yaml,
}

impl Notation {
    /// TOML, unless one of these values cannot be written in it.
    pub(super) fn for_values<'v>(values: impl IntoIterator<Item = &'v Value>) -> Self {
        if values.into_iter().all(fits_toml) { Self::Toml } else { Self::Yaml }
    }

    /// How names of its files end.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Yaml => "yaml",
        }
    }

    /// What reads it.
    pub(super) fn format(self) -> Format {
        match self {
            Self::Toml => Format::Toml,
            Self::Yaml => Format::Yaml,
        }
    }

    /// `key = value`
    pub(super) fn field(self, key: &str, value: &str) -> String {
        match self {
            Self::Toml => format!("{key} = {value}\n"),
            Self::Yaml => format!("{key}: {value}\n"),
        }
    }

    /// A value on one line. YAML takes it as JSON writes it.
    pub(super) fn value(self, value: &Value) -> String {
        match self {
            Self::Toml => toml(value),
            Self::Yaml => value.to_string(),
        }
    }
}

fn fits_toml(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => number.as_i64().is_some() || !number.is_u64(),
        Value::Array(items) => items.iter().all(fits_toml),
        Value::Object(fields) => fields.values().all(fits_toml),
    }
}

fn toml(value: &Value) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", join(items.iter().map(toml).collect())),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| format!("{} = {}", key_of(key), toml(value));
            format!("{{ {} }}", join(fields.iter().map(field).collect()))
        }
        // JSON escapes all that TOML wants escaped, but this one.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn key_of(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if bare { key.to_owned() } else { toml(&Value::from(key)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_back_as_they_were() {
        let value = json!({
            "text": "a \"b\"\n\t\\ \u{7f} \u{1} ü 😀", "a key": [1, -2.5, true, [], {}], "": {"x.y": "z"}, "n": 1e300,
        });
        assert_eq!(Notation::for_values([&value]), Notation::Toml);
        let text = Notation::Toml.field("value", &Notation::Toml.value(&value));
        let document = windtunnel_doc::Document::parse(
            "it.toml",
            text.clone(),
            Notation::Toml.format(),
            &windtunnel_doc::Limits::default(),
        )
        .unwrap();
        assert_eq!(document.decode::<serde_json::Value>().unwrap(), json!({ "value": value }), "{text}");
    }

    #[test]
    fn what_toml_has_no_word_for_is_written_as_yaml() {
        for value in [json!(null), json!([{"a": null}]), json!(u64::MAX)] {
            assert_eq!(Notation::for_values([&value]), Notation::Yaml, "{value}");
        }
    }
}
