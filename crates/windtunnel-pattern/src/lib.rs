//! The pattern language and its incremental matcher over JSON values
