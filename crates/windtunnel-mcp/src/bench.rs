//! The tool servers of a pack, made fresh for every case.

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
use crate::upstream::workspace;

/// Makes the tool servers of a pack: `workspace`, `stdio` and `http`, each with a recorder in front of it.
#[derive(Debug, Clone, Default)]
pub struct BenchTools {
    limits: RecorderLimits,
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
            ToolSpec::Universe(_) => {
                return Err(ToolError::new(name, "tools of kind universe are not built yet"));
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
