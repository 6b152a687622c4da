//! Every command, as somebody calls it.

mod doctor;
mod help;
mod list;
mod live;
mod new;
mod perturbations;
mod record;
mod run;
mod schema;
mod selftest;
mod serve;
mod streams;
mod surface;
mod universe;
mod unsupported;
mod watch;
