//! Finds when files were deleted, and where they went.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::event::abbreviated;
use super::walk::{self, Change, Changes, Log, NONE};
use super::{DELETION_LIMIT, PathEvent};
use crate::git::Repo;

/// Finds the deletions of what was asked for, the newest first.
pub(super) fn deletions(
    repo: &Repo,
    log: &Log,
    changes: &Changes,
    asked: &[String],
) -> BTreeMap<String, Vec<PathEvent>> {
    let mut places: FxHashMap<&str, Vec<&String>> = FxHashMap::default();
    for path in asked {
        places.entry(plain(path)).or_default().push(path);
    }
    places.remove("");
    let mut events: BTreeMap<String, Vec<PathEvent>> = asked.iter().map(|path| (path.clone(), Vec::new())).collect();
    let mut moves = Moves { repo, log, changes, by_git: FxHashMap::default() };
    for &change in changes.list.iter().filter(|change| change.new == NONE) {
        let path = changes.paths.text(change.path);
        for asked in ends(path).chain(folders(path)).filter_map(|part| places.get(part)).flatten() {
            let Some(known) = events.get_mut(*asked).filter(|known| has_room(asked, path, known)) else { continue };
            known.push(PathEvent {
                commit: abbreviated(log, change.order),
                order: change.order,
                path: path.to_owned(),
                blob: changes.blobs.text(change.old).to_owned(),
                moved_to: moves.find(change),
            });
        }
    }
    events
}

/// Keeps of some deletions, the newest first, what [`deletions`] would.
pub(super) fn within_limits(asked: &str, events: Vec<PathEvent>) -> Vec<PathEvent> {
    let mut kept = Vec::new();
    for event in events {
        if has_room(asked, &event.path, &kept) {
            kept.push(event);
        }
    }
    kept
}

/// Tells whether one more deletion is of use: of a folder, only the newest.
fn has_room(asked: &str, path: &str, known: &[PathEvent]) -> bool {
    let is_below = |path: &str| !ends(path).any(|end| end == plain(asked));
    known.len() < DELETION_LIMIT && !(is_below(path) && known.iter().any(|event| is_below(&event.path)))
}

fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path).trim_end_matches('/')
}

/// Lists a path and its shorter ends: `a/b/c`, `b/c`, `c`.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').map(|(place, _)| &path[place + 1..]))
}

/// Lists the folders that a file lies in, each with its shorter ends: `a`, `a/b`, `b`.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').flat_map(|(place, _)| ends(&path[..place]))
}

/// Where deleted files went.
struct Moves<'a> {
    repo: &'a Repo,
    log: &'a Log,
    changes: &'a Changes,
    /// By order: what git says of a whole commit.
    by_git: FxHashMap<u32, FxHashMap<String, String>>,
}

impl Moves<'_> {
    /// Finds where the commit put the same content, under the same name if there are several, or a similar one.
    fn find(&mut self, gone: Change) -> Option<String> {
        let list = &self.changes.list;
        let start = list.partition_point(|change| change.order < gone.order);
        let commit = list[start..].iter().take_while(|change| change.order == gone.order);
        let paths = &self.changes.paths;
        let (path, added) = (paths.text(gone.path), commit.filter(|change| change.old == NONE));
        let added: Vec<Change> = added.copied().collect();
        let same: Vec<&str> = added.iter().filter(|it| it.new == gone.old).map(|it| paths.text(it.path)).collect();
        let found = same.iter().find(|it| name(it) == name(path)).or(same.first());
        if let Some(found) = found {
            return Some((*found).to_owned());
        }
        if added.is_empty() {
            return None;
        }
        let renames = self.by_git.entry(gone.order).or_insert_with(|| walk::renames(self.repo, self.log, gone.order));
        renames.get(path).cloned()
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
