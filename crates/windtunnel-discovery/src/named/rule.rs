//! Which names are those of tests.

use camino::{Utf8Path, Utf8PathBuf};

/// Which file names are those of tests, and which those of the files that tests inherit.
///
/// ```
/// use windtunnel_discovery::NamingRule;
///
/// let rule = NamingRule::new("omw.test", &["toml", "yaml"]);
/// assert!(rule.is_test("omw.test.toml") && rule.is_test("login.omw.test.YAML"));
/// assert!(!rule.is_test("omw.test.base.toml") && !rule.is_test("myomw.test.toml"));
/// assert!(rule.is_base("omw.test.base.toml"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamingRule {
    stem: &'static str,
    extensions: &'static [&'static str],
}

impl NamingRule {
    /// Tests are called `<stem>.<extension>` or `<anything>.<stem>.<extension>`, base files `<stem>.base.<extension>`. The extensions are in
    /// lower case, those that are preferred first; tests may have them in upper case too.
    pub const fn new(stem: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { stem, extensions }
    }

    /// Whether it is the name of a test.
    pub fn is_test(&self, name: &str) -> bool {
        self.without_extension(name).is_some_and(|rest| {
            rest.strip_suffix(self.stem).is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
    }

    /// Whether it is the name of a base file.
    pub fn is_base(&self, name: &str) -> bool {
        let before = self.without_extension(name).and_then(|rest| rest.strip_suffix(".base"));
        before.is_some_and(|before| before == self.stem)
    }

    /// The base file of a folder: the one with the most preferred extension.
    pub(super) fn base_in(&self, folder: &Utf8Path) -> Option<Utf8PathBuf> {
        self.extensions
            .iter()
            .map(|extension| folder.join(format!("{}.base.{extension}", self.stem)))
            .find(|file| file.is_file())
    }

    fn without_extension<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (rest, extension) = name.rsplit_once('.')?;
        self.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known)).then_some(rest)
    }
}

impl std::fmt::Display for NamingRule {
    /// The names, as a person would list them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { stem, extensions } = self;
        write!(f, "{stem}.<ext> or *.{stem}.<ext>, <ext> being {}", extensions.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_tests_a_base_files_or_neither() {
        let rule = NamingRule::new("omw.test", &["toml", "yaml", "yml", "json"]);
        let table = [
            ("omw.test.toml", true, false),
            ("omw.test.yml", true, false),
            ("omw.test.JSON", true, false),
            ("a.omw.test.toml", true, false),
            ("a.b.omw.test.yaml", true, false),
            (".omw.test.toml", true, false),
            ("omw.test.base.toml", false, true),
            ("omw.test.base.Toml", false, true),
            ("a.omw.test.base.toml", false, false),
            ("omw.test.base.omw.test.toml", true, false),
            ("omw.test.template.toml", false, false),
            ("xomw.test.toml", false, false),
            ("omw.test", false, false),
            ("omw.test.txt", false, false),
            ("omw.toml", false, false),
            ("OMW.TEST.toml", false, false),
            ("", false, false),
        ];
        for (name, test, base) in table {
            assert_eq!((rule.is_test(name), rule.is_base(name)), (test, base), "{name}");
        }
    }
}
