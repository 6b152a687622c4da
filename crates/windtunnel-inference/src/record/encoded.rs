//! Secrets as they are written inside addresses and headers.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;
use reqwest::Url;

/// Finds a secret with any of its characters percent-encoded; none for one whose characters no address encodes.
pub(super) fn percent_encoded(secret: &str) -> Option<Regex> {
    let stays = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
    if secret.chars().all(stays) {
        return None;
    }
    let mut pattern = String::new();
    for c in secret.chars() {
        let plain = regex::escape(c.encode_utf8(&mut [0; 4]));
        if stays(c) {
            pattern += &plain;
            continue;
        }
        let _ = write!(pattern, "(?:{plain}|(?i:");
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(pattern, "%{byte:02x}");
        }
        pattern += if c == ' ' { r")|\+)" } else { "))" };
    }
    Regex::new(&pattern).ok()
}

/// What is secret of the user and the password in an address: both as they stand there and as they are meant, and both together as
/// they are sent.
pub(super) fn of_userinfo(url: &Url) -> Vec<String> {
    let meant = [url.username(), url.password().unwrap_or_default()].map(decoded);
    let [user, password] = &meant;
    let sent =
        (!user.is_empty() || !password.is_empty()).then(|| STANDARD.encode(format!("{user}:{password}")));
    let written = [url.username(), url.password().unwrap_or_default()].map(str::to_owned);
    let mut secrets: Vec<String> = written.into_iter().chain(meant).chain(sent).collect();
    secrets.retain(|secret| !secret.is_empty());
    secrets.dedup();
    secrets
}

/// The user with the password, and the password alone, of the credentials of `Basic`.
pub(super) fn of_basic(credentials: &str) -> Vec<String> {
    let text = STANDARD.decode(credentials).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = text else { return Vec::new() };
    let password = text.split_once(':').map(|(_, password)| password.to_owned());
    password.into_iter().chain([text]).collect()
}

/// Without percent-encoding; as it is where that is no text.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = after.first_chunk::<2>().filter(|_| byte == b'%');
        let value = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(byte));
        rest = if value.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_however_much_of_it_is_encoded() {
        let secret = percent_encoded("a/b+c é").unwrap();
        for text in ["a/b+c é", "a%2Fb%2Bc%20%C3%A9", "a%2fb%2bc+%c3%a9", "a/b%2Bc%20é"] {
            assert_eq!(secret.replace_all(&format!("<{text}>"), "***"), "<***>", "{text}");
        }
        assert!(percent_encoded("sk-1_2.3~4").is_none());
    }

    #[test]
    fn user_and_password_are_secret_as_written_as_meant_and_as_sent() {
        let of = |url| of_userinfo(&Url::parse(url).unwrap());
        assert_eq!(
            of("https://ada:can%2Fary@x/"),
            ["ada", "can%2Fary", "ada", "can/ary", "YWRhOmNhbi9hcnk="]
        );
        assert_eq!(of("https://x/"), [""; 0]);
        assert_eq!(of_basic("YWRhOmNhbi9hcnk="), ["can/ary", "ada:can/ary"]);
        assert_eq!(of_basic("no base64"), [""; 0]);
    }
}
