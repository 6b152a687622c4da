//! What is asked: the routes and the bodies of requests.

use serde::Serialize;
use windtunnel_api::ReferenceDecision;

use crate::addresses::ToolAddress;

/// The version of the protocol, in every body.
pub(super) const VERSION: u64 = 1;

/// A route below the endpoint's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// A turn.
    Inject,
    /// Back to the first state.
    Reset,
    /// The prompt surface.
    Surface,
    /// Decisions in place of the model.
    Reference,
}

impl Route {
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Inject => "/wt/inject",
            Self::Reset => "/wt/reset",
            Self::Surface => "/wt/surface",
            Self::Reference => "/wt/reference",
        }
    }
}

/// A request with what all of them say.
#[derive(Debug, Serialize)]
pub(super) struct Request<'a, T> {
    wt_inject: u64,
    /// Only where the endpoint takes several cases side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    case_id: Option<&'a str>,
    #[serde(flatten)]
    body: T,
}

impl<'a, T: Serialize> Request<'a, T> {
    pub(super) fn new(case_id: Option<&'a str>, body: T) -> Self {
        Self { wt_inject: VERSION, case_id, body }
    }
}

/// `POST /wt/inject`
#[derive(Debug, Serialize)]
pub(super) struct Turn<'a> {
    pub(super) session_id: &'a str,
    pub(super) text: &'a str,
    pub(super) timeout_s: f64,
}

/// `POST /wt/reset`
#[derive(Debug, Serialize)]
pub(super) struct Reset<'a> {
    /// The recorded tool servers of the case.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) tools: &'a [ToolAddress],
}

/// `POST /wt/reference`
#[derive(Debug, Serialize)]
pub(super) struct Decisions<'a> {
    /// The next decisions of the agent's model. An empty list gives the agent its own model back; without the field
    /// nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decisions: Option<&'a [ReferenceDecision]>,
}

/// A request that says nothing more.
#[derive(Debug, Serialize)]
pub(super) struct Nothing {}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn body(request: impl Serialize) -> Value {
        serde_json::to_value(request).unwrap()
    }

    #[test]
    fn bodies_say_no_more_than_they_have_to() {
        let turn = Turn { session_id: "s", text: "Hello", timeout_s: 60.0 };
        assert_eq!(
            body(Request::new(None, turn)),
            json!({"wt_inject": 1, "session_id": "s", "text": "Hello", "timeout_s": 60.0})
        );
        assert_eq!(body(Request::new(None, Reset { tools: &[] })), json!({"wt_inject": 1}));
        let tools = [ToolAddress { name: "crm".to_owned(), url: "http://127.0.0.1:1/mcp".to_owned() }];
        assert_eq!(
            body(Request::new(Some("case-1"), Reset { tools: &tools })),
            json!({"wt_inject": 1, "case_id": "case-1", "tools": [{"name": "crm", "url": "http://127.0.0.1:1/mcp"}]})
        );
        assert_eq!(body(Request::new(None, Decisions { decisions: None })), json!({"wt_inject": 1}));
        let decisions = [ReferenceDecision::says("75")];
        assert_eq!(
            body(Request::new(None, Decisions { decisions: Some(&decisions) })),
            json!({"wt_inject": 1, "decisions": [{"content": "75"}]})
        );
    }
}
