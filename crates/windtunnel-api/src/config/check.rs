//! The rules of `wt.toml` that its types cannot say.

use windtunnel_doc::{Fault, Path};

use super::spec::{CommandRuntime, Config, Install, PromptVia, ReplyVia, RuntimeSpec};
use crate::rules;

impl Config {
    /// Checks every rule that the types cannot say.
    pub fn validate(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let at = |field: &str| Path::root().then(field);
        if self.jobs == Some(0) {
            faults.push(
                Fault::new(at("jobs"), "expected at least 1, found 0")
                    .with_help("leave it out for one job per core"),
            );
        }
        for (name, seconds) in [
            ("start_s", self.timeouts.start_s),
            ("turn_s", self.timeouts.turn_s),
            ("case_s", self.timeouts.case_s),
        ] {
            rules::seconds(seconds, at("timeouts").then(name), &mut faults);
        }
        for (name, spec) in &self.runtimes {
            let path = at("runtimes").then(name.as_str());
            rules::plain_name(name, &path, "runtime", &mut faults);
            match spec {
                RuntimeSpec::InMemory(_) => {}
                RuntimeSpec::Loop(runtime) => {
                    if runtime.max_steps == 0 {
                        faults.push(
                            Fault::new(path.clone().then("max_steps"), "expected at least 1, found 0")
                                .with_help("leave it out for 50"),
                        );
                    }
                    if let Some(url) = &runtime.base_url {
                        rules::http_url(url, path.then("base_url"), "http://127.0.0.1:8000/v1", &mut faults);
                    }
                }
                RuntimeSpec::Command(runtime) => command(runtime, &path, &mut faults),
                RuntimeSpec::HttpInject(runtime) => {
                    let url = path.clone().then("url");
                    rules::http_url(&runtime.url, url, "http://127.0.0.1:8000", &mut faults);
                    if let Some(seconds) = runtime.turn_timeout_s {
                        rules::seconds(seconds, path.clone().then("turn_timeout_s"), &mut faults);
                    }
                    if runtime.max_concurrency == 0 {
                        faults.push(
                            Fault::new(path.then("max_concurrency"), "expected at least 1, found 0")
                                .with_help("leave it out for one case at a time"),
                        );
                    }
                }
                RuntimeSpec::Acp(runtime) => {
                    install(runtime.install.as_ref(), &path, &mut faults);
                    arguments(&runtime.command, &path.clone().then("command"), &mut faults);
                    if runtime.command.iter().any(|argument| argument.contains("{prompt}")) {
                        faults.push(Fault::new(
                            path.clone().then("command"),
                            "what the user says goes into the session: {prompt} is not filled in",
                        ));
                    }
                    if let Some(seconds) = runtime.turn_timeout_s {
                        rules::seconds(seconds, path.then("turn_timeout_s"), &mut faults);
                    }
                }
                RuntimeSpec::Omw(runtime) => {
                    if runtime.model.trim().is_empty() {
                        let help = "name the model that the agent serves with omw::host::subscribe_endpoint";
                        faults.push(
                            Fault::new(path.clone().then("model"), "a model needs a name").with_help(help),
                        );
                    }
                }
            }
        }
        faults
    }
}

/// Placeholders that an argument of `command` may hold, besides `{mcp_url:<server>}`.
const PLACEHOLDERS: [&str; 5] = ["prompt", "base_url", "api_key", "mcp_url", "config_file"];

fn command(runtime: &CommandRuntime, path: &Path, faults: &mut Vec<Fault>) {
    let at = |field: &str| path.clone().then(field);
    arguments(&runtime.command, &at("command"), faults);
    let has = |placeholder: &str| runtime.command.iter().any(|argument| argument.contains(placeholder));
    match runtime.prompt {
        PromptVia::Arg if !has("{prompt}") => faults.push(
            Fault::new(at("prompt"), "the prompt goes into the arguments, but none of them holds {prompt}")
                .with_help("put \"{prompt}\" into command, or use prompt = \"stdin\""),
        ),
        PromptVia::Stdin | PromptVia::Jsonl if has("{prompt}") => faults.push(
            Fault::new(at("command"), "{prompt} is only filled in with prompt = \"arg\"")
                .with_help("add prompt = \"arg\""),
        ),
        PromptVia::Jsonl if runtime.reply == ReplyVia::Stdout => faults.push(
            Fault::new(at("reply"), "a process that stays cannot answer with all of its standard output")
                .with_help("add reply = \"jsonl\""),
        ),
        PromptVia::Arg | PromptVia::Stdin | PromptVia::Jsonl => {}
    }
    install(runtime.install.as_ref(), path, faults);
    if let Some(seconds) = runtime.turn_timeout_s {
        rules::seconds(seconds, at("turn_timeout_s"), faults);
    }
}

/// What is told to people has to say something.
fn install(install: Option<&Install>, path: &Path, faults: &mut Vec<Fault>) {
    let Some(Install { makes, command }) = install else { return };
    for (field, text) in [("makes", makes.as_str()), ("command", command)] {
        let path = path.clone().then("install").then(field);
        let help = "for example { makes = \".venv\", command = \"python3 -m venv .venv\" }";
        rules::not_blank(text, path.clone(), help, faults);
        rules::printable(text, path, faults);
    }
}

/// A program and arguments whose placeholders are known.
fn arguments(argv: &[String], path: &Path, faults: &mut Vec<Fault>) {
    rules::argv(argv, path.clone(), faults);
    for (index, argument) in argv.iter().enumerate() {
        for name in placeholders(argument) {
            if !PLACEHOLDERS.contains(&name) && !name.starts_with("mcp_url:") {
                let known = PLACEHOLDERS.map(|known| format!("{{{known}}}")).join(", ");
                faults.push(
                    Fault::new(path.clone().then(index), format!("unknown placeholder {{{name}}}"))
                        .with_help(format!("expected one of {known}, {{mcp_url:<server>}}")),
                );
            }
        }
    }
}

/// The words in braces, of letters, digits, `_`, `:` and `-` only: a JSON argument is no placeholder.
fn placeholders(argument: &str) -> impl Iterator<Item = &str> {
    argument.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain)
    })
}
