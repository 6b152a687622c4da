//! Patterns as text: `{kind: "call", op: /^chat/}`.

use std::fmt;

use crate::node::{Member, Node, Test};
use crate::steps::{Element, Steps};
use crate::text::quoted;
use crate::value::Bound;

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.test, f)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(members) => {
                f.write_str("{")?;
                list(f, members)?;
                f.write_str("}")
            }
            Self::Array(steps) => write!(f, "{steps}"),
            Self::Regex(regex) => write!(f, "/{regex}/"),
            Self::Whole(expected) | Self::Custom { expected, .. } => f.write_str(&quoted(expected)),
            Self::Text { written: value, .. } | Self::Equal(value) => write!(f, "{value}"),
            Self::Order { bound, operand } => write!(f, "{} {operand}", sign(*bound)),
            Self::Any(nodes) => bracketed(f, "any of ", nodes),
            Self::All(nodes) => bracketed(f, "all of ", nodes),
            Self::Not(node) => write!(f, "not {node}"),
            Self::Exists(true) => f.write_str("any value but null"),
            Self::Exists(false) => f.write_str("nothing or null"),
        }
    }
}

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.node)
    }
}

impl fmt::Display for Steps<Node> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bracketed(f, "", self.elements())
    }
}

impl fmt::Display for Element<Node> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(node) => write!(f, "{node}"),
            Self::Until(node) => write!(f, "$until {node}"),
            Self::While(node) => write!(f, "$while {node}"),
            Self::Never(node) => write!(f, "$never {node}"),
            Self::Times { of, min, max: Some(max) } if min == max => write!(f, "$times {min} of {of}"),
            Self::Times { of, min, max: Some(max) } => write!(f, "$times {min} to {max} of {of}"),
            Self::Times { of, min, max: None } => write!(f, "$times {min} or more of {of}"),
        }
    }
}

fn sign(bound: Bound) -> &'static str {
    match bound {
        Bound::Above => ">",
        Bound::AtLeast => ">=",
        Bound::Below => "<",
        Bound::AtMost => "<=",
    }
}

fn bracketed<T: fmt::Display>(f: &mut fmt::Formatter<'_>, before: &str, items: &[T]) -> fmt::Result {
    write!(f, "{before}[")?;
    list(f, items)?;
    f.write_str("]")
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}
