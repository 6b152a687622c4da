//! Which values of a back end's parameters must not be shown, whatever kind of back end they are for.

use std::path::Path;

use serde_json::Value;
use windtunnel_api::Secret;
use windtunnel_api::secret::names_a_secret;

/// Keys whose values are shown.
const PLAIN: [&str; 6] = ["kind", "transport", "command", "cwd", "model", "listen"];

/// Shorter values are words like `info` or `true`, which stand in every other text, unless their name says that they are secret.
const MIN_BYTES: usize = 8;

/// Longer parts of an address's path are taken for the keys that some servers put there.
const MIN_PATH_PART: usize = 16;

/// The secrets among parameters, for a redactor: rather one too many than one too few.
///
/// | value                                             | secret                                                        |
/// |---------------------------------------------------|---------------------------------------------------------------|
/// | under `kind`, `transport`, `command`, `model`, …  | no                                                            |
/// | an address                                        | its user, password, query, fragment, and long parts of its path |
/// | under a name like `api_key`                       | yes                                                           |
/// | an argument `--name=value`                        | the value                                                     |
/// | shorter than eight bytes                          | no                                                            |
/// | the name of a file that exists                    | no                                                            |
/// | any other text                                    | yes                                                           |
///
/// An argument after another one is under its name: `--token`, `abc`.
pub(crate) fn of_params(params: &Value) -> Vec<Secret> {
    let mut found = Vec::new();
    collect("", params, &mut found);
    found
}

fn collect(name: &str, value: &Value, found: &mut Vec<Secret>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                collect(key, member, found);
            }
        }
        Value::Array(items) => {
            let mut name = name;
            for item in items {
                collect(name, item, found);
                name = item
                    .as_str()
                    .filter(|item| item.starts_with('-') && !item.contains('='))
                    .unwrap_or_default();
            }
        }
        Value::String(text) => of_text(name, text, found),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn of_text(name: &str, text: &str, found: &mut Vec<Secret>) {
    if PLAIN.contains(&name) {
        return;
    }
    if let Some((_, address)) = text.split_once("://") {
        of_address(address, found);
    } else if names_a_secret(name) {
        found.push(Secret::new(text));
    } else if let Some((flag, value)) = text.split_once('=')
        && flag.starts_with('-')
    {
        of_text(flag, value, found);
    } else if text.len() >= MIN_BYTES && !text.starts_with('-') && !Path::new(text).exists() {
        found.push(Secret::new(text));
    }
}

/// What comes after the `://`.
fn of_address(address: &str, found: &mut Vec<Secret>) {
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (address, query) = address.split_once('?').unwrap_or((address, ""));
    let (authority, path) = address.split_once('/').unwrap_or((address, ""));
    let (user, _host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let of_query = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    let of_path = path.split('/').filter(|part| part.len() >= MIN_PATH_PART);
    let parts = user.split(':').chain(of_query).chain(of_path).chain([fragment]);
    found.extend(parts.filter(|part| !part.is_empty()).map(Secret::new));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(params: &Value) -> Vec<String> {
        of_params(params).iter().map(|secret| secret.expose().to_owned()).collect()
    }

    #[test]
    fn what_says_how_a_server_is_started_is_shown() {
        let params = json!({"transport": "stdio", "command": "/opt/tools/server", "cwd": "/srv/elsewhere", "timeout_secs": 5});
        assert!(found(&params).is_empty());
        assert!(found(&json!({"model": "a-long-model-name", "listen": "127.0.0.1:9000"})).is_empty());
    }

    #[test]
    fn secrets_are_known_by_their_names_and_else_by_their_length() {
        assert_eq!(found(&json!({"auth_token": "abcd"})), ["abcd"]);
        assert_eq!(
            found(&json!({"env": {"API_KEY": "abcd", "LOG_LEVEL": "info", "OTHER": "canary-env"}})),
            ["abcd", "canary-env"]
        );
        assert_eq!(found(&json!({"params": {"metadata": {"user": ["canary-user"]}}})), ["canary-user"]);
    }

    #[test]
    fn arguments_are_secret_by_the_flag_before_them() {
        assert_eq!(
            found(&json!({"args": ["-y", "run", "--token", "abcd", "--key=efgh", "/"]})),
            ["abcd", "efgh"]
        );
        assert_eq!(found(&json!({"args": ["--verbosely", "canary-argument"]})), ["canary-argument"]);
    }

    #[test]
    fn of_an_address_only_the_host_and_the_short_parts_are_shown() {
        assert_eq!(
            found(
                &json!({"url": "https://user:pass@host.test:8443/mcp/0123456789abcdef/x?key=abc&flag#top"})
            ),
            ["user", "pass", "abc", "flag", "0123456789abcdef", "top"]
        );
        assert!(found(&json!({"base_url": "https://models.test/v1"})).is_empty());
    }

    #[test]
    fn a_file_that_exists_is_no_secret() {
        let here = env!("CARGO_MANIFEST_DIR");
        assert!(found(&json!({"args": [here]})).is_empty());
        assert_eq!(found(&json!({"args": [format!("{here}/no-such-file")]})).len(), 1);
    }
}
