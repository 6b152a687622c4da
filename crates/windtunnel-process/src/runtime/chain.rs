//! A chain of hooks, run in order.
