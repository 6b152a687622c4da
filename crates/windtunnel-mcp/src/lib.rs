//! Tool servers that the bench brings, and the recorder in front of any MCP server
