//! What the real back ends offer.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt as _, stream};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout, timeout_at};

use crate::backend::BackendError;
use crate::config::BackendConfig;
use crate::exchange::ResourceInfo;
use crate::host::trace::to_value;
use crate::registry::{BuildContext, Kinds, Registries, choice};
use crate::tooling::Tooling;

/// How long a provider may take to list its models.
const PROVIDER_LIMIT: Duration = Duration::from_secs(10);
/// How long a tool server may take to start and to tell all that it has.
const TOOLING_LIMIT: Duration = Duration::from_secs(60);
/// How long it may take to end.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
/// Resources of one server that are read.
const MAX_RESOURCES: usize = 200;
/// Resources that are read at the same time.
const AT_ONCE: usize = 4;
/// Bytes of a resource's contents; a test is to be read by people.
const MAX_CONTENT: usize = 256 * 1024;

/// A mock in place of a back end, and what has to be said about it.
pub(super) struct Finding {
    pub(super) mock: Value,
    pub(super) warnings: Vec<String>,
}

/// Asks back ends.
pub(super) struct Introspection<'r> {
    registries: &'r Registries,
    context: BuildContext,
    with_resources: bool,
}

impl<'r> Introspection<'r> {
    pub(super) fn new(registries: &'r Registries, context: BuildContext, with_resources: bool) -> Self {
        Self { registries, context, with_resources }
    }

    pub(super) async fn provider(&self, name: &str, config: &BackendConfig) -> Finding {
        let models = async {
            let provider = self.make(&self.registries.providers, config)?;
            match timeout(PROVIDER_LIMIT, provider.list_models()).await {
                Ok(models) => models.map_err(|error| error.to_string()),
                Err(_) => Err(format!("no answer within {} s", PROVIDER_LIMIT.as_secs())),
            }
        };
        let (models, warnings) = match models.await {
            Ok(models) => (models, Vec::new()),
            Err(why) => (Vec::new(), vec![format!("providers.{name}: {why}; its mock has no models")]),
        };
        Finding { mock: json!({"kind": "mock", "models": models, "turns": []}), warnings }
    }

    pub(super) async fn tooling(&self, name: &str, config: &BackendConfig) -> Finding {
        let mut mock = Mock::default();
        let mut warnings = Vec::new();
        match self.make(&self.registries.tooling, config) {
            Ok(tooling) => {
                let deadline = Instant::now() + TOOLING_LIMIT;
                let mut asking = Asking { tooling: &*tooling, deadline, name, warnings: &mut warnings };
                asking.all(&mut mock, self.with_resources).await;
                if timeout(CLOSE_LIMIT, tooling.close()).await.is_err() {
                    warnings.push(format!("tooling.{name}: it does not end"));
                }
            }
            Err(why) => warnings.push(format!("tooling.{name}: {why}; its mock is empty")),
        }
        Finding { mock: mock.into_value(), warnings }
    }

    fn make<T: ?Sized>(&self, kinds: &Kinds<T>, config: &BackendConfig) -> Result<Arc<T>, String> {
        let kind = &config.kind;
        match kinds.get(kind) {
            Some(make) => make(&config.params, &self.context).map_err(|error| error.to_string()),
            None => Err(format!("unknown kind \"{kind}\"{}", choice(kind, kinds.names()))),
        }
    }
}

/// What a tool server has, in the form of a mock's parameters.
#[derive(Default)]
struct Mock {
    tools: Value,
    resources: Vec<ResourceInfo>,
    templates: Value,
    contents: IndexMap<String, Vec<String>>,
}

impl Mock {
    fn into_value(self) -> Value {
        let list = |value: Value| if value.is_null() { json!([]) } else { value };
        let mut mock = Map::new();
        mock.insert("kind".into(), "mock".into());
        mock.insert("tool_calls".into(), json!([]));
        mock.insert("tools".into(), list(self.tools));
        mock.insert("initial_resource_list".into(), to_value(self.resources));
        if self.templates.as_array().is_some_and(|templates| !templates.is_empty()) {
            mock.insert("resource_templates".into(), self.templates);
        }
        mock.insert("initial_resource_contents".into(), to_value(self.contents));
        Value::Object(mock)
    }
}

/// A server that is being asked.
struct Asking<'a> {
    tooling: &'a dyn Tooling,
    deadline: Instant,
    name: &'a str,
    warnings: &'a mut Vec<String>,
}

impl Asking<'_> {
    async fn all(&mut self, mock: &mut Mock, with_resources: bool) {
        match self.within(self.tooling.list_tools()).await {
            Ok(tools) => mock.tools = to_value(tools),
            // A server that does not even tell its tools tells nothing else.
            Err(why) => return self.warn(format_args!("{why}; its mock is empty")),
        }
        if !with_resources {
            return;
        }
        match self.within(self.tooling.list_resources()).await {
            Ok(resources) => mock.resources = resources,
            Err(why) => self.warn(format_args!("its resources cannot be listed: {why}")),
        }
        match self.within(self.tooling.list_resource_templates()).await {
            Ok(templates) => mock.templates = to_value(templates),
            Err(why) => self.warn(format_args!("its resource templates cannot be listed: {why}")),
        }
        mock.contents = self.contents(&mock.resources).await;
    }

    async fn contents(&mut self, resources: &[ResourceInfo]) -> IndexMap<String, Vec<String>> {
        let (read, left) = resources.split_at(resources.len().min(MAX_RESOURCES));
        let this = &*self;
        let reading = read.iter().map(|resource| async move {
            (&resource.uri, this.within(this.tooling.read_resource(&resource.uri)).await)
        });
        let found: Vec<_> = stream::iter(reading).buffered(AT_ONCE).collect().await;
        let mut contents = IndexMap::new();
        for (uri, read) in found {
            let texts = read.map(|read| read.into_iter().map(|content| content.content).collect::<Vec<_>>());
            match texts {
                Ok(texts) if texts.iter().map(String::len).sum::<usize>() <= MAX_CONTENT => {
                    contents.insert(uri.clone(), texts);
                }
                Ok(_) => self
                    .warn(format_args!("\"{uri}\" is longer than {} KiB and left out", MAX_CONTENT / 1024)),
                Err(why) => self.warn(format_args!("\"{uri}\" cannot be read: {why}")),
            }
        }
        if !left.is_empty() {
            self.warn(format_args!("{} more resources are not read", left.len()));
        }
        contents
    }

    async fn within<T>(&self, asking: impl Future<Output = Result<T, BackendError>>) -> Result<T, String> {
        match timeout_at(self.deadline, asking).await {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer within {} s", TOOLING_LIMIT.as_secs())),
        }
    }

    fn warn(&mut self, what: impl Display) {
        self.warnings.push(format!("tooling.{}: {what}", self.name));
    }
}
