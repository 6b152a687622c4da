//! `${NAME}` in configured values takes a variable of ours, as a secret.

use windtunnel_api::Secret;

use crate::error::ChildError;

/// A value with its variables filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The whole value. It is itself a secret if a variable went into it.
    pub value: Secret,
    /// The variables' values, for the redactor of the case.
    pub secrets: Vec<Secret>,
}

/// Fills in `${NAME}` from the environment of this process; `$${` stands for the two characters `${`.
///
/// `field` says in errors where the template stands: `tools.crm.headers.authorization`.
///
/// ```
/// let plain = windtunnel_child::expand("test", "env.MODE")?;
/// assert_eq!(plain.value.expose(), "test");
/// let missing = windtunnel_child::expand("Bearer ${NO_SUCH_TOKEN}", "headers.authorization").unwrap_err();
/// assert_eq!(
///     missing.to_string(),
///     "variable NO_SUCH_TOKEN is not set, and headers.authorization needs it: export NO_SUCH_TOKEN before you start",
/// );
/// # Ok::<(), windtunnel_child::ChildError>(())
/// ```
pub fn expand(template: &str, field: &str) -> Result<Expanded, ChildError> {
    expand_with(template, field, |name| std::env::var(name).ok())
}

pub(crate) fn expand_with(
    template: &str,
    field: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Expanded, ChildError> {
    let mut value = String::with_capacity(template.len());
    let mut secrets = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            value.push_str(before);
            value.push_str("${");
            rest = after;
            continue;
        }
        let (name, after) = after
            .split_once('}')
            .filter(|(name, _)| is_name(name))
            .ok_or_else(|| ChildError::Template { field: field.to_owned() })?;
        let secret = variable(name)
            .ok_or_else(|| ChildError::NoVariable { variable: name.to_owned(), field: field.to_owned() })?;
        value.push_str(before);
        value.push_str(&secret);
        secrets.push(Secret::new(secret));
        rest = after;
    }
    value.push_str(rest);
    Ok(Expanded { value: Secret::new(value), secrets })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(template: &str) -> Result<(String, Vec<String>), String> {
        let ours = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        expand_with(template, "env.X", ours)
            .map(|e| (e.value.expose().to_owned(), e.secrets.iter().map(|s| s.expose().to_owned()).collect()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn variables_are_filled_in_and_remembered_as_secrets() {
        assert_eq!(expanded("a ${TOKEN}, b ${TOKEN}").unwrap().0, "a s3cret, b s3cret");
        assert_eq!(expanded("Bearer ${TOKEN}").unwrap().1, ["s3cret"]);
        assert_eq!(
            expanded("no variable: $HOME {x}").unwrap(),
            ("no variable: $HOME {x}".to_owned(), vec![])
        );
    }

    #[test]
    fn a_doubled_dollar_stands_for_the_characters() {
        assert_eq!(expanded("$${TOKEN} is ${TOKEN}").unwrap().0, "${TOKEN} is s3cret");
    }

    #[test]
    fn a_missing_variable_is_named_with_its_field() {
        assert_eq!(
            expanded("${OTHER}").unwrap_err(),
            "variable OTHER is not set, and env.X needs it: export OTHER before you start"
        );
    }

    #[test]
    fn an_unclosed_or_odd_name_is_an_error() {
        for template in ["${", "${TOKEN", "${}", "${TO KEN}"] {
            assert_eq!(
                expanded(template).unwrap_err(),
                "env.X holds `${` without a variable name and `}` after it: write ${NAME}, or $${ for the two characters"
            );
        }
    }
}
