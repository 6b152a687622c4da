//! Which call a piece of a streamed answer belongs to.

use crate::exchange::ToolCallDelta;

/// The most calls in one answer.
const MAX_CALLS: usize = 1024;

/// A piece as the other end sent it.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallPiece {
    pub(crate) index: Option<u32>,
    pub(crate) id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) arguments: Option<String>,
}

impl From<ToolCallDelta> for CallPiece {
    fn from(ToolCallDelta { index, id, name, arguments }: ToolCallDelta) -> Self {
        Self { index: Some(index), id, name, arguments }
    }
}

/// An answer has more calls than any model makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it has more than {MAX_CALLS} calls")]
pub(crate) struct TooManyCalls;

/// Numbers the calls of one answer from 0, in the order they begin, and takes out what a call's later pieces repeat.
///
/// Servers disagree about the index: most count from 0, some from 1, some give all calls the same, some none.
///
/// | index | id | name | the piece belongs to |
/// |---|---|---|---|
/// | new | any | any | a new call |
/// | known | none, or that call's | any | that call |
/// | known | another | yes | a new call: all calls have the same index |
/// | known | another | no | that call: every piece has an id of its own |
/// | none | known | any | that call |
/// | none | new | any | a new call |
/// | none | none | any | the last call, or a new one if there is none |
#[derive(Debug, Default)]
pub(crate) struct CallNumbers {
    calls: Vec<Begun>,
}

#[derive(Debug)]
struct Begun {
    index: Option<u32>,
    id: Option<String>,
    name: String,
}

impl CallNumbers {
    /// The piece with its call's number; the id is on a call's first piece only, and a name is not said twice.
    pub(crate) fn take(&mut self, piece: CallPiece) -> Result<ToolCallDelta, TooManyCalls> {
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        let CallPiece { index, id, name, arguments } =
            CallPiece { id: said(piece.id), name: said(piece.name), ..piece };
        let place = self.place(index, id.as_deref(), name.is_some());
        if place >= MAX_CALLS {
            return Err(TooManyCalls);
        }
        if place == self.calls.len() {
            self.calls.push(Begun { index, id: None, name: String::new() });
        }
        let begun = &mut self.calls[place];
        let id = id.filter(|_| begun.id.is_none());
        begun.id = begun.id.take().or_else(|| id.clone());
        let name = name.filter(|name| *name != begun.name);
        begun.name.extend(name.as_deref());
        Ok(ToolCallDelta { index: u32::try_from(place).map_err(|_| TooManyCalls)?, id, name, arguments })
    }

    /// The call's place; a new call's is after the last.
    fn place(&self, index: Option<u32>, id: Option<&str>, is_named: bool) -> usize {
        let last = |matches: &dyn Fn(&Begun) -> bool| self.calls.iter().rposition(matches);
        let known = match (index, id) {
            (Some(index), id) => last(&|call| {
                let same_id = id.is_none() || call.id.is_none() || call.id.as_deref() == id;
                call.index == Some(index) && (same_id || !is_named)
            }),
            (None, Some(id)) => last(&|call| call.id.as_deref() == Some(id)),
            (None, None) => self.calls.len().checked_sub(1),
        };
        known.unwrap_or(self.calls.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row<'a> = (Option<u32>, &'a str, &'a str);

    fn numbers(pieces: &[Row<'_>]) -> Vec<u32> {
        let mut numbers = CallNumbers::default();
        let piece = |&(index, id, name): &Row<'_>| CallPiece {
            index,
            id: Some(id.to_owned()),
            name: Some(name.to_owned()),
            arguments: None,
        };
        pieces.iter().map(|row| numbers.take(piece(row)).unwrap().index).collect()
    }

    #[test]
    fn pieces_find_their_call_whatever_a_server_says_of_the_index() {
        let zero = Some(0);
        assert_eq!(
            numbers(&[(zero, "a", "f"), (Some(1), "b", "g"), (zero, "", "")]),
            [0, 1, 0],
            "a new index"
        );
        assert_eq!(numbers(&[(Some(1), "a", "f"), (Some(1), "", ""), (Some(4), "b", "")]), [0, 0, 1], "gaps");
        assert_eq!(numbers(&[(zero, "a", "f"), (zero, "a", "f")]), [0, 0], "id and name repeated");
        assert_eq!(
            numbers(&[(zero, "a", "f"), (zero, "b", "f"), (zero, "", "")]),
            [0, 1, 1],
            "one index for all"
        );
        assert_eq!(
            numbers(&[(zero, "a", "f"), (zero, "b", ""), (zero, "c", "")]),
            [0, 0, 0],
            "an id per piece"
        );
        assert_eq!(numbers(&[(None, "a", "f"), (None, "b", "f"), (None, "a", "")]), [0, 1, 0], "no index");
        assert_eq!(numbers(&[(None, "", "f"), (None, "", "")]), [0, 0], "neither index nor id");
    }

    #[test]
    fn an_id_and_a_name_are_said_once() {
        let mut numbers = CallNumbers::default();
        let piece = || CallPiece {
            index: Some(3),
            id: Some("a".to_owned()),
            name: Some("look".to_owned()),
            arguments: Some("{".to_owned()),
        };
        let first = numbers.take(piece()).unwrap();
        assert_eq!((first.id.as_deref(), first.name.as_deref()), (Some("a"), Some("look")));
        let second = numbers.take(piece()).unwrap();
        assert_eq!((second.id, second.name, second.arguments.as_deref()), (None, None, Some("{")));
    }

    #[test]
    fn an_answer_with_too_many_calls_is_refused() {
        let mut numbers = CallNumbers::default();
        let mut take = |index| numbers.take(CallPiece { index: Some(index), ..CallPiece::default() });
        for index in 0..1024 {
            take(index).unwrap();
        }
        assert_eq!(take(1023).unwrap().index, 1023);
        assert_eq!(take(1024).unwrap_err().to_string(), "it has more than 1024 calls");
    }
}
