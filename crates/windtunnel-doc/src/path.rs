//! Where a value sits inside a document.

use std::fmt;

/// One step from a value to one of its children.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// Into the entry of a map that has this key.
    Key(String),
    /// Into this element of a list, counted from 0.
    Index(usize),
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<String> for Segment {
    fn from(key: String) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// The steps from the root of a document to one of its values; no steps is the root itself.
///
/// ```
/// use windtunnel_doc::Path;
///
/// let call = Path::root().then("reference_cases").then(0).then("tool calls");
/// assert_eq!(call.to_string(), r#"reference_cases[0]."tool calls""#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The path of the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// This path with one more step.
    #[must_use]
    pub fn then(mut self, step: impl Into<Segment>) -> Self {
        self.push(step);
        self
    }

    /// Adds one step in place.
    pub fn push(&mut self, step: impl Into<Segment>) {
        self.0.push(step.into());
    }

    /// This path followed by the steps of `inner`.
    #[must_use]
    pub fn join(&self, inner: &Path) -> Self {
        Self(self.0.iter().chain(&inner.0).cloned().collect())
    }

    /// The steps, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the path of the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl<S: Into<Segment>> FromIterator<S> for Path {
    fn from_iter<I: IntoIterator<Item = S>>(steps: I) -> Self {
        Self(steps.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) => {
                    if position > 0 {
                        f.write_str(".")?;
                    }
                    if is_plain(key) { f.write_str(key)? } else { write!(f, "{key:?}")? }
                }
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_like_the_expression_that_reaches_the_value() {
        let path: Path = ["tools", "a b", "", "größe", "x.y"].into_iter().collect();
        assert_eq!(path.then(1).then(2).to_string(), r#"tools."a b"."".größe."x.y"[1][2]"#);
        assert_eq!(Path::root().to_string(), "");
        assert_eq!(Path::root().then(0).then("a").to_string(), "[0].a");
    }

    #[test]
    fn joining_appends_the_steps_of_the_inner_path() {
        let outer = Path::root().then("a").then(1);
        let inner = Path::root().then("b");
        assert_eq!(outer.join(&inner).to_string(), "a[1].b");
        assert!(Path::root().join(&Path::root()).is_root());
    }
}
