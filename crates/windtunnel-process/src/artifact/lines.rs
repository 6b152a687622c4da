//! Which line a byte is in.

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    first: usize,
}

impl Lines {
    /// The lines of a text whose first has this number.
    pub(crate) fn of(text: &str, first: usize) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: starts.collect(), first }
    }

    /// The number of the line that this byte is in.
    pub(crate) fn number(&self, byte: usize) -> usize {
        self.first + self.starts.partition_point(|start| *start <= byte)
    }
}
