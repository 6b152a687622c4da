//! The calls of one case, answered from a library.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};
use windtunnel_api::shape::{self, Filling};
use windtunnel_api::universe::{MatchMode, MissPolicy, UniverseTool};
use windtunnel_spi::ToolError;

use super::library::{Library, Recording, Shelved};
use super::matching::{Found, find};
use super::outgoing;
use crate::outbox::Inbox;
use crate::relay::{Outgoing, Session};
use crate::upstream::builtin::{self, BuiltIn, Called};

/// Answers calls that no recording answers, where a universe file asks for the policy `synthesize`.
///
/// Runs stay comparable only if it answers equal calls alike. Functions of the same shape are synthesizers.
pub trait Synthesizer: Send + Sync {
    /// The result of a call.
    ///
    /// # Errors
    /// What the agent is told as the tool's error.
    fn synthesize(&self, tool: &UniverseTool, args: &Map<String, Value>) -> Result<Value, String>;
}

impl<F> Synthesizer for F
where
    F: Fn(&UniverseTool, &Map<String, Value>) -> Result<Value, String> + Send + Sync,
{
    fn synthesize(&self, tool: &UniverseTool, args: &Map<String, Value>) -> Result<Value, String> {
        self(tool, args)
    }
}

/// Where fresh servers over one library come from.
#[derive(Clone)]
pub(crate) struct Universe {
    library: Arc<Library>,
    synthesizer: Option<Arc<dyn Synthesizer>>,
}

impl fmt::Debug for Universe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Universe").field("library", &self.library).finish_non_exhaustive()
    }
}

impl Universe {
    /// Servers over this library.
    ///
    /// # Errors
    /// A tool is to be synthesized, and there is no function for it.
    pub(crate) fn new(
        server: &str,
        library: Arc<Library>,
        synthesizer: Option<Arc<dyn Synthesizer>>,
    ) -> Result<Self, ToolError> {
        let needs_one = |shelved: &&Shelved| shelved.on_miss == MissPolicy::Synthesize;
        match library.tools().iter().find(needs_one) {
            Some(Shelved { tool, .. }) if synthesizer.is_none() => Err(ToolError::new(
                server,
                format!(
                    "calls of {} that were not recorded are to be synthesized, which only a function written in Rust can do: \
                     give one to BenchTools::with_synthesizer, or let `on_miss` be fail_call, empty or nearest",
                    tool.name
                ),
            )),
            _ => Ok(Self { library, synthesizer }),
        }
    }

    /// A server of which nothing was taken yet.
    pub(crate) fn fresh(&self) -> Arc<Served> {
        Arc::new(Served { universe: self.clone(), taken: Mutex::default() })
    }
}

/// A server over a library, and what of its sequences was taken.
pub(crate) struct Served {
    universe: Universe,
    /// Recordings by their places in the file.
    taken: Mutex<HashSet<usize>>,
}

/// Serves one session, one message after the other.
pub(crate) async fn serve(served: Arc<Served>, inbox: Inbox<Outgoing>, session: Arc<Session>) {
    builtin::serve(served, inbox, session).await;
}

impl BuiltIn for Served {
    const KIND: &'static str = "universe";
    const WAITS: bool = false;

    fn list(&self) -> &str {
        &self.universe.library.listed
    }

    fn names(&self) -> Vec<&str> {
        self.universe.library.tools().iter().map(|shelved| shelved.tool.name.as_str()).collect()
    }

    fn call(&self, tool: &str, arguments: &str) -> Option<Called> {
        let shelved = self.universe.library.tool(tool)?;
        Some(match serde_json::from_str::<Option<Map<String, Value>>>(arguments) {
            Ok(args) => self.answer(shelved, &args.unwrap_or_default()),
            Err(error) => Called::text(&format!("arguments of {tool}: {error}")).failed(),
        })
    }
}

impl Served {
    fn answer(&self, shelved: &Shelved, args: &Map<String, Value>) -> Called {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let once = shelved.mode == MatchMode::Sequence;
        let found = find(shelved, args, |recording| !once || !taken.contains(&recording.place));
        if let (true, Found::Recorded(recording) | Found::Nearest(recording)) = (once, found) {
            taken.insert(recording.place);
        }
        drop(taken);
        match found {
            Found::Recorded(recording) => recorded(recording),
            Found::Nearest(recording) => {
                diverged(recorded(recording), MissPolicy::Nearest, Some(recording.place))
            }
            Found::Missed(policy) => diverged(self.instead(policy, &shelved.tool, args), policy, None),
        }
    }

    /// What answers a call that no recording does.
    fn instead(&self, policy: MissPolicy, tool: &UniverseTool, args: &Map<String, Value>) -> Called {
        let result = match (policy, &self.universe.synthesizer) {
            (MissPolicy::Empty, _) => Ok(shape::value(tool.result_schema.as_ref(), Filling::Empty)),
            (MissPolicy::Synthesize, Some(synthesizer)) => synthesizer.synthesize(tool, args),
            _ => {
                let error = json!({ "error": "no_recorded_result", "tool": tool.name, "args": args });
                return outgoing::outgoing(&error).failed();
            }
        };
        match result {
            Ok(result) => outgoing::outgoing(&result),
            Err(why) => Called::text(&why).failed(),
        }
    }
}

fn recorded(recording: &Recording) -> Called {
    let called = outgoing::outgoing(&recording.result);
    if recording.is_error { called.failed() } else { called }
}

/// Notes that something else than the recording of this call answered it: the policy, and which recording it took.
fn diverged(called: Called, policy: MissPolicy, matched: Option<usize>) -> Called {
    let divergence = json!({ "policy": policy.name(), "matched": matched });
    Called { note: Some(("divergence", divergence)), ..called }
}
