//! Rows of `events.ndjsonl`: the progress of a sweep.
