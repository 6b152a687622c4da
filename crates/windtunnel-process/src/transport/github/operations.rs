//! The operations of the table as requests.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use http::Method;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use tokio::time;
use windtunnel_api::Secret;

use super::GitHubBuilder;
use super::api::Api;
use crate::item::ItemRef;
use crate::transport::{Comment, ControlPlane, ControlPlaneError, Operation};

/// A control plane over the GitHub REST API. No redirect is followed, and the token goes to the address of the API alone.
pub struct GitHub {
    pub(super) api: Api,
    pub(super) messages: Option<ItemRef>,
    pub(super) time_limit: Duration,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

impl GitHub {
    /// One that asks with this token: one that may read and write issues.
    pub fn builder(token: Secret) -> GitHubBuilder {
        GitHubBuilder::new(token)
    }

    async fn within_limit<T>(
        &self,
        operation: Operation,
        requests: impl Future<Output = Result<T, String>>,
    ) -> Result<T, ControlPlaneError> {
        let failed = |reason| ControlPlaneError::Failed { operation, reason };
        match time::timeout(self.time_limit, requests).await {
            Ok(done) => done.map_err(failed),
            Err(_) => Err(failed(format!("{} did not answer within {:?}", self.api.base, self.time_limit))),
        }
    }

    async fn comment(
        &self,
        operation: Operation,
        on: &ItemRef,
        body: &str,
    ) -> Result<Comment, ControlPlaneError> {
        #[derive(Deserialize)]
        struct Posted {
            user: User,
            body: String,
        }
        let requests =
            async { self.api.send(Method::POST, path(on, "comments"), &json!({ "body": body })).await };
        let Posted { user, body } = self.within_limit(operation, requests).await?;
        Ok(Comment { author: user.login, body })
    }
}

impl fmt::Debug for GitHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitHub")
            .field("base", &self.api.base)
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl ControlPlane for GitHub {
    async fn add_comment(&self, item: &ItemRef, body: &str) -> Result<Comment, ControlPlaneError> {
        self.comment(Operation::AddComment, item, body).await
    }

    async fn set_labels(&self, item: &ItemRef, labels: &[String]) -> Result<(), ControlPlaneError> {
        let requests =
            async { self.api.send(Method::PUT, path(item, "labels"), &json!({ "labels": labels })).await };
        // It answers with all labels of the item, which are these.
        self.within_limit(Operation::SetLabels, requests).await.map(|IgnoredAny| ())
    }

    async fn get_labels(&self, item: &ItemRef) -> Result<Vec<String>, ControlPlaneError> {
        #[derive(Deserialize)]
        struct Label {
            name: String,
        }
        let requests = async { self.api.list(&path(item, "labels")).await };
        let labels: Vec<Label> = self.within_limit(Operation::GetLabels, requests).await?;
        Ok(labels.into_iter().map(|label| label.name).collect())
    }

    async fn list_comments(&self, item: &ItemRef) -> Result<Vec<Comment>, ControlPlaneError> {
        #[derive(Deserialize)]
        struct Posted {
            /// None where the account is gone.
            user: Option<User>,
            body: Option<String>,
        }
        let requests = async { self.api.list(&path(item, "comments")).await };
        let posted: Vec<Posted> = self.within_limit(Operation::ListComments, requests).await?;
        let comment = |posted: Posted| Comment {
            author: posted.user.map_or_else(|| "ghost".to_owned(), |user| user.login),
            body: posted.body.unwrap_or_default(),
        };
        Ok(posted.into_iter().map(comment).collect())
    }

    async fn post_message(&self, item: &ItemRef, text: &str) -> Result<(), ControlPlaneError> {
        let operation = Operation::PostMessage;
        let Some(messages) = &self.messages else {
            let reason = "no issue was named that messages go to".to_owned();
            return Err(ControlPlaneError::Unsupported { operation, reason });
        };
        let ItemRef { repo, number } = item;
        self.comment(operation, messages, &format!("{repo}#{number}: {text}")).await.map(drop)
    }
}

/// The path of what belongs to an issue.
fn path(item: &ItemRef, what: &str) -> String {
    let ItemRef { repo, number } = item;
    format!("/repos/{repo}/issues/{number}/{what}")
}
