//! Values of scripts to JSON and back.

use rhai::{Array, Blob, Dynamic, ImmutableString, Map, NativeCallContext as Context};
use serde_json::Value;

use super::context::{Native, error};
use crate::brain::shape::{KeyCase, Shape};

/// How deep lists and maps that are handed over may be nested.
const MAX_DEPTH: usize = 128;

/// A record as a script sees it.
pub(super) fn shaped(record: impl Shape) -> Dynamic {
    to_script(record.shape(KeyCase::Snake))
}

/// JSON as a script sees it. A number that is no 64-bit integer is a float.
pub(super) fn to_script(value: Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(value) => value.into(),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64().unwrap_or(f64::NAN).into(),
        },
        Value::String(text) => text.into(),
        Value::Array(items) => items.into_iter().map(to_script).collect::<Array>().into(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key.into(), to_script(value))).collect::<Map>().into()
        }
    }
}

/// A script's value as JSON: `()` is null, a character is a string, a blob is a list of numbers.
pub(super) fn to_json(context: &Context, value: &Dynamic) -> Native<Value> {
    nested(context, value, MAX_DEPTH)
}

/// The elements of a list as JSON.
pub(super) fn list_to_json(context: &Context, list: &Array) -> Native<Vec<Value>> {
    list.iter().map(|item| to_json(context, item)).collect()
}

/// A map as JSON.
pub(super) fn map_to_json(context: &Context, map: &Map) -> Native<Value> {
    members(context, map, MAX_DEPTH)
}

fn nested(context: &Context, value: &Dynamic, depth: usize) -> Native<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error(context, format_args!("a value is nested more than {MAX_DEPTH} levels deep")));
    };
    if let Some(text) = value.read_lock::<ImmutableString>() {
        Ok(Value::String(text.to_string()))
    } else if let Some(map) = value.read_lock::<Map>() {
        members(context, &map, depth)
    } else if let Some(list) = value.read_lock::<Array>() {
        list.iter().map(|item| nested(context, item, depth)).collect::<Native<_>>().map(Value::Array)
    } else if let Ok(number) = value.as_int() {
        Ok(number.into())
    } else if let Ok(number) = value.as_float() {
        Ok(number.into())
    } else if let Ok(flag) = value.as_bool() {
        Ok(flag.into())
    } else if value.is_unit() {
        Ok(Value::Null)
    } else if let Ok(letter) = value.as_char() {
        Ok(letter.to_string().into())
    } else if let Some(bytes) = value.read_lock::<Blob>() {
        Ok(bytes.as_slice().into())
    } else {
        let name = context.engine().map_type_name(value.type_name());
        Err(error(context, format_args!("a value of type {name} has no JSON form")))
    }
}

fn members(context: &Context, map: &Map, depth: usize) -> Native<Value> {
    map.iter()
        .map(|(key, value)| Ok((key.to_string(), nested(context, value, depth)?)))
        .collect::<Native<_>>()
        .map(Value::Object)
}
