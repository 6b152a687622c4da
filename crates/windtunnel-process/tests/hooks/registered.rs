//! The registry.

use windtunnel_process::hook::HookRegistry;

#[test]
fn every_shipped_hook_is_registered() {
    let names: Vec<_> = HookRegistry::shipped().names().map(str::to_owned).collect();
    assert_eq!(
        names,
        [
            "validate-artifacts",
            "lint-artifacts",
            "enforces-boundaries-from",
            "post-phase-selection",
            "classify-phase-selection",
            "classify-feedback",
            "record-feedback",
            "await-inner-loops",
            "verify-tests",
            "set-phase-label",
            "log-entry",
            "request-review",
            "notify",
            "deliver-assignment",
        ]
    );
}
