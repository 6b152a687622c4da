//! JSON Schemas of the files that people write.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};

use crate::config::Config;
use crate::pack::PackManifest;
use crate::scenario::Scenario;

/// A file that people write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authored {
    /// `pack.toml`
    Pack,
    /// `*.scenario.{toml,yaml,json}`
    Scenario,
    /// `wt.toml`
    Config,
}

impl Authored {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pack, Self::Scenario, Self::Config];

    /// The name that `wt schema` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Scenario => "scenario",
            Self::Config => "config",
        }
    }

    /// Its JSON Schema (draft 2020-12), pretty-printed with a final newline.
    pub fn schema(self) -> String {
        let schema = match self {
            Self::Pack => generate::<PackManifest>(),
            Self::Scenario => generate::<Scenario>(),
            Self::Config => generate::<Config>(),
        };
        format!("{:#}\n", schema.as_value())
    }
}

fn generate<T: JsonSchema>() -> Schema {
    SchemaGenerator::new(SchemaSettings::draft2020_12()).into_root_schema_for::<T>()
}
