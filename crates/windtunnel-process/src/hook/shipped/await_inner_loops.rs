//! `await-inner-loops`: every pull request of the item has come to its end.

use std::fs;
use std::io;

use async_trait::async_trait;
use camino::Utf8Path;
use serde::Deserialize;
use windtunnel_doc::NodeValue;

use crate::artifact::execution_log::EXECUTION_LOG;
use crate::artifact::{Artifact, FrontMatter};
use crate::graph::COMPLETE;
use crate::hook::{Hook, HookContext, HookError, Outcome};
use crate::item::RepoName;
use crate::item::inner_loop::{self, LOOPS};
use crate::state;

/// The key of the execution log's front matter that declares repositories.
const REPOS: &str = "repos";

/// Every loop that was started stands at `complete`, and every repository that the execution log declares has one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AwaitInnerLoops {}

#[async_trait]
impl Hook for AwaitInnerLoops {
    async fn run(&self, context: &mut HookContext<'_>) -> Result<Outcome, HookError> {
        let origin = context.config.origin_repo.as_ref().unwrap_or(&context.item.reference.repo);
        let loops = started(context.folder, origin)?;
        let mut waits = Vec::new();
        let mut findings = Vec::new();
        for inner in &loops {
            match &inner.stands_at {
                Ok(node) if node == COMPLETE => {}
                Ok(node) => waits.push(format!("{} stands at {node}; {COMPLETE} is waited for", inner.place)),
                Err(reason) => findings.push(format!("{}: {reason}", inner.place)),
            }
        }
        match declared(context.folder, origin) {
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

/// A loop that was started.
struct InnerLoop {
    repo: RepoName,
    /// Its folder, in the item's.
    place: String,
    /// The node, or why that cannot be told.
    stands_at: Result<String, String>,
}

impl InnerLoop {
    /// What stands under a name that no loop has.
    fn strange(place: String, repo: &RepoName, expected: &str) -> Self {
        let reason = format!("this is no folder of a loop; expected {expected}");
        Self { repo: repo.clone(), place, stands_at: Err(reason) }
    }
}

/// The loops that were started, by the names of their folders. A folder of another name may be one that was meant.
fn started(folder: &Utf8Path, origin: &RepoName) -> Result<Vec<InnerLoop>, HookError> {
    let mut loops = Vec::new();
    for entry in folders(folder, LOOPS)? {
        let place = format!("{LOOPS}/{entry}");
        if inner_loop::is_name(&entry) {
            loops.extend(loop_in(folder, place, origin));
        } else if let Some(repo) = inner_loop::repo_of(&entry) {
            for entry in folders(folder, &place)? {
                let place = format!("{place}/{entry}");
                if inner_loop::is_name(&entry) {
                    loops.extend(loop_in(folder, place, &repo));
                } else {
                    loops.push(InnerLoop::strange(place, &repo, "pr-<number>"));
                }
            }
        } else {
            loops.push(InnerLoop::strange(place, origin, "pr-<number> or <owner>__<repo>"));
        }
    }
    Ok(loops)
}

/// The loop in a folder; none if it was not started.
fn loop_in(folder: &Utf8Path, place: String, repo: &RepoName) -> Option<InnerLoop> {
    let stands_at = match state::load(&folder.join(&place)) {
        Ok(None) => return None,
        Ok(Some(state)) => Ok(state.current_node),
        Err(error) => Err(format!("where it stands cannot be read: {error}")),
    };
    Some(InnerLoop { repo: repo.clone(), place, stands_at })
}

/// The folders in one of the item's, in order, and the links, which may lead to some; none if there is no such folder.
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
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() || kind.is_symlink() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The repositories that the execution log declares.
fn declared(folder: &Utf8Path, origin: &RepoName) -> Result<Vec<RepoName>, Vec<String>> {
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

fn repo(front: &FrontMatter, element: &windtunnel_doc::Node, origin: &RepoName) -> Result<RepoName, String> {
    element.as_str().and_then(|text| RepoName::parse_within(origin.owner(), text.trim()).ok()).ok_or_else(
        || {
            let line = front.line_of(element);
            format!(
                "{EXECUTION_LOG}:{line}: {} is no repository; expected <owner>/<repo>, or <repo>",
                element.to_json()
            )
        },
    )
}
