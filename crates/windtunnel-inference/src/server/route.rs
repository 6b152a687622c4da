//! What a path below a case asks for.

use hyper::Method;

use crate::wire::{self, Operation, Protocol};

/// What a request asks for.
pub(super) enum Route<'p> {
    /// Something over a wire.
    Post(&'static dyn Protocol, Operation),
    /// The list of models.
    Models,
    /// One model.
    Model(&'p str),
    /// The path exists, for another method.
    WrongMethod {
        allowed: &'static str,
    },
    NotFound,
}

/// Finds what `path` asks for.
pub(super) fn route<'p>(method: &Method, path: &'p str) -> Route<'p> {
    let rest = wire::below_version(path).trim_end_matches('/');
    let read = |route| if *method == Method::GET { route } else { Route::WrongMethod { allowed: "GET" } };
    if rest == "models" {
        return read(Route::Models);
    }
    if let Some(id) = rest.strip_prefix("models/") {
        return read(Route::Model(id));
    }
    match wire::of_path(rest) {
        Some((protocol, operation)) if *method == Method::POST => Route::Post(protocol, operation),
        Some(_) => Route::WrongMethod { allowed: "POST" },
        None => Route::NotFound,
    }
}

/// The paths that exist, for a message.
pub(super) fn known_paths() -> String {
    let posted = wire::ALL.into_iter().flat_map(Protocol::paths).map(|(path, _)| format!("POST /v1/{path}"));
    posted.chain(["GET /v1/models".to_owned()]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_with_any_number_of_version_segments() {
        let name = |method: Method, path: &str| match route(&method, path) {
            Route::Post(protocol, _) => protocol.wire().name().to_owned(),
            Route::Models => "models".to_owned(),
            Route::Model(id) => format!("model {id}"),
            Route::WrongMethod { allowed } => format!("only {allowed}"),
            Route::NotFound => "not found".to_owned(),
        };
        for (method, path, expected) in [
            (Method::POST, "/v1/chat/completions", "openai-chat"),
            (Method::POST, "/chat/completions", "openai-chat"),
            (Method::POST, "/v1/v1/chat/completions", "openai-chat"),
            (Method::POST, "/v1/chat/completions/", "openai-chat"),
            (Method::GET, "/v1/chat/completions", "only POST"),
            (Method::GET, "/v1/models", "models"),
            (Method::GET, "/models/gpt-5/mini", "model gpt-5/mini"),
            (Method::POST, "/v1/models", "only GET"),
            (Method::POST, "/v1/embeddings", "not found"),
            (Method::GET, "/", "not found"),
        ] {
            assert_eq!(name(method, path), expected, "{path}");
        }
    }
}
