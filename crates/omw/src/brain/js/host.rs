//! `omw.host`: everything else that a brain may do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rquickjs::{Ctx, Object, Result, Value};

use super::api::{Api, answer};
use super::value::{Shaped, count, integer, to_json};
use crate::brain::shape::{KeyCase, delta, parsed};
use crate::host::{Host, HostResult};

pub(super) fn module<'js>(api: &Api<'js>) -> Result<Object<'js>> {
    let module = api.object()?;
    add_basics(api, &module)?;
    add_timers(api, &module)?;
    add_subscriptions(api, &module)?;
    add_inbox(api, &module)?;
    add_memory(api, &module)?;
    Ok(module)
}

fn add_basics<'js>(api: &Api<'js>, module: &Object<'js>) -> Result<()> {
    api.binary(module, "log", |host, level, message| {
        host.log(level, message);
        Ok(())
    })?;
    api.nullary(module, "whoami", |host| Ok(host.whoami()))?;
    // Exact: times that the calendar has are far below 2^53 milliseconds.
    #[expect(clippy::cast_precision_loss, reason = "it loses none")]
    api.nullary(module, "timeNow", |host| Ok(host.time_now() as f64))?;
    let host = api.host();
    api.function(module, "timeFormat", move |ctx: Ctx<'js>, ts: f64, format: String| {
        answer(&ctx, host.time_format(integer(&ctx, ts)?, &format))
    })?;
    api.nullary(module, "newUuid", |host| Ok(host.new_uuid()))?;
    api.function(module, "base64Encode", |bytes: Vec<u8>| BASE64.encode(bytes))?;
    api.function(module, "base64Decode", |ctx: Ctx<'js>, text: String| answer(&ctx, BASE64.decode(text)))
}

fn add_timers<'js>(api: &Api<'js>, module: &Object<'js>) -> Result<()> {
    timing(api, module, "waitFor", count, |host, ms| host.wait_for(ms))?;
    timing(api, module, "waitUntil", integer, |host, ts| host.wait_until(ts))?;
    api.unary(module, "waitCron", |host, spec| host.wait_cron(spec))?;
    api.unary(module, "cancelTimer", |host, id| host.cancel_timer(id))?;
    timing(api, module, "sleepFor", count, |host, ms| host.sleep_for(ms))?;
    timing(api, module, "sleepUntil", integer, |host, ts| host.sleep_until(ts))?;
    api.unary(module, "sleepCron", |host, spec| host.sleep_cron(spec))
}

/// Gives the module a function that takes a number.
fn timing<'js, N: 'static, R: rquickjs::IntoJs<'js> + 'js>(
    api: &Api<'js>,
    module: &Object<'js>,
    name: &'static str,
    convert: fn(&Ctx<'_>, f64) -> Result<N>,
    call: impl Fn(&dyn Host, N) -> HostResult<R> + 'js,
) -> Result<()> {
    let host = api.host();
    api.function(module, name, move |ctx: Ctx<'js>, number: f64| {
        let number = convert(&ctx, number)?;
        answer(&ctx, call(&*host, number))
    })
}

fn add_subscriptions<'js>(api: &Api<'js>, module: &Object<'js>) -> Result<()> {
    api.nullary(module, "subscribeLifecycle", |host| host.subscribe_lifecycle())?;
    api.unary(module, "unsubscribeLifecycle", |host, id| host.unsubscribe_lifecycle(id))?;
    api.unary(module, "subscribeAgent", |host, agent| host.subscribe_agent(agent))?;
    api.unary(module, "unsubscribeAgent", |host, id| host.unsubscribe_agent(id))?;
    api.binary(module, "sendAgent", |host, agent, payload| host.send_agent(agent, payload))?;
    api.unary(module, "subscribeEndpoint", |host, model| host.subscribe_endpoint(model))?;
    api.unary(module, "unsubscribeEndpoint", |host, id| host.unsubscribe_endpoint(id))?;
    let host = api.host();
    api.function(module, "streamEndpoint", move |ctx: Ctx<'js>, session: String, piece: Value<'js>| {
        let piece = answer(&ctx, delta(to_json(&ctx, piece)?, KeyCase::Camel))?;
        answer(&ctx, host.stream_endpoint(&session, piece))
    })
}

fn add_inbox<'js>(api: &Api<'js>, module: &Object<'js>) -> Result<()> {
    api.nullary(module, "recv", |host| host.recv().map(Shaped::record))?;
    api.nullary(module, "tryRecv", |host| Ok(host.try_recv()?.map(Shaped::record)))
}

fn add_memory<'js>(api: &Api<'js>, module: &Object<'js>) -> Result<()> {
    api.unary(module, "memoryGet", |host, key| host.memory_get(key))?;
    api.unary(module, "memoryGetAs", |host, key| Ok(host.memory_get(key)?.map(parsed).map(Shaped::record)))?;
    api.binary(module, "memorySet", |host, key, value| host.memory_set(key, value))?;
    let host = api.host();
    api.function(module, "memorySetAs", move |ctx: Ctx<'js>, key: String, value: Value<'js>| {
        let text = to_json(&ctx, value)?.to_string();
        answer(&ctx, host.memory_set(&key, &text))
    })?;
    api.unary(module, "memoryRemove", |host, key| host.memory_remove(key))
}
