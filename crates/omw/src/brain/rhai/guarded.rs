//! Functions of the language that would block, never end, or make too much before anybody could look: ours take their places.

use rhai::{Array, Dynamic, EvalAltResult, ImmutableString, Module, NativeCallContext as Context, Position};

use super::context::{Native, ask, count, error};
use super::engine::{MAX_ELEMENTS, MAX_STRING_BYTES};
use super::value::to_script;

pub(super) fn module() -> Module {
    let mut module = Module::new();
    add_sleep(&mut module);
    add_pad(&mut module);
    add_replace(&mut module);
    // The engine's own reads JSON as a script, with a script's limits of nesting.
    module.set_native_fn("parse_json", |context: Context, text: &str| -> Native<Dynamic> {
        serde_json::from_str(text).map(to_script).map_err(|failure| error(&context, failure))
    });
    module
}

/// `sleep(seconds)`, which a stop ends.
fn add_sleep(module: &mut Module) {
    module.set_native_fn("sleep", |context: Context, seconds: i64| -> Native<()> {
        let ms = count(&context, seconds.max(0))?.saturating_mul(1000);
        ask(&context, |host| host.sleep_for(ms))
    });
    module.set_native_fn("sleep", |context: Context, seconds: f64| -> Native<()> {
        // Saturates; not a number is no time.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is wanted")]
        let ms = (seconds * 1000.0) as u64;
        ask(&context, |host| host.sleep_for(ms))
    });
}

/// `pad`, also for an empty padding, and for a length whose product with an item's size overflows.
fn add_pad(module: &mut Module) {
    module.set_native_fn("pad", |string: &mut ImmutableString, length: i64, padding: &str| -> Native<()> {
        let length = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
        let letters = length.saturating_sub(string.chars().count());
        if letters == 0 || padding.is_empty() {
            return Ok(());
        }
        if length > MAX_STRING_BYTES {
            return Err(too_large("Length of string"));
        }
        let added: String = padding.chars().cycle().take(letters).collect();
        *string += added;
        Ok(())
    });
    module.set_native_fn("pad", |list: &mut Array, length: i64, item: Dynamic| -> Native<()> {
        let length = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
        let items = length.saturating_sub(list.len());
        // Each added item counts with what is inside it.
        if items.saturating_mul(weight(&item)) > MAX_ELEMENTS {
            return Err(too_large("Size of array/BLOB"));
        }
        if items > 0 {
            list.resize(length, item);
        }
        Ok(())
    });
}

/// `replace`, looking at the length of what it is going to make.
fn add_replace(module: &mut Module) {
    module.set_native_fn("replace", |string: &mut ImmutableString, old: &str, new: &str| {
        replace(string, old, new)
    });
    module.set_native_fn("replace", |string: &mut ImmutableString, old: &str, new: char| {
        replace(string, old, new.encode_utf8(&mut [0; 4]))
    });
    module.set_native_fn("replace", |string: &mut ImmutableString, old: char, new: &str| {
        replace(string, old.encode_utf8(&mut [0; 4]), new)
    });
}

fn replace(string: &mut ImmutableString, old: &str, new: &str) -> Native<()> {
    if string.is_empty() {
        return Ok(());
    }
    let growth = new.len().saturating_sub(old.len());
    if growth > 0 {
        let added = string.matches(old).count().saturating_mul(growth);
        if string.len().saturating_add(added) > MAX_STRING_BYTES {
            return Err(too_large("Length of string"));
        }
    }
    *string = string.replace(old, new).into();
    Ok(())
}

/// How many elements and members a value is made of; at least 1.
fn weight(value: &Dynamic) -> usize {
    if let Some(list) = value.read_lock::<Array>() {
        list.iter().map(weight).fold(1, usize::saturating_add)
    } else if let Some(map) = value.read_lock::<rhai::Map>() {
        map.values().map(weight).fold(1, usize::saturating_add)
    } else if let Some(text) = value.read_lock::<ImmutableString>() {
        // So that the limits of text and of elements are reached together.
        1 + text.len() / (MAX_STRING_BYTES / MAX_ELEMENTS)
    } else {
        1
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "the errors of the engine are boxed")]
fn too_large(what: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorDataTooLarge(what.to_owned(), Position::NONE))
}
