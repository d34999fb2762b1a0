//! What stops inkwell: trouble with the disk, the configuration or the request.
//!
//! A broken document is not an error; stages return it as data. Nothing here prints.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A reason to stop, named after what was attempted.
///
/// `Display` is one line without a full stop; [`Error::hint`] is what the user can do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The root folder could not be opened.
    #[error("failed to open the root `{}`: {}", path.display(), cause(source))]
    OpenRoot {
        /// The folder as the user gave it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The root is a file.
    #[error("failed to open the root `{}`: it is not a folder", path.display())]
    RootNotFolder {
        /// The path as the user gave it.
        path: PathBuf,
    },
    /// A configuration file exists but could not be read.
    #[error("failed to read `{file}`: {cause}")]
    ReadConfig {
        /// The file as it is named to people.
        file: String,
        /// Why.
        cause: String,
    },
    /// A configuration file is not TOML.
    #[error("failed to parse `{file}` line {line}: {cause}")]
    ParseConfig {
        /// The file as it is named to people.
        file: String,
        /// 1-based line.
        line: usize,
        /// Why.
        cause: String,
    },
    /// A configuration file sets something that doesn't exist.
    #[error("unknown key `{key}` in `{file}` line {line}")]
    UnknownKey {
        /// The file as it is named to people.
        file: String,
        /// 1-based line.
        line: usize,
        /// The key as written.
        key: String,
        /// What the user can do.
        hint: String,
    },
    /// A setting has a value that it cannot have.
    #[error("{setting} is {found}: expected {expected}")]
    Setting {
        /// What was set, and where.
        setting: Setting,
        /// The value or its kind.
        found: String,
        /// What it can be.
        expected: String,
        /// The nearest possible value.
        nearest: Option<String>,
    },
    /// A docs path that was asked for does not exist.
    #[error("there is no `{path}`")]
    NoSuchDocs {
        /// The path, relative to the root.
        path: String,
    },
    /// What changed can't be told.
    #[error("failed to see what changed: {cause}")]
    NoChange {
        /// Why, in words.
        cause: String,
    },
    /// The repository sets something that only its reader may set.
    #[error("{setting} is not for a repository to set")]
    UserOnly {
        /// What was set, and where.
        setting: Setting,
        /// What the user can do.
        hint: String,
    },
    /// A docs path leads out of the root.
    #[error("{setting} leads out of the root: `{path}`")]
    LeavesRoot {
        /// What was set, and where.
        setting: Setting,
        /// The path as written.
        path: String,
    },
    /// The index could not be used, not even in memory.
    #[error("failed to use the index: {0}")]
    Index(#[from] inkwell_index::Error),
    /// The language whose word forms should be folded is not known.
    #[error("the language `{name}` is not known")]
    UnknownLanguage {
        /// The name as it was set.
        name: String,
    },
}

impl Error {
    /// What the user can do about it, as one line without a full stop.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::OpenRoot { .. } | Self::ReadConfig { .. } | Self::ParseConfig { .. } => None,
            Self::NoSuchDocs { .. } => {
                Some("paths are relative to the folder where you are, or to `--root`".to_owned())
            }
            Self::NoChange { .. } => Some("run it in a git repository, with a revision that git knows".to_owned()),
            Self::RootNotFolder { .. } => Some("give the folder that holds it".to_owned()),
            Self::UnknownKey { hint, .. } | Self::UserOnly { hint, .. } => Some(hint.clone()),
            Self::Setting { nearest, .. } => nearest.as_ref().map(|name| format!("did you mean `{name}`?")),
            Self::Index(_) => Some("`inkwell index --rebuild` builds it again".to_owned()),
            Self::UnknownLanguage { .. } => Some("use a name such as `english` or `german`, or `none`".to_owned()),
            Self::LeavesRoot { .. } => Some("name a folder or a file below the root, such as `docs`".to_owned()),
        }
    }
}

/// What was set and where, to point the user at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A key of a configuration file.
    Key {
        /// The key.
        key: &'static str,
        /// The file as it is named to people.
        file: String,
        /// 1-based line.
        line: usize,
    },
    /// An environment variable.
    Variable(&'static str),
    /// A flag of the command line, with its dashes.
    Flag(&'static str),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { key, file, line } => write!(f, "`{key}` in `{file}` line {line}"),
            Self::Variable(name) => write!(f, "`{name}` in the environment"),
            Self::Flag(flag) => write!(f, "`{flag}`"),
        }
    }
}

/// Says why an operation failed the way our messages do: lower case, without the operating system's number.
pub fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split_once(" (os error").map_or(text.as_str(), |(text, _)| text);
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The candidate that `word` is probably a slip of: at most a third of its letters differ.
///
/// The first of equally near candidates wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let reach = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|name| (strsim::osa_distance(&word.to_lowercase(), name), name))
        .filter(|(distance, _)| *distance <= reach)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_attempt_and_the_cause() {
        let source = io::Error::from_raw_os_error(13);
        let error = Error::OpenRoot { path: PathBuf::from("/x"), source };
        assert_eq!(error.to_string(), "failed to open the root `/x`: permission denied");
        assert_eq!(error.hint(), None);
    }

    #[test]
    fn a_cause_that_is_not_the_systems_keeps_its_words() {
        assert_eq!(cause(&io::Error::other("Stream did not hold text")), "stream did not hold text");
        assert_eq!(cause(&io::Error::other("")), "");
    }

    #[test]
    fn the_nearest_name_is_near() {
        let names = ["docs", "anchors", "index-dir"];
        assert_eq!(nearest("doc", names), Some("docs"));
        assert_eq!(nearest("dcos", names), Some("docs"));
        assert_eq!(nearest("index_dir", names), Some("index-dir"));
        assert_eq!(nearest("Anchor", names), Some("anchors"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", names), None);
    }
}
