//! `omw::provider`: handles of providers.

use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Module, NativeCallContext as Context};
use serde_json::Value;

use super::context::{Native, ask, error};
use super::value::{list_to_json, shaped, to_json};
use crate::brain::shape::{KeyCase, chat_request};
use crate::exchange::ChatRequest;
use crate::host::{Host, HostResult};

/// What `omw::provider::get` gives.
#[derive(Clone)]
struct Provider(ImmutableString);

pub(super) fn module() -> Module {
    let mut module = Module::new();
    module.set_native_fn("get", |context: Context, name: ImmutableString| -> Native<Provider> {
        ask(&context, |host| host.provider_kind(&name))?;
        Ok(Provider(name))
    });
    module
}

pub(super) fn add_methods(module: &mut Module) {
    module.set_custom_type::<Provider>("Provider");
    FuncRegistration::new_getter("name")
        .set_into_module(module, |provider: &mut Provider| provider.0.clone());
    module.set_native_fn("kind", |context: Context, provider: &mut Provider| -> Native<String> {
        ask(&context, |host| host.provider_kind(&provider.0))
    });
    module.set_native_fn("list_models", |context: Context, provider: &mut Provider| -> Native<Dynamic> {
        ask(&context, |host| host.list_models(&provider.0)).map(shaped)
    });
    add_question(module, "chat", |host, provider, request| host.chat(provider, request).map(shaped));
    add_question(module, "chat_stream", |host, provider, request| {
        host.chat_stream(provider, request).map(Dynamic::from)
    });
    module.set_native_fn("is_open", |context: Context, _: &mut Provider, id: &str| -> Native<bool> {
        ask(&context, |host| Ok(host.is_open(id)))
    });
    module.set_native_fn("cancel", |context: Context, _: &mut Provider, id: &str| -> Native<()> {
        ask(&context, |host| {
            host.cancel(id);
            Ok(())
        })
    });
}

/// Adds a method that asks a model, with parameters and without.
fn add_question(
    module: &mut Module,
    name: &str,
    call: impl Fn(&dyn Host, &str, ChatRequest) -> HostResult<Dynamic> + Copy + Send + Sync + 'static,
) {
    module.set_native_fn(
        name,
        move |context: Context, provider: &mut Provider, model: &str, messages: Array, tools: Array| {
            let request = request(&context, model, &messages, &tools, &Dynamic::UNIT)?;
            ask(&context, |host| call(host, &provider.0, request))
        },
    );
    module.set_native_fn(
        name,
        move |context: Context,
              provider: &mut Provider,
              model: &str,
              messages: Array,
              tools: Array,
              params: Dynamic| {
            let request = request(&context, model, &messages, &tools, &params)?;
            ask(&context, |host| call(host, &provider.0, request))
        },
    );
}

fn request(
    context: &Context,
    model: &str,
    messages: &Array,
    tools: &Array,
    params: &Dynamic,
) -> Native<ChatRequest> {
    let params = if params.is_map() || params.is_string() || params.is_unit() {
        to_json(context, params)?
    } else {
        // Any value that params cannot be: it is the request that says so.
        Value::Bool(false)
    };
    let (messages, tools) = (list_to_json(context, messages)?, list_to_json(context, tools)?);
    chat_request(model.to_owned(), messages, tools, params, KeyCase::Snake)
        .map_err(|misshapen| error(context, misshapen))
}
