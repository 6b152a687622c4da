//! Values of scripts to JSON and back.

use rquickjs::{Array, Ctx, Exception, IntoJs, Object, Result, Value};

use super::api::answer;
use crate::brain::shape::{KeyCase, Shape};

/// A record, or JSON, on its way to a script.
pub(super) struct Shaped(serde_json::Value);

impl Shaped {
    /// A record as a script sees it.
    pub(super) fn record(record: impl Shape) -> Self {
        Self(record.shape(KeyCase::Camel))
    }
}

impl<'js> IntoJs<'js> for Shaped {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        to_script(ctx, self.0)
    }
}

fn to_script<'js>(ctx: &Ctx<'js>, value: serde_json::Value) -> Result<Value<'js>> {
    match value {
        serde_json::Value::Null => Ok(Value::new_null(ctx.clone())),
        serde_json::Value::Bool(flag) => flag.into_js(ctx),
        serde_json::Value::Number(number) => number.as_f64().into_js(ctx),
        serde_json::Value::String(text) => text.into_js(ctx),
        serde_json::Value::Array(items) => {
            let array = Array::new(ctx.clone())?;
            for (index, item) in items.into_iter().enumerate() {
                array.set(index, to_script(ctx, item)?)?;
            }
            Ok(array.into_value())
        }
        serde_json::Value::Object(members) => {
            let object = Object::new(ctx.clone())?;
            for (key, value) in members {
                object.set(key, to_script(ctx, value)?)?;
            }
            Ok(object.into_value())
        }
    }
}

/// A script's value as JSON, as `JSON.stringify` sees it; what that leaves out is null.
pub(super) fn to_json<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<serde_json::Value> {
    match ctx.json_stringify(value)? {
        None => Ok(serde_json::Value::Null),
        Some(text) => answer(ctx, serde_json::from_str(&text.to_string()?)),
    }
}

/// The elements of a list as JSON; the error names the argument.
pub(super) fn list<'js>(ctx: &Ctx<'js>, value: Value<'js>, name: &str) -> Result<Vec<serde_json::Value>> {
    if value.is_undefined() {
        return Err(Exception::throw_type(ctx, &format!("{name} must be given")));
    }
    match to_json(ctx, value)? {
        serde_json::Value::Array(items) => Ok(items),
        _ => Err(Exception::throw_type(ctx, &format!("{name} must be an array"))),
    }
}

/// A number of milliseconds since the epoch.
pub(super) fn integer(ctx: &Ctx<'_>, number: f64) -> Result<i64> {
    // Within 2^53 every integer is exact, and so is the cast.
    #[expect(clippy::cast_possible_truncation, reason = "it is an integer in the range of i64")]
    if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
        Ok(number as i64)
    } else {
        Err(Exception::throw_type(ctx, "expected an integer"))
    }
}

/// A number that counts something.
pub(super) fn count(ctx: &Ctx<'_>, number: f64) -> Result<u64> {
    let count = integer(ctx, number).ok().and_then(|number| u64::try_from(number).ok());
    count.ok_or_else(|| Exception::throw_type(ctx, "expected a non-negative integer"))
}

/// The text of a script's result: none for `undefined` and `null`, JSON for objects.
pub(super) fn text<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Option<String>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    if value.is_object()
        && let Some(text) = ctx.json_stringify(value.clone())?
    {
        return text.to_string().map(Some);
    }
    // A symbol has no text of itself.
    let text: rquickjs::Coerced<String> = value.get()?;
    Ok(Some(text.0))
}
