//! The endpoint `openai`: clients of OpenAI Chat Completions reach agents as if they were models.
//!
//! `GET /v1/models` lists the model names that agents serve now; `POST /v1/chat/completions` opens a session with the agent behind
//! one and answers with what it streams, as server-sent events or as one document.
//!
//! ```
//! use omw::endpoint::Endpoint as _;
//! use omw::endpoint::openai::{OpenAiEndpoint, OpenAiEndpointParams};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let endpoint = OpenAiEndpoint::new(OpenAiEndpointParams::on("127.0.0.1:0".parse().unwrap()))?;
//! endpoint.prepare().await?;
//! assert_ne!(endpoint.address().unwrap().port(), 0);
//! # Ok::<(), omw::backend::BackendError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod body;
mod listener;
mod params;
mod refusal;
mod reply;
mod server;
mod streamed;
mod whole;

pub use listener::OpenAiEndpoint;
pub use params::OpenAiEndpointParams;
