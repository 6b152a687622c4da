//! `omw::tooling`: handles of tooling.

use rhai::{Dynamic, FuncRegistration, ImmutableString, Map, Module, NativeCallContext as Context};

use super::context::{Native, ask};
use super::value::{map_to_json, shaped};

/// What `omw::tooling::get` gives.
#[derive(Clone)]
struct Tooling(ImmutableString);

pub(super) fn module() -> Module {
    let mut module = Module::new();
    module.set_native_fn("get", |context: Context, name: ImmutableString| -> Native<Tooling> {
        ask(&context, |host| host.tooling_kind(&name))?;
        Ok(Tooling(name))
    });
    module
}

pub(super) fn add_methods(module: &mut Module) {
    module.set_custom_type::<Tooling>("Tooling");
    FuncRegistration::new_getter("name").set_into_module(module, |tooling: &mut Tooling| tooling.0.clone());
    module.set_native_fn("kind", |context: Context, tooling: &mut Tooling| -> Native<String> {
        ask(&context, |host| host.tooling_kind(&tooling.0))
    });
    module.set_native_fn("is_open", |context: Context, _: &mut Tooling, id: &str| -> Native<bool> {
        ask(&context, |host| Ok(host.is_open(id)))
    });
    module.set_native_fn("cancel", |context: Context, _: &mut Tooling, id: &str| -> Native<()> {
        ask(&context, |host| {
            host.cancel(id);
            Ok(())
        })
    });
    add_tool_methods(module);
    add_resource_methods(module);
}

fn add_tool_methods(module: &mut Module) {
    module.set_native_fn("list_tools", |context: Context, tooling: &mut Tooling| -> Native<Dynamic> {
        ask(&context, |host| host.list_tools(&tooling.0)).map(shaped)
    });
    module.set_native_fn(
        "call_tool",
        |context: Context, tooling: &mut Tooling, tool: &str, arguments: Map| -> Native<String> {
            let arguments = map_to_json(&context, &arguments)?;
            ask(&context, |host| host.call_tool(&tooling.0, tool, arguments))
        },
    );
    module.set_native_fn(
        "call_tool_blocking",
        |context: Context, tooling: &mut Tooling, tool: &str, arguments: Map| -> Native<Dynamic> {
            let arguments = map_to_json(&context, &arguments)?;
            ask(&context, |host| host.call_tool_blocking(&tooling.0, tool, arguments)).map(shaped)
        },
    );
}

fn add_resource_methods(module: &mut Module) {
    module.set_native_fn("list_resources", |context: Context, tooling: &mut Tooling| -> Native<Dynamic> {
        ask(&context, |host| host.list_resources(&tooling.0)).map(shaped)
    });
    module.set_native_fn(
        "read_resource",
        |context: Context, tooling: &mut Tooling, uri: &str| -> Native<Dynamic> {
            ask(&context, |host| host.read_resource(&tooling.0, uri)).map(shaped)
        },
    );
    module.set_native_fn(
        "list_resource_templates",
        |context: Context, tooling: &mut Tooling| -> Native<Dynamic> {
            ask(&context, |host| host.list_resource_templates(&tooling.0)).map(shaped)
        },
    );
    module.set_native_fn(
        "subscribe_resource_list",
        |context: Context, tooling: &mut Tooling| -> Native<String> {
            ask(&context, |host| host.subscribe_resource_list(&tooling.0))
        },
    );
    module.set_native_fn(
        "unsubscribe_resource_list",
        |context: Context, tooling: &mut Tooling, id: &str| -> Native<()> {
            ask(&context, |host| host.unsubscribe_resource_list(&tooling.0, id))
        },
    );
    module.set_native_fn(
        "subscribe_resource",
        |context: Context, tooling: &mut Tooling, uri: &str| -> Native<String> {
            ask(&context, |host| host.subscribe_resource(&tooling.0, uri))
        },
    );
    module.set_native_fn(
        "unsubscribe_resource",
        |context: Context, tooling: &mut Tooling, id: &str| -> Native<()> {
            ask(&context, |host| host.unsubscribe_resource(&tooling.0, id))
        },
    );
}
