//! Waiting for something, and processes that are left behind.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes. Only a failing test waits for so long.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// Asks again and again until there is an answer.
pub fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited {} s until {what}", LIMIT.as_secs());
        thread::sleep(Duration::from_millis(5));
    }
}

/// A number of seconds to sleep for that no other process has in its command line.
pub struct Marker(String);

impl Marker {
    /// A number that this process has not used yet.
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(format!("613.{:07}{:02}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The argument of `sleep`.
    pub fn seconds(&self) -> &str {
        &self.0
    }

    /// How many processes `sleep` for it, or were told to.
    pub fn alive(&self) -> usize {
        let marked = |line: Vec<u8>| String::from_utf8_lossy(&line).contains(&self.0);
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes.filter(|process| fs::read(process.path().join("cmdline")).is_ok_and(marked)).count()
    }
}
