//! `wt surface`: what agents tell their models besides the conversation, remembered and compared.
//!
//! [`request`] is the command; [`take`] asks the agents, [`golden`] is the file.

mod golden;
mod request;
mod take;

pub(crate) use self::request::run;
