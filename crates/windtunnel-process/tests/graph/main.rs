//! Graphs: what compiles, and what is said of what does not.

mod hooks;
mod shipped;
