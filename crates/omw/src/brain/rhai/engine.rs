//! Engines: cheap to make, since what is in them is made once and shared.

use std::sync::{Arc, LazyLock};

use rhai::packages::{Package as _, StandardPackage};
use rhai::{Dynamic, Engine, Module, Shared};

use super::context::HostTag;
use super::{guarded, host, provider, tooling};
use crate::brain::STACK_BYTES;
use crate::host::Host;

/// The longest string, in bytes, counting those inside a list or map together.
pub(super) const MAX_STRING_BYTES: usize = 64 * 1024 * 1024;
/// The most elements of a list, counting those of lists inside it.
pub(super) const MAX_ELEMENTS: usize = 1_000_000;
/// Function calls inside function calls: the 64th fails.
const MAX_CALL_DEPTH: usize = 63;
/// Expressions inside expressions, in a script and in a function.
const MAX_EXPRESSION_DEPTHS: (usize, usize) = (64, 32);
/// How much of a thread's stack a script may use by recursion. The rest is for what runs between two looks at it: parsing inside
/// `eval`, and showing or dropping what a script made.
const RECURSION_BYTES: usize = STACK_BYTES / 4;

static STANDARD: LazyLock<Shared<Module>> = LazyLock::new(|| StandardPackage::new().as_shared_module());
static GUARDED: LazyLock<Shared<Module>> = LazyLock::new(|| guarded::module().into());
static HANDLES: LazyLock<Shared<Module>> = LazyLock::new(|| {
    let mut module = Module::new();
    provider::add_methods(&mut module);
    tooling::add_methods(&mut module);
    module.into()
});
static OMW: LazyLock<Shared<Module>> = LazyLock::new(|| {
    let mut module = Module::new();
    // Named and indexed here, since otherwise each engine would do it in a copy of its own.
    module.set_id("omw");
    module.set_sub_module("host", host::module());
    module.set_sub_module("provider", provider::module());
    module.set_sub_module("tooling", tooling::module());
    module.build_index();
    module.into()
});

/// An engine without a host: it compiles.
pub(super) fn bare() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        .register_global_module(Shared::clone(&STANDARD))
        .register_global_module(Shared::clone(&HANDLES))
        // The last one counts where two have the same function.
        .register_global_module(Shared::clone(&GUARDED))
        .register_static_module("omw", Shared::clone(&OMW));
    engine
        .set_max_call_levels(MAX_CALL_DEPTH)
        .set_max_expr_depths(MAX_EXPRESSION_DEPTHS.0, MAX_EXPRESSION_DEPTHS.1)
        .set_max_string_size(MAX_STRING_BYTES)
        .set_max_array_size(MAX_ELEMENTS)
        .set_max_map_size(MAX_ELEMENTS);
    engine.on_print(|text| tracing::info!(target: "omw::brain", "{text}"));
    engine.on_debug(|text, _, position| tracing::debug!(target: "omw::brain", %position, "{text}"));
    engine
}

/// An engine for one run on this thread. It ends, uncatchably, when the run is interrupted and before the stack is used up.
pub(super) fn for_run(host: &Arc<dyn Host>) -> Engine {
    let mut engine = bare();
    engine.set_default_tag(Dynamic::from(HostTag(Arc::clone(host))));
    let stop = host.stop().clone();
    let start = stack_address();
    engine.on_progress(move |_| {
        if stop.is_interrupted() {
            Some(Dynamic::UNIT)
        } else if start.abs_diff(stack_address()) > RECURSION_BYTES {
            Some("Stack overflow".into())
        } else {
            None
        }
    });
    engine
}

/// About where the stack ends at the moment.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}
