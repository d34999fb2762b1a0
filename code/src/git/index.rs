//! Which files git tracks, which it doesn't, and which it would ignore.

use std::collections::HashSet;

use super::Repo;
use super::run::{Error, records, text};

/// A file that git tracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracked {
    /// Path relative to the root.
    pub path: String,
    /// What it is.
    pub mode: Mode,
    /// Id of its content as it is in the index, of one side where a merge is unfinished.
    pub blob: String,
    /// Whether it is left out of the work tree on purpose (a sparse checkout).
    pub is_skipped: bool,
}

/// What kind of thing a tracked path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A plain file.
    File,
    /// A file that may be run.
    Executable,
    /// A symbolic link.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

impl Mode {
    /// Reads git's octal form; `None` for folders and what git doesn't know either.
    pub(crate) fn from_octal(octal: &str) -> Option<Mode> {
        match octal {
            "100644" | "100664" => Some(Mode::File),
            "100755" => Some(Mode::Executable),
            "120000" => Some(Mode::Symlink),
            "160000" => Some(Mode::Submodule),
            _ => None,
        }
    }

    /// Tells whether the content is a file's own.
    pub(crate) fn is_file(self) -> bool {
        matches!(self, Mode::File | Mode::Executable)
    }
}

impl Repo {
    /// Lists the tracked files below the root, in the order of git's index (by bytes of the path), each once.
    ///
    /// # Errors
    ///
    /// [`Error::Git`] where the index is damaged.
    pub fn tracked(&self) -> Result<Vec<Tracked>, Error> {
        let output = self.git().args(["ls-files", "--stage", "-v", "-z"]).output()?;
        let mut tracked: Vec<Tracked> = records(&output).filter_map(parse).collect();
        // An unfinished merge has up to three entries for a path, next to each other.
        tracked.dedup_by(|next, kept| next.path == kept.path);
        Ok(tracked)
    }

    /// Lists the files below the root that are neither tracked nor ignored by the repository's own rules.
    ///
    /// The user's global rules don't count, so that everyone sees the same. Repositories inside this one are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Git`] where git fails.
    pub fn untracked(&self) -> Result<Vec<String>, Error> {
        let output = self.git().args(["ls-files", "--others", "--exclude-standard", "-z"]).output()?;
        Ok(records(&output).map(text).filter(|path| !path.ends_with('/')).collect())
    }

    /// Tells for each path, of a file that may be absent, whether the repository's rules would ignore it.
    ///
    /// A path that ends in `/` is a folder's. What git can't judge (paths outside the root, below a symbolic link or
    /// in a submodule) is not ignored.
    ///
    /// # Errors
    ///
    /// [`Error::NoGit`] and [`Error::Talk`] as they say.
    pub fn ignored(&self, paths: &[String]) -> Result<Vec<bool>, Error> {
        let askable: Vec<&str> = paths.iter().map(String::as_str).filter(|path| is_inside(path)).collect();
        let mut ignored = HashSet::new();
        self.collect_ignored(&askable, &mut ignored)?;
        Ok(paths.iter().map(|path| ignored.contains(path)).collect())
    }

    /// Asks for many paths at once; as one that git can't judge fails them all, looks for it by halves.
    fn collect_ignored(&self, paths: &[&str], ignored: &mut HashSet<String>) -> Result<(), Error> {
        if paths.is_empty() {
            return Ok(());
        }
        // A path that begins with `:` would be a pattern.
        let input = paths.iter().flat_map(|path| format!("./{path}\0").into_bytes()).collect();
        let git = self.git().args(["check-ignore", "--no-index", "--stdin", "-z"]);
        match git.output_for(input) {
            Ok(output) => ignored.extend(records(&output).map(|path| text(path.strip_prefix(b"./").unwrap_or(path)))),
            // None is ignored: it exits with 1 and says nothing.
            Err(Error::Git { said, .. }) if said.is_empty() => {}
            Err(Error::Git { .. }) if paths.len() == 1 => {}
            Err(Error::Git { .. }) => {
                let (first, second) = paths.split_at(paths.len() / 2);
                self.collect_ignored(first, ignored)?;
                self.collect_ignored(second, ignored)?;
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }
}

fn is_inside(path: &str) -> bool {
    let is_relative = !path.is_empty() && !path.starts_with('/') && !path.contains('\0');
    is_relative && path.split('/').all(|part| part != "..")
}

/// Reads `H 100644 <id> <stage>\t<path>`.
pub(super) fn parse(record: &[u8]) -> Option<Tracked> {
    let tab = record.iter().position(|&byte| byte == b'\t')?;
    let head = text(&record[..tab]);
    let [tag, mode, blob, _stage] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
    let (mode, is_skipped) = (Mode::from_octal(mode)?, tag.eq_ignore_ascii_case("S"));
    Some(Tracked { path: text(&record[tab + 1..]), mode, blob: blob.to_owned(), is_skipped })
}
