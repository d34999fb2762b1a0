//! Reads files that the repository may have prepared to harm us.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::path::{RepoPath, Root};
use crate::error::cause;

/// A NUL byte this early in a file means that it holds no text; git looks at as many.
const BINARY_WINDOW: usize = 8 * 1024;

/// What the file system says of a file: as long as none of it changes, neither did the content.
///
/// A process that sets the times back is caught by `ctime_ns`. An edit of equal length within the clock's
/// resolution is not; who compares stamps has to allow for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Length in bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970. Past the year 2262 it wraps round.
    pub mtime_ns: i64,
    /// Last change of content or metadata, in the same; 0 outside Unix.
    pub ctime_ns: i64,
    /// The inode's number; 0 outside Unix.
    pub inode: u64,
}

impl Stamp {
    #[cfg(unix)]
    pub(crate) fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
        Self {
            size: found.len(),
            mtime_ns: nanoseconds(found.mtime(), found.mtime_nsec()),
            ctime_ns: nanoseconds(found.ctime(), found.ctime_nsec()),
            inode: found.ino(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(found: &Metadata) -> Self {
        let age = found.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let mtime_ns = age.map_or(0, |age| age.as_nanos() as i64);
        Self { size: found.len(), mtime_ns, ctime_ns: 0, inode: 0 }
    }
}

/// Why a file or folder is not among the docs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The system refused; its words.
    Unreadable(String),
    /// It is gone since it was listed.
    Missing,
    /// A pipe, socket, device or folder where a file was expected.
    NotAFile,
    /// A file was named as docs that isn't Markdown.
    NotMarkdown,
    /// The content is not UTF-8.
    NotUtf8 {
        /// Where the first wrong byte stands, counted from 0.
        offset: usize,
    },
    /// The content is UTF-16.
    Utf16,
    /// The content holds a NUL byte near its start.
    Binary,
    /// The file is longer than the limit.
    TooLarge {
        /// Its length in bytes.
        size: u64,
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// A symbolic link leads to a place outside the root.
    LeavesRoot,
    /// A symbolic link leads nowhere.
    DanglingLink,
    /// Symbolic links lead in a circle, or to a folder around themselves.
    LinkLoop,
    /// The name is not UTF-8.
    NotUtf8Name,
}

impl SkipReason {
    pub(super) fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Unreadable(cause(error)),
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(cause) => f.write_str(cause),
            Self::Missing => f.write_str("it no longer exists"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::NotMarkdown => f.write_str("it is not Markdown: expected `.md`, `.markdown` or `.mdx`"),
            Self::NotUtf8 { offset } => {
                write!(f, "it is not UTF-8: the byte at offset {offset} is wrong")
            }
            Self::Utf16 => f.write_str("it is UTF-16: expected UTF-8"),
            Self::Binary => f.write_str("it is binary: it holds a NUL byte"),
            Self::TooLarge { size, limit } => {
                write!(f, "it is too large: {size} bytes, the limit is {limit}")
            }
            Self::LeavesRoot => f.write_str("it is a link that leads out of the root"),
            Self::DanglingLink => f.write_str("it is a link to nothing"),
            Self::LinkLoop => f.write_str("it is a link that leads in a circle"),
            Self::NotUtf8Name => f.write_str("its name is not UTF-8"),
        }
    }
}

impl Root {
    /// Reads a file as text, with the stamp that it had when it was opened.
    ///
    /// What [`docs`](super::docs) said of the path may no longer hold, so the path is resolved again: a link that
    /// leads out of the root by now is refused. A byte order mark stays in the text.
    pub fn read(&self, path: &RepoPath) -> Result<(String, Stamp), SkipReason> {
        read_text(&self.resolve(path)?, self.size_limit())
    }

    /// Reads a file as bytes, whatever they are, with the stamp that it had when it was opened. The path must come from
    /// a walk of this root that did not follow links; one that is a link itself is refused.
    pub fn read_bytes(&self, path: &RepoPath) -> Result<(Vec<u8>, Stamp), SkipReason> {
        read_bytes(&self.join(path), self.size_limit()).map_err(|error| SkipReason::of(&error))?
    }

    /// What the file system says of a path now; of a link, of the link itself.
    pub fn own_stamp(&self, path: &RepoPath) -> Result<Stamp, SkipReason> {
        fs::symlink_metadata(self.join(path)).map(|found| Stamp::of(&found)).map_err(|error| SkipReason::of(&error))
    }

    /// What the file system says of a file now, links followed.
    pub fn stamp(&self, path: &RepoPath) -> Result<Stamp, SkipReason> {
        let found = fs::metadata(self.resolve(path)?).map_err(|error| SkipReason::of(&error))?;
        Ok(Stamp::of(&found))
    }

    /// Where a path really is, which must be inside.
    fn resolve(&self, path: &RepoPath) -> Result<PathBuf, SkipReason> {
        let real = fs::canonicalize(self.join(path)).map_err(|error| SkipReason::of(&error))?;
        match real.starts_with(self.as_path()) {
            true => Ok(real),
            false => Err(SkipReason::LeavesRoot),
        }
    }
}

/// Reads a file as text, with the stamp that it had when it was opened; a path that is a link is refused.
pub(crate) fn read_text(file: &Path, size_limit: u64) -> Result<(String, Stamp), SkipReason> {
    let (content, stamp) = read_bytes(file, size_limit).map_err(|error| SkipReason::of(&error))??;
    text(content).map(|text| (text, stamp))
}

fn read_bytes(file: &Path, size_limit: u64) -> io::Result<Result<(Vec<u8>, Stamp), SkipReason>> {
    // Before it is opened, because opening a pipe waits for a writer.
    let expected = fs::symlink_metadata(file)?;
    if !expected.is_file() {
        return Ok(Err(SkipReason::NotAFile));
    }
    let handle = File::open(file)?;
    let stamp = Stamp::of(&handle.metadata()?);
    if stamp.inode != Stamp::of(&expected).inode {
        // Swapped in between, perhaps for a link: the next look will see what it is.
        return Ok(Err(SkipReason::Missing));
    }
    if stamp.size > size_limit {
        return Ok(Err(SkipReason::TooLarge { size: stamp.size, limit: size_limit }));
    }
    // A file can grow, and some (in `/proc`) understate their size: the limit holds for what is read.
    let mut content = Vec::with_capacity(usize::try_from(stamp.size).unwrap_or_default() + 1);
    let size = handle.take(size_limit.saturating_add(1)).read_to_end(&mut content)? as u64;
    if size > size_limit {
        return Ok(Err(SkipReason::TooLarge { size, limit: size_limit }));
    }
    Ok(Ok((content, stamp)))
}

fn text(content: Vec<u8>) -> Result<String, SkipReason> {
    if content.starts_with(&[0xff, 0xfe]) || content.starts_with(&[0xfe, 0xff]) {
        return Err(SkipReason::Utf16);
    }
    if content.iter().take(BINARY_WINDOW).any(|byte| *byte == 0) {
        return Err(SkipReason::Binary);
    }
    String::from_utf8(content).map_err(|error| SkipReason::NotUtf8 { offset: error.utf8_error().valid_up_to() })
}
