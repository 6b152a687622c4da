//! `omw::provider`: handles of providers.

use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Module, NativeCallContext as Context};
use serde_json::Value;

use super::context::{Native, ask, error};
use super::value::{list_to_json, shaped, to_json};
use crate::brain::shape::{KeyCase, chat_request};
use crate::exchange::ChatRequest;

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
    module.set_native_fn(
        "chat",
        |context: Context, provider: &mut Provider, model: &str, messages: Array, tools: Array| {
            chat(&context, provider, request(&context, model, &messages, &tools, &Dynamic::UNIT)?)
        },
    );
    module.set_native_fn(
        "chat",
        |context: Context,
         provider: &mut Provider,
         model: &str,
         messages: Array,
         tools: Array,
         params: Dynamic| {
            chat(&context, provider, request(&context, model, &messages, &tools, &params)?)
        },
    );
    module.set_native_fn(
        "chat_stream",
        |context: Context, provider: &mut Provider, model: &str, messages: Array, tools: Array| {
            chat_stream(&context, provider, request(&context, model, &messages, &tools, &Dynamic::UNIT)?)
        },
    );
    module.set_native_fn(
        "chat_stream",
        |context: Context,
         provider: &mut Provider,
         model: &str,
         messages: Array,
         tools: Array,
         params: Dynamic| {
            chat_stream(&context, provider, request(&context, model, &messages, &tools, &params)?)
        },
    );
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

fn chat(context: &Context, provider: &Provider, request: ChatRequest) -> Native<Dynamic> {
    ask(context, |host| host.chat(&provider.0, request)).map(shaped)
}

fn chat_stream(context: &Context, provider: &Provider, request: ChatRequest) -> Native<String> {
    ask(context, |host| host.chat_stream(&provider.0, request))
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
