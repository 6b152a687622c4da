//! The built-in runtimes and state probes
