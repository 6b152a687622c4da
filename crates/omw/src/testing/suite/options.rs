//! Which tests are run, and how.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use windtunnel_discovery::NamingRule;
use windtunnel_doc::Format;
use windtunnel_report::Colour;

use crate::config::Source;
use crate::testing::DumpFormat;

/// What begins the names of variables that overlay the config of a test.
const PREFIX: &str = "OMW_TEST__";

/// Says how long files have to be quiet, in milliseconds, before tests are run again. It is read from the environment alone, since
/// it is about all tests.
const DEBOUNCE: &str = "OMW_TEST__TUNABLES__WATCH_DEBOUNCE_MS";

/// The stem that tests and base files are named by.
const STEM: &str = "omw.test";

/// Formats by their extensions, the preferred ones first.
const EXTENSIONS: [&str; 4] = ["toml", "yaml", "yml", "json"];

/// Which files are tests, and which are inherited by them.
pub(super) const NAMES: NamingRule = NamingRule::new(STEM, &EXTENSIONS);

/// Where the tests of a suite are. A text is not shown by `Debug`, since configs may hold secrets.
#[derive(Clone, PartialEq, Eq)]
pub enum Tests {
    /// The tests in a folder and below it, or one file.
    Path(Utf8PathBuf),
    /// One test as a text, with the label `-`. Its relative scripts lie in the working folder.
    Text {
        /// The text.
        text: String,
        /// Its format.
        format: Format,
    },
}

impl fmt::Debug for Tests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.debug_tuple("Path").field(path).finish(),
            Self::Text { text: _, format } => {
                f.debug_struct("Text").field("format", format).finish_non_exhaustive()
            }
        }
    }
}

/// Where a dump goes, and in which format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpTo {
    /// A file, whose folder is made if it is not there; `-` is standard output.
    pub path: Utf8PathBuf,
    /// The format.
    pub format: DumpFormat,
}

/// Which tests are run, and how, and where the results go beside the terminal. Of the environment `Debug` shows the names alone.
#[derive(Clone)]
pub struct SuiteOptions {
    /// Where the tests are.
    pub tests: Tests,
    /// Globs over the labels; a test has to match one of them, if there are any. `*` stays within a folder.
    pub include: Vec<String>,
    /// Globs over the labels; a test must match none of them.
    pub exclude: Vec<String>,
    /// The format of all files, base files included, whatever their names say.
    pub format: Option<Format>,
    /// How many tests may run side by side; 0 is one for each core.
    pub jobs: usize,
    /// Whether the first failure keeps further tests from starting.
    pub fail_fast: bool,
    /// Environment variables that overlay the config of each test: their names begin with `OMW_TEST__`, in either case. Others are ignored.
    pub environment: Vec<(OsString, OsString)>,
    /// Where everything that was seen goes.
    pub dump: Option<DumpTo>,
    /// The file of a `JUnit` report.
    pub junit: Option<Utf8PathBuf>,
    /// The file of a JSON report.
    pub json: Option<Utf8PathBuf>,
    /// When to colour what is shown.
    pub colour: Colour,
    /// Whether tests that passed are not shown.
    pub quiet: bool,
}

impl SuiteOptions {
    /// Every test, as many at a time as there are cores, with the variables of this process that overlay configs.
    pub fn new(tests: Tests) -> Self {
        Self {
            tests,
            include: Vec::new(),
            exclude: Vec::new(),
            format: None,
            jobs: 0,
            fail_fast: false,
            environment: std::env::vars_os().filter(|(name, _)| overlays(name)).collect(),
            dump: None,
            junit: None,
            json: None,
            colour: Colour::Auto,
            quiet: false,
        }
    }

    pub(super) fn jobs(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            jobs => jobs,
        }
    }

    /// With what overlays it.
    pub(super) fn overlaid(&self, source: Source) -> Source {
        source.with_environment(PREFIX, self.environment.iter().map(|(name, value)| (name, value)))
    }

    /// How long files have to be quiet before tests are run again.
    pub(super) fn debounce(&self) -> Duration {
        let given = self.environment.iter().find(|(name, _)| name.eq_ignore_ascii_case(DEBOUNCE));
        let millis = given.and_then(|(_, value)| value.to_str()?.trim().parse().ok());
        Duration::from_millis(millis.unwrap_or(crate::config::Tunables::default().watch_debounce_ms))
    }

    /// Files that a run writes.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Utf8Path> {
        let dump = self.dump.as_ref().map(|dump| dump.path.as_path());
        [dump, self.junit.as_deref(), self.json.as_deref()].into_iter().flatten()
    }
}

impl fmt::Debug for SuiteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tests,
            include,
            exclude,
            format,
            jobs,
            fail_fast,
            environment,
            dump,
            junit,
            json,
            colour,
            quiet,
        } = self;
        let names: Vec<_> = environment.iter().map(|(name, _)| name).collect();
        f.debug_struct("SuiteOptions")
            .field("tests", tests)
            .field("include", include)
            .field("exclude", exclude)
            .field("format", format)
            .field("jobs", jobs)
            .field("fail_fast", fail_fast)
            .field("environment", &names)
            .field("dump", dump)
            .field("junit", junit)
            .field("json", json)
            .field("colour", colour)
            .field("quiet", quiet)
            .finish()
    }
}

/// Whether a variable of this name is for configs.
fn overlays(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX.as_bytes()))
}

/// The base files that a folder could have.
pub(super) fn possible_bases(folder: &Utf8Path) -> impl Iterator<Item = Utf8PathBuf> {
    EXTENSIONS.into_iter().map(move |extension| folder.join(format!("{STEM}.base.{extension}")))
}

/// What came of a suite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Tests that were not run to their end, because of an interrupt or `fail_fast`.
    pub not_run: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_environment(pairs: &[(&str, &str)]) -> SuiteOptions {
        let environment = pairs.iter().map(|(name, value)| (name.into(), value.into())).collect();
        SuiteOptions { environment, ..SuiteOptions::new(Tests::Path(".".into())) }
    }

    #[test]
    fn of_the_environment_only_variables_with_the_prefix_are_held() {
        let held =
            ["OMW_TEST__A", "omw_test__A", "PATH", "OMW__B", "OMW_", ""].map(|name| overlays(name.as_ref()));
        assert_eq!(held, [true, true, false, false, false, false]);
        let options = SuiteOptions::new(Tests::Path(".".into()));
        assert!(options.environment.iter().all(|(name, _)| overlays(name)), "{options:?}");
    }

    #[test]
    fn neither_texts_nor_values_of_variables_are_shown() {
        let tests = Tests::Text { text: "api_key = \"sk-1\"".to_owned(), format: Format::Toml };
        let options = SuiteOptions { tests, ..with_environment(&[("OMW_TEST__A", "sk-2")]) };
        let shown = format!("{options:?}");
        assert!(!shown.contains("sk-"), "{shown}");
        assert!(shown.contains("OMW_TEST__A") && shown.contains("Toml"), "{shown}");
    }

    #[test]
    fn the_environment_says_how_long_files_have_to_be_quiet() {
        for (pairs, millis) in [
            (&[][..], 200),
            (&[(DEBOUNCE, "50")], 50),
            (&[("omw_test__tunables__watch_debounce_ms", " 0 ")], 0),
            (&[(DEBOUNCE, "soon")], 200),
        ] {
            assert_eq!(with_environment(pairs).debounce(), Duration::from_millis(millis), "{pairs:?}");
        }
    }
}
