//! The walk over plain patterns, and what all of compiling shares.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use crate::error::{FaultKind, PatternErrors, PatternFault};
use crate::keyword::is_reserved;
use crate::limits::{MAX_DEPTH, MAX_REGEX_LEN, MAX_REGEX_SIZE, MAX_VALUES};
use crate::node::{Member, Node, Test};
use crate::options::{FieldRule, Options};
use crate::path::{Path, Segment};
use crate::value;

/// What a pattern is held against, which says how its plain strings compare.
#[derive(Clone, Copy)]
pub(super) enum Scope<'o> {
    /// A candidate itself: the rules for fields hold in its object.
    Candidate,
    /// A field with a rule, in the object of a candidate.
    Field(&'o FieldRule),
    /// Anything further inside.
    Inner,
}

/// Collects faults on the way. What has one compiles to `None`, or to something that is dropped with the whole.
pub(super) struct Compiler<'o> {
    options: &'o Options,
    path: Path,
    faults: Vec<PatternFault>,
    values: usize,
}

impl<'o> Compiler<'o> {
    pub(super) fn run<T>(
        options: &'o Options,
        compile: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, PatternErrors> {
        let mut compiler = Self { options, path: Path::default(), faults: Vec::new(), values: 0 };
        match compile(&mut compiler) {
            Some(whole) if compiler.faults.is_empty() => Ok(whole),
            _ => Err(PatternErrors::new(compiler.faults)),
        }
    }

    /// Compiles a pattern where no sentinel may stand.
    pub(super) fn node(&mut self, pattern: &Value, scope: Scope<'o>) -> Option<Node> {
        self.admit()?;
        let test = match pattern {
            Value::Object(object) if object.keys().any(|key| is_reserved(key)) => {
                return self.operators(object, scope);
            }
            Value::Object(object) => self.object(object, scope)?,
            Value::Array(elements) => Test::Array(self.steps(elements, Scope::Inner)?),
            plain => self.plain(plain, scope)?,
        };
        Some(Node::new(test))
    }

    /// Compiles what is one step further down.
    pub(super) fn enter<T>(&mut self, segment: Segment, compile: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(segment);
        let compiled = compile(self);
        self.path.pop();
        compiled
    }

    /// Compiles the member `key`.
    pub(super) fn member<T>(&mut self, key: &str, compile: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(Segment::Key(key.to_owned()), compile)
    }

    /// Records a fault here.
    pub(super) fn report(&mut self, kind: FaultKind) {
        self.faults.push(PatternFault::new(self.path.clone(), kind));
    }

    /// Records a fault that leaves nothing to compile.
    pub(super) fn fault<T>(&mut self, kind: FaultKind) -> Option<T> {
        self.report(kind);
        None
    }

    /// Counts one more value; `None` beyond the limits. The first value too many is the last fault.
    pub(super) fn admit(&mut self) -> Option<()> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return if self.values == MAX_VALUES + 1 { self.fault(FaultKind::TooLarge) } else { None };
        }
        if self.path.depth() > MAX_DEPTH {
            return self.fault(FaultKind::TooDeep);
        }
        Some(())
    }

    pub(super) fn regex(&mut self, regex: &str) -> Option<Regex> {
        if regex.len() > MAX_REGEX_LEN {
            return self.fault(FaultKind::RegexTooLong { length: regex.len() });
        }
        let mut builder = RegexBuilder::new(regex);
        match builder.size_limit(MAX_REGEX_SIZE).dfa_size_limit(MAX_REGEX_SIZE).build() {
            Ok(compiled) => Some(compiled),
            Err(regex::Error::CompiledTooBig(_)) => {
                self.fault(FaultKind::RegexTooLarge { regex: regex.to_owned() })
            }
            Err(error) => self.fault(FaultKind::Regex { regex: regex.to_owned(), reason: reason(&error) }),
        }
    }

    /// Compiles every item, also behind one with a fault, so that all faults are found.
    pub(super) fn all<I, T>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut compile: impl FnMut(&mut Self, I) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut compiled = Some(Vec::new());
        for item in items {
            compiled = compile(self, item).zip(compiled).map(|(item, mut compiled): (T, Vec<T>)| {
                compiled.push(item);
                compiled
            });
        }
        compiled
    }

    fn object(&mut self, object: &Map<String, Value>, scope: Scope<'o>) -> Option<Test> {
        let mut members = self.all(object, |compiler, (key, pattern)| {
            let node = compiler.field(key, pattern, scope)?;
            Some(Member { key: key.clone(), node })
        })?;
        // What tells candidates apart is asked first: it is cheap, and makes the score of a near miss mean something
        // whatever order the members were written in.
        members.sort_by_key(|member| member.node.rank());
        Some(Test::Object(members.into()))
    }

    /// Compiles what is asked of the field `key` of an object in `scope`.
    pub(super) fn field(&mut self, key: &str, pattern: &Value, scope: Scope<'o>) -> Option<Node> {
        let rule = match scope {
            Scope::Candidate => self.options.rule(key),
            Scope::Field(_) | Scope::Inner => None,
        };
        let scope = rule.map_or(Scope::Inner, Scope::Field);
        self.member(key, |compiler| compiler.node(pattern, scope))
    }

    fn plain(&mut self, plain: &Value, scope: Scope<'o>) -> Option<Test> {
        match (plain, scope) {
            (Value::String(string), Scope::Field(FieldRule::Whole)) => Some(Test::Whole(string.clone())),
            (Value::String(string), Scope::Field(FieldRule::WordOrRegex)) if is_word(string) => {
                Some(Test::Whole(string.clone()))
            }
            (Value::String(string), Scope::Field(FieldRule::WordOrRegex)) => {
                self.regex(string).map(Test::Regex)
            }
            (Value::String(string), Scope::Field(FieldRule::Custom(compare))) => {
                Some(Test::Custom { expected: string.clone(), compare: compare.clone() })
            }
            (plain, _) if self.options.compares_whole_values() => {
                value::text(plain).map(|text| Test::Text { text, written: plain.clone() })
            }
            (Value::String(string), _) => self.regex(string).map(Test::Regex),
            (plain, _) => Some(Test::Equal(plain.clone())),
        }
    }
}

/// A string without any character that means something in a regular expression.
fn is_word(string: &str) -> bool {
    !string.contains(['\\', '.', '+', '*', '?', '(', ')', '|', '[', ']', '{', '}', '^', '$'])
}

/// The last line of the parser's message says what is wrong; the lines above draw the expression.
fn reason(error: &regex::Error) -> String {
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
