//! Runs on disk: atomic writes, ledger, events, tolerant readers
