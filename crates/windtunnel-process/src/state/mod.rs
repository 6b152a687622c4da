//! Where an item stands, on disk.

mod item_state;
mod store;

pub use item_state::{Attempts, ItemState, Question, STATE_FILE, STATE_VERSION, Skip, Status};
pub use store::{StateError, load, save};
