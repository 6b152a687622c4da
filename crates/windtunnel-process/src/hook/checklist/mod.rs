//! The checklist that phases are selected with: posted as a comment, ticked by people, and read back.

mod list;
mod row;
mod select;

pub(super) use list::Checklist;
