//! Where something is inside a JSON value.

use std::fmt;

/// One step into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// The member of an object.
    Key(String),
    /// The element of an array, counted from 0.
    Index(usize),
}

/// A place inside a JSON value, from the root down. The root is the empty path.
///
/// Shown as `detail.messages[2].content`; a key that is not a plain word is quoted: `headers["x y"]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The steps from the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Runs `visit` with the path one step further down.
    pub(crate) fn enter<T>(&mut self, segment: Segment, visit: impl FnOnce(&mut Self) -> T) -> T {
        self.push(segment);
        let result = visit(self);
        self.pop();
        result
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if !is_word(key) => write!(f, "[{key:?}]")?,
                Segment::Key(key) if depth == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_dots_and_other_keys_are_quoted() {
        let path = Path(vec![
            Segment::Key("detail".into()),
            Segment::Key("messages".into()),
            Segment::Index(2),
            Segment::Key("content-type".into()),
            Segment::Key("a \"b\"".into()),
            Segment::Key(String::new()),
            Segment::Key("$any".into()),
        ]);
        assert_eq!(path.to_string(), r#"detail.messages[2].content-type["a \"b\""][""].$any"#);
        assert_eq!(Path::default().to_string(), "");
    }
}
