//! The facade that embedders depend on
