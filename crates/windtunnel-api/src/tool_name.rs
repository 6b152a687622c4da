//! The tool-name rule: when a decorated name means a bare one.
//!
//! Agents offer a tool `lookup` of a server `crm` as `lookup`, `mcp__crm__lookup`, `crm.lookup` or `crm_lookup`. A
//! decorated name matches a bare one only if stripping a decoration that names a known server, or `mcp`, leaves
//! exactly the bare name, and no served tool is itself called by the longer name. So `lookup` never matches the different
//! tool `client_lookup`.

/// What is known of the tools that were served.
#[derive(Debug, Clone, Copy)]
pub struct Served<'a> {
    /// Names of the tool servers.
    pub servers: &'a [&'a str],
    /// Names of the tools they serve.
    pub tools: &'a [&'a str],
}

/// Whether `called` means the tool `bare`.
///
/// ```
/// use windtunnel_api::tool_name::{Served, matches};
///
/// let served = Served { servers: &["crm"], tools: &["lookup", "client_lookup"] };
/// assert!(matches("mcp__crm__lookup", "lookup", &served));
/// assert!(matches("crm.lookup", "lookup", &served));
/// assert!(!matches("client_lookup", "lookup", &served));
/// ```
pub fn matches(called: &str, bare: &str, served: &Served<'_>) -> bool {
    if called == bare {
        return true;
    }
    if bare.is_empty() || served.tools.contains(&called) {
        return false;
    }
    called.strip_suffix(bare).is_some_and(|decoration| is_decoration(decoration, served.servers))
}

/// The one offered name that means the bare name: itself if it is offered, else the single decorated one.
///
/// # Errors
/// The offered names that match, none or several.
pub fn resolve<'a>(bare: &str, offered: &[&'a str], served: &Served<'_>) -> Result<&'a str, Vec<&'a str>> {
    if let Some(exact) = offered.iter().find(|name| **name == bare) {
        return Ok(exact);
    }
    let candidates: Vec<&str> = offered.iter().copied().filter(|name| matches(name, bare, served)).collect();
    match candidates.as_slice() {
        [only] => Ok(only),
        _ => Err(candidates),
    }
}

/// Separators between the parts of a decorated name, the longest first.
const SEPARATORS: [&str; 5] = ["__", "_", ".", "/", ":"];

/// Whether `text` is `mcp`, a server, or the one and then the other, each followed by a separator.
fn is_decoration(text: &str, servers: &[&str]) -> bool {
    let names_server = |text: &str| servers.iter().any(|server| after(text, server).any(str::is_empty));
    names_server(text) || after(text, "mcp").any(|rest| rest.is_empty() || names_server(rest))
}

/// What follows a name and a separator, for every separator that can be meant.
fn after<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let rest = text.strip_prefix(name);
    SEPARATORS.iter().filter_map(move |separator| rest?.strip_prefix(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_that_name_a_server_are_stripped() {
        let served = Served { servers: &["crm", "big_crm"], tools: &["lookup"] };
        for called in [
            "lookup",
            "crm.lookup",
            "crm_lookup",
            "crm__lookup",
            "mcp__crm__lookup",
            "mcp_lookup",
            "big_crm_lookup",
        ] {
            assert!(matches(called, "lookup", &served), "{called}");
        }
        for called in
            ["client_lookup", "crmlookup", "x_crm_lookup", "crm_client_lookup", "lookup_crm", "_lookup", ""]
        {
            assert!(!matches(called, "lookup", &served), "{called}");
        }
    }

    #[test]
    fn a_served_tool_of_the_longer_name_is_another_tool() {
        let served = Served { servers: &["crm"], tools: &["lookup", "crm_lookup"] };
        assert!(!matches("crm_lookup", "lookup", &served));
        assert!(matches("crm.lookup", "lookup", &served));
    }

    #[test]
    fn scripted_names_resolve_to_the_single_offered_one() {
        let served = Served { servers: &["a", "b"], tools: &["lookup", "other"] };
        assert_eq!(resolve("lookup", &["other", "lookup", "a_lookup"], &served), Ok("lookup"));
        assert_eq!(resolve("lookup", &["other", "mcp__a__lookup"], &served), Ok("mcp__a__lookup"));
        assert_eq!(resolve("lookup", &["a_lookup", "b_lookup"], &served), Err(vec!["a_lookup", "b_lookup"]));
        assert_eq!(resolve("lookup", &["other"], &served), Err(vec![]));
    }
}
