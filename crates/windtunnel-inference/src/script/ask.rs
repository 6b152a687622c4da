//! What the script needs to know of a request.

/// What the script needs to know of a request.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The names of the tools it offers.
    pub offered: &'a [String],
    /// What an aside answers to it, if one matches.
    pub aside: Option<&'a str>,
    /// Whether it only prepares the model and wants no answer.
    pub warm_up: bool,
    /// Bytes of the prompt, for the usage.
    pub prompt_bytes: usize,
    /// How it was sent; none inside this process, where no answer is ever lost.
    pub sent: Option<Sent>,
}

impl<'a> Ask<'a> {
    /// A request inside this process.
    pub fn offering(offered: &'a [String]) -> Self {
        Self { offered, aside: None, warm_up: false, prompt_bytes: 0, sent: None }
    }
}

/// What is known of a request that came over a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// Equal for equal bodies.
    pub digest: u64,
    /// Whether a header says that it is a retry.
    pub retried: bool,
}
