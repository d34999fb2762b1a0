//! Paths that cannot leave the root.

use std::borrow::Borrow;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// The longest file that is read unless the configuration says otherwise, in bytes.
pub const SIZE_LIMIT: u64 = 64 << 20;

/// The folder that a project lives in: absolute, free of symbolic links, and a folder when it was opened.
///
/// Every look at the project's files goes through it, so it also holds how much of one is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    folder: PathBuf,
    size_limit: u64,
}

impl Root {
    /// Opens exactly this folder as the root.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let opening = |source| Error::OpenRoot { path: path.to_owned(), source };
        let real = fs::canonicalize(path).map_err(opening)?;
        if !fs::metadata(&real).map_err(opening)?.is_dir() {
            return Err(Error::RootNotFolder { path: path.to_owned() });
        }
        Ok(Self { folder: real, size_limit: SIZE_LIMIT })
    }

    /// Finds the root that `start` lies in: the nearest folder upwards that holds `.git` or `inkwell.toml`, else
    /// `start` itself.
    pub fn find(start: &Path) -> Result<Self, Error> {
        let opened = Self::open(start)?;
        let marked = |folder: &&Path| [".git", "inkwell.toml"].iter().any(|marker| folder.join(marker).exists());
        let start = &opened.folder;
        let folder = start.ancestors().find(marked).unwrap_or(start).to_owned();
        Ok(Self { folder, ..opened })
    }

    /// The same root, where files of more than `size_limit` bytes are not read.
    pub fn with_size_limit(self, size_limit: u64) -> Self {
        Self { size_limit, ..self }
    }

    /// The folder.
    pub fn as_path(&self) -> &Path {
        &self.folder
    }

    /// The longest file that is read, in bytes.
    pub fn size_limit(&self) -> u64 {
        self.size_limit
    }

    /// Where a path inside the root is on disk.
    pub fn join(&self, path: &RepoPath) -> PathBuf {
        // Piece by piece: a verbatim Windows path (`\\?\C:\…`) takes no `/`.
        let mut joined = self.folder.clone();
        joined.extend(path.as_str().split('/').filter(|piece| !piece.is_empty()));
        joined
    }
}

/// A path inside the root: relative, UTF-8, `/`-separated, without `.` and `..`.
///
/// The root itself is the empty path and is shown as `.`. Order is byte order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(String);

impl RepoPath {
    /// The root itself.
    pub const ROOT: Self = Self(String::new());

    /// Reads a path relative to the root, dropping `.` and doubled separators.
    ///
    /// `None` for absolute paths and for any `..`, even one that would lead back inside: through a symbolic link
    /// it need not.
    pub fn new(text: &str) -> Option<Self> {
        let mut path = Self::ROOT;
        for component in Path::new(text).components() {
            match component {
                Component::Normal(name) => path = path.child(name.to_str()?),
                Component::CurDir => {}
                Component::Prefix(_) | Component::RootDir | Component::ParentDir => return None,
            }
        }
        Some(path)
    }

    /// The path of an entry of this folder.
    pub(super) fn child(&self, name: &str) -> Self {
        match self.0.as_str() {
            "" => Self(name.to_owned()),
            folder => Self([folder, "/", name].concat()),
        }
    }

    /// The path as text; empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.as_str(), |(_, name)| name)
    }

    /// The folder that holds this path; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if *self == Self::ROOT {
            return None;
        }
        Some(self.0.rsplit_once('/').map_or(Self::ROOT, |(folder, _)| Self(folder.to_owned())))
    }

    /// Whether this path is `folder` or lies below it.
    pub fn is_within(&self, folder: &Self) -> bool {
        folder.holds(self.as_str())
    }

    /// Whether `path`, which is in the same form, is this path or lies below it.
    pub(super) fn holds(&self, path: &str) -> bool {
        match path.strip_prefix(self.as_str()) {
            Some(rest) => *self == Self::ROOT || rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            "" => f.write_str("."),
            path => f.write_str(path),
        }
    }
}

impl Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for RepoPath {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn repo_path(text: &str) -> RepoPath {
        RepoPath::new(text).expect("a path inside the root")
    }

    #[test]
    fn a_repo_path_is_tidied() {
        let tidied = |text| RepoPath::new(text).map(|path| path.as_str().to_owned());
        assert_eq!(tidied("docs/a.md").as_deref(), Some("docs/a.md"));
        assert_eq!(tidied("./docs//guide/./").as_deref(), Some("docs/guide"));
        assert_eq!(tidied(".").as_deref(), Some(""));
        assert_eq!(tidied("").as_deref(), Some(""));
        assert_eq!(tidied("..a/b..").as_deref(), Some("..a/b.."));
    }

    #[test]
    fn a_repo_path_never_leads_out() {
        for text in ["/etc", "..", "../..", "docs/../../x", "docs/..", "/"] {
            assert_eq!(RepoPath::new(text), None, "{text}");
        }
    }

    #[test]
    fn a_repo_path_knows_its_place() {
        let path = repo_path("docs/guide/a.md");
        assert_eq!((path.name(), path.parent()), ("a.md", Some(repo_path("docs/guide"))));
        assert_eq!(repo_path("docs").parent(), Some(RepoPath::ROOT));
        assert_eq!(RepoPath::ROOT.parent(), None);
        assert!(path.is_within(&repo_path("docs")));
        assert!(path.is_within(&path));
        assert!(path.is_within(&RepoPath::ROOT));
        assert!(!repo_path("docs2/a.md").is_within(&repo_path("docs")));
        assert_eq!((RepoPath::ROOT.to_string(), path.to_string()), (".".into(), "docs/guide/a.md".into()));
    }

    #[test]
    fn the_root_is_the_nearest_marked_folder() {
        let temp = tempfile::tempdir().expect("a folder");
        let top = temp.path().canonicalize().expect("it exists");
        fs::create_dir_all(top.join("repo/.git")).expect("created");
        fs::create_dir_all(top.join("repo/site/docs/deep")).expect("created");
        fs::write(top.join("repo/site/inkwell.toml"), "").expect("written");
        let found = |start: &str| Root::find(&top.join(start)).expect("a root").as_path().to_owned();
        assert_eq!(found("repo/site/docs/deep"), top.join("repo/site"));
        assert_eq!(found("repo"), top.join("repo"));
        assert_eq!(found("repo/.git/.."), top.join("repo"));
    }

    #[test]
    fn a_root_must_be_a_folder() {
        let temp = tempfile::tempdir().expect("a folder");
        let file = temp.path().join("a");
        fs::write(&file, "").expect("written");
        let message = |path: &Path| Root::open(path).expect_err("no root").to_string();
        assert_eq!(message(&file), format!("failed to open the root `{}`: it is not a folder", file.display()));
        let gone = temp.path().join("gone");
        assert_eq!(message(&gone), format!("failed to open the root `{}`: no such file or directory", gone.display()));
    }

    proptest! {
        #[test]
        fn any_text_is_tidy_or_refused(text in "[a./ \\n\u{e9}]{0,12}") {
            if let Some(path) = RepoPath::new(&text) {
                prop_assert_eq!(RepoPath::new(path.as_str()), Some(path.clone()));
                let pieces: Vec<&str> = path.as_str().split('/').collect();
                prop_assert!(path == RepoPath::ROOT || !pieces.iter().any(|p| ["", ".", ".."].contains(p)));
            }
        }
    }
}
