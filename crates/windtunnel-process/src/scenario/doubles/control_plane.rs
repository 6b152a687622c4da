//! A control plane that remembers.

use std::collections::BTreeSet;
use std::sync::Mutex;

use async_trait::async_trait;
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::lock;
use crate::item::ItemRef;
use crate::transport::{Comment, ControlPlane, ControlPlaneError, Operation};

/// A control plane that remembers: every call is recorded, what was posted is served back, and chosen operations fail.
///
/// An operation outside of the table is refused and remembered as a [breach](Self::breach), which stays even where a hook
/// makes nothing of the refusal.
///
/// ```
/// use windtunnel_process::scenario::doubles::FakeControlPlane;
/// use windtunnel_process::transport::{ControlPlane, Operation};
/// use windtunnel_process::ItemRef;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let control = FakeControlPlane::new("bot");
/// let item = ItemRef { repo: "e2e/e2e".parse().unwrap(), number: 42 };
/// control.add_comment(&item, "Hello.").await.unwrap();
/// assert_eq!(control.list_comments(&item).await.unwrap()[0].author, "bot");
///
/// control.fail([Operation::SetLabels]);
/// assert!(control.set_labels(&item, &["loop:design".into()]).await.is_err());
/// assert_eq!(control.calls().len(), 3);
/// # });
/// ```
#[derive(Debug, Default)]
pub struct FakeControlPlane {
    author: String,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
struct Record {
    discussions: IndexMap<ItemRef, Discussion>,
    calls: Vec<Call>,
    failing: BTreeSet<Operation>,
    breach: Option<String>,
}

#[derive(Debug, Default)]
struct Discussion {
    comments: Vec<Comment>,
    labels: Vec<String>,
}

/// One call of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The operation's name; one of the table, or another that was refused.
    pub operation: String,
    /// The item that it was about.
    pub item: ItemRef,
    /// What was handed over, as in `{"labels": ["loop:design"]}`.
    pub arguments: Value,
    /// Whether it was carried out.
    pub succeeded: bool,
}

impl FakeControlPlane {
    /// One in which nothing was said yet. What is posted through it is written by `author`.
    pub fn new(author: impl Into<String>) -> Self {
        Self { author: author.into(), record: Mutex::default() }
    }

    /// From now on these operations fail, and those that already do.
    pub fn fail(&self, operations: impl IntoIterator<Item = Operation>) {
        lock(&self.record).failing.extend(operations);
    }

    /// No operation fails any more.
    pub fn restore(&self) {
        lock(&self.record).failing.clear();
    }

    /// Adds a comment of somebody's, past the operations: it is no call, and cannot fail.
    pub fn receive(&self, item: &ItemRef, comment: Comment) {
        lock(&self.record).discussion(item).comments.push(comment);
    }

    /// The calls, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls_from(0)
    }

    /// The calls from this one on.
    pub fn calls_from(&self, index: usize) -> Vec<Call> {
        lock(&self.record).calls.get(index..).unwrap_or_default().to_vec()
    }

    /// The first operation that was asked for and is not in the table.
    pub fn breach(&self) -> Option<String> {
        lock(&self.record).breach.clone()
    }

    /// Records a call, and carries it out unless it is to fail.
    fn carry_out<T>(
        &self,
        operation: Operation,
        item: &ItemRef,
        arguments: Value,
        work: impl FnOnce(&mut Discussion) -> T,
    ) -> Result<T, ControlPlaneError> {
        let mut record = lock(&self.record);
        let succeeded = !record.failing.contains(&operation);
        let operation_name = operation.name().to_owned();
        record.calls.push(Call { operation: operation_name, item: item.clone(), arguments, succeeded });
        if succeeded {
            Ok(work(record.discussion(item)))
        } else {
            Err(ControlPlaneError::Failed {
                operation,
                reason: "the control plane is unreachable".to_owned(),
            })
        }
    }
}

impl Record {
    fn discussion(&mut self, item: &ItemRef) -> &mut Discussion {
        self.discussions.entry(item.clone()).or_default()
    }
}

#[async_trait]
impl ControlPlane for FakeControlPlane {
    async fn add_comment(&self, item: &ItemRef, body: &str) -> Result<Comment, ControlPlaneError> {
        self.carry_out(Operation::AddComment, item, json!({ "body": body }), |discussion| {
            let comment = Comment { author: self.author.clone(), body: body.to_owned() };
            discussion.comments.push(comment.clone());
            comment
        })
    }

    async fn set_labels(&self, item: &ItemRef, labels: &[String]) -> Result<(), ControlPlaneError> {
        self.carry_out(Operation::SetLabels, item, json!({ "labels": labels }), |discussion| {
            discussion.labels = labels.to_vec();
        })
    }

    async fn get_labels(&self, item: &ItemRef) -> Result<Vec<String>, ControlPlaneError> {
        self.carry_out(Operation::GetLabels, item, json!({}), |discussion| discussion.labels.clone())
    }

    async fn list_comments(&self, item: &ItemRef) -> Result<Vec<Comment>, ControlPlaneError> {
        self.carry_out(Operation::ListComments, item, json!({}), |discussion| discussion.comments.clone())
    }

    async fn post_message(&self, item: &ItemRef, text: &str) -> Result<(), ControlPlaneError> {
        self.carry_out(Operation::PostMessage, item, json!({ "text": text }), |_| ())
    }

    async fn call(
        &self,
        item: &ItemRef,
        operation: &str,
        arguments: Value,
    ) -> Result<Value, ControlPlaneError> {
        let mut record = lock(&self.record);
        record.breach.get_or_insert_with(|| operation.to_owned());
        record.calls.push(Call {
            operation: operation.to_owned(),
            item: item.clone(),
            arguments,
            succeeded: false,
        });
        Err(ControlPlaneError::UnknownOperation(operation.to_owned()))
    }
}
