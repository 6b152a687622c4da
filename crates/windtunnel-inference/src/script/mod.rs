//! The script: a state machine without I/O. One request goes in, what to answer comes out.

mod answer;
mod asides;
mod ask;
mod fault;
mod machine;
mod recent;
mod served;

pub use self::answer::{Answer, Step};
pub use self::asides::{AsideErrors, Asides};
pub use self::ask::{Ask, Sent};
pub(crate) use self::fault::fault_message;
pub use self::machine::Script;
pub use self::served::ServedNames;
