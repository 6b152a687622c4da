//! Every command, as somebody calls it.

mod doctor;
mod help;
mod list;
mod new;
mod perturbations;
mod run;
mod schema;
mod selftest;
mod serve;
mod streams;
mod universe;
mod unsupported;
mod watch;
