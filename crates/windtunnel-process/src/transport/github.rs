//! A control plane over the GitHub REST API.
