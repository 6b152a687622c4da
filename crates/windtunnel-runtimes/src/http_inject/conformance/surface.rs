//! Whether what the endpoint tells of its prompt surface is one.

use super::finding::{Finding, Rule};
use super::visit::Visit;
use crate::http_inject::protocol::Route;
use crate::http_inject::surface;

const SURFACE: Rule = Rule {
    name: "surface",
    demands: "POST /wt/surface tells system_instructions, tool_definitions and extra_segments, or is absent (404 or 501)",
};

pub(super) async fn check(visit: &Visit<'_>) -> Finding {
    let answer = match visit.ask(Route::Surface).await {
        Ok(answer) => answer,
        Err(lost) => return SURFACE.broken(lost.to_string()),
    };
    match surface::read(&answer, visit.redactor) {
        Ok(Some(surface)) => SURFACE.kept(format!(
            "{} instructions, {} tools, {} other segments",
            surface.system_instructions.len(),
            surface.tool_definitions.len(),
            surface.extra_segments.len()
        )),
        Ok(None) => SURFACE.kept("the route is absent: traces say that the surface is unavailable"),
        Err(what) => SURFACE.broken(what),
    }
}
