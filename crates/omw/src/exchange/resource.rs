//! Resources of a tool server.

use serde::{Deserialize, Serialize};

/// A resource in a server's list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResourceInfo {
    /// Where it is read.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// For whom it is.
    pub annotations: Option<ResourceAnnotations>,
}

/// For whom a resource is, and how much it matters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResourceAnnotations {
    /// `user`, `assistant`.
    pub audience: Vec<String>,
    /// From 0, optional, to 1, required.
    pub priority: Option<f64>,
    /// When it last changed.
    pub last_modified: Option<String>,
}

/// One content of a resource that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceContent {
    /// Where it is read.
    pub uri: String,
    /// Its media type.
    pub mime_type: Option<String>,
    /// The text, or for binary contents their base64.
    pub content: String,
}

/// A family of resources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceTemplate {
    /// How its members' addresses are made, after RFC 6570.
    pub uri_template: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What its members hold.
    pub description: Option<String>,
    /// Their media type.
    pub mime_type: Option<String>,
}
