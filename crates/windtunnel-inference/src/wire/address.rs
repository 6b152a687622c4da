//! How the wires are reached: which one a request is for, and the base URLs that clients are given.

use std::net::SocketAddr;

use hyper::{HeaderMap, header};
use windtunnel_api::config::Wire;

use super::{ALL, Operation, Protocol};

/// The path below the version segment. Clients add `/v1` to a base URL or expect it there, so any number of them is fine.
pub(crate) fn below_version(path: &str) -> &str {
    let mut rest = path.trim_start_matches('/');
    while let Some(after) = rest.strip_prefix("v1/") {
        rest = after;
    }
    rest
}

/// The wire that a path is posted to over, and what for.
pub(crate) fn of_path(path: &str) -> Option<(&'static dyn Protocol, Operation)> {
    let path = below_version(path).trim_end_matches('/');
    ALL.into_iter().find_map(|protocol| {
        let (_, operation) = protocol.paths().iter().find(|(known, _)| *known == path)?;
        Some((protocol, *operation))
    })
}

/// The wire that a client speaks where the path does not tell.
pub(crate) fn speaker(headers: &HeaderMap) -> &'static dyn Protocol {
    let [first, ..] = ALL;
    ALL.into_iter().find(|protocol| protocol.is_spoken_by(headers)).unwrap_or(first)
}

/// Whether a WebSocket is asked for. An upgrade to another protocol, such as `h2c`, is an offer that may be passed over.
pub(crate) fn asks_for_web_socket(headers: &HeaderMap) -> bool {
    headers.get_all(header::UPGRADE).iter().any(|protocols| {
        let mut protocols = protocols.as_bytes().split(|&byte| byte == b',');
        protocols.any(|protocol| protocol.trim_ascii().eq_ignore_ascii_case(b"websocket"))
    })
}

/// The base URL of what listens at this address, as clients of this wire expect it.
pub(crate) fn base_url(wire: Wire, address: SocketAddr) -> String {
    let with_version = ALL
        .into_iter()
        .filter(|protocol| protocol.wire() == wire)
        .any(|protocol| protocol.base_url_variable().1);
    format!("http://{address}{}", if with_version { "/v1" } else { "" })
}

/// The variables that tell clients of every provider what listens at this address, with the base URL as they expect it.
pub(crate) fn variables(address: SocketAddr) -> Vec<(&'static str, String)> {
    let mut variables: Vec<(&'static str, String)> = Vec::new();
    for protocol in ALL {
        let (name, _) = protocol.base_url_variable();
        if variables.iter().all(|(known, _)| *known != name) {
            variables.push((name, base_url(protocol.wire(), address)));
        }
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_socket_is_asked_for_by_any_of_the_offered_protocols() {
        let asks = |offers: &[&'static str]| {
            let offers = offers.iter().map(|offer| (header::UPGRADE, offer.parse().unwrap()));
            let mut headers = HeaderMap::new();
            for (name, offer) in offers {
                headers.append(name, offer);
            }
            asks_for_web_socket(&headers)
        };
        assert!(asks(&["websocket"]) && asks(&["h2c, WebSocket"]) && asks(&["h2c", "websocket"]));
        assert!(!asks(&[]) && !asks(&["h2c"]) && !asks(&["websocket/13x"]));
    }

    #[test]
    fn clients_are_given_the_base_url_that_they_expect() {
        let address = "127.0.0.1:9".parse().unwrap();
        assert_eq!(
            variables(address),
            [
                ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1".to_owned()),
                ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9".to_owned())
            ]
        );
        assert_eq!(base_url(Wire::OpenAiResponses, address), "http://127.0.0.1:9/v1");
    }
}
