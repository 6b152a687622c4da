//! The tool servers of a pack, made fresh for every case.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use indexmap::IndexMap;
use tokio_util::sync::DropGuard;
use windtunnel_api::EffectClass;
use windtunnel_api::pack::ToolSpec;
use windtunnel_spi::{CaseWorld, ToolError, ToolFactory, ToolHandle, ToolServer};

use crate::endpoint::{Endpoint, Origin};
use crate::handle::RecorderHandle;
use crate::limits::RecorderLimits;
use crate::recorder::Recorder;
use crate::upstream::http::HttpOrigin;
use crate::upstream::stdio::StdioOrigin;
use crate::upstream::universe::{Shelf, Synthesizer, Universe};
use crate::upstream::workspace;

/// Makes the tool servers of a pack: `workspace`, `stdio`, `http` and `universe`, each with a recorder in front of it.
///
/// Clones share the universe files that they have read.
#[derive(Clone, Default)]
pub struct BenchTools {
    limits: RecorderLimits,
    universes: Arc<Shelf>,
    synthesizer: Option<Arc<dyn Synthesizer>>,
}

impl fmt::Debug for BenchTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BenchTools")
            .field("limits", &self.limits)
            .field("synthesizes", &self.synthesizes())
            .finish_non_exhaustive()
    }
}

impl BenchTools {
    /// With the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: RecorderLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with a function for calls that no recording answers, where a universe file asks for one.
    ///
    /// ```
    /// use serde_json::{Map, Value, json};
    /// use windtunnel_api::universe::UniverseTool;
    /// use windtunnel_mcp::BenchTools;
    ///
    /// let tools = BenchTools::new().with_synthesizer(|tool: &UniverseTool, args: &Map<String, Value>| {
    ///     match tool.name.as_str() {
    ///         "get_order" => Ok(json!({ "id": args.get("id"), "status": "unknown" })),
    ///         other => Err(format!("{other} is closed today")),
    ///     }
    /// });
    /// # let _ = tools;
    /// ```
    #[must_use]
    pub fn with_synthesizer(mut self, synthesizer: impl Synthesizer + 'static) -> Self {
        self.synthesizer = Some(Arc::new(synthesizer));
        self
    }

    /// Whether there is such a function.
    pub fn synthesizes(&self) -> bool {
        self.synthesizer.is_some()
    }
}

impl ToolFactory for BenchTools {
    fn server(
        &self,
        name: &str,
        spec: &ToolSpec,
        world: &CaseWorld,
    ) -> Result<Box<dyn ToolServer>, ToolError> {
        let mut world = world.clone();
        let origin = match spec {
            ToolSpec::Workspace(_) => PlannedOrigin::Workspace,
            ToolSpec::Stdio(tools) => {
                let origin = StdioOrigin::new(name, tools, &world)?;
                world.redactor = world.redactor.and(origin.secrets().iter().cloned());
                PlannedOrigin::Ready(Origin::Stdio(origin))
            }
            ToolSpec::Universe(tools) => {
                let library = self.universes.library(name, &world.pack_dir, &tools.file)?;
                let universe = Universe::new(name, library, self.synthesizer.clone())?;
                PlannedOrigin::Ready(Origin::Universe(universe))
            }
            ToolSpec::Http(tools) => {
                let origin = HttpOrigin::new(name, tools, &mut world.redactor)?;
                PlannedOrigin::Ready(Origin::Http(Arc::new(origin)))
            }
        };
        Ok(Box::new(BenchServer {
            name: name.to_owned(),
            effects: spec.effects().clone(),
            world,
            limits: self.limits,
            origin: Some(origin),
            running: None,
        }))
    }
}

/// Where sessions will come from. The workspace need not exist before its server is started.
enum PlannedOrigin {
    Workspace,
    Ready(Origin),
}

struct BenchServer {
    name: String,
    effects: IndexMap<String, EffectClass>,
    world: CaseWorld,
    limits: RecorderLimits,
    origin: Option<PlannedOrigin>,
    running: Option<Running>,
}

/// A started server. Its agents may hold the handle for longer than anybody holds the server.
struct Running {
    handle: Arc<RecorderHandle>,
    _end_on_drop: DropGuard,
}

#[async_trait]
impl ToolServer for BenchServer {
    fn name(&self) -> &str {
        &self.name
    }

    async fn start(&mut self) -> Result<Arc<dyn ToolHandle>, ToolError> {
        let origin = match self.origin.take() {
            Some(PlannedOrigin::Workspace) => {
                Origin::Workspace(workspace::open(&self.name, &self.world.workspace)?)
            }
            Some(PlannedOrigin::Ready(origin)) => origin,
            None => {
                return Err(ToolError::new(
                    &self.name,
                    "it was started before: make a new one for every case",
                ));
            }
        };
        let recorder = Arc::new(Recorder::new(&self.name, self.world.redactor.clone(), &self.limits));
        let endpoint = Endpoint::start(recorder, origin, self.world.clone(), self.limits).await?;
        let end_on_drop = endpoint.end_on_drop();
        let handle = Arc::new(RecorderHandle::new(endpoint, self.effects.clone()));
        self.running = Some(Running { handle: Arc::clone(&handle), _end_on_drop: end_on_drop });
        Ok(handle)
    }

    async fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.handle.stop().await;
        }
    }
}
