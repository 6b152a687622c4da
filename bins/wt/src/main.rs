//! wt
fn main() {}
