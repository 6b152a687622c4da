use std::collections::HashSet;
use std::fs;

use windtunnel_store::{MAX_ROW_BYTES, RunStore, StoreError, read_events, read_ledger};

use crate::support::{Fixture, event, ledger_row, number};

#[test]
fn rows_come_back_in_order() {
    let fixture = Fixture::new();
    let store = fixture.store();
    for number in 0..5 {
        store.append_event(&event(number, 3)).unwrap();
    }
    store.append_ledger(&ledger_row()).unwrap();
    let events: Vec<_> = read_events(&fixture.runs_dir).map(Result::unwrap).collect();
    assert_eq!(events, (0..5).map(|number| event(number, 3)).collect::<Vec<_>>());
    let ledger: Vec<_> = read_ledger(&fixture.runs_dir).map(Result::unwrap).collect();
    assert_eq!(ledger, [ledger_row()]);
}

#[cfg(unix)]
#[test]
fn rows_go_to_the_file_that_has_the_name_now() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let numbers = || read_events(&fixture.runs_dir).map(|row| number(&row.unwrap())).collect::<Vec<_>>();
    store.append_event(&event(0, 3)).unwrap();
    let path = fixture.runs_dir.join("events.ndjsonl");
    fs::rename(&path, fixture.runs_dir.join("events.old")).unwrap();
    store.append_event(&event(1, 3)).unwrap();
    assert_eq!(numbers(), [1], "the file was rotated");
    fs::remove_dir_all(&fixture.runs_dir).unwrap();
    store.append_event(&event(2, 3)).unwrap();
    assert_eq!(numbers(), [2], "the folder was removed");
    store.append_event(&event(3, 3)).unwrap();
    assert_eq!(numbers(), [2, 3]);
}

#[test]
fn a_torn_tail_costs_one_line_and_no_other() {
    let fixture = Fixture::new();
    fixture.store().append_event(&event(0, 3)).unwrap();
    let path = fixture.runs_dir.join("events.ndjsonl");
    let whole = fs::read_to_string(&path).unwrap();
    for cut in 1..whole.len() - 1 {
        fs::write(&path, format!("{whole}{}", &whole[..cut])).unwrap();
        fixture.store().append_event(&event(1, 3)).unwrap();
        let (rows, warnings): (Vec<_>, Vec<_>) = read_events(&fixture.runs_dir).partition(Result::is_ok);
        let numbers: Vec<_> = rows.into_iter().map(|row| number(&row.unwrap())).collect();
        assert_eq!((numbers, warnings.len()), (vec![0, 1], 1), "cut after {cut} bytes");
    }
}

#[test]
fn a_tail_that_lacks_only_its_newline_is_a_row() {
    let fixture = Fixture::new();
    fixture.store().append_event(&event(0, 3)).unwrap();
    let path = fixture.runs_dir.join("events.ndjsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.trim_end()).unwrap();
    fixture.store().append_event(&event(1, 3)).unwrap();
    assert_eq!(read_events(&fixture.runs_dir).map(|row| number(&row.unwrap())).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn appenders_do_not_tear_each_others_rows() {
    let fixture = Fixture::new();
    // Every store has a file handle of its own, as if it were another process.
    std::thread::scope(|scope| {
        for appender in 0..8 {
            let store = fixture.store();
            scope.spawn(move || {
                for row in 0..100 {
                    store.append_event(&event(appender * 1000 + row, row * 97)).unwrap();
                }
            });
        }
    });
    let seen: HashSet<_> = read_events(&fixture.runs_dir).map(|row| number(&row.unwrap())).collect();
    let expected: HashSet<_> =
        (0..8).flat_map(|appender| (0..100).map(move |row| appender * 1000 + row)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_bad_line_is_a_warning_with_its_number() {
    let fixture = Fixture::new();
    fixture.store().append_event(&event(0, 3)).unwrap();
    let path = fixture.runs_dir.join("events.ndjsonl");
    let good = fs::read_to_string(&path).unwrap();
    let later = good.replace("\"windtunnel_event\":1", "\"windtunnel_event\":9");
    let other = good.replace("scenario_error", "coffee_break");
    fs::write(&path, format!("{good}not json\n\n{later}{other}{{}}\n{good}")).unwrap();
    let read: Vec<_> = read_events(&fixture.runs_dir)
        .map(|row| match row {
            Ok(row) => format!("row {}", number(&row)),
            Err(warning) => warning.to_string().replace(path.as_str(), "events.ndjsonl"),
        })
        .collect();
    insta::assert_snapshot!(read.join("\n"), @"
    row 0
    events.ndjsonl:2: torn, or not JSON: expected ident at line 1 column 2
    events.ndjsonl:4: windtunnel_event 9 is a version this program does not know (it knows 1); use a later one
    events.ndjsonl:5: not an event: unknown variant `coffee_break`, expected one of `sweep_started`, `run_started`, `run_finished`, `scenario_finished`, `scenario_error`, `lock_waiting`, `lock_acquired`, `sweep_finished` at line 1 column 166
    events.ndjsonl:6: not an event: missing field `windtunnel_event` at line 1 column 2
    row 0
    ");
}

#[test]
fn a_line_beyond_the_limit_is_passed_over() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let limit = usize::try_from(MAX_ROW_BYTES).unwrap();
    assert!(matches!(store.append_event(&event(0, limit)), Err(StoreError::TooLarge { .. })));
    store.append_event(&event(1, 3)).unwrap();
    let path = fixture.runs_dir.join("events.ndjsonl");
    let row = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{}\n{row}", "x".repeat(3 * limit))).unwrap();
    let read: Vec<_> = read_events(&fixture.runs_dir).collect();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].as_ref().unwrap_err().line, Some(1));
    assert_eq!(number(read[1].as_ref().unwrap()), 1);
}

#[test]
fn the_longest_row_that_is_written_is_read() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let overhead = serde_json::to_string(&event(0, 0)).unwrap().len();
    let padding = usize::try_from(MAX_ROW_BYTES).unwrap() - overhead - 1;
    store.append_event(&event(0, padding)).unwrap();
    assert!(store.append_event(&event(1, padding + 1)).is_err());
    assert_eq!(read_events(&fixture.runs_dir).map(|row| number(&row.unwrap())).collect::<Vec<_>>(), [0]);
}

#[test]
fn no_ledger_is_no_rows() {
    let fixture = Fixture::new();
    assert_eq!(read_ledger(&fixture.runs_dir).count(), 0);
}

#[test]
fn a_ledger_that_cannot_be_opened_is_one_warning() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.runs_dir.join("ledger.ndjsonl")).unwrap();
    let read: Vec<_> = read_ledger(&fixture.runs_dir).collect();
    assert!(matches!(&read[..], [Err(_)]), "{read:?}");
    let store = RunStore::open(&fixture.runs_dir).unwrap();
    assert!(matches!(store.append_ledger(&ledger_row()), Err(StoreError::Io { .. })));
}
