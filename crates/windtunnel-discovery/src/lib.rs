//! Which files are tests, which pack owns them, and which of them are selected.
//!
//! [`discover`] reads scenarios and their packs. [`find`] only finds files by a [`NamingRule`], [`find_folders`] folders by a
//! [`FolderRule`], for tests that are read elsewhere.
//!
//! Below it are [`windtunnel_doc`], which reads files with spans, and [`windtunnel_gate`], which compiles a scenario's checks; above it
//! the runner. Nothing here runs anything.
//!
//! ```
//! use windtunnel_discovery::{Selection, discover};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let root = camino::Utf8Path::from_path(folder.path()).unwrap();
//! std::fs::write(root.join("pack.toml"), "name = \"demo\"").unwrap();
//! std::fs::write(root.join("a.scenario.toml"), "name = \"a\"\nprompt = \"Hi\"\ntarget_facts = [[\"hi\"]]").unwrap();
//!
//! let found = discover(&[root.to_owned()]).unwrap();
//! let selection = Selection::new().scenarios(["a*"]).unwrap();
//! let selected = selection.select(found).unwrap();
//! assert_eq!(selected[0].scenario().name, "a");
//! assert_eq!(selected[0].pack.name(), "demo");
//! ```

mod error;
mod folder;
mod found;
mod load;
mod named;
mod outside;
mod selection;
mod walk;

pub use error::SelectionError;
pub use folder::{FolderRule, Standing, TestFolder, find_folders};
pub use found::Found;
pub use load::{bare_packs, discover, discover_beside, load_pack};
pub use named::{FindError, NamedFile, NamingRule, PathFilter, find};
pub use outside::{Outside, inside};
pub use selection::{Selectable, Selection};
