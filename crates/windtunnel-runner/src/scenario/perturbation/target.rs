//! Which tool a perturbation is done to.

use serde_json::Value;
use windtunnel_api::Scenario;
use windtunnel_api::scenario::{CallRequirement, Perturbation, PerturbationKind};
use windtunnel_doc::nearest;

use crate::scenario::served::Served;

/// A tool in a history: its name, and its definition where it is served.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target<'a> {
    pub(super) tool: String,
    pub(super) definition: Option<&'a Value>,
}

impl Target<'_> {
    /// The JSON Schema of its arguments.
    pub(super) fn arguments(&self) -> Option<&Value> {
        self.definition?.get("inputSchema")
    }

    /// The JSON Schema of its results.
    pub(super) fn results(&self) -> Option<&Value> {
        self.definition?.get("outputSchema")
    }
}

/// The tool that is made to fail. It has to be served.
///
/// ```text
/// named   served   must_call       tool
/// yes     yes      -               the named one
/// yes     no       -               error
/// no      -        some served     the first that is
/// no      -        none served     error
/// ```
pub(super) fn of_environment(
    perturbation: &Perturbation,
    scenario: &Scenario,
    served: &Served,
) -> Result<String, String> {
    let is_served = |name: &str| served.tools().any(|tool| tool.name == name);
    if let Some(name) = &perturbation.tool {
        return if is_served(name) { Ok(name.clone()) } else { Err(not_served(name, served)) };
    }
    required(scenario).find(|name| is_served(name)).map(str::to_owned).ok_or_else(|| {
        let named: Vec<&str> = required(scenario).collect();
        format!(
            "no tool of must_call is served ({}); name one with `tool`; {}",
            named.join(", "),
            listed(served)
        )
    })
}

/// The tool that an earlier call is of. Agents may bring tools of their own, so one that is required need not be served.
///
/// ```text
/// named   served or required   must_call       served   tool
/// yes     yes                  -               -        the named one
/// yes     no                   -               -        error
/// no      -                    some            -        the first that is served, else the first
/// no      -                    none            some     the first served
/// no      -                    none            none     one that does not exist
/// ```
///
/// A wrong prior call is of another tool than these: the first served one that is not required, else the second served one,
/// else one that does not exist.
pub(super) fn of_history<'s>(
    perturbation: &Perturbation,
    scenario: &Scenario,
    served: &'s Served,
) -> Result<Target<'s>, String> {
    let definition = |name: &str| served.tools().find(|tool| tool.name == name).map(|tool| &tool.definition);
    let target = |name: &str| Target { tool: name.to_owned(), definition: definition(name) };
    let is_required = |name: &str| required(scenario).any(|required| required == name);
    if let Some(name) = &perturbation.tool {
        let is_known = definition(name).is_some() || is_required(name);
        return if is_known { Ok(target(name)) } else { Err(not_served(name, served)) };
    }
    let first_served = served.tools().map(|tool| tool.name.as_str()).next();
    let mut names = required(scenario);
    let right = required(scenario)
        .find(|name| definition(name).is_some())
        .or_else(|| names.next())
        .or(first_served)
        .unwrap_or("lookup_record");
    if perturbation.kind != PerturbationKind::InjectWrongPriorToolCall {
        return Ok(target(right));
    }
    let others = || served.tools().map(|tool| tool.name.as_str()).filter(|name| *name != right);
    let wrong = others().find(|name| !is_required(name)).or_else(|| others().next());
    Ok(wrong.map_or_else(|| target(&format!("legacy_{right}")), target))
}

/// The tools of `must_call`, in order.
fn required(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.must_call.iter().flat_map(CallRequirement::names).map(String::as_str)
}

fn not_served(name: &str, served: &Served) -> String {
    let near = nearest(name, served.tools().map(|tool| tool.name.as_str()));
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("{name} is not served; {}{hint}", listed(served))
}

fn listed(served: &Served) -> String {
    let names: Vec<&str> = served.tools().map(|tool| tool.name.as_str()).collect();
    let mut text =
        if names.is_empty() { "no tools are".to_owned() } else { format!("served are {}", names.join(", ")) };
    for error in &served.unknown {
        text = format!("{text}; {error}");
    }
    text
}
