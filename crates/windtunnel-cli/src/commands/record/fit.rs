//! Files that are no larger than what `wt` reads.

use std::fmt::Write as _;

use serde_json::Value;
use windtunnel_api::Evidence;
use windtunnel_api::recording::Recording;
use windtunnel_api::universe::Universe;
use windtunnel_inference::record::RecordedTurn;

/// Texts are cut to these lengths, in bytes, one after the other until their file is small enough.
const LENGTHS: [usize; 6] = [2 * 1024 * 1024, 512 * 1024, 128 * 1024, 32 * 1024, 8 * 1024, 1024];

/// What was left out, in words; none where nothing was.
pub(super) type Left = Option<String>;

/// A file's contents, which can be made smaller step by step.
pub(super) trait Shrink: Clone {
    /// Cuts the texts that are not needed to find anything.
    fn cut(&mut self, cutter: &mut Cutter);

    /// Leaves out what makes it large, and says what.
    fn empty(&mut self) -> &'static str;
}

/// The first text that fits: of all of it, of shorter texts, and at last of nothing but the frame, which is taken as it is.
pub(super) fn fit<T: Shrink, E>(
    whole: &T,
    write: impl Fn(&T) -> Result<String, E>,
    fits: impl Fn(&str) -> bool,
) -> Result<(String, Left), E> {
    let text = write(whole)?;
    if fits(&text) {
        return Ok((text, None));
    }
    for longest in LENGTHS {
        let mut cutter = Cutter { longest, cuts: 0 };
        let mut shorter = whole.clone();
        shorter.cut(&mut cutter);
        if cutter.cuts == 0 {
            continue;
        }
        let text = write(&shorter)?;
        if fits(&text) {
            let texts = windtunnel_api::counted(cutter.cuts, "text");
            return Ok((text, Some(format!("{texts} cut to {} KiB", longest / 1024))));
        }
    }
    let mut frame = whole.clone();
    let left = frame.empty();
    Ok((write(&frame)?, Some(format!("{left} left out"))))
}

/// Cuts texts that are too long, and counts them.
pub(super) struct Cutter {
    longest: usize,
    cuts: usize,
}

impl Cutter {
    fn text(&mut self, text: &mut String) {
        let whole = text.len();
        if whole <= self.longest {
            return;
        }
        let end = (0..=self.longest).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
        let _ = write!(text, "… (cut by wt record, of {whole} bytes)");
        self.cuts += 1;
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

impl Shrink for Vec<RecordedTurn> {
    fn cut(&mut self, cutter: &mut Cutter) {
        for turn in self {
            cutter.text(&mut turn.prompt);
            for decision in &mut turn.decisions {
                decision.content.iter_mut().chain(&mut decision.reasoning).for_each(|text| cutter.text(text));
                for call in &mut decision.tool_calls {
                    call.arguments.values_mut().for_each(|argument| cutter.value(argument));
                }
            }
        }
    }

    fn empty(&mut self) -> &'static str {
        for turn in self {
            turn.decisions.clear();
            turn.complete = false;
            let mut cutter = Cutter { longest: 1024, cuts: 0 };
            cutter.text(&mut turn.prompt);
        }
        "the decisions"
    }
}

impl Shrink for Universe {
    /// Arguments stay: they are what calls are found by.
    fn cut(&mut self, cutter: &mut Cutter) {
        self.recordings.iter_mut().for_each(|call| cutter.value(&mut call.result));
    }

    fn empty(&mut self) -> &'static str {
        self.recordings.clear();
        "the calls"
    }
}

impl Shrink for Recording {
    /// Tool calls stay: they are compared with those of later.
    fn cut(&mut self, cutter: &mut Cutter) {
        for event in &mut self.events {
            if let Evidence::Inference { messages, decision, .. } = event {
                messages.iter_mut().chain([decision]).for_each(|value| cutter.value(value));
            }
        }
        self.exchanges.iter_mut().for_each(|exchange| cutter.value(&mut exchange.request));
    }

    fn empty(&mut self) -> &'static str {
        self.exchanges.iter_mut().for_each(|exchange| exchange.request = Value::Null);
        self.events.retain(|event| matches!(event, Evidence::ToolCall(_)));
        "the requests"
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windtunnel_api::universe::RecordedCall;

    use super::*;

    fn universe(results: &[Value]) -> Universe {
        let call = |result: &Value| RecordedCall {
            tool_name: "read".to_owned(),
            args: serde_json::Map::from_iter([("path".to_owned(), json!("x".repeat(2000)))]),
            result: result.clone(),
            is_error: false,
        };
        Universe { recordings: results.iter().map(call).collect(), ..Universe::default() }
    }

    fn fitted(universe: &Universe, most: usize) -> (Universe, Left) {
        let write = |universe: &Universe| serde_json::to_string(universe);
        let (text, left) = fit(universe, write, |text| text.len() <= most).unwrap();
        (serde_json::from_str(&text).unwrap(), left)
    }

    #[test]
    fn the_longest_texts_that_fit_are_kept() {
        let whole = universe(&[json!({"text": "é".repeat(100_000)}), json!("short")]);
        assert_eq!(fitted(&whole, 1_000_000), (whole.clone(), None));
        let (cut, left) = fitted(&whole, 150_000);
        assert_eq!(left.as_deref(), Some("1 text cut to 128 KiB"));
        let text = cut.recordings[0].result["text"].as_str().unwrap();
        assert!(text.ends_with("é… (cut by wt record, of 200000 bytes)"), "{}", &text[131_000..]);
        assert_eq!(cut.recordings[1], whole.recordings[1]);
        assert_eq!(cut.recordings[0].args, whole.recordings[0].args, "arguments are not cut");
    }

    #[test]
    fn what_does_not_fit_with_the_shortest_texts_is_left_out() {
        let (empty, left) = fitted(&universe(&vec![json!("x".repeat(5000)); 100]), 50_000);
        assert_eq!((empty.recordings.len(), left.as_deref()), (0, Some("the calls left out")));
    }
}
