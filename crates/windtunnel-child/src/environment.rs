//! The environment of a child: an allow-list, and what the configuration adds.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};

use windtunnel_api::Secret;
use windtunnel_api::secret::names_a_secret;

use crate::error::ChildError;
use crate::template::expand;

/// What every child gets of our environment.
#[cfg(not(windows))]
const ALLOWED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR", "TERM"];

/// What every child gets of our environment: here also what programs cannot start without.
#[cfg(windows)]
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "TERM",
    "APPDATA",
    "COMSPEC",
    "LOCALAPPDATA",
    "PATHEXT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "WINDIR",
];

/// The environment of a child process. Nothing of ours is in it that was not asked for.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, Variable>,
    secrets: Vec<Secret>,
}

/// A value that prints as nothing, whether or not a secret went into it.
#[derive(Clone)]
struct Variable(OsString);

impl std::fmt::Debug for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl Environment {
    /// PATH, HOME, LANG, TMPDIR and TERM as we have them (on Windows also what programs cannot start without).
    pub fn allowed() -> Self {
        Self::default().pass(ALLOWED)
    }

    /// All that we have, as for a program that a person starts.
    pub fn inherited() -> Self {
        let variables = env::vars_os().map(|(name, value)| (name, Variable(value))).collect();
        Self { variables, secrets: Vec::new() }
    }

    /// What a configuration asks for: the allowed variables, those of ours that `pass` names, and those that `set` sets.
    pub fn of<'a>(
        pass: &[String],
        set: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Result<Self, ChildError> {
        let passed = Self::allowed().pass(pass);
        set.into_iter().try_fold(passed, |environment, (name, template)| environment.set(name, template))
    }

    /// Passes on variables of ours, where they are set. The values of those whose names say so (`…_KEY`, `…_TOKEN`) are
    /// secrets.
    #[must_use]
    pub fn pass<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        for name in names {
            let name = name.as_ref();
            let Some(value) = env::var_os(name) else { continue };
            if names_a_secret(name)
                && let Some(text) = value.to_str()
            {
                self.secrets.push(Secret::new(text));
            }
            self.variables.insert(name.into(), Variable(value));
        }
        self
    }

    /// Sets a variable; `${NAME}` in the value takes one of ours, as a secret.
    pub fn set(mut self, name: &str, template: &str) -> Result<Self, ChildError> {
        let expanded = expand(template, &format!("env.{name}"))?;
        self.secrets.extend(expanded.secrets);
        self.insert(name, expanded.value.expose())
    }

    /// Sets a variable to exactly this value.
    pub fn set_plain(self, name: &str, value: &str) -> Result<Self, ChildError> {
        self.insert(name, value)
    }

    fn insert(mut self, name: &str, value: &str) -> Result<Self, ChildError> {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(ChildError::VariableName { name: name.to_owned() });
        }
        self.variables.insert(name.into(), Variable(value.into()));
        Ok(self)
    }

    /// The secrets that went into it, for the redactor of the case.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// The value of a variable as the child gets it.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(|value| value.0.as_os_str())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.0.as_os_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_and_set_variables_are_in_it() {
        let environment = Environment::allowed().set("MODE", "test").unwrap();
        let names: Vec<_> = environment.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        assert!(names.contains(&"PATH") && names.contains(&"MODE"), "{names:?}");
        assert!(
            !names.iter().any(|name| name.starts_with("CARGO")),
            "cargo's variables are ours alone: {names:?}"
        );
    }

    #[test]
    fn a_value_never_prints() {
        let environment = Environment::default().set_plain("MODE", "canary").unwrap();
        assert!(!format!("{environment:?}").contains("canary"));
    }

    #[test]
    fn a_passed_variable_is_a_secret_by_its_name() {
        assert!(["OPENAI_API_KEY", "crm_token", "PGPASSWORD"].into_iter().all(names_a_secret));
        assert!(!["NODE_ENV", "HOME", "LANG"].into_iter().any(names_a_secret));
        let package = Environment::default().pass(["CARGO_PKG_NAME", "NO_SUCH_VARIABLE"]);
        assert!(package.secrets().is_empty());
        assert_eq!(package.iter().count(), 1);
    }

    #[test]
    fn an_impossible_name_is_refused() {
        for name in ["", "A=B", "A\0"] {
            assert!(Environment::default().set(name, "x").is_err(), "{name:?}");
        }
    }
}
