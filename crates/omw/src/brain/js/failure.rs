//! Errors that a script did not catch.

use rquickjs::{CaughtError, Coerced, Exception};

use super::value;

/// Its text, with the place where it was thrown.
pub(super) fn text(error: &CaughtError<'_>) -> String {
    match error {
        CaughtError::Exception(exception) => match place(exception) {
            Some((line, column)) => format!("{} (unknown at :{line}:{column})", summary(exception)),
            None => summary(exception),
        },
        CaughtError::Value(value) => {
            let text = value::text(value.ctx(), value).ok().flatten();
            format!("Uncaught {}", text.unwrap_or_else(|| value.type_name().to_owned()))
        }
        CaughtError::Error(error) => error.to_string(),
    }
}

/// `<Type>: <message>`.
pub(super) fn summary(exception: &Exception<'_>) -> String {
    let name: Coerced<String> = exception.get("name").unwrap_or_else(|_| Coerced("Error".to_owned()));
    format!("{}: {}", name.0, exception.message().unwrap_or_default())
}

/// Line and column of the innermost frame that has them, both from 1.
pub(super) fn place(exception: &Exception<'_>) -> Option<(usize, usize)> {
    exception.stack()?.lines().find_map(|frame| {
        let mut parts = frame.trim_end().trim_end_matches(')').rsplit(':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        Some((line, column))
    })
}
