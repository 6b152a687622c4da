//! What each step does.

use std::fs::{self, File};
use std::io::{self, Write as _};

use camino::Utf8Path;
use windtunnel_doc::Path;

use super::{Miss, Stop};
use crate::graph::{COMPLETE, pr_loop};
use crate::hook::ItemEvent;
use crate::item::{RepoName, WorkItem, inner_loop};
use crate::runtime::{Envelope, ProcessError, ProcessRuntime, Verdict};
use crate::scenario::error::ScenarioError;
use crate::scenario::manifest::Action;
use crate::scenario::world::World;
use crate::state::{self, ItemState, Status};
use crate::transport::{Comment, SessionError};

/// Who claims nodes.
const AGENT: &str = "agent";

/// What steps act on.
pub(super) struct Stage<'a> {
    pub(super) world: &'a World,
    pub(super) runtime: &'a ProcessRuntime,
    pub(super) item: &'a WorkItem,
    /// The item's folder.
    pub(super) folder: &'a Utf8Path,
}

impl Stage<'_> {
    /// Does what a step says, and returns what a verb answered, where one was called. Expectations are nothing to do.
    pub(super) async fn act(&self, action: &Action) -> Result<Option<Envelope>, Stop> {
        let Self { world, runtime, item, folder } = *self;
        match action {
            Action::Comment { author, words } => {
                let comment = Comment { author: author.clone(), body: words.text() };
                world.control.receive(&item.reference, comment.clone());
                let event = ItemEvent { comments: vec![comment] };
                return Ok(Some(runtime.advance(item, Some(&event)).await?));
            }
            Action::Emit { artifact, content } => {
                let emitted = emit(folder, artifact, content);
                emitted
                    .map_err(ScenarioError::io(format!("cannot write {artifact}")))
                    .map_err(Stop::World)?;
            }
            Action::Complete { node, status } => {
                let envelope = runtime.complete(item, node, AGENT).await?;
                if envelope.status != *status {
                    let expected = format!("{:?}", status.name());
                    return Err(Miss::new(Path::root().then("status"), expected, told(&envelope)).into());
                }
                return Ok(Some(envelope));
            }
            Action::Advance => return Ok(Some(runtime.advance(item, None).await?)),
            Action::Ask { question } => {
                let envelope = runtime.ask(item, question).await?;
                if matches!(envelope.status, Verdict::Refused | Verdict::Noop) {
                    return Err(Miss::new(Path::root(), "the question to be asked", told(&envelope)).into());
                }
                return Ok(Some(envelope));
            }
            Action::Reply { text, actor, session_missing } => {
                return self.reply(text, actor, *session_missing).await;
            }
            Action::InnerLoop { pr, node, repo } => {
                let stands = self.inner_loop(*pr, node, repo.as_ref());
                stands.map_err(Stop::World)?;
            }
            Action::FailGithub { operations } => world.control.fail(operations.iter().copied()),
            Action::RestoreGithub => world.control.restore(),
            Action::Expect(_) => {}
        }
        Ok(None)
    }

    /// An answer is delivered; where the session is missing, the refusal is what is expected.
    async fn reply(&self, text: &str, actor: &str, session_missing: bool) -> Result<Option<Envelope>, Stop> {
        self.world.session.set_missing(session_missing);
        let replied = self.runtime.reply(self.item, text, actor).await;
        self.world.session.set_missing(false);
        match replied {
            Err(ProcessError::Session(SessionError::Missing { .. })) if session_missing => Ok(None),
            Err(error) => Err(error.into()),
            Ok(envelope) if session_missing => {
                let expected = "a refusal, for there is no session";
                Err(Miss::new(Path::root().then("sessionMissing"), expected, told(&envelope)).into())
            }
            Ok(envelope) if matches!(envelope.status, Verdict::Refused | Verdict::Noop) => {
                Err(Miss::new(Path::root(), "the answer to be delivered", told(&envelope)).into())
            }
            Ok(envelope) => Ok(Some(envelope)),
        }
    }

    /// Writes where an inner loop stands. Those of the origin's own pull requests are in no folder of a repository.
    fn inner_loop(&self, pr: u64, node: &str, repo: Option<&RepoName>) -> Result<(), ScenarioError> {
        let loops = self.folder.join(inner_loop::LOOPS);
        let other = repo.filter(|repo| !repo.is(&self.item.reference.repo));
        let scope = other.map(|repo| loops.join(inner_loop::scope(repo)));
        let id = inner_loop::name(pr);
        let folder = scope.unwrap_or(loops).join(&id);
        let status = if node == COMPLETE { Status::Complete } else { Status::Running };
        let state = ItemState { status, ..ItemState::at(pr_loop()?.id(), id, node) };
        fs::create_dir_all(&folder).map_err(ScenarioError::io(format!("cannot make {folder}")))?;
        state::save(&folder, &state)
            .map_err(|error| ScenarioError::io("cannot write an inner loop")(io::Error::other(error)))
    }
}

/// Puts an artifact into an item's folder. Links that somebody made there are not followed.
fn emit(folder: &Utf8Path, artifact: &str, content: &[u8]) -> io::Result<()> {
    let path = folder.join(artifact);
    let parent = path.parent().unwrap_or(folder);
    if parent != folder {
        fs::create_dir_all(parent)?;
        if !parent.canonicalize_utf8()?.starts_with(folder) {
            return Err(io::Error::other("a link leads out of the item's folder"));
        }
    }
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("a link or a folder stands there"));
    }
    // A file that is emptied first is flushed by some file systems as it is closed, which takes longer than all the rest.
    let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)
}

/// What a verb answered.
fn told(envelope: &Envelope) -> String {
    let Envelope { status, messages, .. } = envelope;
    match messages.as_slice() {
        [] => format!("{:?}", status.name()),
        messages => format!("{:?} ({})", status.name(), messages.join("; ")),
    }
}
