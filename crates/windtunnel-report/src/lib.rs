//! Reporters over the event stream
