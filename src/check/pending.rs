//! What was removed and is not committed yet, on top of what history tells: a hook judges a commit before it is one.
//!
//! The change from the commit that is checked out to the code that is judged, on disk or staged, counts as one more
//! commit, the newest. It has no id: evidence from it names no commit.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use inkwell_code::git::{Kind, Repo};
use inkwell_code::history::{LINE_BUDGET, LINE_LIMIT, NameTrace, PathEvent, Removal, Trace};
use inkwell_code::language::Language;
use inkwell_code::outline::outline;
use inkwell_code::scan::{Context, Needles, scan};

use crate::codebase::{Codebase, Role, role};
use crate::corroborate::{Past, Seen};

/// The id of the commit that is none yet.
pub const NO_COMMIT: &str = "";

/// History with what is not committed on top.
pub struct Pending<'a, P> {
    /// What is committed.
    pub past: P,
    /// What is judged.
    pub code: &'a Codebase<'a>,
}

impl<P: Past> Past for Pending<'_, P> {
    fn look(&mut self, names: &[String], paths: &[String]) -> Seen {
        let mut seen = self.past.look(names, paths);
        let Some(trace) = seen.trace.as_mut() else { return seen };
        let Some(repo) = self.code.repo.as_ref() else { return seen };
        let edits = edits(repo, self.code);
        if edits.is_empty() {
            return seen;
        }
        shift(trace);
        paths.iter().for_each(|path| delete(trace, path, &edits));
        let removed = remove(trace, names, &edits);
        for edit in edits.iter().filter(|edit| removed.contains(&edit.old_path)) {
            let outline = outline(Language::of(&edit.old_path), &String::from_utf8_lossy(&edit.old));
            seen.know((NO_COMMIT.to_owned(), edit.old_path.clone()), outline);
        }
        seen
    }
}

/// A file that is not what the last commit holds.
struct Edit {
    old_path: String,
    old: Vec<u8>,
    /// Its path and content now; `None` where it is gone.
    new: Option<(String, Vec<u8>)>,
}

/// The files that were changed or removed since the last commit. New ones take nothing away.
fn edits(repo: &Repo, code: &Codebase<'_>) -> Vec<Edit> {
    let changes = repo.changed(None).into_iter().chain(repo.staged()).flatten();
    // By the path that the commit has; of a file that was moved in the index and edited on disk the move counts.
    let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
    for change in changes {
        let (old, new) = match change.kind {
            Kind::Renamed { from } => (from, change.path),
            Kind::Added | Kind::Modified | Kind::Deleted => (change.path.clone(), change.path),
        };
        let now = code.files.find(&new).map(|_| new);
        let known = found.entry(old).or_default();
        *known = known.take().or(now);
    }
    let (old_paths, now): (Vec<String>, Vec<Option<String>>) = found.into_iter().unzip();
    let specs: Vec<String> = old_paths.iter().map(|path| format!("HEAD:./{path}")).collect();
    let blobs = repo.blobs(&specs).unwrap_or_default();
    let edit = |((old_path, old), now): ((String, Option<Vec<u8>>), Option<String>)| {
        let new = match now {
            // What is there and can't be read took nothing away.
            Some(path) => Some((path.clone(), code.read(code.files.find(&path)?)?)),
            None => None,
        };
        Some(Edit { old_path, old: old?, new })
    };
    old_paths.into_iter().zip(blobs).zip(now).filter_map(edit).collect()
}

/// Makes room for a newer commit.
fn shift(trace: &mut Trace) {
    for of in trace.names.values_mut() {
        of.removals.iter_mut().for_each(|event| event.order += 1);
        of.docs.iter_mut().for_each(|event| event.order += 1);
        of.returned = of.returned.map(|order| order + 1);
    }
    trace.paths.values_mut().flatten().for_each(|event| event.order += 1);
}

/// Puts the newest deletion of a file or folder on top, if there is one.
fn delete(trace: &mut Trace, asked: &str, edits: &[Edit]) {
    let bare = asked.trim_start_matches("./").trim_end_matches('/');
    let is_it = |path: &str| {
        let (path, part) = (format!("/{path}/"), format!("/{bare}/"));
        !bare.is_empty() && path.contains(&part)
    };
    let is_gone = |edit: &&Edit| edit.new.as_ref().is_none_or(|(path, _)| *path != edit.old_path);
    let event = |edit: &Edit| PathEvent {
        commit: NO_COMMIT.to_owned(),
        order: 0,
        path: edit.old_path.clone(),
        blob: String::new(),
        moved_to: edit.new.as_ref().map(|(path, _)| path.clone()),
    };
    let gone = edits.iter().filter(is_gone).filter(|edit| is_it(&edit.old_path)).map(event);
    let known = trace.paths.entry(asked.to_owned()).or_default();
    known.splice(0..0, gone);
}

/// Puts lost lines with names on top, and tells which files they were in.
fn remove(trace: &mut Trace, names: &[String], edits: &[Edit]) -> BTreeSet<String> {
    let needles: Needles = names.iter().collect();
    let is_source = |edit: &&Edit| matches!(role(&edit.old_path), Role::Source | Role::Data | Role::Test);
    let mut lost: BTreeMap<u32, Vec<Removal>> = BTreeMap::new();
    let mut added: BTreeSet<u32> = BTreeSet::new();
    for edit in edits.iter().filter(is_source) {
        let diff = Diff::of(edit);
        let after = edit.new.as_ref().map_or_else(BTreeSet::new, |(path, new)| lines_with(path, new, &needles));
        let gained = after.iter().filter(|(_, line)| diff.is_new(*line)).map(|(needle, _)| *needle);
        let gained: BTreeSet<u32> = gained.collect();
        for (needle, line) in lines_with(&edit.old_path, &edit.old, &needles) {
            if !gained.contains(&needle) && diff.is_lost(line) {
                lost.entry(needle).or_default().push(diff.removal(edit, line));
            }
        }
        added.extend(gained);
    }
    let mut files = BTreeSet::new();
    for (needle, mut removals) in lost {
        removals.iter_mut().for_each(|removal| removal.is_moved = added.contains(&needle));
        files.extend(removals.iter().map(|removal| removal.path.clone()));
        of(trace, &names[needle as usize]).removals.splice(0..0, removals);
    }
    added.iter().for_each(|needle| of(trace, &names[*needle as usize]).returned = Some(0));
    files
}

fn of<'a>(trace: &'a mut Trace, name: &str) -> &'a mut NameTrace {
    trace.names.entry(name.to_owned()).or_default()
}

/// The names in a file outside of comments, each with its 1-based line.
fn lines_with(path: &str, content: &[u8], needles: &Needles) -> BTreeSet<(u32, u32)> {
    let hits = scan(Language::of(path), content, needles);
    hits.iter().filter(|hit| hit.context != Context::Comment).map(|hit| (hit.needle, hit.line)).collect()
}

/// Two states of a file, line by line, trimmed. What is the same at both ends stands aside, so that what came is near
/// to what went.
struct Diff {
    old: Vec<String>,
    new: Vec<String>,
    /// Lines that are the same at the start.
    same: usize,
    kept_old: HashSet<String>,
    kept_new: HashSet<String>,
}

impl Diff {
    fn of(edit: &Edit) -> Self {
        let old = lines(&edit.old);
        let new = edit.new.as_ref().map_or_else(Vec::new, |(_, new)| lines(new));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        Self { same, kept_old: old.iter().cloned().collect(), kept_new: new.iter().cloned().collect(), old, new }
    }

    /// Whether a 1-based line of the old state is nowhere in the new one.
    fn is_lost(&self, line: u32) -> bool {
        self.old.get(line as usize - 1).is_some_and(|line| !self.kept_new.contains(line))
    }

    /// Whether a 1-based line of the new state was nowhere in the old one.
    fn is_new(&self, line: u32) -> bool {
        self.new.get(line as usize - 1).is_some_and(|line| !self.kept_old.contains(line))
    }

    fn removal(&self, edit: &Edit, line: u32) -> Removal {
        let place = line as usize - 1;
        let mut came: Vec<(usize, &String)> =
            self.new.iter().enumerate().skip(self.same).filter(|(_, line)| !self.kept_old.contains(*line)).collect();
        came.sort_by_key(|(at, _)| at.abs_diff(place));
        Removal {
            commit: NO_COMMIT.to_owned(),
            order: 0,
            path: edit.old_path.clone(),
            line,
            text: short(&self.old[place]),
            added: came.into_iter().take(LINE_LIMIT).map(|(_, line)| short(line)).collect(),
            is_whole_file: edit.new.is_none(),
            is_moved: false,
        }
    }
}

fn lines(content: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(content).lines().map(|line| line.trim().to_owned()).collect()
}

fn short(line: &str) -> String {
    let end = (0..=LINE_BUDGET.min(line.len())).rev().find(|at| line.is_char_boundary(*at));
    line[..end.unwrap_or_default()].to_owned()
}
