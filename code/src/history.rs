//! What the first-parent history tells of names and paths: where lines with a name went, and when files did.
//!
//! Only facts are collected here; what they prove is for others to say. See `walk` for how history is read.

mod event;
mod gone;
mod hunk;
mod seek;
mod spot;
mod walk;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::git::{Error, Repo};

/// Most removals that are kept of one name.
pub const REMOVAL_LIMIT: usize = 48;
/// Most removals that are kept of one name and one commit.
pub const REMOVAL_LIMIT_PER_COMMIT: usize = 12;
/// Most deletions that are kept of one path.
pub const DELETION_LIMIT: usize = 8;
/// Most changes of pages that are kept of one name.
pub const DOC_LIMIT: usize = 512;
/// Most lines that are kept of one side of one change.
pub const LINE_LIMIT: usize = 12;
/// Most bytes that are kept of a line.
pub const LINE_BUDGET: usize = 300;

/// What to look for.
pub struct Ask<'a> {
    /// Single words as they stand in files: letters, digits, `_`, and `-` inside; a word is only ever matched whole.
    pub names: &'a [String],
    /// Files and folders relative to the root; of a file, its last parts are enough.
    pub paths: &'a [String],
    /// Whether a path is of a file whose lines can show that a name was there.
    pub is_source: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether the path of a source file is of a test, whose lines count only for names that [`is_test_name`]: tests are
    /// half of many histories, and what only they defined is no loss to anyone.
    pub is_test: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a path is of a page; it then isn't source.
    pub is_doc: &'a (dyn Fn(&str) -> bool + Sync),
}

/// Whether a name looks like that of a test: `test_load`, `load_test`, `LoadTest`, `LoadTests`.
pub fn is_test_name(name: &str) -> bool {
    let ends = name.strip_suffix("Test").or_else(|| name.strip_suffix("Tests"));
    name.starts_with("test_") || name.ends_with("_test") || ends.is_some_and(|rest| !rest.is_empty())
}

/// What was found, as of one commit.
///
/// Events are ordered by `order`: how many commits of the first-parent history are newer, so 0 is the newest. Orders
/// can be compared across names, pages and paths of one trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Id of the newest commit.
    pub head: String,
    /// How many commits were read.
    pub commits: usize,
    /// Whether older commits are missing: a shallow clone, or objects left out of it.
    pub is_cut: bool,
    /// How many versions of source files and pages couldn't be read: missing, or longer than a megabyte.
    pub unread: usize,
    /// What was found of each name asked for.
    pub names: BTreeMap<String, NameTrace>,
    /// Deletions of each path asked for, the newest first, at most [`DELETION_LIMIT`]; of a folder only the newest.
    pub paths: BTreeMap<String, Vec<PathEvent>>,
}

/// What was found of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameTrace {
    /// Lines of source files with the name that were removed while the commit added none to the same file; the newest
    /// first, at most [`REMOVAL_LIMIT`] and [`REMOVAL_LIMIT_PER_COMMIT`].
    pub removals: Vec<Removal>,
    /// Lines of pages with the name that were added or removed; the newest first, at most [`DOC_LIMIT`].
    pub docs: Vec<DocEvent>,
    /// Order of the newest commit that added a line with the name to a source file.
    pub returned: Option<u32>,
}

/// A line of a source file that went away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// Abbreviated id of the commit.
    pub commit: String,
    /// Place of the commit in history, 0 is the newest.
    pub order: u32,
    /// Path of the file.
    pub path: String,
    /// 1-based line in the file before the commit.
    pub line: u32,
    /// The line, trimmed and cut at [`LINE_BUDGET`] bytes.
    pub text: String,
    /// Lines that came in its place, at most [`LINE_LIMIT`] near to it, trimmed and cut likewise.
    pub added: Vec<String>,
    /// Whether the whole file was deleted.
    pub is_whole_file: bool,
    /// Whether the same commit added a line with the name to another source file.
    pub is_moved: bool,
}

/// Lines with a name in a page that came or went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocEvent {
    /// Abbreviated id of the commit.
    pub commit: String,
    /// Place of the commit in history, 0 is the newest.
    pub order: u32,
    /// Path of the page.
    pub path: String,
    /// Lines that came, at most [`LINE_LIMIT`], trimmed and cut at [`LINE_BUDGET`] bytes.
    pub added: Vec<String>,
    /// Lines that went, likewise.
    pub removed: Vec<String>,
}

/// A file that was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEvent {
    /// Abbreviated id of the commit.
    pub commit: String,
    /// Place of the commit in history, 0 is the newest.
    pub order: u32,
    /// Path of the file, which ends with the path asked for or lies in the folder asked for.
    pub path: String,
    /// Id of its last content.
    pub blob: String,
    /// Where the same commit put the same content, or a similar one.
    pub moved_to: Option<String>,
}

impl Trace {
    /// Returns what was found of a name; `None` if it wasn't asked for.
    pub fn name(&self, name: &str) -> Option<&NameTrace> {
        self.names.get(name)
    }

    /// Returns the deletions of a path, the newest first; none if it wasn't asked for.
    pub fn path(&self, path: &str) -> &[PathEvent] {
        self.paths.get(path).map_or(&[], Vec::as_slice)
    }

    /// Tells whether everything asked for is known.
    pub fn has_all(&self, ask: &Ask) -> bool {
        ask.names.iter().all(|name| self.names.contains_key(name))
            && ask.paths.iter().all(|path| self.paths.contains_key(path))
    }
}

/// Reads the history that leads to the commit checked out.
///
/// # Errors
///
/// [`Error::UnknownRevision`] before the first commit; [`Error::NoGit`] and [`Error::Talk`] as they say. Missing
/// objects are no error: see [`Trace::is_cut`] and [`Trace::unread`].
pub fn trace(repo: &Repo, ask: &Ask) -> Result<Trace, Error> {
    let log = walk::Log::read(repo)?;
    seek::seek(repo, &log, log.commits.len(), ask)
}

/// Completes an older trace, as far as it still holds, and reads only what it doesn't know.
///
/// What it holds beyond the question is kept. The older trace must come from the same `is_source`, `is_test` and `is_doc`. Objects
/// that were missing then and have been fetched since aren't looked for again.
///
/// # Errors
///
/// As [`trace`].
pub fn extend(old: Trace, repo: &Repo, ask: &Ask) -> Result<Trace, Error> {
    let is_complete = !old.is_cut && !repo.is_shallow();
    if is_complete && old.has_all(ask) && repo.head().as_ref() == Some(&old.head) {
        return Ok(old);
    }
    let log = walk::Log::read(repo)?;
    let new = log.commits.iter().position(|commit| *commit == old.head);
    // A history that was deepened, or cut, since then has another length.
    let Some(new) = new.filter(|new| new + old.commits == log.commits.len()) else {
        return seek::seek(repo, &log, log.commits.len(), ask);
    };
    let mut whole = old;
    if new > 0 {
        let names: Vec<String> = whole.names.keys().cloned().collect();
        let paths: Vec<String> = whole.paths.keys().cloned().collect();
        let recent = seek::seek(repo, &log, new, &Ask { names: &names, paths: &paths, ..*ask })?;
        whole = put_on_top(recent, whole, new);
    }
    let names: Vec<String> = ask.names.iter().filter(|name| !whole.names.contains_key(*name)).cloned().collect();
    let paths: Vec<String> = ask.paths.iter().filter(|path| !whole.paths.contains_key(*path)).cloned().collect();
    if names.is_empty() && paths.is_empty() {
        return Ok(whole);
    }
    let unknown = seek::seek(repo, &log, log.commits.len(), &Ask { names: &names, paths: &paths, ..*ask })?;
    whole.names.extend(unknown.names);
    whole.paths.extend(unknown.paths);
    whole.unread = whole.unread.max(unknown.unread);
    whole.is_cut |= unknown.is_cut;
    Ok(whole)
}

/// Joins what `new` more commits tell with what was known before them, within the same limits.
fn put_on_top(recent: Trace, mut old: Trace, new: usize) -> Trace {
    let shift = u32::try_from(new).unwrap_or(u32::MAX);
    for (name, mut before) in std::mem::take(&mut old.names) {
        before.removals.iter_mut().for_each(|event| event.order += shift);
        before.docs.iter_mut().for_each(|event| event.order += shift);
        let mut now = recent.names.get(&name).cloned().unwrap_or_default();
        now.removals.extend(before.removals);
        now.removals.truncate(REMOVAL_LIMIT);
        now.docs.extend(before.docs);
        now.docs.truncate(DOC_LIMIT);
        now.returned = now.returned.or(before.returned.map(|order| order + shift));
        old.names.insert(name, now);
    }
    for (path, mut before) in std::mem::take(&mut old.paths) {
        before.iter_mut().for_each(|event| event.order += shift);
        let mut now = recent.paths.get(&path).cloned().unwrap_or_default();
        now.extend(before);
        let now = gone::within_limits(&path, now);
        old.paths.insert(path, now);
    }
    let (is_cut, unread) = (old.is_cut || recent.is_cut, old.unread + recent.unread);
    Trace { head: recent.head, commits: old.commits + new, is_cut, unread, ..old }
}

#[cfg(all(test, unix))]
mod tests;
