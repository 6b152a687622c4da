//! Why a program could not be started.

use std::io;

use camino::Utf8PathBuf;
use thiserror::Error;

/// A program that could not be started, or an environment that could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChildError {
    /// There is no program in the list of arguments.
    #[error("the command is empty: its first entry has to be a program")]
    NoProgram,
    /// The program does not exist where it was looked for.
    #[error("program `{program}` was not found: looked for {looked_for}{hint}")]
    NotFound {
        /// As the command names it.
        program: String,
        /// The file, or the folders.
        looked_for: String,
        /// What to write instead, where that can be told.
        hint: String,
    },
    /// The program is a file that may not be executed.
    #[error(
        "{path} is not executable: make it so (chmod +x), or name its interpreter as the first entry of the command"
    )]
    NotExecutable {
        /// The file.
        path: Utf8PathBuf,
    },
    /// The working folder does not exist.
    #[error("the working folder {path} of `{program}` is not a folder")]
    NoFolder {
        /// The folder.
        path: Utf8PathBuf,
        /// As the command names it.
        program: String,
    },
    /// A template asks for a variable that this process does not have.
    #[error("variable {variable} is not set, and {field} needs it: export {variable} before you start")]
    NoVariable {
        /// The variable of ours.
        variable: String,
        /// Where it is asked for.
        field: String,
    },
    /// A template with `${` but no name and `}` after it.
    #[error(
        "{field} holds `${{` without a variable name and `}}` after it: write ${{NAME}}, or $${{ for the two characters"
    )]
    Template {
        /// Where it stands.
        field: String,
    },
    /// A name that no variable can have.
    #[error("`{name}` cannot be the name of an environment variable")]
    VariableName {
        /// The name.
        name: String,
    },
    /// The operating system refused.
    #[error("could not start `{program}`")]
    Spawn {
        /// The program's file.
        program: Utf8PathBuf,
        /// What it said.
        #[source]
        source: io::Error,
    },
}
