//! The wt command as a library
