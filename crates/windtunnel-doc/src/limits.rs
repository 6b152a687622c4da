//! How large a document may be.

/// No format's parser is asked for more: they recurse, and so does who walks the tree.
const DEEPEST: usize = 80;

/// How much of a document is read before it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file in bytes.
    pub max_bytes: usize,
    /// Maps and lists inside each other; a map with only scalars in it has depth 1. More than 80
    /// count as 80.
    pub max_depth: usize,
    /// Values in the whole document, maps and lists included, keys not. In YAML an alias counts
    /// for as many as it stands for, and aliases may make up no more than about a tenth.
    pub max_nodes: usize,
}

impl Default for Limits {
    /// 4 MiB, 64 levels, 200 000 values.
    fn default() -> Self {
        Self { max_bytes: 4 * 1024 * 1024, max_depth: 64, max_nodes: 200_000 }
    }
}

impl Limits {
    pub(crate) fn safe(&self) -> Self {
        Self { max_depth: self.max_depth.min(DEEPEST), ..*self }
    }
}
