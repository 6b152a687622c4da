//! Tool servers over MCP, against real ones: a program that is started, and one behind an HTTP address.

#![cfg(feature = "mcp")]

mod http;
mod resources;
mod shelf;
mod stdio;
mod support;
