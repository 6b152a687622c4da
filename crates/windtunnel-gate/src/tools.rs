//! The tool-name rule over what a trace knows of the served tools.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use windtunnel_api::Evidence;
use windtunnel_api::tool_name::{self, Served};

/// Bytes of a called name that decorations are looked for in. Providers allow 64.
const MAX_DECORATED: usize = 256;

/// The known servers and tools of a run.
#[derive(Debug)]
pub(crate) struct Tools<'t> {
    servers: Vec<&'t str>,
    tools: Vec<&'t str>,
}

impl<'t> Tools<'t> {
    /// What was served, and the servers that witnessed calls name.
    pub(crate) fn new(served: &'t IndexMap<String, Vec<String>>, events: &'t [Evidence]) -> Self {
        let witnessed = events.iter().filter_map(|event| match event {
            Evidence::ToolCall(call) if !call.server.is_empty() => Some(call.server.as_str()),
            _ => None,
        });
        let servers: BTreeSet<&str> = served.keys().map(String::as_str).chain(witnessed).collect();
        let tools: BTreeSet<&str> = served.values().flatten().map(String::as_str).collect();
        Self { servers: servers.into_iter().collect(), tools: tools.into_iter().collect() }
    }

    /// Whether `called` means the tool `bare`.
    pub(crate) fn same(&self, called: &str, bare: &str) -> bool {
        called == bare || (called.len() <= MAX_DECORATED && tool_name::matches(called, bare, &self.served()))
    }

    /// The shorter names that a called one means.
    pub(crate) fn bare_names(&self, called: &str) -> Vec<String> {
        if called.len() > MAX_DECORATED {
            return Vec::new();
        }
        let shorter = called.char_indices().skip(1).filter_map(|(start, _)| called.get(start..));
        shorter.filter(|bare| self.same(called, bare)).map(str::to_owned).collect()
    }

    fn served(&self) -> Served<'_> {
        Served { servers: &self.servers, tools: &self.tools }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture;

    #[test]
    fn a_server_that_only_a_witnessed_call_names_is_known() {
        let events = [Evidence::ToolCall(fixture::call("crm", "crm_lookup", json!({}), json!(null)))];
        let served = IndexMap::new();
        assert!(Tools::new(&served, &events).same("crm_lookup", "lookup"));
        assert!(!Tools::new(&served, &[]).same("crm_lookup", "lookup"));
    }

    #[test]
    fn a_served_tool_of_the_longer_name_is_no_decoration() {
        let served = fixture::served([("crm", &["lookup", "crm_lookup"][..])]);
        let tools = Tools::new(&served, &[]);
        assert!(!tools.same("crm_lookup", "lookup"));
        assert_eq!(tools.bare_names("crm_lookup"), Vec::<String>::new());
        assert_eq!(tools.bare_names("crm.lookup"), ["lookup"]);
    }

    #[test]
    fn a_name_of_absurd_length_means_only_itself() {
        let served = fixture::served([("mcp", &["lookup"][..])]);
        let tools = Tools::new(&served, &[]);
        let called = format!("{}lookup", "mcp_".repeat(100_000));
        assert!(!tools.same(&called, "lookup"));
        assert!(tools.same(&called, &called));
    }
}
