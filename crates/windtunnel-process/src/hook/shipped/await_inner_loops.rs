//! `await-inner-loops`: every pull request of the item has come to its end.

use std::fs;
use std::io;

use async_trait::async_trait;
use camino::Utf8Path;
use serde::Deserialize;
use windtunnel_doc::NodeValue;

use super::EXECUTION_LOG;
use crate::artifact::{Artifact, FrontMatter};
use crate::hook::{Hook, HookContext, HookError, Outcome};
use crate::state;

/// The folder of the loops, in the item's.
const LOOPS: &str = "pr-loops";

/// Where a loop that is through stands.
const DONE: &str = "complete";

/// The key of the execution log's front matter that declares repositories.
const REPOS: &str = "repos";

/// Every loop that was started stands at `complete`, and every repository that the execution log declares has one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AwaitInnerLoops {}

#[async_trait]
impl Hook for AwaitInnerLoops {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let origin = Repo::origin(context);
        let loops = started(context.folder, &origin)?;
        let mut waits = Vec::new();
        let mut findings = Vec::new();
        for inner in &loops {
            match &inner.stands_at {
                Ok(node) if node == DONE => {}
                Ok(node) => waits.push(format!("{} stands at {node}; {DONE} is waited for", inner.place)),
                Err(reason) => findings.push(format!("{}: {reason}", inner.place)),
            }
        }
        match declared(context.folder, &origin) {
            Ok(repos) => waits.extend(
                repos
                    .iter()
                    .filter(|repo| !loops.iter().any(|inner| inner.repo.is(repo)))
                    .map(|repo| format!("no loop was started in {repo}, which {EXECUTION_LOG} declares")),
            ),
            Err(faults) => findings.extend(faults),
        }
        Ok(if !findings.is_empty() {
            Outcome::Block { findings }
        } else if waits.is_empty() {
            Outcome::pass()
        } else {
            Outcome::Wait { messages: waits }
        })
    }
}

/// A repository, whose names GitHub compares whatever their case.
#[derive(Debug, Clone)]
struct Repo {
    owner: String,
    name: String,
}

impl Repo {
    fn origin(context: &HookContext<'_>) -> Self {
        let declared = context.config.origin_repo.as_deref().and_then(|repo| Self::split(repo, '/'));
        declared.unwrap_or_else(|| Self {
            owner: context.item.reference.owner.clone(),
            name: context.item.reference.repo.clone(),
        })
    }

    /// `<owner>/<repo>`, or a bare name of this owner.
    fn parse(text: &str, owner: &str) -> Option<Self> {
        if text.contains('/') { Self::split(text, '/') } else { Self::of(owner, text) }
    }

    fn split(text: &str, separator: char) -> Option<Self> {
        let (owner, name) = text.split_once(separator)?;
        Self::of(owner, name)
    }

    fn of(owner: &str, name: &str) -> Option<Self> {
        let plain = |part: &str| {
            !part.is_empty()
                && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        (plain(owner) && plain(name)).then(|| Self { owner: owner.to_owned(), name: name.to_owned() })
    }

    fn is(&self, other: &Self) -> bool {
        self.owner.eq_ignore_ascii_case(&other.owner) && self.name.eq_ignore_ascii_case(&other.name)
    }
}

impl std::fmt::Display for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// A loop that was started.
struct InnerLoop {
    repo: Repo,
    /// Its folder, in the item's.
    place: String,
    /// The node, or why that cannot be told.
    stands_at: Result<String, String>,
}

/// The loops that were started, by the names of their folders.
fn started(folder: &Utf8Path, origin: &Repo) -> Result<Vec<InnerLoop>, HookError> {
    let mut loops = Vec::new();
    for entry in folders(folder, LOOPS)? {
        let place = format!("{LOOPS}/{entry}");
        if is_loop(&entry) {
            loops.extend(inner_loop(folder, place, origin));
        } else if let Some((owner, name)) = entry.split_once("__")
            && let Some(repo) = Repo::of(owner, name)
        {
            let inside = folders(folder, &place)?.into_iter().filter(|entry| is_loop(entry));
            loops.extend(inside.filter_map(|entry| inner_loop(folder, format!("{place}/{entry}"), &repo)));
        }
    }
    Ok(loops)
}

/// The loop in a folder; none if it was not started.
fn inner_loop(folder: &Utf8Path, place: String, repo: &Repo) -> Option<InnerLoop> {
    let stands_at = match state::load(&folder.join(&place)) {
        Ok(None) => return None,
        Ok(Some(state)) => Ok(state.current_node),
        Err(error) => Err(format!("where it stands cannot be read: {error}")),
    };
    Some(InnerLoop { repo: repo.clone(), place, stands_at })
}

/// `pr-<number>`.
fn is_loop(name: &str) -> bool {
    name.strip_prefix("pr-").is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The folders in one of the item's, in order; none if there is no such folder.
fn folders(folder: &Utf8Path, place: &str) -> Result<Vec<String>, HookError> {
    let failed = |error: io::Error| HookError(format!("{place} cannot be listed: {error}"));
    let entries = match fs::read_dir(folder.join(place)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}

/// The repositories that the execution log declares.
fn declared(folder: &Utf8Path, origin: &Repo) -> Result<Vec<Repo>, Vec<String>> {
    let read = Artifact::read(folder, EXECUTION_LOG)
        .and_then(|log| log.map_or(Ok(None), |log| log.front_matter()))
        .map_err(|error| vec![error.to_string()])?;
    let Some(front) = read else { return Ok(Vec::new()) };
    let Some(node) = front.get(REPOS) else { return Ok(Vec::new()) };
    let elements = match &node.value {
        NodeValue::Null => return Ok(Vec::new()),
        NodeValue::Seq(elements) => elements.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let (repos, faults): (Vec<_>, Vec<_>) =
        elements.iter().map(|element| repo(&front, element, origin)).partition(Result::is_ok);
    if faults.is_empty() {
        Ok(repos.into_iter().filter_map(Result::ok).collect())
    } else {
        Err(faults.into_iter().filter_map(Result::err).collect())
    }
}

fn repo(front: &FrontMatter, element: &windtunnel_doc::Node, origin: &Repo) -> Result<Repo, String> {
    element.as_str().and_then(|text| Repo::parse(text.trim(), &origin.owner)).ok_or_else(|| {
        let line = front.line_of(element);
        format!(
            "{EXECUTION_LOG}:{line}: {} is no repository; expected <owner>/<repo>, or <repo>",
            element.to_json()
        )
    })
}
