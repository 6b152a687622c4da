//! A checkout with one item, and transports that only remember.

use std::fs;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use windtunnel_doc::{Document, Format, Limits};
use windtunnel_process::config::ProcessConfig;
use windtunnel_process::event::Via;
use windtunnel_process::graph::{Graph, work_item_loop};
use windtunnel_process::hook::{Effects, Hook, HookContext, HookError, HookRegistry, ItemEvent, Outcome};
use windtunnel_process::state::{ItemState, Skip};
use windtunnel_process::transport::{
    Comment, ControlPlane, ControlPlaneError, Operation, SessionError, SessionTransport,
};
use windtunnel_process::{ItemRef, WorkItem};

/// A checkout with one item.
pub(crate) struct World {
    _root: TempDir,
    pub(crate) root: Utf8PathBuf,
    pub(crate) folder: Utf8PathBuf,
    pub(crate) config: ProcessConfig,
    pub(crate) graph: Arc<Graph>,
    pub(crate) state: ItemState,
    pub(crate) control: Recording,
    pub(crate) session: Recording,
    pub(crate) event: Option<ItemEvent>,
    /// What the chain asks of the runtime, before and after a hook.
    pub(crate) effects: Effects,
}

/// What a transport was told, and whether it can be reached.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) calls: Mutex<Vec<String>>,
    pub(crate) comments: Mutex<Vec<Comment>>,
    pub(crate) labels: Mutex<Vec<String>>,
    pub(crate) failing: Vec<Operation>,
    pub(crate) session: Option<SessionError>,
}

impl World {
    /// An item of the shipped graph.
    pub(crate) fn new() -> Self {
        let temporary = TempDir::new().unwrap();
        let root = Utf8PathBuf::from_path_buf(temporary.path().canonicalize().unwrap()).unwrap();
        let folder = root.join("docs/specs/issue-42");
        fs::create_dir_all(&folder).unwrap();
        Self {
            _root: temporary,
            root,
            folder,
            config: ProcessConfig {
                origin_repo: Some("e2e/e2e".parse().unwrap()),
                authorized_users: vec!["owner".to_owned()],
                ..ProcessConfig::default()
            },
            graph: work_item_loop().unwrap(),
            state: ItemState::at("pdlc-work-item-loop", "issue-42", "phase-selection"),
            control: Recording::default(),
            session: Recording::default(),
            event: None,
            effects: Effects::default(),
        }
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let entries = self.folder.read_dir_utf8().unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn skip(&mut self, node: &str) {
        self.state.skips.insert(node.to_owned(), Skip { via: Via::Cli, by: None, reason: None });
    }

    pub(crate) fn comments(&mut self, comments: &[(&str, &str)]) {
        let comments = comments.iter().map(|(author, body)| comment(author, body)).collect();
        self.event = Some(ItemEvent { comments });
    }

    /// Runs a hook with these parameters, in YAML, in the chain of a node.
    pub(crate) fn run(&mut self, hook: &str, parameters: &str, node: &str) -> Result<Outcome, HookError> {
        let hook = bind(hook, parameters).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(self.run_bound(hook.as_ref(), node))
    }

    pub(crate) async fn run_bound(&mut self, hook: &dyn Hook, node: &str) -> Result<Outcome, HookError> {
        let item = WorkItem {
            id: "issue-42".to_owned(),
            reference: ItemRef { repo: "e2e/e2e".parse().unwrap(), number: 42 },
        };
        let mut context = HookContext {
            root: &self.root,
            folder: &self.folder,
            item: &item,
            config: &self.config,
            graph: &self.graph,
            node: self.graph.node(node).unwrap(),
            state: &self.state,
            event: self.event.as_ref(),
            claimant: None,
            control: &self.control,
            session: &self.session,
            now: "2026-01-31T23:59:00Z".parse().unwrap(),
            declared: None,
            effects: std::mem::take(&mut self.effects),
        };
        let outcome = hook.run(&mut context).await;
        self.effects = context.effects;
        outcome
    }
}

/// The shipped hook of this name.
pub(crate) fn bind(hook: &str, parameters: &str) -> Result<Arc<dyn Hook>, Vec<String>> {
    let document = Document::parse("graph.yaml", parameters, Format::Yaml, &Limits::default()).unwrap();
    let bound = HookRegistry::shipped().bind(hook, document.root()).unwrap();
    bound.map_err(|faults| {
        faults.into_iter().map(|fault| format!("{}: {}", fault.path, fault.message)).collect()
    })
}

pub(crate) fn comment(author: &str, body: &str) -> Comment {
    Comment { author: author.to_owned(), body: body.to_owned() }
}

pub(crate) fn block<const N: usize>(findings: [&str; N]) -> Outcome {
    Outcome::Block { findings: findings.map(str::to_owned).to_vec() }
}

pub(crate) fn wait<const N: usize>(messages: [&str; N]) -> Outcome {
    Outcome::Wait { messages: messages.map(str::to_owned).to_vec() }
}

pub(crate) fn declared(outcome: &str) -> Outcome {
    Outcome::Pass { on: Some(outcome.to_owned()) }
}

#[cfg(unix)]
pub(crate) fn link(from: &Utf8Path, to: &Utf8Path) {
    std::os::unix::fs::symlink(to, from).unwrap();
}

impl Recording {
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    fn call(&self, operation: Operation, what: &str) -> Result<(), ControlPlaneError> {
        if self.failing.contains(&operation) {
            return Err(ControlPlaneError::Failed { operation, reason: "unreachable".to_owned() });
        }
        self.calls.lock().unwrap().push(format!("{} {what}", operation.name()).trim_end().to_owned());
        Ok(())
    }
}

#[async_trait]
impl ControlPlane for Recording {
    async fn add_comment(&self, _: &ItemRef, body: &str) -> Result<Comment, ControlPlaneError> {
        self.call(Operation::AddComment, body)?;
        self.comments.lock().unwrap().push(comment("bot", body));
        Ok(comment("bot", body))
    }

    async fn set_labels(&self, _: &ItemRef, labels: &[String]) -> Result<(), ControlPlaneError> {
        self.call(Operation::SetLabels, &labels.join(" "))?;
        *self.labels.lock().unwrap() = labels.to_vec();
        Ok(())
    }

    async fn get_labels(&self, _: &ItemRef) -> Result<Vec<String>, ControlPlaneError> {
        self.call(Operation::GetLabels, "")?;
        Ok(self.labels.lock().unwrap().clone())
    }

    async fn list_comments(&self, _: &ItemRef) -> Result<Vec<Comment>, ControlPlaneError> {
        self.call(Operation::ListComments, "")?;
        Ok(self.comments.lock().unwrap().clone())
    }

    async fn post_message(&self, _: &ItemRef, text: &str) -> Result<(), ControlPlaneError> {
        self.call(Operation::PostMessage, text)
    }
}

#[async_trait]
impl SessionTransport for Recording {
    async fn deliver(&self, _: &WorkItem, text: &str) -> Result<(), SessionError> {
        if let Some(error) = &self.session {
            return Err(error.clone());
        }
        self.calls.lock().unwrap().push(text.to_owned());
        Ok(())
    }
}
