//! Names that say that their value is secret.

use windtunnel_api::secret::names_a_secret;

/// Words in the name of a variable, a header or a parameter of a query, beside those that say so anywhere.
const WORDS: [&str; 8] = ["access", "csrf", "jwt", "pat", "pw", "session", "sig", "signature"];

/// Last words of the name of a field. `max_tokens`, `author` and `cache_key` are no secrets.
const LAST_WORDS: [&str; 12] = [
    "apikey",
    "authorization",
    "credential",
    "credentials",
    "jwt",
    "passphrase",
    "passwd",
    "password",
    "pwd",
    "secret",
    "token",
    "accesstoken",
];

/// Words before a last `key` that make it a secret.
const KEYS: [&str; 7] = ["access", "api", "auth", "encryption", "private", "secret", "signing"];

/// Whether the value of a variable, a header or a parameter of a query is secret.
pub(super) fn of_a_setting(name: &str) -> bool {
    // What browsers are allowed is no secret: its values are methods and headers.
    let is_cors = name.get(..15).is_some_and(|head| head.eq_ignore_ascii_case("access-control-"));
    !is_cors && (names_a_secret(name) || words(name).iter().any(|word| WORDS.contains(&word.as_str())))
}

/// Whether the value of a field of a body is secret.
pub(super) fn of_a_field(name: &str) -> bool {
    match words(name).as_slice() {
        [.., before, last] if last == "key" => KEYS.contains(&before.as_str()),
        [.., last] => LAST_WORDS.contains(&last.as_str()),
        [] => false,
    }
}

/// The words of `api_key`, `x-api-key` and `apiKey`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (after_small && c.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_secret_by_a_word_of_their_name() {
        for name in [
            "OPENAI_API_KEY",
            "X-Amz-Signature",
            "sessionId",
            "x-csrf",
            "GITHUB_PAT",
            "DB_PW",
            "MY_JWT",
            "ACCESS_ID",
            "sig",
        ] {
            assert!(of_a_setting(name), "{name}");
        }
        for name in ["PATH", "LANG", "accessible", "Access-Control-Allow-Headers", "pwa", "design", ""] {
            assert!(!of_a_setting(name), "{name}");
        }
    }

    #[test]
    fn fields_are_secret_by_the_end_of_their_name() {
        for name in
            ["api_key", "apiKey", "APIKEY", "user_password", "token", "client-secret", "Authorization"]
        {
            assert!(of_a_field(name), "{name}");
        }
        for name in ["max_tokens", "key", "prompt_cache_key", "author", "password_hint", "secretary", ""] {
            assert!(!of_a_field(name), "{name}");
        }
    }
}
