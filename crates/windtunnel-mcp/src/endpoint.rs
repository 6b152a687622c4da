//! What stands behind one address: it opens sessions, and puts a fresh server under them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use windtunnel_api::event::CapturedOutput;
use windtunnel_child::Child;
use windtunnel_spi::{CaseWorld, ToolError};

use crate::agent::AgentLink;
use crate::limits::RecorderLimits;
use crate::recorder::Recorder;
use crate::relay::{AgentSink, Session};
use crate::upstream::http::{self, HttpOrigin};
use crate::upstream::stdio::{self, StdioOrigin};
use crate::upstream::universe::{self, Universe};
use crate::upstream::workspace::{self, Files};

/// How long ending the sessions of a server may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// Processes whose output is kept after they were replaced.
const MAX_OUTPUTS: usize = 8;

/// Where sessions come from.
#[derive(Debug)]
pub(crate) enum Origin {
    Workspace(Arc<Files>),
    Universe(Universe),
    Stdio(StdioOrigin),
    Http(Arc<HttpOrigin>),
}

/// Who opens a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visitor {
    Agent,
    /// The bench itself, which only wants to know the tools.
    Bench,
}

/// What stands behind one address.
pub(crate) struct Endpoint {
    recorder: Arc<Recorder>,
    origin: Origin,
    world: CaseWorld,
    limits: RecorderLimits,
    runtime: Handle,
    cancel: CancellationToken,
    slots: Arc<Semaphore>,
    generation: tokio::sync::Mutex<Generation>,
    outputs: Mutex<Outputs>,
}

/// The server as it is since the last refresh.
struct Generation {
    cancel: CancellationToken,
    tasks: TaskTracker,
    process: Option<Process>,
    /// A server over recorded calls, which all sessions share.
    universe: Option<Arc<universe::Served>>,
    used: bool,
}

/// A stdio server: its one session, and who initialised it.
struct Process {
    session: Arc<Session>,
    first: Option<Visitor>,
}

#[derive(Default)]
struct Outputs {
    current: Option<Arc<Child>>,
    earlier: Vec<CapturedOutput>,
}

impl Endpoint {
    /// Starts the server. Has to be called in the runtime of the case.
    pub(crate) async fn start(
        recorder: Arc<Recorder>,
        origin: Origin,
        world: CaseWorld,
        limits: RecorderLimits,
    ) -> Result<Arc<Self>, ToolError> {
        if let Origin::Http(http) = &origin {
            let failed = |why| ToolError::new(recorder.server(), why);
            http.reach(world.limits.start).await.map_err(failed)?;
        }
        let cancel = world.cancel.child_token();
        let endpoint = Self {
            recorder,
            origin,
            world,
            limits,
            runtime: Handle::current(),
            slots: Arc::new(Semaphore::new(limits.connections)),
            generation: tokio::sync::Mutex::new(Generation::new(&cancel)),
            outputs: Mutex::default(),
            cancel,
        };
        endpoint.launch(&mut *endpoint.generation.lock().await)?;
        Ok(Arc::new(endpoint))
    }

    /// Ends everything once it is dropped, without waiting for the end.
    pub(crate) fn end_on_drop(&self) -> DropGuard {
        self.cancel.clone().drop_guard()
    }

    /// What is witnessed here.
    pub(crate) fn recorder(&self) -> &Arc<Recorder> {
        &self.recorder
    }

    /// The limits of every connection.
    pub(crate) fn limits(&self) -> &RecorderLimits {
        &self.limits
    }

    /// The world of the case.
    pub(crate) fn world(&self) -> &CaseWorld {
        &self.world
    }

    /// The runtime of the case.
    pub(crate) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Whether the case, or this server, has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Opens a connection. Has to be called in the runtime of the case.
    ///
    /// An agent never gets a process that the bench has initialised: a server is to see the agent's capabilities.
    pub(crate) async fn open(
        &self,
        sink: Arc<dyn AgentSink>,
        visitor: Visitor,
    ) -> Result<AgentLink, ToolError> {
        let slot = Arc::clone(&self.slots).try_acquire_owned().map_err(|_| {
            self.error(format!(
                "{} agent connections are open, which is the most it takes",
                self.limits.connections
            ))
        })?;
        let mut generation = self.generation.lock().await;
        if self.is_over() {
            return Err(self.error("it was stopped"));
        }
        generation.used = true;
        let by_bench =
            generation.process.as_ref().is_some_and(|process| process.first == Some(Visitor::Bench));
        if by_bench && visitor == Visitor::Agent {
            self.replace(&mut generation).await?;
        }
        let session = match &mut generation.process {
            Some(process) => {
                process.first.get_or_insert(visitor);
                Arc::clone(&process.session)
            }
            None => self.session(&generation),
        };
        AgentLink::join(session, sink, Some(slot)).map_err(|_| self.error("its session has ended"))
    }

    /// Whether nobody has spoken to the process of this server. A server without a process of ours keeps nothing that a listing
    /// of its tools could change.
    pub(crate) fn is_fresh(&self) -> bool {
        match &self.origin {
            Origin::Stdio(_) => self.generation.try_lock().is_ok_and(|generation| !generation.used),
            Origin::Workspace(_) | Origin::Universe(_) | Origin::Http(_) => true,
        }
    }

    /// Puts a fresh server behind the address, and ends the sessions of agents; a server that is not ours stays. One that nobody
    /// has spoken to is fresh.
    pub(crate) async fn refresh(&self) -> Result<(), ToolError> {
        let mut generation = self.generation.lock().await;
        if self.is_over() {
            return Err(self.error("it was stopped"));
        }
        if generation.used { self.replace(&mut generation).await } else { Ok(()) }
    }

    /// Ends everything.
    pub(crate) async fn stop(&self) {
        self.cancel.cancel();
        self.generation.lock().await.end().await;
    }

    /// What the processes wrote to their error outputs.
    pub(crate) fn output(&self) -> Vec<CapturedOutput> {
        let outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let current = outputs.current.as_ref().map(|child| child.captured());
        outputs.earlier.iter().cloned().chain(current).filter(|output| !output.text.is_empty()).collect()
    }

    /// An error of this server.
    pub(crate) fn error(&self, why: impl Into<String>) -> ToolError {
        ToolError::new(self.recorder.server(), why)
    }

    async fn replace(&self, generation: &mut Generation) -> Result<(), ToolError> {
        generation.end().await;
        self.recorder.server_replaced();
        *generation = Generation::new(&self.cancel);
        self.launch(generation)
    }

    /// Starts what all sessions of a server share, where it has that.
    fn launch(&self, generation: &mut Generation) -> Result<(), ToolError> {
        let origin = match &self.origin {
            Origin::Stdio(origin) => origin,
            Origin::Universe(universe) => {
                generation.universe = Some(universe.fresh());
                return Ok(());
            }
            Origin::Workspace(_) | Origin::Http(_) => return Ok(()),
        };
        let mut child = origin.spawn(self.recorder.server(), &self.world)?;
        let (Some(stdout), Some(stdin)) = (child.take_stdout(), child.take_stdin()) else {
            return Err(self.error("its process has no pipes"));
        };
        let child = Arc::new(child);
        {
            let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(earlier) = outputs.current.replace(Arc::clone(&child)) {
                outputs.earlier.push(earlier.captured());
                let surplus = outputs.earlier.len().saturating_sub(MAX_OUTPUTS);
                outputs.earlier.drain(..surplus);
            }
        }
        let (session, inbox) =
            Session::new(&self.recorder, true, &self.limits, generation.cancel.child_token());
        let serving =
            stdio::serve(child, (stdout, stdin), inbox, Arc::clone(&session), self.limits.message_bytes);
        generation.tasks.spawn_on(Arc::clone(&session).drive(serving), &self.runtime);
        generation.process = Some(Process { session, first: None });
        Ok(())
    }

    /// A session of a server that gives each connection its own.
    fn session(&self, generation: &Generation) -> Arc<Session> {
        let (session, inbox) =
            Session::new(&self.recorder, false, &self.limits, generation.cancel.child_token());
        let driven = Arc::clone(&session);
        match &self.origin {
            Origin::Workspace(files) => {
                let serving = workspace::serve(Arc::clone(files), inbox, Arc::clone(&session));
                generation.tasks.spawn_on(driven.drive(serving), &self.runtime);
            }
            Origin::Universe(_) => {
                if let Some(served) = &generation.universe {
                    let serving = universe::serve(Arc::clone(served), inbox, Arc::clone(&session));
                    generation.tasks.spawn_on(driven.drive(serving), &self.runtime);
                }
            }
            Origin::Http(origin) => {
                let limit = self.limits.message_bytes;
                let serving = http::serve(Arc::clone(origin), inbox, Arc::clone(&session), limit);
                generation.tasks.spawn_on(driven.drive(serving), &self.runtime);
            }
            // Its one session is the process's.
            Origin::Stdio(_) => {}
        }
        session
    }
}

impl Generation {
    fn new(cancel: &CancellationToken) -> Self {
        Self {
            cancel: cancel.child_token(),
            tasks: TaskTracker::new(),
            process: None,
            universe: None,
            used: false,
        }
    }

    async fn end(&self) {
        self.cancel.cancel();
        self.tasks.close();
        if tokio::time::timeout(GOODBYE, self.tasks.wait()).await.is_err() {
            tracing::warn!("a tool server's session did not end in time");
        }
    }
}
