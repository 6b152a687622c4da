//! The provider `openai`: models behind OpenAI Chat Completions, whoever serves them.
//!
//! It always asks for a stream; a blocking chat is the joined stream. Nothing is asked twice: an agent sees a failure and decides.
//!
//! ```
//! use omw::provider::Provider as _;
//! use omw::provider::openai::{OpenAiProvider, OpenAiProviderParams};
//!
//! let params = OpenAiProviderParams { base_url: "http://127.0.0.1:8000/v1".to_owned(), ..Default::default() };
//! assert_eq!(OpenAiProvider::new(params)?.kind(), "openai");
//! # Ok::<(), omw::backend::BackendError>(())
//! ```

mod answer;
mod body;
mod client;
mod failure;
mod params;
mod place;
mod reader;

pub use client::OpenAiProvider;
pub use params::OpenAiProviderParams;
