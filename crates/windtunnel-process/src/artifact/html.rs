//! HTML in Markdown. It can hide what stands in it and after it, so nothing of it is read, and nothing that it encloses.

use std::collections::HashMap;

/// Elements that have no end.
const VOID: [&str; 5] = ["br", "hr", "img", "input", "wbr"];

/// Tags that only fold what stands between them.
const FOLDS: [&str; 5] = ["<details>", "<details open>", "</details>", "<summary>", "</summary>"];

/// The HTML of a text so far: which elements are open.
#[derive(Debug, Default)]
pub(super) struct Html {
    open: HashMap<String, usize>,
}

impl Html {
    /// Whether an element is open that may hide what follows.
    pub(super) fn encloses(&self) -> bool {
        !self.open.is_empty()
    }

    /// Reads the next piece. Says whether it holds anything but comments.
    pub(super) fn read(&mut self, html: &str) -> bool {
        let mut rest = html;
        let mut anything = false;
        loop {
            let Some(at) = rest.find('<') else { return anything || !rest.trim().is_empty() };
            let (before, tag) = rest.split_at(at);
            anything |= !before.trim().is_empty();
            if tag.starts_with("<!--") {
                // `<!-->` is a comment as well: its end may overlap its beginning.
                let Some(end) = tag.get(2..).and_then(|inner| inner.find("-->")) else { return anything };
                rest = tag.get(2 + end + "-->".len()..).unwrap_or_default();
            } else {
                anything = true;
                let length = length(tag);
                self.tag(tag.get(..length).unwrap_or(tag));
                rest = tag.get(length..).unwrap_or_default();
            }
        }
    }

    fn tag(&mut self, tag: &str) {
        let tag = tag.to_ascii_lowercase();
        let inner = tag.trim_start_matches('<');
        let closes = inner.starts_with('/');
        let name: String =
            inner.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
        if name.is_empty() || VOID.contains(&name.as_str()) || FOLDS.contains(&tag.as_str()) {
            return;
        }
        if !closes {
            *self.open.entry(name).or_default() += 1;
        } else if let Some(count) = self.open.get_mut(&name) {
            *count -= 1;
            if *count == 0 {
                self.open.remove(&name);
            }
        }
    }
}

/// The bytes of the tag that a text begins with: up to a `>` outside of quotes, or all of it.
fn length(tag: &str) -> usize {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    tag.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_encloses_what_follows() {
        let table = [
            ("", false, false),
            ("<!-- a --><!-- <b> -->\n", false, false),
            ("<!-->", false, false),
            ("<!-- a", false, false),
            ("text", true, false),
            ("<!-- a --> text", true, false),
            ("<br>", true, false),
            ("<details>\n<summary>Log</summary>", true, false),
            ("<details hidden>", true, true),
            ("<div title=\">\">", true, true),
            ("<DIV hidden></div>", true, false),
            ("<div><div></div>", true, true),
            ("<script>a<b</script>", true, true),
            ("<style>", true, true),
            ("</div>", true, false),
            ("<div", true, true),
        ];
        for (text, anything, encloses) in table {
            let mut html = Html::default();
            assert_eq!((html.read(text), html.encloses()), (anything, encloses), "{text:?}");
        }
    }
}
