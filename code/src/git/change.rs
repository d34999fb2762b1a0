//! What has changed since a commit: in the index, and in the work tree.
//!
//! git itself compares files on disk by running the filters that the repository asks for. So files are compared here:
//! by the stamp in the index, and where that differs by the id of their plain bytes. A file that is stored in another
//! form than it has on disk (line endings, large file pointers) and was touched since therefore counts as modified.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::Repo;
use super::index::Mode;
use super::run::{Error, records, text};

/// A file that isn't what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path relative to the root; of a deleted file the one it had.
    pub path: String,
    /// What happened to it.
    pub kind: Kind,
}

/// What happened to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// It is new.
    Added,
    /// Its content is another, or its type.
    Modified,
    /// It is gone.
    Deleted,
    /// It had another path, and a similar content.
    Renamed {
        /// The path it had.
        from: String,
    },
}

impl Repo {
    /// Lists what is different in the index from the commit that is checked out, by path; everything before the first.
    ///
    /// # Errors
    ///
    /// [`Error::Git`] where the repository is damaged.
    pub fn staged(&self) -> Result<Vec<Change>, Error> {
        let steps = self.steps(self.head().as_deref())?;
        Ok(sorted(steps.into_iter().map(|step| step.change)))
    }

    /// Lists what is different in the work tree from a commit, by path; from the one checked out without `since`.
    ///
    /// Files that are neither tracked nor ignored count, as [`Kind::Added`].
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRevision`] where `since` names no commit, [`Error::Git`] where the repository is damaged.
    pub fn changed(&self, since: Option<&str>) -> Result<Vec<Change>, Error> {
        let base = match since {
            Some(revision) => Some(self.commit(revision)?),
            None => self.head(),
        };
        let steps = self.steps(base.as_deref())?;
        let edits = self.edits()?;
        let untracked = self.untracked()?;
        // What only may be run now, or no longer, has the content that it had.
        let steps: Vec<Step> = steps.into_iter().filter(|step| !step.keeps_content()).collect();
        let hashes = self.hashes(edits.iter().filter_map(Edit::written).chain(untracked.iter().map(String::as_str)))?;
        Ok(merge(steps, edits, untracked, &hashes))
    }

    /// Compares a commit, or nothing at all, with the index.
    fn steps(&self, base: Option<&str>) -> Result<Vec<Step>, Error> {
        let empty;
        let base = match base {
            Some(base) => base,
            None => {
                empty = text(&self.git().args(["hash-object", "-t", "tree", "--stdin"]).output()?);
                empty.trim()
            }
        };
        let how = ["--cached", "--raw", "-z", "--no-abbrev", "-M", "-l1000", "--relative", "--no-ext-diff"];
        let output = self.git().args(["diff-index"]).args(how).args(["--no-textconv", base, "--"]).output()?;
        Ok(parse_steps(&output))
    }

    /// Compares the index with the work tree.
    fn edits(&self) -> Result<Vec<Edit>, Error> {
        let index = self.staging().unwrap_or_else(|| self.git_dir().join("index"));
        let written = fs::metadata(index).and_then(|index| index.modified()).ok();
        let output = self.git().args(["ls-files", "--stage", "-v", "--debug", "-z"]).output()?;
        let entries = parse_entries(&output);
        let mut below: HashMap<PathBuf, bool> = HashMap::new();
        let mut edits = Vec::new();
        for entry in entries {
            let file = self.root.join(&entry.path);
            let folder = file.parent().unwrap_or(&self.root).to_owned();
            let is_below = *below.entry(folder).or_insert_with(|| is_below(&self.root, &file));
            edits.extend(edit(entry, &file, is_below, written));
        }
        Ok(edits)
    }

    /// Computes the ids of files' plain bytes; those that can't be read have none.
    fn hashes<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Result<HashMap<String, String>, Error> {
        let readable = |path: &&str| {
            let file = self.root.join(path);
            let is_file = fs::symlink_metadata(&file).is_ok_and(|it| it.is_file());
            // One that can't be opened would end the whole run.
            !path.contains('\n') && is_file && is_below(&self.root, &file) && fs::File::open(&file).is_ok()
        };
        let paths: Vec<&str> = paths.filter(readable).collect();
        if paths.is_empty() {
            return Ok(HashMap::new());
        }
        let mut input = Vec::new();
        for path in &paths {
            input.extend(self.root.join(path).into_os_string().into_encoded_bytes());
            input.push(b'\n');
        }
        let git = self.git().args(["hash-object", "--no-filters", "--stdin-paths"]);
        match git.output_for(input) {
            Ok(output) => {
                Ok(paths.iter().map(|&path| path.to_owned()).zip(text(&output).lines().map(str::to_owned)).collect())
            }
            // A file went away meanwhile: without ids, what has another stamp is modified.
            Err(Error::Git { .. }) => Ok(HashMap::new()),
            Err(other) => Err(other),
        }
    }
}

/// What became of a file of the index; `is_below` tells whether its folder is where its path says.
fn edit(entry: Entry, file: &Path, is_below: bool, index_written: Option<SystemTime>) -> Option<Edit> {
    if entry.is_skipped || entry.mode == Mode::Submodule {
        return None;
    }
    let state = match fs::symlink_metadata(file) {
        _ if !is_below => State::Gone,
        Ok(metadata) if entry.is_unchanged(&metadata, index_written) => return None,
        Ok(metadata) if metadata.is_symlink() && entry.mode == Mode::Symlink => State::Other,
        Ok(metadata) if metadata.is_dir() => State::Gone,
        Ok(metadata) if metadata.is_file() && entry.mode.is_file() => State::Written,
        Ok(_) => State::Other,
        Err(_) => State::Gone,
    };
    Some(Edit { path: entry.path, blob: entry.blob, state })
}

/// A change in the index, and the contents of both sides.
struct Step {
    change: Change,
    old_blob: String,
    new_blob: String,
}

impl Step {
    fn keeps_content(&self) -> bool {
        self.change.kind == Kind::Modified && self.old_blob == self.new_blob
    }
}

/// A file of the index that isn't as it was.
struct Edit {
    path: String,
    blob: String,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    Gone,
    /// A plain file with another stamp.
    Written,
    /// A link, or no longer what it was.
    Other,
}

impl Edit {
    fn written(&self) -> Option<&str> {
        (self.state == State::Written).then_some(&self.path)
    }
}

/// An entry of the index with its stamp.
struct Entry {
    path: String,
    mode: Mode,
    blob: String,
    is_skipped: bool,
    /// Seconds, nanoseconds and bytes; `None` where git's form isn't the known one.
    stamp: Option<(u64, u32, u64)>,
}

impl Entry {
    /// Tells whether the stamp says so for sure: one that isn't older than the index may hide a later write.
    fn is_unchanged(&self, metadata: &Metadata, index_written: Option<SystemTime>) -> bool {
        let (Some((seconds, nanos, bytes)), Some(index_written)) = (self.stamp, index_written) else { return false };
        let is_kind = if self.mode == Mode::Symlink { metadata.is_symlink() } else { metadata.is_file() };
        let Ok(modified) = metadata.modified() else { return false };
        let since = modified.duration_since(UNIX_EPOCH).map(|it| (it.as_secs(), it.subsec_nanos()));
        is_kind && metadata.len() == bytes && since.ok() == Some((seconds, nanos)) && modified < index_written
    }
}

/// Tells whether a file's folder is where its path says, without links on the way.
fn is_below(root: &Path, file: &Path) -> bool {
    let Some(folder) = file.parent() else { return false };
    folder == root || folder.canonicalize().is_ok_and(|real| real == folder)
}

/// Puts the changes from the base to the index, and from there to the work tree, together.
fn merge(steps: Vec<Step>, edits: Vec<Edit>, untracked: Vec<String>, hashes: &HashMap<String, String>) -> Vec<Change> {
    let old: HashMap<String, String> =
        steps.iter().map(|step| (step.change.path.clone(), step.old_blob.clone())).collect();
    let mut kinds: BTreeMap<String, Kind> =
        steps.into_iter().map(|step| (step.change.path, step.change.kind)).collect();
    let mut gone = HashMap::new();
    for edit in edits {
        let now = hashes.get(&edit.path);
        let (kind, path) = (kinds.get(&edit.path).cloned(), edit.path);
        match (edit.state, kind) {
            (State::Gone, None | Some(Kind::Modified | Kind::Deleted)) => {
                gone.insert(old.get(&path).unwrap_or(&edit.blob).clone(), path.clone());
                kinds.insert(path, Kind::Deleted);
            }
            (State::Gone, Some(Kind::Added)) => drop(kinds.remove(&path)),
            (State::Gone, Some(Kind::Renamed { from })) => {
                kinds.remove(&path);
                kinds.insert(from, Kind::Deleted);
            }
            (State::Written, None) if now == Some(&edit.blob) => {}
            (State::Written, Some(Kind::Modified)) if now.is_some() && now == old.get(&path) => {
                kinds.remove(&path);
            }
            (State::Written | State::Other, None | Some(Kind::Deleted)) => drop(kinds.insert(path, Kind::Modified)),
            (State::Written | State::Other, Some(Kind::Added | Kind::Modified | Kind::Renamed { .. })) => {}
        }
    }
    for path in untracked {
        let now = hashes.get(&path);
        if kinds.get(&path) == Some(&Kind::Deleted) {
            // Taken out of the index, but still there.
            kinds.remove(&path);
            if now.is_none() || now != old.get(&path) {
                kinds.insert(path, Kind::Modified);
            }
            continue;
        }
        let kind = match now.and_then(|now| gone.remove(now)) {
            Some(from) => {
                kinds.remove(&from);
                Kind::Renamed { from }
            }
            None => Kind::Added,
        };
        kinds.insert(path, kind);
    }
    kinds.into_iter().map(|(path, kind)| Change { path, kind }).collect()
}

fn sorted(changes: impl Iterator<Item = Change>) -> Vec<Change> {
    let mut changes: Vec<Change> = changes.collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

/// Reads `:<mode> <mode> <id> <id> <letter><score>`, the path, and of a rename the new path.
fn parse_steps(output: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut fields = records(output);
    while let (Some(head), Some(path)) = (fields.next(), fields.next()) {
        let head = text(head);
        let [_, _, old_blob, new_blob, letter] = head.split(' ').collect::<Vec<_>>()[..] else { break };
        let path = text(path);
        let change = match letter.as_bytes()[0] {
            b'A' => Change { path, kind: Kind::Added },
            b'D' => Change { path, kind: Kind::Deleted },
            b'R' => {
                let Some(to) = fields.next() else { break };
                Change { path: text(to), kind: Kind::Renamed { from: path } }
            }
            // Unmerged entries come as `U` and again as what they are.
            _ => Change { path, kind: Kind::Modified },
        };
        steps.push(Step { change, old_blob: old_blob.to_owned(), new_blob: new_blob.to_owned() });
    }
    steps
}

/// Reads `H <mode> <id> <stage>\t<path>\0` and the five lines of the stamp.
fn parse_entries(mut output: &[u8]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    while let Some(end) = output.iter().position(|&byte| byte == 0) {
        let (record, rest) = (&output[..end], &output[end + 1..]);
        let (stamp, used) = parse_stamp(rest);
        output = &rest[used..];
        let Some(tracked) = super::index::parse(record) else { continue };
        if entries.last().is_none_or(|last| last.path != tracked.path) {
            let (path, mode, blob, is_skipped) = (tracked.path, tracked.mode, tracked.blob, tracked.is_skipped);
            entries.push(Entry { path, mode, blob, is_skipped, stamp });
        }
    }
    entries
}

/// Reads the lines with two leading spaces that follow an entry: the stamp, and how many bytes they are.
fn parse_stamp(rest: &[u8]) -> (Option<(u64, u32, u64)>, usize) {
    let (mut modified, mut bytes, mut used) = (None, None, 0);
    for line in rest.split_inclusive(|&byte| byte == b'\n').take_while(|line| line.starts_with(b"  ")) {
        used += line.len();
        let line = text(line);
        let line = line.trim();
        if let Some(time) = line.strip_prefix("mtime: ") {
            modified = time.split_once(':').and_then(|(s, n)| Some((s.parse().ok()?, n.parse().ok()?)));
        }
        if let Some(size) = line.strip_prefix("size: ") {
            bytes = size.split_whitespace().next().and_then(|it| it.parse().ok());
        }
    }
    (modified.zip(bytes).map(|((seconds, nanos), bytes)| (seconds, nanos, bytes)), used)
}
