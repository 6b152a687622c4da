//! Selecting scenarios by name, tag, pack and owner.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};
use windtunnel_doc::nearest;

use crate::{Found, SelectionError, TestFolder};

/// Something that can be selected.
pub trait Selectable {
    /// The scenario's name.
    fn scenario(&self) -> &str;

    /// The tags on it and on its pack.
    fn tags(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The pack that it belongs to, where it belongs to one.
    fn pack(&self) -> Option<&str> {
        None
    }

    /// The owner of its pack.
    fn owner(&self) -> Option<&str> {
        None
    }
}

impl Selectable for Found {
    fn scenario(&self) -> &str {
        &self.scenario().name
    }

    fn tags(&self) -> Vec<&str> {
        self.scenario().tags.iter().chain(&self.pack.manifest.tags).map(String::as_str).collect()
    }

    fn pack(&self) -> Option<&str> {
        Some(self.pack.name())
    }

    fn owner(&self) -> Option<&str> {
        self.pack.manifest.owner.as_deref()
    }
}

/// It has no tags, and belongs to no pack.
impl Selectable for TestFolder {
    fn scenario(&self) -> &str {
        &self.name
    }
}

/// Selects scenarios. Selectors of one kind are alternatives; kinds have to match together.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    scenarios: Vec<(String, GlobMatcher)>,
    tags: Vec<String>,
    packs: Vec<String>,
    owners: Vec<String>,
}

impl Selection {
    /// Everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only scenarios of these names, or whose name matches one of these globs.
    pub fn scenarios<S: Into<String>>(
        mut self,
        globs: impl IntoIterator<Item = S>,
    ) -> Result<Self, SelectionError> {
        for glob in globs {
            let glob = glob.into();
            let compiled = GlobBuilder::new(&glob).build().map_err(|error| SelectionError::Glob {
                glob: glob.clone(),
                reason: error.kind().to_string(),
            })?;
            self.scenarios.push((glob, compiled.compile_matcher()));
        }
        Ok(self)
    }

    /// Only scenarios with one of these tags, on themselves or on their pack.
    #[must_use]
    pub fn tags<S: Into<String>>(mut self, tags: impl IntoIterator<Item = S>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self
    }

    /// Only scenarios of these packs.
    #[must_use]
    pub fn packs<S: Into<String>>(mut self, packs: impl IntoIterator<Item = S>) -> Self {
        self.packs.extend(packs.into_iter().map(Into::into));
        self
    }

    /// Only scenarios of packs with one of these owners.
    #[must_use]
    pub fn owners<S: Into<String>>(mut self, owners: impl IntoIterator<Item = S>) -> Self {
        self.owners.extend(owners.into_iter().map(Into::into));
        self
    }

    /// The selected scenarios, in the order they were found. A selector that matches nothing is an error, since it is
    /// most often a misspelling.
    pub fn select<S: Selectable>(&self, found: Vec<S>) -> Result<Vec<S>, SelectionError> {
        if found.is_empty() {
            return Err(SelectionError::NothingFound);
        }
        for (glob, matcher) in &self.scenarios {
            require(
                "--scenario",
                glob,
                &found,
                |one| vec![one.scenario()],
                |name| name == glob || matcher.is_match(name),
            )?;
        }
        for tag in &self.tags {
            require("--tag", tag, &found, S::tags, |known| known == tag)?;
        }
        for pack in &self.packs {
            require("--pack", pack, &found, |one| one.pack().into_iter().collect(), |known| known == pack)?;
        }
        for owner in &self.owners {
            require(
                "--owner",
                owner,
                &found,
                |one| one.owner().into_iter().collect(),
                |known| known == owner,
            )?;
        }
        let selected: Vec<S> = found.into_iter().filter(|one| self.matches(one)).collect();
        if selected.is_empty() { Err(SelectionError::Disjoint) } else { Ok(selected) }
    }

    fn matches(&self, found: &impl Selectable) -> bool {
        let name = found.scenario();
        let any = |given: &[String], known: &[&str]| {
            given.is_empty() || given.iter().any(|given| known.contains(&given.as_str()))
        };
        (self.scenarios.is_empty()
            || self.scenarios.iter().any(|(glob, matcher)| glob == name || matcher.is_match(name)))
            && any(&self.tags, &found.tags())
            && any(&self.packs, found.pack().as_slice())
            && any(&self.owners, found.owner().as_slice())
    }
}

/// Fails unless one of the values of one of the scenarios matches.
fn require<'a, S>(
    flag: &'static str,
    given: &str,
    found: &'a [S],
    values: impl Fn(&'a S) -> Vec<&'a str>,
    matches: impl Fn(&str) -> bool,
) -> Result<(), SelectionError> {
    let known: BTreeSet<&str> = found.iter().flat_map(values).collect();
    if known.iter().any(|known| matches(known)) {
        return Ok(());
    }
    Err(SelectionError::NoMatch {
        flag,
        given: given.to_owned(),
        nearest: nearest(given, known.iter().copied()).map(str::to_owned),
        known: known.into_iter().map(str::to_owned).collect(),
    })
}
