//! Where an item is discussed and labelled.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::item::ItemRef;

/// The operations that every control plane knows, and all that the shipped hooks ask for.
///
/// The table is closed: for what is not in it there is [`ControlPlane::call`], which the shipped control planes refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Adds a comment to an item.
    AddComment,
    /// Replaces the labels of an item.
    SetLabels,
    /// The labels of an item.
    GetLabels,
    /// The comments of an item.
    ListComments,
    /// Tells something to whoever follows along.
    PostMessage,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::AddComment, Self::SetLabels, Self::GetLabels, Self::ListComments, Self::PostMessage];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddComment => "add-comment",
            Self::SetLabels => "set-labels",
            Self::GetLabels => "get-labels",
            Self::ListComments => "list-comments",
            Self::PostMessage => "post-message",
        }
    }
}

/// A comment on an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Who wrote it.
    pub author: String,
    /// What it says, in Markdown.
    pub body: String,
}

/// Where an item is discussed and labelled.
#[async_trait]
pub trait ControlPlane: Send + Sync {
    /// Adds a comment, and says how it stands there: under which account.
    ///
    /// # Errors
    /// It was not posted, or nobody knows whether it was.
    async fn add_comment(&self, item: &ItemRef, body: &str) -> Result<Comment, ControlPlaneError>;

    /// Replaces all labels.
    ///
    /// # Errors
    /// They are as they were, or nobody knows whether they are.
    async fn set_labels(&self, item: &ItemRef, labels: &[String]) -> Result<(), ControlPlaneError>;

    /// The labels.
    ///
    /// # Errors
    /// They cannot be read.
    async fn get_labels(&self, item: &ItemRef) -> Result<Vec<String>, ControlPlaneError>;

    /// The comments, the oldest first.
    ///
    /// # Errors
    /// They cannot be read, or not all of them.
    async fn list_comments(&self, item: &ItemRef) -> Result<Vec<Comment>, ControlPlaneError>;

    /// Tells something to whoever follows along.
    ///
    /// # Errors
    /// It was not told, or there is no place for messages.
    async fn post_message(&self, item: &ItemRef, text: &str) -> Result<(), ControlPlaneError>;

    /// An operation that is not in the table, for a control plane and hooks of one's own.
    ///
    /// The shipped control planes have none and refuse each. The double of scenarios also remembers that it was asked, which fails the
    /// scenario: whatever the hook makes of the refusal, it reached for something that nobody stands in for.
    ///
    /// # Errors
    /// There is no such operation, or it was not carried out.
    async fn call(
        &self,
        item: &ItemRef,
        operation: &str,
        arguments: Value,
    ) -> Result<Value, ControlPlaneError> {
        let _ = (item, arguments);
        Err(ControlPlaneError::UnknownOperation(operation.to_owned()))
    }
}

/// An operation that was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ControlPlaneError {
    /// It could not be reached, or refused.
    #[error("{}: {reason}", operation.name())]
    Failed {
        /// What was asked.
        operation: Operation,
        /// Why it failed.
        reason: String,
    },
    /// This control plane has no such operation, or is not set up for it.
    #[error("{} is not set up: {reason}", operation.name())]
    Unsupported {
        /// What was asked.
        operation: Operation,
        /// What is lacking.
        reason: String,
    },
    /// No operation of the table.
    #[error("{0:?} is no operation of the control plane; there are {known}", known = Operation::ALL.map(Operation::name).join(", "))]
    UnknownOperation(String),
}
