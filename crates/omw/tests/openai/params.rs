//! What configs may say.

use std::sync::Arc;

use omw::config::{Params, Tunables};
use omw::endpoint::openai::OpenAiEndpointParams;
use omw::gate::Gates;
use omw::prelude::*;
use omw::provider::openai::OpenAiProviderParams;
use serde_json::{Value, json};

fn context() -> BuildContext {
    BuildContext { tunables: Arc::new(Tunables::default()), gates: Gates::default(), keep_everything: false }
}

fn provider(params: Value) -> Result<Arc<dyn Provider>, FactoryError> {
    let registries = Registries::standard();
    registries.providers.get("openai").unwrap()(&Params::of_value(params), &context())
}

fn endpoint(params: Value) -> Result<Arc<dyn Endpoint>, FactoryError> {
    let registries = Registries::standard();
    registries.endpoints.get("openai").unwrap()(&Params::of_value(params), &context())
}

#[test]
fn providers_need_nothing_and_a_slip_in_a_key_is_no_fault() {
    for params in [
        json!({}),
        json!({"base_url": "http://127.0.0.1:8000/v1", "api_key": "", "model": "m", "params": {"temperature": 0}}),
        json!({"baseurl": "http://127.0.0.1:8000/v1"}),
    ] {
        assert_eq!(
            provider(params.clone()).unwrap_or_else(|error| panic!("{params}: {error}")).kind(),
            "openai"
        );
    }
}

#[test]
fn what_is_wrong_with_params_is_said_without_showing_a_key() {
    let mut texts: Vec<String> = [
        json!({"base_url": "127.0.0.1:8000/v1"}),
        json!({"base_url": "ftp://models.test/v1"}),
        json!({"api_key": "canary\nkey"}),
        json!({"api_key": 7}),
        json!({"params": ["temperature"]}),
    ]
    .into_iter()
    .map(|params| provider(params).err().unwrap().to_string())
    .collect();
    texts.extend(
        [
            json!({}),
            json!({"listen": "localhost:8080"}),
            json!({"listen": "8080"}),
            json!({"listen": "0.0.0.0:8080"}),
            json!({"listen": "[::]:0", "allow_remote": false}),
        ]
        .map(|params| endpoint(params).err().unwrap().to_string()),
    );
    insta::assert_snapshot!(texts.join("\n"), @r#"
    the config: base_url: relative URL without a base; expected the address of a provider, such as http://127.0.0.1:8000/v1
    the config: base_url: its scheme is ftp; expected the address of a provider, such as http://127.0.0.1:8000/v1
    the config: api_key: no HTTP header can hold it; expected a text on one line, without control characters
    the config: api_key: expected a string, found integer 7; write "7" for the text
    the config: params: expected an object, found an array
    the config: missing field "listen"
    the config: listen: expected an IP address and a port, such as 127.0.0.1:8080, found "localhost:8080"; write 127.0.0.1 for localhost
    the config: listen: expected an IP address and a port, such as 127.0.0.1:8080, found "8080"
    the config: listen: other machines reach 0.0.0.0:8080, and nobody is asked for a key; listen on 127.0.0.1:8080, or write allow_remote = true beside it
    the config: listen: other machines reach [::]:0, and nobody is asked for a key; listen on 127.0.0.1:0, or write allow_remote = true beside it
    "#);
}

#[test]
fn an_endpoint_is_for_other_machines_only_if_that_is_said() {
    for params in [
        json!({"listen": "127.0.0.1:0"}),
        json!({"listen": "[::1]:8080", "allow_remotes": true}),
        json!({"listen": "0.0.0.0:8080", "allow_remote": true}),
    ] {
        assert_eq!(
            endpoint(params.clone()).unwrap_or_else(|error| panic!("{params}: {error}")).kind(),
            "openai"
        );
    }
}

#[test]
fn the_schemas_name_the_params() {
    let names = |schema: schemars::Schema| {
        schema.get("properties").unwrap().as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(
        names(schemars::schema_for!(OpenAiProviderParams)),
        ["base_url", "api_key", "model", "params"]
    );
    assert_eq!(names(schemars::schema_for!(OpenAiEndpointParams)), ["listen", "allow_remote"]);
}
