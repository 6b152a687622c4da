//! What agents remember.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use super::sync::lock;
use super::{HostError, HostResult};

/// The longest value, in bytes.
pub(super) const MAX_VALUE: usize = 16 << 20;
/// All keys and values of one agent together, in bytes.
pub(super) const MAX_TOTAL: usize = 256 << 20;

/// The memory of one agent. It is there for all runs of its brains.
#[derive(Default)]
pub(super) struct Memory(Mutex<State>);

#[derive(Default)]
struct State {
    values: HashMap<String, Arc<str>>,
    /// The bytes of all keys and values.
    size: usize,
}

impl Memory {
    /// A memory with something in it from the start. Seeds stand in a config, which has limits of its own.
    pub(super) fn seeded(seeds: Option<&IndexMap<String, String>>) -> Self {
        let seeds = seeds.into_iter().flatten();
        let values: HashMap<_, Arc<str>> =
            seeds.map(|(key, value)| (key.clone(), value.as_str().into())).collect();
        let size = values.iter().map(|(key, value)| key.len() + value.len()).sum();
        Self(Mutex::new(State { values, size }))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Arc<str>> {
        lock(&self.0).values.get(key).cloned()
    }

    /// Sets the value of a key. A value that is too large leaves the old one.
    pub(super) fn set(&self, key: &str, value: &str) -> HostResult<()> {
        if value.len() > MAX_VALUE {
            return Err(HostError::failed(format!(
                "the value of \"{}\" has {} bytes, and the limit is {MAX_VALUE}",
                shown(key),
                value.len()
            )));
        }
        let mut state = lock(&self.0);
        let old = state.values.get(key).map_or(0, |old| key.len() + old.len());
        let size = state.size - old + key.len() + value.len();
        if size > MAX_TOTAL {
            return Err(HostError::failed(format!(
                "the memory would have {size} bytes with \"{}\", and the limit is {MAX_TOTAL}; remove what is not needed",
                shown(key)
            )));
        }
        state.size = size;
        match state.values.get_mut(key) {
            Some(place) => *place = value.into(),
            None => drop(state.values.insert(key.to_owned(), value.into())),
        }
        Ok(())
    }

    /// Forgets a key, and says whether there was one.
    pub(super) fn remove(&self, key: &str) -> bool {
        let mut state = lock(&self.0);
        let removed = state.values.remove(key);
        if let Some(value) = &removed {
            state.size -= key.len() + value.len();
        }
        removed.is_some()
    }
}

/// As much of a key as belongs in a message.
fn shown(key: &str) -> String {
    key.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_there_and_can_be_replaced_and_removed() {
        let seeds = IndexMap::from([("handle".to_owned(), "seed-42".to_owned())]);
        let memory = Memory::seeded(Some(&seeds));
        assert_eq!(memory.get("handle").as_deref(), Some("seed-42"));
        memory.set("handle", "7").unwrap();
        assert_eq!(memory.get("handle").as_deref(), Some("7"));
        assert!(memory.remove("handle"));
        assert!(!memory.remove("handle"));
        assert_eq!(memory.get("handle"), None);
    }

    #[test]
    fn a_value_that_is_too_large_leaves_the_old_one() {
        let memory = Memory::default();
        memory.set("a", &"x".repeat(MAX_VALUE)).unwrap();
        insta::assert_snapshot!(
            memory.set("a", &"y".repeat(MAX_VALUE + 1)).unwrap_err(),
            @r#"the value of "a" has 16777217 bytes, and the limit is 16777216"#
        );
        assert!(memory.get("a").unwrap().starts_with('x'));
    }

    #[test]
    fn the_total_is_limited_and_what_is_replaced_or_removed_does_not_count() {
        let memory = Memory::default();
        let large = "x".repeat(MAX_VALUE - 1);
        for key in 0..16 {
            memory.set(char::from(b'a' + key).encode_utf8(&mut [0; 4]), &large).unwrap();
        }
        memory.set("a", &large).unwrap();
        insta::assert_snapshot!(
            memory.set("q", "").unwrap_err(),
            @r#"the memory would have 268435457 bytes with "q", and the limit is 268435456; remove what is not needed"#
        );
        assert!(memory.remove("a"));
        memory.set("q", "").unwrap();
    }
}
