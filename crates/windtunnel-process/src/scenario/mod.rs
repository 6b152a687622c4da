//! Scenario folders, and the interpreter that plays them over the real runtime.
//!
//! A folder with a `scenario.yaml` and `artifacts/` is one test. It is played in a world of its own: a checkout in a temporary folder, a
//! control plane and a session that only remember.
