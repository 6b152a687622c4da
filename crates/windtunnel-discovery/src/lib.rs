//! Which files are tests, which pack owns them, and which are selected
