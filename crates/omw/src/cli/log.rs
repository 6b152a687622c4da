//! Standard error: what goes on behind the scenes.

use std::fmt;
use std::io::{self, IsTerminal as _};

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::options::LogFormat;

/// Sends what the crates log to standard error, filtered by `RUST_LOG`. The first call counts.
pub(super) fn init(format: LogFormat, level: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false)
        // A log that nobody can read is no reason to end.
        .log_internal_errors(false);
    // Fails where a program that embeds us logs already; then its log serves.
    let _ = match resolve(format) {
        Resolved::Lines => log.with_target(false).without_time().try_init(),
        Resolved::Json => log.json().flatten_event(true).try_init(),
        Resolved::Journal => log.event_format(Journal).try_init(),
    };
}

#[derive(Debug, PartialEq, Eq)]
enum Resolved {
    Lines,
    Json,
    Journal,
}

fn resolve(format: LogFormat) -> Resolved {
    match format {
        LogFormat::Tty => Resolved::Lines,
        LogFormat::Journald => Resolved::Journal,
        LogFormat::Auto if io::stderr().is_terminal() => Resolved::Lines,
        LogFormat::Auto if std::env::var_os("JOURNAL_STREAM").is_some() => Resolved::Journal,
        LogFormat::Auto | LogFormat::Pipe => Resolved::Json,
    }
}

/// `<4>message field=value`: the number is the priority of sd-daemon(3); the journal has the time.
struct Journal;

impl<S, N> FormatEvent<S, N> for Journal
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let priority = match *event.metadata().level() {
            Level::ERROR => 3,
            Level::WARN => 4,
            Level::INFO => 6,
            Level::DEBUG | Level::TRACE => 7,
        };
        write!(writer, "<{priority}>")?;
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
