//! Rows of `ledger.ndjsonl`: one per scenario aggregate.
