//! Where an item is discussed and labelled.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::item::ItemRef;

/// The operations of a control plane. The table is closed: a hook cannot ask for more.
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

    /// The operation of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
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
    async fn add_comment(&self, item: &ItemRef, body: &str) -> Result<Comment, ControlPlaneError>;

    /// Replaces all labels.
    async fn set_labels(&self, item: &ItemRef, labels: &[String]) -> Result<(), ControlPlaneError>;

    /// The labels.
    async fn get_labels(&self, item: &ItemRef) -> Result<Vec<String>, ControlPlaneError>;

    /// The comments, the oldest first.
    async fn list_comments(&self, item: &ItemRef) -> Result<Vec<Comment>, ControlPlaneError>;

    /// Tells something to whoever follows along.
    async fn post_message(&self, item: &ItemRef, text: &str) -> Result<(), ControlPlaneError>;

    /// An operation that only some control planes have, for hooks of one's own. Others refuse it.
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
    #[error(
        "{0:?} is no operation of the control plane; there are add-comment, set-labels, get-labels, list-comments and post-message"
    )]
    UnknownOperation(String),
}
