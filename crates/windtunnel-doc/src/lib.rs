//! Spanned TOML, YAML and JSON documents, and one deserializer over them that reports every fault
