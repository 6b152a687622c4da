//! Arguments with placeholders.

use std::fmt;

use windtunnel_doc::nearest;

/// A word in braces that is filled in for each case or turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placeholder {
    /// `{prompt}`: what the user says.
    Prompt,
    /// `{base_url}`: where its model is, scripted or recorded.
    BaseUrl,
    /// `{api_key}`: a key that the scripted model takes.
    ApiKey,
    /// `{mcp_url}`: the only tool server; or `{mcp_url:<server>}`.
    McpUrl(Option<String>),
    /// `{config_file}`: the file made from the template.
    ConfigFile,
}

/// The names without their braces.
const NAMES: [&str; 5] = ["prompt", "base_url", "api_key", "mcp_url", "config_file"];

impl Placeholder {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "prompt" => Self::Prompt,
            "base_url" => Self::BaseUrl,
            "api_key" => Self::ApiKey,
            "mcp_url" => Self::McpUrl(None),
            "config_file" => Self::ConfigFile,
            _ => Self::McpUrl(Some(
                name.strip_prefix("mcp_url:").filter(|server| !server.is_empty())?.to_owned(),
            )),
        })
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prompt => f.write_str("{prompt}"),
            Self::BaseUrl => f.write_str("{base_url}"),
            Self::ApiKey => f.write_str("{api_key}"),
            Self::McpUrl(None) => f.write_str("{mcp_url}"),
            Self::McpUrl(Some(server)) => write!(f, "{{mcp_url:{server}}}"),
            Self::ConfigFile => f.write_str("{config_file}"),
        }
    }
}

/// An argument, split at its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Placeholder(Placeholder),
}

impl Argument {
    /// Splits an argument. A word in braces that looks like a placeholder has to be one; other braces, as in JSON, stand
    /// for themselves.
    pub(crate) fn parse(argument: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = argument;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let word = after.split_once('}').filter(|(name, _)| is_word(name));
            let Some((name, after)) = word else {
                text.push('{');
                rest = after;
                continue;
            };
            let placeholder = Placeholder::parse(name).ok_or_else(|| unknown(name))?;
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Placeholder(placeholder));
            rest = after;
        }
        text.push_str(rest);
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Ok(Self(parts))
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.0.iter().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(placeholder),
            Part::Text(_) => None,
        })
    }

    /// The argument with every placeholder filled in.
    pub(crate) fn fill<E>(
        &self,
        mut value: impl FnMut(&Placeholder) -> Result<String, E>,
    ) -> Result<String, E> {
        self.0.iter().try_fold(String::new(), |mut filled, part| {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Placeholder(placeholder) => filled.push_str(&value(placeholder)?),
            }
            Ok(filled)
        })
    }
}

fn is_word(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain)
}

fn unknown(name: &str) -> String {
    match nearest(name.split(':').next().unwrap_or(name), NAMES) {
        Some(near) => format!("unknown placeholder {{{name}}}: did you mean {{{near}}}?"),
        None => format!(
            "unknown placeholder {{{name}}}: expected one of {}, {{mcp_url:<server>}}",
            NAMES.map(|known| format!("{{{known}}}")).join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(argument: &str) -> String {
        let name = |placeholder: &Placeholder| Ok::<_, ()>(format!("<{placeholder}>"));
        Argument::parse(argument).unwrap().fill(name).unwrap()
    }

    #[test]
    fn placeholders_are_filled_in_anywhere() {
        assert_eq!(filled("--url={base_url}/x{api_key}"), "--url=<{base_url}>/x<{api_key}>");
        assert_eq!(filled("{mcp_url:crm}{mcp_url}"), "<{mcp_url:crm}><{mcp_url}>");
        assert_eq!(filled("{prompt}"), "<{prompt}>");
        assert_eq!(filled(""), "");
    }

    #[test]
    fn other_braces_stand_for_themselves() {
        for argument in [r#"{"a": {"b": 1}}"#, "{}", "{ prompt }", "{0}", "{unclosed", "a}b"] {
            assert_eq!(filled(argument), argument);
        }
        assert_eq!(filled(r#"{"url": "{base_url}"}"#), r#"{"url": "<{base_url}>"}"#);
    }

    #[test]
    fn an_unknown_placeholder_names_the_nearest() {
        assert_eq!(
            Argument::parse("{base_ulr}").unwrap_err(),
            "unknown placeholder {base_ulr}: did you mean {base_url}?"
        );
        assert_eq!(
            Argument::parse("{nothing}").unwrap_err(),
            "unknown placeholder {nothing}: expected one of {prompt}, {base_url}, {api_key}, {mcp_url}, {config_file}, \
             {mcp_url:<server>}"
        );
        assert!(Argument::parse("{mcp_url:}").is_err());
    }
}
