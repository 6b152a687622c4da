//! `omw.provider`: handles of providers.

use std::sync::Arc;

use rquickjs::function::Opt;
use rquickjs::{Ctx, Object, Result, Value};

use super::api::{Api, answer};
use super::value::{Shaped, list, to_json};
use crate::brain::shape::{KeyCase, chat_request};
use crate::exchange::ChatRequest;
use crate::host::Host;

pub(super) fn module<'js>(api: &Api<'js>) -> Result<Object<'js>> {
    api.handles(|host, name| host.provider_kind(name), handle)
}

fn handle<'js>(api: &Api<'js>, name: String) -> Result<Object<'js>> {
    let handle = api.object()?;
    handle.set("name", name.as_str())?;
    let name: Arc<str> = name.into();
    let of = Arc::clone(&name);
    api.nullary(&handle, "kind", move |host| host.provider_kind(&of))?;
    let of = Arc::clone(&name);
    api.nullary(&handle, "listModels", move |host| host.list_models(&of).map(Shaped::record))?;
    let of = Arc::clone(&name);
    asking(api, &handle, "chat", move |host, request| host.chat(&of, request).map(Shaped::record))?;
    let of = Arc::clone(&name);
    asking(api, &handle, "chatStream", move |host, request| {
        host.chat_stream(&of, request).map(Shaped::record)
    })?;
    api.add_sources(&handle)?;
    Ok(handle)
}

/// Gives a handle a function that takes a question for a model.
fn asking<'js>(
    api: &Api<'js>,
    handle: &Object<'js>,
    name: &'static str,
    ask: impl Fn(&dyn Host, ChatRequest) -> crate::host::HostResult<Shaped> + 'js,
) -> Result<()> {
    let host = api.host();
    let call = move |ctx: Ctx<'js>,
                     model: String,
                     messages: Opt<Value<'js>>,
                     tools: Opt<Value<'js>>,
                     params: Opt<Value<'js>>| {
        let given = |value: Opt<Value<'js>>| value.0.unwrap_or_else(|| Value::new_undefined(ctx.clone()));
        let messages = list(&ctx, given(messages), "messages")?;
        let tools = list(&ctx, given(tools), "tools")?;
        let params = to_json(&ctx, given(params))?;
        let request = answer(&ctx, chat_request(model, messages, tools, params, KeyCase::Camel))?;
        answer(&ctx, ask(&*host, request))
    };
    api.function(handle, name, call)
}
