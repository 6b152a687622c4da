//! Where a report goes to when it is complete.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use uuid::Uuid;

use crate::ReportError;

/// Names of standard output, for options that take `-` for it.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Whether a path that stands for an output means standard output.
///
/// ```
/// assert!(windtunnel_report::is_stdout("-".into()));
/// assert!(!windtunnel_report::is_stdout("out.json".into()));
/// ```
pub fn is_stdout(path: &Utf8Path) -> bool {
    STDOUT.contains(&path.as_str())
}

/// Writes a text to standard output. A closed pipe is no error: whoever read it has what it wanted.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Where a report goes to.
pub enum Output {
    /// A stream, such as standard output.
    Stream {
        /// Names it in messages.
        name: String,
        /// The stream.
        stream: Box<dyn Write + Send>,
    },
    /// A file.
    File(OutFile),
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::stream("stdout", io::stdout())
    }

    /// A stream.
    pub fn stream(name: impl Into<String>, stream: impl Write + Send + 'static) -> Self {
        Self::Stream { name: name.into(), stream: Box::new(stream) }
    }

    /// The file that `--out` names, checked now: see [`OutFile::create`]. `/dev/stdout` and `/dev/stderr` are the process's own
    /// streams, whatever they lead to.
    pub fn file(path: impl Into<Utf8PathBuf>) -> Result<Self, ReportError> {
        Self::file_of("--out", path)
    }

    /// The same for a file that another option names; messages name it too.
    pub fn file_of(option: &'static str, path: impl Into<Utf8PathBuf>) -> Result<Self, ReportError> {
        let path = path.into();
        match path.as_str() {
            "/dev/stdout" => Ok(Self::stdout()),
            "/dev/stderr" => Ok(Self::stream("stderr", io::stderr())),
            _ => OutFile::create(option, path).map(Self::File),
        }
    }

    /// Writes the whole report, once.
    pub fn deliver(&mut self, report: &str) -> Result<(), ReportError> {
        match self {
            Self::Stream { name, stream } => stream
                .write_all(report.as_bytes())
                .and_then(|()| stream.flush())
                .map_err(|source| ReportError::Stream { to: name.clone(), source }),
            Self::File(file) => file.deliver(report),
        }
    }
}

/// A report's file. It appears complete or not at all: until then its text is in a temporary file beside it.
#[derive(Debug)]
pub struct OutFile {
    option: &'static str,
    path: Utf8PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// An open file that gets the target's name at the end.
    Pending { temporary: Utf8PathBuf, file: File, target: Utf8PathBuf },
    /// A character device, which is written to as it is.
    Device,
    /// It was delivered.
    Done,
}

impl OutFile {
    /// Makes sure, before anything is run, that the file can be written at the end: its folder is there and takes files.
    ///
    /// A character device is written to as it is. A pipe is refused: opening one waits for a reader, who may never come.
    /// `option` is what the user named it with.
    pub fn create(option: &'static str, path: impl Into<Utf8PathBuf>) -> Result<Self, ReportError> {
        let path = path.into();
        let failed = |source| ReportError::File { option, path: path.clone(), source };
        let target = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(ReportError::IsFolder { option, path }),
            // The file itself rather than a link to it is replaced.
            Ok(found) if found.is_file() => path.canonicalize_utf8().map_err(failed)?,
            Ok(found) if is_character_device(found.file_type()) => {
                return Ok(Self { option, path, place: Place::Device });
            }
            Ok(_) => return Err(ReportError::NotAFile { option, path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.clone(),
            Err(error) => return Err(failed(error)),
        };
        let folder = match target.parent() {
            Some(folder) if folder.as_str().is_empty() => Utf8Path::new("."),
            Some(folder) => folder,
            None => return Err(ReportError::IsFolder { option, path }),
        };
        if !folder.is_dir() {
            return Err(ReportError::NoFolder { option, folder: folder.to_owned(), path });
        }
        let name = target.file_name().unwrap_or("report");
        let temporary = folder.join(format!(".{name}.{}.tmp", Uuid::new_v4().simple()));
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(failed)?;
        Ok(Self { option, path, place: Place::Pending { temporary, file, target } })
    }

    fn deliver(&mut self, report: &str) -> Result<(), ReportError> {
        let delivered = match &mut self.place {
            Place::Pending { temporary, file, target } => {
                file.write_all(report.as_bytes()).and_then(|()| fs::rename(&*temporary, target))
            }
            Place::Device => OpenOptions::new()
                .write(true)
                .open(&self.path)
                .and_then(|mut device| device.write_all(report.as_bytes())),
            Place::Done => Ok(()),
        };
        delivered.map_err(|source| ReportError::File {
            option: self.option,
            path: self.path.clone(),
            source,
        })?;
        self.place = Place::Done;
        Ok(())
    }
}

#[cfg(unix)]
fn is_character_device(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

/// Elsewhere what is neither a file nor a folder is a device such as `NUL`.
#[cfg(not(unix))]
fn is_character_device(kind: FileType) -> bool {
    !kind.is_symlink()
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if let Place::Pending { temporary, .. } = &self.place {
            // Nothing was reported, and there is nobody left to tell.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect()
    }

    #[test]
    fn a_missing_folder_is_said_before_anything_runs() {
        let (_guard, folder) = folder();
        let error = OutFile::create("--out", folder.join("reports/out.xml")).unwrap_err();
        let text = error.to_string().replace(folder.as_str(), "");
        assert_eq!(
            text,
            "--out /reports/out.xml: there is no folder /reports; make it with `mkdir -p /reports`"
        );
        assert!(matches!(OutFile::create("--out", &folder), Err(ReportError::IsFolder { .. })));
        assert!(names(&folder).is_empty());
    }

    #[test]
    fn the_old_report_stays_until_the_new_one_is_complete() {
        let (_guard, folder) = folder();
        let path = folder.join("out.xml");
        fs::write(&path, "old").unwrap();
        let mut output = Output::file(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        output.deliver("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(&folder), ["out.xml"]);
    }

    #[test]
    fn two_reports_to_one_file_do_not_mix() {
        let (_guard, folder) = folder();
        let path = folder.join("out.xml");
        let mut outputs = [(); 2].map(|()| Output::file(&path).unwrap());
        outputs[0].deliver("the first").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "the first");
        outputs[1].deliver("2nd").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "2nd");
        assert_eq!(names(&folder), ["out.xml"]);
    }

    #[test]
    fn a_report_that_is_never_finished_leaves_nothing() {
        let (_guard, folder) = folder();
        drop(OutFile::create("--out", folder.join("out.xml")).unwrap());
        assert!(names(&folder).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let mut output = Output::file("/dev/null").unwrap();
        output.deliver("report").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_before_anything_runs() {
        let (_guard, folder) = folder();
        let path = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = Output::file(&path).map(|_| ()).unwrap_err();
        insta::assert_snapshot!(error.to_string().replace(folder.as_str(), ""), @"--out /pipe: is neither a regular file nor a character device; name a file, or /dev/stdout for what reads the output of this program");
        assert_eq!(names(&folder), ["pipe"]);
    }

    #[test]
    fn the_processes_own_streams_are_not_opened_again() {
        for path in ["/dev/stdout", "/dev/stderr"] {
            assert!(matches!(Output::file(path), Ok(Output::Stream { .. })), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_at_the_report() {
        let (_guard, folder) = folder();
        fs::create_dir(folder.join("archive")).unwrap();
        fs::write(folder.join("archive/1.xml"), "old").unwrap();
        std::os::unix::fs::symlink(folder.join("archive/1.xml"), folder.join("latest.xml")).unwrap();
        Output::file(folder.join("latest.xml")).unwrap().deliver("new").unwrap();
        assert_eq!(fs::read_to_string(folder.join("archive/1.xml")).unwrap(), "new");
        assert!(fs::symlink_metadata(folder.join("latest.xml")).unwrap().is_symlink());
    }
}
