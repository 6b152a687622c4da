//! The smallest files that are all right.

/// A pack without anything.
pub(crate) const PACK: &str = r#"name = "desk"
"#;

/// A scenario whose gate holds.
pub(crate) const SCENARIO: &str = r#"name = "greet"
prompt = "Say hello."
target_facts = [["hello"]]

[[reference_cases]]
name = "greets"
kind = "golden"
decisions = [{ content = "Hello there." }]

[[reference_cases]]
name = "leaves"
kind = "poison"
decisions = [{ content = "Goodbye." }]
"#;
