//! The rows of a query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use serde_json::{Map, Value, json};
use tokio::time::timeout;
use windtunnel_api::pack::SqliteProbe;
use windtunnel_spi::CaseWorld;

use super::wait_limit;

/// How long another process may hold the database.
const BUSY: Duration = Duration::from_secs(5);
/// The most rows of an observation.
const MAX_ROWS: usize = 10_000;
/// The most bytes of the texts and blobs of an observation.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The most bytes of one value, also of one that is only computed with.
const MAX_VALUE: i32 = 64 * 1024 * 1024;
/// Steps of a query between two looks at whether anybody still waits for it.
const STEPS: i32 = 1_000;

/// The one prefix that a database's path may have.
const WORKSPACE: &str = "${WT_WORKSPACE}/";

/// Captures `{ rows = [{ <column> = … }] }`; a blob is `{ base64 = … }`.
pub(super) struct SqliteSource {
    file: Place,
    query: String,
}

enum Place {
    Pack(Utf8PathBuf),
    Workspace(Utf8PathBuf),
}

impl SqliteSource {
    pub(super) fn new(spec: &SqliteProbe, dir: &Utf8Path) -> Result<Self, String> {
        let file = match spec.file.as_str().strip_prefix(WORKSPACE) {
            Some(rest) => Place::Workspace(rest.into()),
            None if spec.file.as_str().contains("${") => {
                return Err(format!(
                    "file: only {WORKSPACE}… at its beginning is filled in, found {:?}",
                    spec.file
                ));
            }
            None => Place::Pack(dir.join(&spec.file)),
        };
        Ok(Self { file, query: spec.query.clone() })
    }

    pub(super) async fn capture(&self, world: &CaseWorld) -> Result<Value, String> {
        let file = match &self.file {
            Place::Pack(file) => file.clone(),
            Place::Workspace(file) => world.workspace.join(file),
        };
        if !file.is_file() {
            return Err(format!("there is no database {file}"));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&file, flags)
            .map_err(|error| format!("the database {file} cannot be opened: {error}"))?;
        let asker = Asker::default();
        let is_over = Arc::clone(&asker.is_gone);
        let query = self.query.clone();
        let rows = tokio::task::spawn_blocking(move || rows(&mut connection, &query, is_over));
        let limit = wait_limit(world);
        match timeout(limit, rows).await {
            Ok(rows) => rows.map_err(|error| format!("the query failed: {error}"))?,
            Err(_) => Err(format!("the query took more than {} s: {}", limit.as_secs_f64(), self.query)),
        }
    }
}

/// Who waits for the rows. A query runs in a thread that cannot be cancelled, so it looks by itself whether the asker is gone.
#[derive(Default)]
struct Asker {
    is_gone: Arc<AtomicBool>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}

fn describe(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::TooBig) => format!("the query makes a value of more than {MAX_VALUE} bytes"),
        _ => format!("the query failed: {error}"),
    }
}

fn rows(connection: &mut Connection, query: &str, is_over: Arc<AtomicBool>) -> Result<Value, String> {
    let failed = |error| describe(&error);
    connection.busy_timeout(BUSY).map_err(failed)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE).map_err(failed)?;
    connection.progress_handler(STEPS, Some(move || is_over.load(Ordering::Relaxed))).map_err(failed)?;
    let mut statement = connection.prepare(query).map_err(failed)?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err("query: expected one SELECT statement, which only reads and has rows".to_owned());
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    if let Some((_, twice)) =
        columns.iter().enumerate().find(|(at, name)| columns.iter().take(*at).any(|n| n == *name))
    {
        return Err(format!("query: two columns are called `{twice}`: rename one with AS"));
    }
    let mut left = MAX_BYTES;
    let mut found = Vec::new();
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        if found.len() == MAX_ROWS {
            return Err(format!("the query has more than {MAX_ROWS} rows: narrow it, or count in it"));
        }
        found.push(object(row, &columns, &mut left)?);
    }
    Ok(json!({ "rows": found }))
}

fn object(row: &Row<'_>, columns: &[String], left: &mut usize) -> Result<Value, String> {
    let mut object = Map::new();
    for (index, name) in columns.iter().enumerate() {
        let value = row.get_ref(index).map_err(|error| describe(&error))?;
        let bytes = match value {
            ValueRef::Null => 0,
            ValueRef::Integer(_) | ValueRef::Real(_) => 8,
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        };
        *left = left.checked_sub(bytes).ok_or_else(|| {
            format!("the rows have more than {MAX_BYTES} bytes: select fewer columns or rows")
        })?;
        let value = match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
            ValueRef::Blob(blob) => json!({ "base64": STANDARD.encode(blob) }),
        };
        object.insert(name.clone(), value);
    }
    Ok(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(setup: &str) -> (tempfile::TempDir, CaseWorld) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        Connection::open(root.join("shop.db")).unwrap().execute_batch(setup).unwrap();
        (folder, CaseWorld::new("probe", root))
    }

    async fn capture(world: &CaseWorld, query: &str) -> Result<Value, String> {
        let spec = SqliteProbe { file: "${WT_WORKSPACE}/shop.db".into(), query: query.to_owned() };
        SqliteSource::new(&spec, "/nowhere".into())?.capture(world).await
    }

    const ORDERS: &str = "CREATE TABLE orders (id INTEGER, item TEXT, price REAL, scan BLOB, note TEXT);
        INSERT INTO orders VALUES (1, 'tea', 2.5, x'ff00', NULL), (2, 'jam', 3.0, NULL, 'ripe');";

    #[tokio::test]
    async fn rows_are_objects_by_column() {
        let (_folder, world) = world(ORDERS);
        let expected = json!({"rows": [
            {"id": 1, "item": "tea", "price": 2.5, "scan": {"base64": "/wA="}, "note": null},
            {"id": 2, "item": "jam", "price": 3.0, "scan": null, "note": "ripe"},
        ]});
        assert_eq!(capture(&world, "SELECT * FROM orders ORDER BY id").await.unwrap(), expected);
        assert_eq!(capture(&world, "SELECT 1 AS one WHERE 0").await.unwrap(), json!({"rows": []}));
    }

    #[tokio::test]
    async fn a_journal_that_another_connection_keeps_open_is_read() {
        let (_folder, world) = world(&format!("PRAGMA journal_mode = wal; {ORDERS}"));
        let writer = Connection::open(world.workspace.join("shop.db")).unwrap();
        writer.execute_batch("DELETE FROM orders WHERE id = 1").unwrap();
        assert_eq!(capture(&world, "SELECT id FROM orders").await.unwrap(), json!({"rows": [{"id": 2}]}));
        drop(writer);
        assert_eq!(capture(&world, "SELECT id FROM orders").await.unwrap(), json!({"rows": [{"id": 2}]}));
    }

    #[tokio::test]
    async fn only_one_reading_statement_is_run() {
        let (_folder, world) = world(ORDERS);
        for query in [
            "DELETE FROM orders RETURNING id",
            "PRAGMA user_version = 7",
            "SELECT 1; SELECT 2",
            "",
            "ATTACH 'x' AS x",
        ] {
            assert!(capture(&world, query).await.is_err(), "{query}");
        }
        assert_eq!(
            capture(&world, "SELECT count(*) AS n FROM orders").await.unwrap(),
            json!({"rows": [{"n": 2}]})
        );
    }

    #[tokio::test]
    async fn limits_and_mistakes_are_told() {
        let (_folder, world) = world(ORDERS);
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 10000) SELECT i FROM n";
        let table = [
            (numbers, "the query has more than 10000 rows: narrow it, or count in it"),
            (
                "SELECT zeroblob(5000000) AS b",
                "the rows have more than 4194304 bytes: select fewer columns or rows",
            ),
            (
                "SELECT length(zeroblob(100000000)) AS n",
                "the query makes a value of more than 67108864 bytes",
            ),
            ("SELECT 1 AS a, 2 AS a", "query: two columns are called `a`: rename one with AS"),
        ];
        for (query, expected) in table {
            assert_eq!(capture(&world, query).await.unwrap_err(), expected);
        }
        assert!(capture(&world, "SELECT x FROM orders").await.unwrap_err().contains("no such column: x"));
    }

    const ENDLESS: &str =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS n FROM n";

    /// How long the runtime has to wait for its threads after this, at most 20 s.
    fn left_behind(work: impl Future<Output = ()>) -> Duration {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(work);
        let began = std::time::Instant::now();
        runtime.shutdown_timeout(Duration::from_secs(20));
        began.elapsed()
    }

    #[test]
    fn a_query_without_end_is_told_and_ended() {
        let (_folder, mut world) = world(ORDERS);
        world.limits.start = Duration::from_millis(200);
        let waited = left_behind(async {
            let error = capture(&world, ENDLESS).await.unwrap_err();
            assert_eq!(error, format!("the query took more than 0.18 s: {ENDLESS}"));
        });
        assert!(waited < Duration::from_secs(10), "{waited:?}");
    }

    #[test]
    fn a_query_that_nobody_waits_for_any_more_is_ended() {
        let (_folder, world) = world(ORDERS);
        let waited = left_behind(async {
            timeout(Duration::from_millis(100), capture(&world, ENDLESS)).await.unwrap_err();
        });
        assert!(waited < Duration::from_secs(10), "{waited:?}");
    }

    #[tokio::test]
    async fn a_missing_database_and_a_wrong_path_are_told() {
        let world = CaseWorld::new("probe", "/nowhere");
        assert_eq!(capture(&world, "SELECT 1").await.unwrap_err(), "there is no database /nowhere/shop.db");
        let spec = SqliteProbe { file: "${HOME}/x.db".into(), query: "SELECT 1".to_owned() };
        let error = SqliteSource::new(&spec, "/nowhere".into()).map(|_| ()).unwrap_err();
        assert_eq!(
            error,
            "file: only ${WT_WORKSPACE}/… at its beginning is filled in, found \"${HOME}/x.db\""
        );
    }
}
