//! What a program prints, line by line in the log.

use windtunnel_api::secret::Redactor;

/// Bytes that are shown of one line.
const SHOWN: usize = 4 * 1024;

/// Makes lines of what is read, and redacts them. It holds no more than one line, and of a long one its beginning.
#[derive(Debug)]
pub(crate) struct LineLog {
    redactor: Redactor,
    line: Vec<u8>,
    is_cut: bool,
}

impl LineLog {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor, line: Vec::new(), is_cut: false }
    }

    /// Takes what was read, and hands on each line that is complete and not blank.
    pub(crate) fn push(&mut self, chunk: &[u8], mut show: impl FnMut(&str)) {
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            let (text, is_complete) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            // Of a secret that stands across the cut, what is kept holds either all or a part that is cut off below.
            let room = (SHOWN + self.redactor.longest()).saturating_sub(self.line.len());
            self.is_cut |= text.len() > room;
            self.line.extend(text.iter().take(room));
            if is_complete {
                self.finish(&mut show);
            }
        }
    }

    /// Hands on a last line without a line break.
    pub(crate) fn finish(&mut self, mut show: impl FnMut(&str)) {
        let mut text = self.redactor.text(String::from_utf8_lossy(&self.line).trim_end());
        if std::mem::take(&mut self.is_cut) {
            text.truncate(boundary(&text, text.len().saturating_sub(self.redactor.longest())));
            text.push('…');
        }
        self.line.clear();
        if !text.is_empty() {
            show(&text);
        }
    }
}

/// The last place between two characters that is not after `end`.
fn boundary(text: &str, end: usize) -> usize {
    (0..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Secret;

    use super::*;

    fn lines(chunks: &[&[u8]], secret: &str) -> Vec<String> {
        let mut log = LineLog::new(Redactor::new([Secret::new(secret)]));
        let mut shown = Vec::new();
        for chunk in chunks {
            log.push(chunk, |line| shown.push(line.to_owned()));
        }
        log.finish(|line| shown.push(line.to_owned()));
        shown
    }

    #[test]
    fn lines_are_put_together_redacted_and_blank_ones_left_out() {
        let chunks: &[&[u8]] = &[b"one\r\ntoken=can", b"ary\n\n  \nlast \xff"];
        assert_eq!(lines(chunks, "canary"), ["one", "token=***", "last \u{fffd}"]);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let long = "é".repeat(10_000);
        let shown = lines(&[long.as_bytes(), b"\nnext\n"], "canary");
        assert!(shown[0].ends_with("é…") && shown[0].len() <= SHOWN + 4, "{} bytes", shown[0].len());
        assert_eq!(shown[1], "next");
    }

    #[test]
    fn no_part_of_a_secret_at_the_cut_is_shown() {
        let secret = "canary-canary-canary";
        for shift in 0..=secret.len() + 2 {
            let line = format!("{}{secret}{}\n", "x".repeat(SHOWN + secret.len() - shift), "y".repeat(100));
            let shown = lines(&[line.as_bytes()], secret);
            assert!(!shown[0].contains("ca"), "shifted by {shift}: {}", &shown[0][SHOWN - 10..]);
        }
    }
}
