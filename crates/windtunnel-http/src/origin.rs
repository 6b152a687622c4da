//! Who asks a server on this machine.

use reqwest::Url;
use reqwest::header::{HeaderMap, ORIGIN};

/// Whether a request may come from a program, or a page, of this machine; a browser names the page that it acts for.
///
/// ```
/// use reqwest::header::{HeaderMap, HeaderValue, ORIGIN};
///
/// let mut headers = HeaderMap::new();
/// assert!(windtunnel_http::is_from_this_machine(&headers));
/// headers.insert(ORIGIN, HeaderValue::from_static("https://example.com"));
/// assert!(!windtunnel_http::is_from_this_machine(&headers));
/// ```
pub fn is_from_this_machine(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let url = origin.to_str().ok().and_then(|origin| Url::parse(origin).ok());
    url.as_ref().is_some_and(is_this_machine)
}

/// Whether an address names this machine.
pub fn is_this_machine(url: &Url) -> bool {
    url.host_str().is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_machine_may_ask() {
        let table = [
            (None, true),
            (Some("http://localhost:5173"), true),
            (Some("http://127.0.0.1"), true),
            (Some("http://[::1]:80"), true),
            (Some("https://example.com"), false),
            (Some("http://localhost.example.com"), false),
            (Some("null"), false),
        ];
        for (origin, expected) in table {
            let headers = origin.map(|origin| (ORIGIN, origin.parse().unwrap())).into_iter().collect();
            assert_eq!(is_from_this_machine(&headers), expected, "{origin:?}");
        }
    }
}
