//! Reading an answer as text: facts in any case, word boundaries, numbers, negation.
//!
//! Every place is a byte range of the original text, on character boundaries, so that windows around it and excerpts of it can be
//! cut without care.

pub(crate) mod boundary;
pub(crate) mod excerpt;
pub(crate) mod folded;
pub(crate) mod negation;
pub(crate) mod number;
pub(crate) mod window;
