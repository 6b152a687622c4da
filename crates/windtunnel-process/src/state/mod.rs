//! Where an item stands, on disk: one file in its folder, written whole, by one verb at a time.

mod item_state;
mod lock;
mod store;

pub use item_state::{Attempts, ItemState, Question, STATE_FILE, STATE_VERSION, Skip, Status};
pub(crate) use lock::ItemLock;
pub(crate) use store::save;
pub use store::{StateError, load};
