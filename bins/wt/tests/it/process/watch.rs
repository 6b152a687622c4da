use std::collections::BTreeSet;
use std::fs;

use rustix::process::Signal;
use windtunnel_testkit::{Folder, Started, eventually};

use super::{WithScenarios as _, failing, passing};
use crate::harness::CallWt;

/// A run that watches, and how much of what it said was looked at. A change may be seen twice, so runs are not counted.
struct Watch<'f> {
    running: Started<'f>,
    verdicts: usize,
    complaints: usize,
}

impl<'f> Watch<'f> {
    fn over(folder: &'f Folder, line: &str) -> Self {
        Self { running: folder.wt(line).start(), verdicts: 0, complaints: 0 }
    }

    /// Waits for these new verdicts, and until it waits for a change after them. Returns all new ones, each once.
    fn comes_to(&mut self, awaited: &[&str]) -> BTreeSet<String> {
        let (all, new) = eventually(&format!("{awaited:?}"), || {
            let all = self.said();
            let new: BTreeSet<String> = all.iter().skip(self.verdicts).cloned().collect();
            awaited.iter().all(|verdict| new.contains(*verdict)).then_some((all.len(), new))
        });
        self.complaints = eventually("it waits for a change", || {
            let said = self.running.said().stderr;
            let begins = said.rfind("waiting for a change")?;
            (begins >= self.complaints).then_some(said.len())
        });
        self.verdicts = all;
        new
    }

    /// The verdicts so far, in whole lines.
    fn said(&self) -> Vec<String> {
        let is_verdict = |line: &&str| ["PASS ", "FAIL ", "ERROR "].iter().any(|word| line.starts_with(word));
        let said = self.running.said().stdout;
        let whole = said.rfind('\n').map_or("", |end| &said[..end]);
        let verdict = |line: &str| line.split("  ").next().unwrap_or_default().to_owned();
        whole.lines().filter(is_verdict).map(verdict).collect()
    }

    fn interrupt(self) {
        self.running.signal(Signal::INT);
        self.running.exits(130);
    }
}

/// Puts a file there at once, so that nobody sees the half of it.
fn put(folder: &Folder, path: &str, text: impl AsRef<[u8]>) {
    let aside = folder.beside("aside");
    fs::write(&aside, text).unwrap();
    fs::rename(aside, folder.path(path)).unwrap();
}

/// Puts a scenario that passes there at once, with its folder.
fn put_scenario(folder: &Folder, name: &str) {
    let aside = folder.beside("aside");
    fs::create_dir(&aside).unwrap();
    fs::write(aside.join("scenario.yaml"), passing(name)).unwrap();
    fs::rename(aside, folder.path(&format!("s/{name}"))).unwrap();
}

#[test]
fn a_change_runs_the_scenario_that_it_is_in() {
    let folder = Folder::new().with_pack().with_passing("one").with_passing("two");
    let mut watch = Watch::over(&folder, "run desk s --watch --jobs 1");
    watch.comes_to(&["PASS desk/greet", "PASS process/one", "PASS process/two"]);

    put(&folder, "s/two/scenario.yaml", failing("two"));
    let verdict = "FAIL process/two";
    assert_eq!(watch.comes_to(&[verdict]), BTreeSet::from([verdict.to_owned()]));

    put(&folder, "s/two/scenario.yaml", passing("two"));
    assert!(!watch.comes_to(&["PASS process/two"]).contains("PASS process/one"));

    put_scenario(&folder, "three");
    watch.comes_to(&["PASS process/three"]);

    let greet = folder.read("desk/greet.scenario.toml") + "tags = ['new']\n";
    put(&folder, "desk/greet.scenario.toml", greet);
    watch.comes_to(&["PASS desk/greet"]);
    watch.interrupt();
}

#[test]
fn without_a_path_new_scenarios_are_seen_as_well() {
    let folder = Folder::new().with_passing("one");
    let mut watch = Watch::over(&folder, "run --watch");
    watch.comes_to(&["PASS process/one"]);
    put_scenario(&folder, "two");
    watch.comes_to(&["PASS process/two"]);
    watch.interrupt();
}
