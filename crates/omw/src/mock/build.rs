//! From parameters to a script.

use serde::de::DeserializeOwned;
use windtunnel_doc::{Diagnostics, Fault, Path};

use super::After;
use crate::config::Params;
use crate::gate::{Gate, Gates};

/// Decodes parameters and compiles them, and reports all faults of either step with their places.
pub(super) fn build<P: DeserializeOwned, T>(
    params: &Params,
    gates: &Gates,
    compile: impl FnOnce(P, &mut Compiler<'_>) -> T,
) -> Result<T, Diagnostics> {
    let mut compiler = Compiler { gates, faults: Vec::new() };
    let script = compile(params.decode()?, &mut compiler);
    params.diagnose(compiler.faults)?;
    Ok(script)
}

/// Makes gates, and collects faults on the way.
pub(super) struct Compiler<'g> {
    gates: &'g Gates,
    faults: Vec<Fault>,
}

/// When the time of an entry has come.
#[derive(Clone)]
pub(super) struct Cue {
    /// Opens then.
    pub(super) gate: Gate,
    /// The awaited event, as messages show it; none for what waits for nothing.
    pub(super) event: Option<String>,
}

impl Compiler<'_> {
    /// The cue of the entry at `entry`.
    pub(super) fn cue(&mut self, after: Option<&After>, entry: &Path) -> Cue {
        let event = after.map_or(Ok(None), |after| after.event(&entry.clone().then("after")));
        match event {
            Ok(None) => Cue { gate: Gate::open(), event: None },
            Ok(Some(pattern)) => {
                let event = Some(pattern.to_string());
                Cue { gate: self.gates.on(pattern.into_pattern()), event }
            }
            Err(faults) => {
                self.faults.extend(faults);
                Cue { gate: Gate::open(), event: None }
            }
        }
    }

    /// Notes what is wrong.
    pub(super) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }
}
