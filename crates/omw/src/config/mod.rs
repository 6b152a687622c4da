//! `omw.toml`: what agents there are, and what they reach.
//!
//! [`load`] reads a [`Source`] into a [`Config`]: files through [`windtunnel_doc`], so that every value has a place, then merged into one
//! tree, which is decoded once. [`Origin`] leads from a fault in the tree back to the file or variable that it comes from. What back ends make of
//! their [`Params`] is theirs; a config only says where they stand.

mod check;
mod environment;
mod file;
mod layer;
mod load;
mod merge;
mod model;
mod origin;
mod params;
mod schema;
mod source;
mod tunables;

pub use load::{Loaded, load};
pub use model::{AgentConfig, BackendConfig, Config};
pub use origin::Origin;
pub use params::Params;
pub use schema::{schema, test_schema};
pub use source::Source;
pub use tunables::Tunables;
