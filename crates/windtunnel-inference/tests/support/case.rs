//! A case on a real server, and what its model decides; shared by the tests of all wires, each of which adds how it asks.

use std::time::Duration;

use serde_json::{Map, Value};
use windtunnel_api::{ReferenceDecision, ReferenceToolCall};
use windtunnel_inference::{Asides, CaseScript, ScriptedCase, ScriptedServer, ServedNames};

/// A served case.
pub(crate) struct Case {
    pub(crate) served: ScriptedCase,
    pub(crate) http: reqwest::Client,
    _endpoint: ScriptedServer,
}

impl Case {
    /// A case with these decisions, its first turn begun.
    pub(crate) async fn of(decisions: Vec<ReferenceDecision>) -> Self {
        Self::with(CaseScript { turns: vec![decisions], ..CaseScript::default() }).await
    }

    pub(crate) async fn with_asides(decisions: Vec<ReferenceDecision>, asides: Value) -> Self {
        let asides = Asides::compile(&serde_json::from_value::<Vec<_>>(asides).unwrap()).unwrap();
        Self::with(CaseScript { turns: vec![decisions], asides, ..CaseScript::default() }).await
    }

    pub(crate) async fn with(mut script: CaseScript) -> Self {
        script.served = ServedNames::new([("crm", ["lookup"])]);
        let endpoint = ScriptedServer::new();
        let served = endpoint.register(script).await.unwrap();
        served.begin_turn();
        Self { served, http: http(), _endpoint: endpoint }
    }
}

/// A client without proxies, retries and decompression.
pub(crate) fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap()
}

/// A body with further fields.
pub(crate) fn extended(mut body: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("an object") };
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// Two parallel calls, the second without arguments.
pub(crate) fn calls() -> ReferenceDecision {
    ReferenceDecision::calls([
        ReferenceToolCall::new("lookup", [("id", "a rather long identifier of an order".into())]),
        ReferenceToolCall { name: "lookup".to_owned(), arguments: Map::new() },
    ])
}

pub(crate) fn says(text: &str) -> ReferenceDecision {
    ReferenceDecision::says(text)
}
