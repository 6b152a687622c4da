//! The names under which a case's tools are served.

use std::sync::Arc;

use futures::future::try_join_all;
use windtunnel_api::tool_name::{self, Served};
use windtunnel_spi::{ToolError, ToolHandle};

/// The tool servers of a case and the tools they serve, for resolving scripted names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServedNames {
    servers: Vec<String>,
    tools: Vec<String>,
}

impl ServedNames {
    /// Servers by name, each with its tools.
    pub fn new<S, T, I>(served: impl IntoIterator<Item = (S, I)>) -> Self
    where
        S: Into<String>,
        T: Into<String>,
        I: IntoIterator<Item = T>,
    {
        let mut names = Self::default();
        for (server, tools) in served {
            names.servers.push(server.into());
            names.tools.extend(tools.into_iter().map(Into::into));
        }
        names
    }

    /// The servers behind these handles, asked for their tools.
    ///
    /// # Errors
    /// One of them does not list its tools.
    pub async fn of(handles: &[Arc<dyn ToolHandle>]) -> Result<Self, ToolError> {
        let served = handles.iter().map(|handle| async move {
            let tools = handle.served_tools().await?;
            Ok((handle.server(), tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>()))
        });
        Ok(Self::new(try_join_all(served).await?))
    }

    /// The offered name that means `bare`.
    ///
    /// # Errors
    /// The offered names that could be meant: none, or several.
    pub(super) fn resolve<'a>(&self, bare: &str, offered: &'a [String]) -> Result<&'a str, Vec<&'a str>> {
        if let Some(exact) = offered.iter().find(|name| *name == bare) {
            return Ok(exact);
        }
        let offered: Vec<&str> = offered.iter().map(String::as_str).collect();
        self.with(|served| tool_name::resolve(bare, &offered, served))
    }

    /// The served tool that the name `called` means; `called` itself where that is none or several.
    pub fn bare<'a>(&'a self, called: &'a str) -> &'a str {
        self.with(|served| {
            let mut meant = self.tools.iter().filter(|tool| tool_name::matches(called, tool, served));
            match (meant.next(), meant.next()) {
                (Some(tool), None) => tool,
                _ => called,
            }
        })
    }

    /// Whether a call of the offered name `called` reaches one of the tool servers, where a recorder sees it.
    ///
    /// An agent that offers `lookup` beside `crm_lookup` has a tool of its own: only the latter reaches the server.
    pub(crate) fn reaches_server(&self, called: &str, offered: &[String]) -> bool {
        self.with(|served| {
            served.tools.iter().any(|tool| {
                let decorated = |name: &String| name != called && tool_name::matches(name, tool, served);
                tool_name::matches(called, tool, served)
                    && !(called == *tool && offered.iter().any(decorated))
            })
        })
    }

    fn with<R>(&self, use_names: impl FnOnce(&Served<'_>) -> R) -> R {
        let servers: Vec<&str> = self.servers.iter().map(String::as_str).collect();
        let tools: Vec<&str> = self.tools.iter().map(String::as_str).collect();
        use_names(&Served { servers: &servers, tools: &tools })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decorated_name_means_the_served_tool_only_if_there_is_one() {
        let names = ServedNames::new([("crm", ["lookup", "m_lookup"])]);
        for (called, bare) in [
            ("mcp__crm__lookup", "lookup"),
            ("lookup", "lookup"),
            ("bash", "bash"),
            ("client_lookup", "client_lookup"),
        ] {
            assert_eq!(names.bare(called), bare);
        }
    }

    #[test]
    fn a_tool_of_the_agents_own_does_not_reach_the_server_of_the_same_tool_name() {
        let names = ServedNames::new([("crm", ["lookup"])]);
        let offered = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        for (called, all, reaches) in [
            ("lookup", offered(&["lookup"]), true),
            ("crm_lookup", offered(&["crm_lookup", "think"]), true),
            ("crm_lookup", offered(&["lookup", "crm_lookup"]), true),
            ("lookup", offered(&["lookup", "crm_lookup"]), false),
            ("think", offered(&["crm_lookup", "think"]), false),
        ] {
            assert_eq!(names.reaches_server(called, &all), reaches, "{called} of {all:?}");
        }
    }
}
