//! Which tests a change of files concerns.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

/// The files that a test is made of: its own, those it inherits, and its scripts.
pub type Footprint = BTreeSet<Utf8PathBuf>;

/// The labels of the tests to run again, of those that are there `now`.
///
/// | test | a file that it is, or was, made of | run again |
/// |---|---|---|
/// | was not there before | any | yes |
/// | was there before | changed, came, went, or lies in a folder that did | yes |
/// | was there before | did not | no |
/// | is not there any more | any | there is nothing to run |
///
/// `before` and `now` are footprints by label. A changed path that is a folder stands for everything in it.
///
/// ```
/// use std::collections::BTreeMap;
/// use omw::testing::{Footprint, affected};
///
/// let footprint = |files: &[&str]| -> Footprint { files.iter().map(Into::into).collect() };
/// let a = ("a".to_owned(), footprint(&["/t/a.omw.test.toml", "/t/a.rhai"]));
/// let b = ("b".to_owned(), footprint(&["/t/b.omw.test.toml"]));
/// let before = BTreeMap::from([a.clone()]);
/// let now = BTreeMap::from([a, b]);
/// let run = |changed: &str| affected(&before, &now, &[changed.into()].into()).into_iter().collect::<Vec<_>>();
/// assert_eq!(run("/t/a.rhai"), ["a", "b"]);
/// assert_eq!(run("/t/notes.md"), ["b"], "it was not there before");
/// ```
pub fn affected<'a>(
    before: &BTreeMap<String, Footprint>,
    now: &'a BTreeMap<String, Footprint>,
    changed: &BTreeSet<Utf8PathBuf>,
) -> BTreeSet<&'a str> {
    let is_concerned = |file: &Utf8Path| file.ancestors().any(|path| changed.contains(path));
    let is_affected = |label: &str, footprint: &Footprint| match before.get(label) {
        None => true,
        Some(earlier) => earlier.union(footprint).any(|file| is_concerned(file)),
    };
    let affected = now.iter().filter(|(label, footprint)| is_affected(label, footprint));
    affected.map(|(label, _)| label.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(list: &[(&str, &[&str])]) -> BTreeMap<String, Footprint> {
        list.iter()
            .map(|(label, files)| ((*label).to_owned(), files.iter().map(Utf8PathBuf::from).collect()))
            .collect()
    }

    fn run(before: &[(&str, &[&str])], now: &[(&str, &[&str])], changed: &[&str]) -> Vec<String> {
        let now = tests(now);
        let changed = changed.iter().map(Utf8PathBuf::from).collect();
        affected(&tests(before), &now, &changed).into_iter().map(str::to_owned).collect()
    }

    const A: (&str, &[&str]) = ("a", &["/t/base.toml", "/t/a/a.toml", "/t/a/a.rhai"]);
    const B: (&str, &[&str]) = ("b", &["/t/base.toml", "/t/b/b.toml", "/t/shared.rhai"]);

    #[test]
    fn a_test_is_run_again_for_any_file_it_is_made_of_and_for_no_other() {
        let both = [A, B];
        for (changed, expected) in [
            (&["/t/a/a.toml"][..], &["a"][..]),
            (&["/t/a/a.rhai"], &["a"]),
            (&["/t/shared.rhai"], &["b"]),
            (&["/t/base.toml"], &["a", "b"]),
            (&["/t/a/notes.md", "/t/c.rhai"], &[]),
            (&["/t/a/a.toml", "/t/b/b.toml"], &["a", "b"]),
            (&["/t/b"], &["b"]),
            (&["/t"], &["a", "b"]),
            (&["/t/a/a"], &[]),
        ] {
            assert_eq!(run(&both, &both, changed), expected, "{changed:?}");
        }
    }

    #[test]
    fn a_new_test_is_run_and_a_deleted_one_is_not() {
        assert_eq!(run(&[A], &[A, B], &["/t/b/b.toml"]), ["b"]);
        assert_eq!(run(&[A, B], &[A], &["/t/b/b.toml"]), [""; 0]);
    }

    #[test]
    fn a_base_file_that_comes_or_goes_concerns_those_that_inherit_it() {
        let without = ("a", &["/t/a/a.toml", "/t/a/a.rhai"][..]);
        assert_eq!(run(&[without, B], &[A, B], &["/t/base.toml"]), ["a", "b"]);
        assert_eq!(run(&[A], &[without], &["/t/base.toml"]), ["a"]);
    }
}
