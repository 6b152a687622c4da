//! `omw::host`: everything else that a brain may do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rhai::{Blob, Dynamic, Map, Module, NativeCallContext as Context};

use super::context::{Native, ask, count, error};
use super::value::{map_to_json, shaped, to_json, to_script};
use crate::brain::shape::{KeyCase, delta, parsed};

pub(super) fn module() -> Module {
    let mut module = Module::new();
    add_basics(&mut module);
    add_timers(&mut module);
    add_subscriptions(&mut module);
    add_inbox(&mut module);
    add_memory(&mut module);
    module
}

fn add_basics(module: &mut Module) {
    module.set_native_fn("log", |context: Context, level: &str, message: &str| -> Native<()> {
        ask(&context, |host| {
            host.log(level, message);
            Ok(())
        })
    });
    module.set_native_fn("whoami", |context: Context| -> Native<String> {
        ask(&context, |host| Ok(host.whoami()))
    });
    module.set_native_fn("time_now", |context: Context| -> Native<i64> {
        ask(&context, |host| Ok(host.time_now()))
    });
    module.set_native_fn("time_format", |context: Context, ts: i64, format: &str| -> Native<String> {
        ask(&context, |host| host.time_format(ts, format))
    });
    module.set_native_fn("new_uuid", |context: Context| -> Native<String> {
        ask(&context, |host| Ok(host.new_uuid()))
    });
    module.set_native_fn("base64_encode", |bytes: Blob| -> Native<String> { Ok(BASE64.encode(bytes)) });
    module.set_native_fn("base64_decode", |context: Context, text: &str| -> Native<Blob> {
        BASE64.decode(text).map_err(|failure| error(&context, failure))
    });
}

fn add_timers(module: &mut Module) {
    module.set_native_fn("wait_for", |context: Context, ms: i64| -> Native<String> {
        let ms = count(&context, ms)?;
        ask(&context, |host| host.wait_for(ms))
    });
    module.set_native_fn("wait_until", |context: Context, ts: i64| -> Native<String> {
        ask(&context, |host| host.wait_until(ts))
    });
    module.set_native_fn("wait_cron", |context: Context, spec: &str| -> Native<String> {
        ask(&context, |host| host.wait_cron(spec))
    });
    module.set_native_fn("cancel_timer", |context: Context, id: &str| -> Native<()> {
        ask(&context, |host| host.cancel_timer(id))
    });
    module.set_native_fn("sleep_for", |context: Context, ms: i64| -> Native<()> {
        let ms = count(&context, ms)?;
        ask(&context, |host| host.sleep_for(ms))
    });
    module.set_native_fn("sleep_until", |context: Context, ts: i64| -> Native<()> {
        ask(&context, |host| host.sleep_until(ts))
    });
    module.set_native_fn("sleep_cron", |context: Context, spec: &str| -> Native<()> {
        ask(&context, |host| host.sleep_cron(spec))
    });
}

fn add_subscriptions(module: &mut Module) {
    module.set_native_fn("subscribe_lifecycle", |context: Context| -> Native<String> {
        ask(&context, |host| host.subscribe_lifecycle())
    });
    module.set_native_fn("unsubscribe_lifecycle", |context: Context, id: &str| -> Native<()> {
        ask(&context, |host| host.unsubscribe_lifecycle(id))
    });
    module.set_native_fn("subscribe_agent", |context: Context, agent: &str| -> Native<String> {
        ask(&context, |host| host.subscribe_agent(agent))
    });
    module.set_native_fn("unsubscribe_agent", |context: Context, id: &str| -> Native<()> {
        ask(&context, |host| host.unsubscribe_agent(id))
    });
    module.set_native_fn("send_agent", |context: Context, agent: &str, payload: &str| -> Native<()> {
        ask(&context, |host| host.send_agent(agent, payload))
    });
    module.set_native_fn("subscribe_endpoint", |context: Context, model: &str| -> Native<String> {
        ask(&context, |host| host.subscribe_endpoint(model))
    });
    module.set_native_fn("unsubscribe_endpoint", |context: Context, id: &str| -> Native<()> {
        ask(&context, |host| host.unsubscribe_endpoint(id))
    });
    module.set_native_fn("stream_endpoint", |context: Context, session: &str, piece: Map| -> Native<()> {
        let piece = delta(map_to_json(&context, &piece)?, KeyCase::Snake)
            .map_err(|misshapen| error(&context, misshapen))?;
        ask(&context, |host| host.stream_endpoint(session, piece))
    });
}

fn add_inbox(module: &mut Module) {
    module.set_native_fn("recv", |context: Context| -> Native<Dynamic> {
        ask(&context, |host| host.recv()).map(shaped)
    });
    module.set_native_fn("try_recv", |context: Context| -> Native<Dynamic> {
        Ok(ask(&context, |host| host.try_recv())?.map_or(Dynamic::UNIT, shaped))
    });
}

fn add_memory(module: &mut Module) {
    module.set_native_fn("memory_get", |context: Context, key: &str| -> Native<Dynamic> {
        Ok(ask(&context, |host| host.memory_get(key))?.map_or(Dynamic::UNIT, Dynamic::from))
    });
    module.set_native_fn("memory_get_as", |context: Context, key: &str| -> Native<Dynamic> {
        let text = ask(&context, |host| host.memory_get(key))?;
        Ok(text.map_or(Dynamic::UNIT, |text| to_script(parsed(text))))
    });
    module.set_native_fn("memory_set", |context: Context, key: &str, value: &str| -> Native<()> {
        ask(&context, |host| host.memory_set(key, value))
    });
    module.set_native_fn("memory_set_as", |context: Context, key: &str, value: Dynamic| -> Native<()> {
        let text = to_json(&context, &value)?.to_string();
        ask(&context, |host| host.memory_set(key, &text))
    });
    module.set_native_fn("memory_remove", |context: Context, key: &str| -> Native<bool> {
        ask(&context, |host| host.memory_remove(key))
    });
}
