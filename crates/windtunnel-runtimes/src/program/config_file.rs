//! A configuration file made from a template for each case.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use tempfile::TempDir;
use windtunnel_doc::nearest;

/// The largest template that is read, in bytes.
const MAX_TEMPLATE: u64 = 1024 * 1024;

/// What a template may use.
#[derive(Debug, Serialize)]
pub(crate) struct Variables<'a> {
    /// The tool servers of the case.
    pub(crate) servers: Vec<Server>,
    /// Where the model is; none in a live run where nobody is in between.
    pub(crate) base_url: Option<&'a str>,
    /// A key that the scripted model takes; none in a live run.
    pub(crate) api_key: Option<&'a str>,
    /// The case's workspace.
    pub(crate) workspace: &'a str,
}

const NAMES: [&str; 4] = ["servers", "base_url", "api_key", "workspace"];

/// A tool server, as templates see it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Server {
    pub(crate) name: String,
    /// MCP over streamable HTTP.
    pub(crate) url: String,
    /// A command line that speaks MCP over stdio.
    pub(crate) bridge: Vec<String>,
}

/// A checked template.
#[derive(Debug)]
pub(crate) struct Template {
    path: Utf8PathBuf,
    source: String,
    uses_base_url: bool,
}

impl Template {
    /// Reads a template and checks what it uses.
    pub(crate) fn read(path: Utf8PathBuf) -> Result<Self, String> {
        let unreadable = |error| format!("the template {path} cannot be read: {error}");
        let metadata = fs::metadata(&path).map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(format!("the template {path} is no regular file"));
        }
        if metadata.len() > MAX_TEMPLATE {
            return Err(format!("the template {path} is larger than {MAX_TEMPLATE} bytes"));
        }
        let source = fs::read_to_string(&path).map_err(unreadable)?;
        let used = {
            let environment = environment();
            let template = environment
                .template_from_named_str(path.as_str(), &source)
                .map_err(|error| format!("the template is wrong: {error}"))?;
            template.undeclared_variables(false)
        };
        let known =
            |name: &str| NAMES.contains(&name) || environment().globals().any(|(global, _)| global == name);
        let mut unknown: Vec<&String> = used.iter().filter(|name| !known(name)).collect();
        unknown.sort();
        if let Some(name) = unknown.first() {
            let help = match nearest(name, NAMES) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("it has {}", NAMES.join(", ")),
            };
            return Err(format!("the template {path} uses an unknown variable {name}: {help}"));
        }
        Ok(Self { uses_base_url: used.contains("base_url"), path, source })
    }

    pub(crate) fn uses_base_url(&self) -> bool {
        self.uses_base_url
    }

    /// Writes the file into a folder of its own that only we can read.
    pub(crate) fn render(&self, variables: &Variables<'_>) -> Result<RenderedFile, String> {
        let environment = environment();
        let text = environment
            .render_named_str(self.path.as_str(), &self.source, Serde(variables))
            .map_err(|error| format!("the template cannot be filled in: {error}"))?;
        let name = file_name(&self.path);
        if Utf8Path::new(name).extension() == Some("json")
            && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&text)
        {
            return Err(format!(
                "what the template {} makes is not JSON: {error}; write values as {{{{ url | tojson }}}}",
                self.path
            ));
        }
        let unwritable = |error| format!("the configuration file {name} cannot be written: {error}");
        let folder = tempfile::Builder::new().prefix("wt-agent-").tempdir().map_err(unwritable)?;
        let path = Utf8PathBuf::try_from(folder.path().join(name))
            .map_err(|error| format!("the folder for temporary files has no UTF-8 path: {error}"))?;
        fs::write(&path, text).map_err(unwritable)?;
        Ok(RenderedFile { path, _folder: folder })
    }
}

/// A file that is gone with its folder when this is dropped.
#[derive(Debug)]
pub(crate) struct RenderedFile {
    pub(crate) path: Utf8PathBuf,
    _folder: TempDir,
}

impl RenderedFile {
    /// The folder that it alone lies in.
    pub(super) fn folder(&self) -> &Utf8Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

/// The template's name without `.j2`: programs go by the extension.
fn file_name(template: &Utf8Path) -> &str {
    let name = template.file_name().unwrap_or("config");
    name.strip_suffix(".j2")
        .or_else(|| name.strip_suffix(".jinja"))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(name: &str, source: &str) -> Result<(TempDir, Template), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join(name)).unwrap();
        fs::write(&path, source).unwrap();
        Template::read(path).map(|template| (folder, template))
    }

    fn variables() -> Variables<'static> {
        let server = |name: &str| Server {
            name: name.to_owned(),
            url: format!("http://127.0.0.1:1/{name}"),
            bridge: vec!["wt".to_owned(), "mcp-bridge".to_owned()],
        };
        Variables {
            servers: vec![server("crm"), server("files")],
            base_url: None,
            api_key: None,
            workspace: "/w",
        }
    }

    #[test]
    fn a_file_is_written_from_the_variables_and_removed() {
        let source = r#"{"mcp": {
            {%- for s in servers %}{{ s.name | tojson }}: {"url": "{{ s.url }}", "argv": {{ s.bridge | tojson }}}
            {%- if not loop.last %}, {% endif %}{% endfor %}}, "model": {{ base_url | tojson }}}"#;
        let (_folder, template) = template("mcp.json.j2", source).unwrap();
        assert!(template.uses_base_url());
        let file = template.render(&variables()).unwrap();
        assert_eq!(file.path.file_name(), Some("mcp.json"));
        let made: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file.path).unwrap()).unwrap();
        let expected = serde_json::json!({
            "mcp": {
                "crm": {"url": "http://127.0.0.1:1/crm", "argv": ["wt", "mcp-bridge"]},
                "files": {"url": "http://127.0.0.1:1/files", "argv": ["wt", "mcp-bridge"]},
            },
            "model": null,
        });
        assert_eq!(made, expected);
        let path = file.path.clone();
        drop(file);
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }

    #[test]
    fn an_unknown_variable_names_the_nearest() {
        let error =
            template("a.toml", "{% for s in server %}{{ s.url }}{% endfor %}").map(|_| ()).unwrap_err();
        assert!(error.ends_with("uses an unknown variable server: did you mean servers?"), "{error}");
        let error = template("a.toml", "{{ other }}").map(|_| ()).unwrap_err();
        assert!(
            error.ends_with("unknown variable other: it has servers, base_url, api_key, workspace"),
            "{error}"
        );
    }

    #[test]
    fn a_wrong_template_is_told_with_its_line() {
        let error = template("a.toml", "x = 1\n{% for %}").map(|_| ()).unwrap_err();
        assert!(error.contains("a.toml:2"), "{error}");
        let (_folder, wrong) = template("a.toml", "x\n{{ servers[0].nmae }}").unwrap();
        let error = wrong.render(&variables()).unwrap_err();
        assert!(error.contains("a.toml:2"), "{error}");
    }

    #[test]
    fn json_that_is_none_is_told_with_what_to_write() {
        let (_folder, template) = template("a.json", "{\"url\": {{ servers[0].url }}}").unwrap();
        let error = template.render(&variables()).unwrap_err();
        assert!(error.contains("is not JSON") && error.contains("{{ url | tojson }}"), "{error}");
    }

    #[test]
    fn a_missing_template_is_named() {
        let error = Template::read("/no/such/mcp.json.j2".into()).map(|_| ()).unwrap_err();
        assert!(error.starts_with("the template /no/such/mcp.json.j2 cannot be read: "), "{error}");
    }
}
