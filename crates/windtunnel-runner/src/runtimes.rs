//! The runtimes that a suite can use, by name.

use std::fmt;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use windtunnel_api::Pack;
use windtunnel_doc::nearest;
use windtunnel_spi::RuntimePlugin;

use crate::suite::SuiteError;

/// The runtimes that a suite can use, by name.
#[derive(Clone, Default)]
pub struct Runtimes {
    plugins: IndexMap<String, Arc<dyn RuntimePlugin>>,
    /// Names of runtimes that cannot be used as they are configured.
    unusable: IndexSet<String>,
}

impl Runtimes {
    /// No runtimes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a runtime under its own name; it replaces an earlier one of that name.
    #[must_use]
    pub fn with(mut self, plugin: Arc<dyn RuntimePlugin>) -> Self {
        self.plugins.insert(plugin.name().to_owned(), plugin);
        self
    }

    /// Names a runtime that is configured and cannot be used as it is, so that whoever misspells it is told of it.
    #[must_use]
    pub fn with_unusable(mut self, name: impl Into<String>) -> Self {
        self.unusable.insert(name.into());
        self
    }

    /// The runtime of this name.
    ///
    /// # Errors
    /// There is none; the error knows the nearest name and lists all.
    pub fn get(&self, name: &str) -> Result<&Arc<dyn RuntimePlugin>, SuiteError> {
        self.plugins.get(name).ok_or_else(|| SuiteError::UnknownRuntime {
            name: name.to_owned(),
            nearest: nearest(name, self.known()).map(ToOwned::to_owned),
            known: self.known().map(ToOwned::to_owned).collect(),
        })
    }

    /// The names of those that can be used, in the order they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.plugins.keys().map(String::as_str)
    }

    /// All names: those that can be used, then the others.
    fn known(&self) -> impl Iterator<Item = &str> {
        let unusable = self.unusable.iter().map(String::as_str);
        self.names().chain(unusable.filter(|name| !self.plugins.contains_key(*name)))
    }
}

impl fmt::Debug for Runtimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Which runtime a scenario runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeChoice {
    /// The one for everything, if somebody asked for it: `--runtime`.
    pub asked: Option<String>,
    /// The one of packs that name none.
    pub default: String,
}

impl RuntimeChoice {
    /// The runtime's name: the one asked for, else the pack's, else the default.
    pub fn of<'a>(&'a self, pack: &'a Pack) -> &'a str {
        self.asked.as_deref().or(pack.manifest.runtime.as_deref()).unwrap_or(&self.default)
    }
}

#[cfg(test)]
mod tests {
    use windtunnel_api::PackManifest;
    use windtunnel_spi::ReadyPlugin;
    use windtunnel_spi::doubles::CannedRuntime;

    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_the_nearest_and_all_others() {
        let ready = |name| Arc::new(ReadyPlugin::new(name, Arc::new(CannedRuntime::new(["hi"]))));
        let runtimes = Runtimes::new().with(ready("loop")).with(ready("support_bot"));
        assert!(runtimes.get("loop").is_ok());
        let error = |name| runtimes.get(name).err().unwrap().to_string();
        insta::assert_snapshot!(error("support-bto"), @r#"unknown runtime "support-bto"; did you mean support_bot? known are loop, support_bot"#);
        insta::assert_snapshot!(error("cloud"), @r#"unknown runtime "cloud"; known are loop, support_bot; add [runtimes.cloud] to wt.toml"#);
    }

    #[test]
    fn one_that_cannot_be_used_is_known_all_the_same() {
        let ready = |name| Arc::new(ReadyPlugin::new(name, Arc::new(CannedRuntime::new(["hi"]))));
        let runtimes = Runtimes::new().with_unusable("crew").with_unusable("loop").with(ready("loop"));
        let error = |name| runtimes.get(name).err().unwrap().to_string();
        insta::assert_snapshot!(error("crw"), @r#"unknown runtime "crw"; did you mean crew? known are loop, crew"#);
        assert_eq!(runtimes.names().collect::<Vec<_>>(), ["loop"]);
    }

    #[test]
    fn the_choice_is_asked_then_pack_then_default() {
        let pack = |runtime: Option<&str>| Pack {
            manifest: PackManifest { runtime: runtime.map(ToOwned::to_owned), ..PackManifest::default() },
            dir: ".".into(),
        };
        for (asked, of_pack, chosen) in
            [(Some("a"), Some("p"), "a"), (None, Some("p"), "p"), (None, None, "d"), (Some("a"), None, "a")]
        {
            let choice = RuntimeChoice { asked: asked.map(ToOwned::to_owned), default: "d".to_owned() };
            assert_eq!(choice.of(&pack(of_pack)), chosen);
        }
    }
}
