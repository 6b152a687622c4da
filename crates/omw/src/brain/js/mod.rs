//! Brains written in JavaScript, run by `QuickJS`.
//!
//! A script reaches the host through the global `omw`: `omw.host`, `omw.provider` and `omw.tooling`, with keys in camelCase. The value of its
//! last expression is what the brain exits with, objects as their JSON; `undefined` and `null` are none. There is no console, no timer
//! and no module, and nobody waits for a promise.
//!
//! The engine looks for an interrupt when a script calls or repeats something, and within regular expressions; it does not while one of its
//! own functions goes over an object that claims to be endless (`[].indexOf.call({length: 2 ** 53 - 1}, 1)`). A run gives such a brain's
//! thread up.
//!
//! ```
//! use omw::prelude::*;
//!
//! let folder = tempfile::tempdir()?;
//! let script = camino::Utf8Path::from_path(folder.path()).ok_or("no UTF-8")?.join("brain.js");
//! std::fs::write(&script, "omw.host.log('info', 'hello');\nlet = ;")?;
//!
//! let error = Js::new().load(&script).err().ok_or("it is malformed")?;
//! assert!(error.to_string().contains("brain.js:2:"), "{error}");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod api;
mod failure;
mod host;
mod provider;
mod runtime;
mod tooling;
mod value;

#[cfg(test)]
mod tests;

pub use runtime::Js;
