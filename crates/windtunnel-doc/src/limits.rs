//! How large a document may be.

/// How much of a document is read before it is refused.
///
/// The depth is also bounded by what each parser can stand: about 80 levels in TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file in bytes.
    pub max_bytes: usize,
    /// Maps and lists inside each other; a map with only scalars in it has depth 1.
    pub max_depth: usize,
    /// Values in the whole document, maps and lists included, keys not. In YAML an alias counts
    /// for as many as it stands for.
    pub max_nodes: usize,
}

impl Default for Limits {
    /// 4 MiB, 64 levels, 200 000 values.
    fn default() -> Self {
        Self { max_bytes: 4 * 1024 * 1024, max_depth: 64, max_nodes: 200_000 }
    }
}
