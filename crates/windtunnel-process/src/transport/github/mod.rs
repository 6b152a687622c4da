//! A control plane over the GitHub REST API.
//!
//! Each operation of the table is one or more requests to `api.github.com`, or to the API of a GitHub Enterprise server: comments and
//! labels of an issue (pull requests are issues there), and a comment on an issue of one's own for messages. What is asked again, and
//! what an answer means, is said by `answer`; `api` only sends.
//!
//! ```
//! # async fn of() -> Result<(), Box<dyn std::error::Error>> {
//! use windtunnel_api::Secret;
//! use windtunnel_process::transport::github::GitHub;
//!
//! let token = Secret::new(std::env::var("GITHUB_TOKEN").unwrap_or_default());
//! let control = GitHub::builder(token).base_url("https://github.example.com/api/v3").build()?;
//! # Ok(())
//! # }
//! ```

mod answer;
mod api;
mod builder;
mod operations;

pub use builder::{GitHubBuilder, GitHubError};
pub use operations::GitHub;
