//! What can go wrong with an index: the disk, or a directory that isn't one of ours.

use std::path::PathBuf;

/// An attempt on the index that failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index directory could not be made, read, locked or written.
    #[error("failed to {attempt} `{path}`: {}", cause(source))]
    Disk {
        /// What was tried, as a verb: `create`, `lock`, `write`.
        attempt: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The files are there but can't be used; building them again helps.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The full-text engine refused.
    #[error("the full-text engine failed: {0}")]
    Engine(#[from] tantivy::TantivyError),
}

impl Error {
    /// An attempt on a path, for `map_err`.
    pub(crate) fn disk(attempt: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Disk { attempt, path, source }
    }
}

impl From<std::io::Error> for Error {
    /// A read below the engine that failed: the files changed or were damaged under us.
    fn from(source: std::io::Error) -> Self {
        Self::Damaged(cause(&source))
    }
}

/// What the system said, without its error number, in lower case.
fn cause(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split_once(" (os error").map_or(text.as_str(), |(text, _)| text);
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
