//! Every reference case of a pack folder, on the `loop` runtime.

use std::sync::Arc;

use windtunnel_core::mcp::BenchTools;
use windtunnel_core::prelude::*;
use windtunnel_core::runtimes::{builtin, probe};

// ANCHOR: selftest
#[tokio::test]
async fn every_reference_case_of_the_pack_is_as_expected() {
    let notes = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/notes"));
    let found = discover(&[notes]).unwrap();

    let runs = tempfile::tempdir().unwrap();
    let store = RunStore::open(Utf8Path::from_path(runs.path()).unwrap()).unwrap();
    let bench = Bench::new(Arc::new(BenchTools::new()), Arc::new(store))
        .with_probes(|pack| probe::factory(pack).unwrap());
    let runtimes = builtin().into_iter().fold(Runtimes::new(), Runtimes::with);

    let options = SelftestOptions { strict: true, ..SelftestOptions::new("loop") };
    let (events, _nobody_listens) = tokio::sync::mpsc::unbounded_channel();
    let outcome =
        selftest(&bench, &runtimes, found, &options, &events, &mut Interrupts::never()).await.unwrap();

    let verdicts: Vec<_> =
        outcome.report.cases.iter().map(|case| (case.case.as_str(), case.verdict)).collect();
    let expected = ["adds", "overwrites", "only-says-so"].map(|case| (case, SelftestVerdict::Pass));
    assert_eq!(verdicts, expected, "{:#?}", outcome.report.cases);
    assert!(outcome.incomplete.is_empty(), "{:?}", outcome.incomplete);
}
// ANCHOR_END: selftest
