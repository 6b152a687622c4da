//! The settings of a loop, completed from the environment.

use std::time::Duration;

use windtunnel_api::Secret;
use windtunnel_api::config::LoopRuntime;
use windtunnel_inference::OpenAiChat;
use windtunnel_inference::model::OpenAiSettings;
use windtunnel_spi::{RuntimeError, RuntimeErrorKind};

/// What a loop runs with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// The runtime's name in `wt.toml`.
    pub(super) runtime: String,
    pub(super) system_prompt: Option<String>,
    pub(super) model: Option<String>,
    base_url: Option<String>,
    key: Option<Secret>,
    /// The most model requests of one turn.
    pub(super) max_steps: usize,
}

impl Settings {
    /// Settings completed from this process's environment.
    pub(super) fn from_env(runtime: String, spec: LoopRuntime) -> Self {
        Self::resolve(runtime, spec, |variable| std::env::var(variable).ok())
    }

    fn resolve(runtime: String, spec: LoopRuntime, env: impl Fn(&str) -> Option<String>) -> Self {
        let or_env = |given: Option<String>, variable: &str| {
            given.or_else(|| env(variable)).filter(|value| !value.trim().is_empty())
        };
        Self {
            runtime,
            system_prompt: spec.system_prompt,
            model: or_env(spec.model, "OPENAI_MODEL"),
            base_url: or_env(spec.base_url, "OPENAI_BASE_URL"),
            key: or_env(None, &spec.api_key_env).map(Secret::new),
            max_steps: spec.max_steps,
        }
    }

    /// The key, for keeping it out of evidence.
    pub(super) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }

    /// A client of the live model, and the model's name.
    ///
    /// # Errors
    /// There is no model or no address, and what to write.
    pub(super) fn live_model(&self, timeout: Duration) -> Result<(OpenAiChat, String), RuntimeError> {
        let (Some(model), Some(base_url)) = (&self.model, &self.base_url) else {
            return Err(RuntimeError::new(RuntimeErrorKind::Config, self.what_is_missing()));
        };
        let settings = OpenAiSettings {
            base_url: base_url.clone(),
            model: model.clone(),
            key: self.key.clone(),
            timeout,
        };
        let client = OpenAiChat::new(settings).map_err(|error| {
            let message = format!("runtime `{}`: {error}", self.runtime);
            RuntimeError::new(RuntimeErrorKind::Config, message).with_source(error)
        })?;
        Ok((client, model.clone()))
    }

    fn what_is_missing(&self) -> String {
        let model = Missing { what: "model", variable: "OPENAI_MODEL", setting: "model = \"<name>\"" };
        let base_url = Missing {
            what: "base URL",
            variable: "OPENAI_BASE_URL",
            setting: "base_url = \"http://127.0.0.1:8000/v1\"",
        };
        let missing: Vec<Missing> = [(model, &self.model), (base_url, &self.base_url)]
            .into_iter()
            .filter_map(|(missing, given)| given.is_none().then_some(missing))
            .collect();
        let list = |part: fn(&Missing) -> &'static str, between: &str| {
            missing.iter().map(part).collect::<Vec<_>>().join(between)
        };
        format!(
            "runtime `{name}` has no {} for a live run: set {}, or write under [runtimes.{name}] in wt.toml: \
             kind = \"loop\", {} (`wt selftest` needs no model)",
            list(|missing| missing.what, " and no "),
            list(|missing| missing.variable, " and "),
            list(|missing| missing.setting, ", "),
            name = self.runtime,
        )
    }
}

/// Something that a live run cannot do without, and the two ways to give it.
struct Missing {
    what: &'static str,
    variable: &'static str,
    setting: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(spec: LoopRuntime, env: &[(&str, &str)]) -> Settings {
        let value =
            |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::resolve("loop".to_owned(), spec, value)
    }

    fn error(settings: &Settings) -> RuntimeError {
        settings.live_model(Duration::from_secs(1)).unwrap_err()
    }

    #[test]
    fn a_live_run_without_a_model_says_what_to_write() {
        let error = error(&resolved(LoopRuntime::default(), &[]));
        assert_eq!(error.kind(), RuntimeErrorKind::Config);
        insta::assert_snapshot!(error, @r#"runtime `loop` has no model and no base URL for a live run: set OPENAI_MODEL and OPENAI_BASE_URL, or write under [runtimes.loop] in wt.toml: kind = "loop", model = "<name>", base_url = "http://127.0.0.1:8000/v1" (`wt selftest` needs no model)"#);
    }

    #[test]
    fn only_what_is_missing_is_asked_for() {
        let error =
            error(&resolved(LoopRuntime::default(), &[("OPENAI_MODEL", "m"), ("OPENAI_BASE_URL", " ")]));
        insta::assert_snapshot!(error, @r#"runtime `loop` has no base URL for a live run: set OPENAI_BASE_URL, or write under [runtimes.loop] in wt.toml: kind = "loop", base_url = "http://127.0.0.1:8000/v1" (`wt selftest` needs no model)"#);
    }

    #[test]
    fn settings_win_over_the_environment_and_the_key_is_taken_by_name() {
        let spec = LoopRuntime {
            model: Some("mine".to_owned()),
            api_key_env: "MY_KEY".to_owned(),
            ..LoopRuntime::default()
        };
        let env = [("OPENAI_MODEL", "theirs"), ("OPENAI_BASE_URL", "http://h/v1"), ("MY_KEY", "canary-1")];
        let settings = resolved(spec, &env);
        let (_, model) = settings.live_model(Duration::from_secs(1)).unwrap();
        assert_eq!(model, "mine");
        assert_eq!(settings.key().map(Secret::expose), Some("canary-1"));
        assert!(!format!("{settings:?}").contains("canary-1"));
    }

    #[test]
    fn a_base_url_that_is_none_is_a_wrong_setting() {
        let spec = LoopRuntime {
            model: Some("m".to_owned()),
            base_url: Some("host/v1".to_owned()),
            ..LoopRuntime::default()
        };
        let error = error(&resolved(spec, &[]));
        assert_eq!(error.kind(), RuntimeErrorKind::Config);
        assert!(
            error.to_string().starts_with("runtime `loop`: no model client can be made: the base URL"),
            "{error}"
        );
    }
}
