//! What an answer of GitHub means.

use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;

/// How often a request is sent.
pub(super) const ATTEMPTS: u32 = 3;

/// Nobody waits longer than this before a request is sent again.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// How long to wait before the request is sent again; none if it is not.
///
/// | status   | method    | asked to wait  | sent again                                |
/// |----------|-----------|----------------|-------------------------------------------|
/// | 429      | any       | not too long   | after that time                           |
/// | 429      | any       | not at all     | after a time that doubles                 |
/// | 429      | any       | too long       | no                                        |
/// | 502, 503 | GET, PUT  | as for 429     | as for 429                                |
/// | 502, 503 | POST      |                | no: what was posted may be there already  |
/// | other    | any       |                | no                                        |
pub(super) fn again_after(
    status: StatusCode,
    method: &Method,
    headers: &HeaderMap,
    attempt: u32,
) -> Option<Duration> {
    let passes = match status {
        StatusCode::TOO_MANY_REQUESTS => true,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE => *method != Method::POST,
        _ => false,
    };
    let doubling = Duration::from_millis(250 << attempt.min(4));
    let wait = number(headers, "retry-after").map_or(doubling, Duration::from_secs);
    (passes && attempt + 1 < ATTEMPTS && wait <= LONGEST_WAIT).then_some(wait)
}

/// Why a request was refused. What the server says is quoted.
pub(super) fn refusal(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    quote: impl Fn(&str) -> String,
) -> String {
    #[derive(Deserialize)]
    struct Refusal {
        message: String,
        #[serde(default)]
        errors: Vec<serde_json::Value>,
    }
    let mut parts = vec![status.to_string()];
    if let Some(to) = headers.get("location").filter(|_| status.is_redirection()) {
        let to = quote(&String::from_utf8_lossy(to.as_bytes()));
        parts.push(format!(
            "this goes on at {to}, where nobody follows; name the repository as it is called now"
        ));
    } else if let Ok(refusal) = serde_json::from_slice::<Refusal>(body) {
        parts.push(quote(&refusal.message));
        parts.extend(refusal.errors.iter().map(|error| quote(&error.to_string())));
    }
    let reason = parts.join(": ");
    match when_again(headers) {
        Some(when) => format!("{reason}; {when}"),
        None if status == StatusCode::NOT_FOUND => {
            format!("{reason}; it is not there, or the token may not see it")
        }
        None => reason,
    }
}

fn when_again(headers: &HeaderMap) -> Option<String> {
    if number(headers, "x-ratelimit-remaining") == Some(0) {
        let reset = i64::try_from(number(headers, "x-ratelimit-reset")?).ok()?;
        let reset = Timestamp::from_second(reset).ok()?;
        return Some(format!("the rate limit is used up until {reset}"));
    }
    number(headers, "retry-after").map(|wait| format!("it may be asked again after {wait} s"))
}

/// Whether there is another page after this one.
pub(super) fn has_next(headers: &HeaderMap) -> bool {
    let links = headers.get_all("link").iter().filter_map(|link| link.to_str().ok());
    links.flat_map(|links| links.split(',')).any(|link| {
        link.split(';').skip(1).any(|parameter| matches!(parameter.trim(), r#"rel="next""# | "rel=next"))
    })
}

/// What somebody else wrote, as one line.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_request_is_sent_again_only_where_that_does_no_harm() {
        let (get, put, post) = (Method::GET, Method::PUT, Method::POST);
        let table = [
            (429, &post, Some("2"), 0, Some(2_000)),
            (429, &get, Some("0"), 1, Some(0)),
            (429, &get, None, 0, Some(250)),
            (429, &get, None, 1, Some(500)),
            (429, &get, None, 2, None),
            (429, &get, Some("6"), 0, None),
            (429, &get, Some("soon"), 0, Some(250)),
            (502, &get, None, 0, Some(250)),
            (503, &put, Some("1"), 0, Some(1_000)),
            (503, &post, Some("1"), 0, None),
            (502, &post, None, 0, None),
            (500, &get, None, 0, None),
            (403, &get, Some("1"), 0, None),
            (200, &get, None, 0, None),
        ];
        for (status, method, wait, attempt, expected) in table {
            let headers = headers(&wait.map(|wait| ("retry-after", wait)).into_iter().collect::<Vec<_>>());
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(
                again_after(status, method, &headers, attempt),
                expected.map(Duration::from_millis),
                "{status} {method} {wait:?} {attempt}"
            );
        }
    }

    #[test]
    fn only_a_link_to_the_next_page_means_that_there_is_one() {
        let table = [
            (vec![], false),
            (vec![("link", r#"<https://x/?page=2>; rel="next", <https://x/?page=9>; rel="last""#)], true),
            (
                vec![
                    ("link", r#"<https://x/?page=1>; rel="prev""#),
                    ("link", "<https://x>; title=x; rel=next"),
                ],
                true,
            ),
            (vec![("link", r#"<https://x/?page=1>; rel="prev", <https://x/?page=1>; rel="first""#)], false),
            (vec![("link", r#"<https://x/?rel="next">; rel="prev""#)], false),
        ];
        for (pairs, expected) in table {
            let headers: HeaderMap = {
                let mut headers = HeaderMap::new();
                for (name, value) in &pairs {
                    headers.append(*name, value.parse().unwrap());
                }
                headers
            };
            assert_eq!(has_next(&headers), expected, "{pairs:?}");
        }
    }

    #[test]
    fn what_a_server_says_is_one_line() {
        assert_eq!(one_line("a\r\nb\u{1b}[31mc"), "a  b [31mc");
    }
}
