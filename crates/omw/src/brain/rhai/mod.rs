//! Brains written in [Rhai](https://rhai.rs).
//!
//! A script reaches the host through `omw::host`, `omw::provider` and `omw::tooling`. The value of its last expression, or of `exit`, is
//! what the brain exits with; `()` is none.
//!
//! ```
//! use omw::prelude::*;
//!
//! let folder = tempfile::tempdir()?;
//! let script = camino::Utf8Path::from_path(folder.path()).ok_or("no UTF-8")?.join("brain.rhai");
//! std::fs::write(&script, r#"omw::host::log("info", "hello"); let ="#)?;
//!
//! let error = Rhai::new().load(&script).err().ok_or("it is malformed")?;
//! assert!(error.to_string().ends_with("brain.rhai:1:38: Expecting name of a variable"), "{error}");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod context;
mod engine;
mod guarded;
mod host;
mod provider;
mod runtime;
mod tooling;
mod value;

#[cfg(test)]
mod tests;

pub use runtime::Rhai;
