//! The scripted endpoint over real sockets, as real clients meet it.

mod client;
mod harness;
mod limits;
mod paths;
mod retries;
mod serve;
mod wire;
