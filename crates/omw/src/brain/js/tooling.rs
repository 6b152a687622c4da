//! `omw.tooling`: handles of tooling.

use std::sync::Arc;

use rquickjs::{Ctx, Object, Result, Value};

use super::api::{Api, answer};
use super::value::{Shaped, to_json};
use crate::host::{Host, HostResult};

pub(super) fn module<'js>(api: &Api<'js>) -> Result<Object<'js>> {
    api.handles(|host, name| host.tooling_kind(name), handle)
}

fn handle<'js>(api: &Api<'js>, name: String) -> Result<Object<'js>> {
    let handle = api.object()?;
    handle.set("name", name.as_str())?;
    let name: Arc<str> = name.into();
    let of = Arc::clone(&name);
    api.nullary(&handle, "kind", move |host| host.tooling_kind(&of))?;
    api.add_sources(&handle)?;
    add_tools(api, &handle, &name)?;
    add_resources(api, &handle, &name)?;
    Ok(handle)
}

fn add_tools<'js>(api: &Api<'js>, handle: &Object<'js>, name: &Arc<str>) -> Result<()> {
    let of = Arc::clone(name);
    api.nullary(handle, "listTools", move |host| host.list_tools(&of).map(Shaped::record))?;
    let of = Arc::clone(name);
    calling(api, handle, "callTool", move |host, tool, arguments| {
        host.call_tool(&of, tool, arguments).map(Shaped::record)
    })?;
    let of = Arc::clone(name);
    calling(api, handle, "callToolBlocking", move |host, tool, arguments| {
        host.call_tool_blocking(&of, tool, arguments).map(Shaped::record)
    })
}

/// Gives a handle a function that takes a tool and its arguments.
fn calling<'js>(
    api: &Api<'js>,
    handle: &Object<'js>,
    name: &'static str,
    ask: impl Fn(&dyn Host, &str, serde_json::Value) -> HostResult<Shaped> + 'js,
) -> Result<()> {
    let host = api.host();
    api.function(handle, name, move |ctx: Ctx<'js>, tool: String, arguments: Value<'js>| {
        let arguments = to_json(&ctx, arguments)?;
        answer(&ctx, ask(&*host, &tool, arguments))
    })
}

fn add_resources<'js>(api: &Api<'js>, handle: &Object<'js>, name: &Arc<str>) -> Result<()> {
    let of = Arc::clone(name);
    api.nullary(handle, "listResources", move |host| host.list_resources(&of).map(Shaped::record))?;
    let of = Arc::clone(name);
    api.unary(handle, "readResource", move |host, uri| host.read_resource(&of, uri).map(Shaped::record))?;
    let of = Arc::clone(name);
    api.nullary(handle, "listResourceTemplates", move |host| {
        host.list_resource_templates(&of).map(Shaped::record)
    })?;
    let of = Arc::clone(name);
    api.nullary(handle, "subscribeResourceList", move |host| host.subscribe_resource_list(&of))?;
    let of = Arc::clone(name);
    api.unary(handle, "unsubscribeResourceList", move |host, id| host.unsubscribe_resource_list(&of, id))?;
    let of = Arc::clone(name);
    api.unary(handle, "subscribeResource", move |host, uri| host.subscribe_resource(&of, uri))?;
    let of = Arc::clone(name);
    api.unary(handle, "unsubscribeResource", move |host, id| host.unsubscribe_resource(&of, id))
}
