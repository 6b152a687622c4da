//! The JSON Schemas of configs.

mod assertions;
mod kinds;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use self::kinds::{Kinds, MOCKS, REAL, runtime};
use super::file::File;

/// The JSON Schema (2020-12) of `omw.toml`: with the back ends that reach real models, servers and clients.
///
/// It is stricter than [`load`](super::load) in one way: what is only warned of there, a misspelt key, is an error for the schema.
/// At the top level and among the parameters of runtimes it admits other keys.
pub fn schema() -> Value {
    root(generator(), "omw config", &REAL)
}

/// The JSON Schema (2020-12) of `omw.test.toml`: with the back ends that answer from a script, and `assertions`.
pub fn test_schema() -> Value {
    let mut generator = generator();
    let assertions = assertions::section(&mut generator);
    let mut schema = root(generator, "omw test config", &MOCKS);
    put(&mut schema, "/properties", "assertions", assertions);
    schema
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn root(mut generator: SchemaGenerator, title: &str, kinds: &Kinds) -> Value {
    let provider = kinds.provider(&mut generator);
    let tooling = kinds.tooling(&mut generator);
    let endpoint = kinds.endpoint(&mut generator);
    let mut schema = generator.into_root_schema_for::<File>().to_value();
    put(&mut schema, "", "title", json!(title));
    put(&mut schema, "/properties/providers", "additionalProperties", provider);
    put(&mut schema, "/properties/tooling", "additionalProperties", tooling);
    put(&mut schema, "/properties/runtime", "additionalProperties", runtime());
    put(&mut schema, "/properties", "endpoint", endpoint);
    schema
}

/// Puts a member into the object that a pointer leads to.
fn put(schema: &mut Value, pointer: &str, member: &str, value: Value) {
    if let Some(object) = schema.pointer_mut(pointer).and_then(Value::as_object_mut) {
        object.insert(member.to_owned(), value);
    }
}
