//! Which of the files are wanted.

use globset::{GlobBuilder, GlobMatcher};

use super::FindError;

/// Globs over the label of a file: its path from the root, with `/` between folders. `*` stays within a folder, `**` does not.
#[derive(Debug, Clone, Default)]
pub struct PathFilter {
    include: Vec<(String, GlobMatcher)>,
    exclude: Vec<(String, GlobMatcher)>,
}

impl PathFilter {
    /// Files that one of `include` matches, or any if there is none, but for those that one of `exclude` matches.
    ///
    /// # Errors
    /// The first glob that cannot be read.
    pub fn new<I, E>(
        include: impl IntoIterator<Item = I>,
        exclude: impl IntoIterator<Item = E>,
    ) -> Result<Self, FindError>
    where
        I: Into<String>,
        E: Into<String>,
    {
        let include = include.into_iter().map(|glob| compile("--include", glob.into()));
        let exclude = exclude.into_iter().map(|glob| compile("--exclude", glob.into()));
        Ok(Self { include: include.collect::<Result<_, _>>()?, exclude: exclude.collect::<Result<_, _>>()? })
    }

    /// Whether a file is wanted.
    pub fn selects(&self, label: &str) -> bool {
        let any = |globs: &[(String, GlobMatcher)]| globs.iter().any(|(_, matcher)| matcher.is_match(label));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

impl std::fmt::Display for PathFilter {
    /// The flags that make it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let include = self.include.iter().map(|(glob, _)| ("--include", glob));
        let flags = include.chain(self.exclude.iter().map(|(glob, _)| ("--exclude", glob)));
        for (index, (flag, glob)) in flags.enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{flag} {glob:?}")?;
        }
        Ok(())
    }
}

fn compile(flag: &'static str, glob: String) -> Result<(String, GlobMatcher), FindError> {
    match GlobBuilder::new(&glob).literal_separator(true).build() {
        Ok(compiled) => Ok((glob, compiled.compile_matcher())),
        Err(error) => Err(FindError::Glob { flag, glob, reason: error.kind().to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_comes_first_and_a_star_stays_within_a_folder() {
        let table: [(&[&str], &[&str], &[&str]); 7] = [
            (&[], &[], &["omw.test.toml", "a/omw.test.toml", "a/b/omw.test.toml"]),
            (&["*"], &[], &["omw.test.toml"]),
            (&["a/*"], &[], &["a/omw.test.toml"]),
            (&["a/**"], &[], &["a/omw.test.toml", "a/b/omw.test.toml"]),
            (&["a"], &[], &[]),
            (&["**/b/*", "*"], &[], &["omw.test.toml", "a/b/omw.test.toml"]),
            (&["a/**"], &["**/b/**"], &["a/omw.test.toml"]),
        ];
        for (include, exclude, expected) in table {
            let filter = PathFilter::new(include.iter().copied(), exclude.iter().copied()).unwrap();
            let labels = ["omw.test.toml", "a/omw.test.toml", "a/b/omw.test.toml"];
            let selected: Vec<&str> = labels.into_iter().filter(|label| filter.selects(label)).collect();
            assert_eq!(selected, expected, "{filter}");
        }
    }
}
