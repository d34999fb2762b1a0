//! What checks found out and keep between runs: which files there are, where names stand, what files define, what
//! history says, and what the last check of everything came to.
//!
//! Everything here can be found out again: what can't be read is forgotten, what can't be written is not kept. What is
//! kept is taken only where the stamps of all that it was made from are the same.

use std::collections::HashMap;
use std::path::Path;

use inkwell_code::git::Repo;
use inkwell_code::history::{Ask, Trace, extend, trace};
use inkwell_code::language::Language;
use inkwell_code::outline::{Outline, outline};
use inkwell_index::{Cache, Packed};
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Project;
use super::run::Run;
use crate::claim::Class;
use crate::codebase::{Codebase, Known, Listing, Moment, Outlines, Role, role};
use crate::corroborate::{Past, Seen, Subject};
use crate::walk;

/// The form of what is kept; raised whenever any of it means something else, the roles of files and the rules of scans
/// and outlines included.
const FORMAT: &str = "check-1";
/// Names whose past is kept although the last run did not ask for it.
const NAME_LIMIT: usize = 4096;

/// What is kept of a project.
pub struct CheckStore {
    cache: Option<Cache>,
    /// Which program keeps it: one that was built anew may see things otherwise.
    program: (u64, i64),
    /// Where names stand.
    pub known: Known,
    history: History,
    is_history_new: bool,
    gap: Option<String>,
}

/// What is kept of the past.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct History {
    trace: Option<Trace>,
    /// Whether changelogs were read for it.
    has_changelogs: bool,
    /// What files defined before a commit, by commit and path; it never changes.
    outlines: HashMap<String, Packed>,
}

impl CheckStore {
    /// What is kept in a folder; nothing without one. Nothing is read yet.
    pub fn open(folder: Option<&Path>) -> Self {
        let program = std::env::current_exe().ok().and_then(|program| walk::stamp_at(&program));
        Self {
            cache: folder.map(|folder| Cache::new(folder, FORMAT)),
            program: program.map_or((0, 0), |stamp| (stamp.size, stamp.mtime_ns)),
            known: Known::default(),
            history: History::default(),
            is_history_new: false,
            gap: None,
        }
    }

    /// Whether anything is kept.
    pub fn is_kept(&self) -> bool {
        self.cache.is_some()
    }

    /// The last check of everything, whatever changed since.
    pub fn run(&self, project: &Project<'_>) -> Option<Run> {
        self.read::<Run>("run").filter(|run| run.is_of(project))
    }

    /// Keeps a check of everything.
    pub fn keep_run(&self, run: &Run) {
        self.write("run", run);
    }

    /// The files of a project now: those of the last run, where they are still the same.
    pub fn listing(&self, project: &Project<'_>, run: Option<&Run>) -> Listing {
        let again = run.and_then(|run| run.listing.again(project.root));
        let mut listing =
            again.unwrap_or_else(|| Listing::new(project.root, Repo::open(project.root.as_path()).as_ref()));
        if self.is_kept() {
            // The moment is after the listing, so what is written after this look has another stamp or is unsettled.
            listing.settle(project.root, Moment::now());
        }
        listing
    }

    /// The code of a project with what is known of it.
    pub fn codebase<'a>(&self, project: &Project<'a>, listing: &Listing) -> Codebase<'a> {
        Codebase::listed(project.root, listing, self.read::<Outlines>("outlines").unwrap_or_default())
    }

    /// Reads what is kept of names and of the past.
    pub fn load(&mut self) {
        self.known = self.read("places").unwrap_or_default();
        self.history = self.read("history").unwrap_or_default();
    }

    /// Why less is known of the past than there was, if anything of it was asked.
    pub fn gap(&self) -> Option<String> {
        self.gap.clone()
    }

    /// Something to ask about the past of this codebase and of some pages. `head` is the commit that is checked out,
    /// where that is known.
    pub fn past<'a>(
        &'a mut self,
        code: &'a Codebase<'_>,
        head: Option<&'a str>,
        subjects: &[Subject],
    ) -> StoredPast<'a> {
        let is_asked = |subject: &Subject| subject.class == Class::Current && is_changelog(subject.page.path.name());
        if !self.history.has_changelogs && subjects.iter().any(is_asked) {
            self.history = History { has_changelogs: true, ..History::default() };
        }
        StoredPast { store: self, code, head }
    }

    /// Keeps what is new.
    pub fn save(&self, code: &Codebase<'_>) {
        if self.known.is_changed {
            self.write("places", &self.known);
        }
        if self.is_history_new {
            self.write("history", &self.history);
        }
        if let Some(outlines) = code.outlines().filter(|_| self.is_kept()) {
            self.write("outlines", &outlines);
        }
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let (program, value): ((u64, i64), T) = self.cache.as_ref()?.read(name)?;
        (program == self.program).then_some(value)
    }

    /// Writes a value. That it can't be written changes only how long the next run takes.
    fn write<T: Serialize>(&self, name: &str, value: &T) {
        let _is_kept = self.cache.as_ref().is_some_and(|cache| cache.write(name, &(self.program, value)));
    }
}

/// History, asked through what is kept of it.
pub struct StoredPast<'a> {
    store: &'a mut CheckStore,
    code: &'a Codebase<'a>,
    head: Option<&'a str>,
}

impl Past for StoredPast<'_> {
    fn look(&mut self, names: &[String], paths: &[String]) -> Seen {
        if names.is_empty() && paths.is_empty() {
            return Seen::default();
        }
        let is_source = |path: &str| matches!(role(path), Role::Source | Role::Data | Role::Test);
        let is_test = |path: &str| role(path) == Role::Test;
        let has_changelogs = self.store.history.has_changelogs;
        let is_doc = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            walk::is_markdown(name) && (has_changelogs || !is_changelog(name))
        };
        let ask = Ask { names, paths, is_source: &is_source, is_test: &is_test, is_doc: &is_doc };
        let old = self.store.history.trace.take();
        let found = match old {
            Some(old) if !old.is_cut && self.head == Some(old.head.as_str()) && old.has_all(&ask) => Ok(old),
            old => {
                let Some(repo) = self.code.repo.as_ref().filter(|repo| repo.head().is_some()) else {
                    return Seen::default();
                };
                self.store.is_history_new = true;
                old.map_or_else(|| trace(repo, &ask), |old| extend(old, repo, &ask))
            }
        };
        match found {
            Ok(trace) => {
                let cut = "the history is cut short (a shallow or partial clone), so what was removed before it is not known; fetch all of it with `git fetch --unshallow`";
                self.store.gap = trace.is_cut.then(|| cut.to_owned());
                let trace = without_unasked(trace, &ask);
                let outlines = self.outlines(&Seen::wanted(&trace));
                self.store.history.trace = Some(trace.clone());
                Seen::of(trace, outlines, self.store.gap.clone())
            }
            Err(error) => {
                let gap = format!("the history can't be read: {error}");
                self.store.gap = Some(gap.clone());
                Seen::nothing(gap)
            }
        }
    }
}

impl StoredPast<'_> {
    /// What files defined before a commit, read where it isn't known. What nobody wants is forgotten.
    fn outlines(&mut self, wanted: &[(String, String)]) -> HashMap<(String, String), Outline> {
        let key = |(commit, path): &(String, String)| format!("{commit} {path}");
        let mut old = std::mem::take(&mut self.store.history.outlines);
        let missing: Vec<&(String, String)> = wanted.iter().filter(|file| !old.contains_key(&key(file))).collect();
        let specs: Vec<String> = missing.iter().map(|(commit, path)| format!("{commit}^:./{path}")).collect();
        let repo = if specs.is_empty() { None } else { self.code.repo.as_ref() };
        let blobs = repo.and_then(|repo| repo.blobs(&specs).ok()).unwrap_or_default();
        let read = |(file, blob): (&(String, String), Option<Vec<u8>>)| {
            let outline = blob.and_then(|blob| outline(Language::of(&file.1), &String::from_utf8_lossy(&blob)));
            Some((key(file), Packed::of(&outline)?))
        };
        let fresh: Vec<(String, Packed)> = missing.into_par_iter().zip(blobs).filter_map(read).collect();
        self.store.is_history_new |= !fresh.is_empty();
        old.extend(fresh);
        let outlines = &mut self.store.history.outlines;
        outlines.extend(wanted.iter().filter_map(|file| old.remove_entry(&key(file))));
        let of = |file: &(String, String)| {
            Some((file.clone(), outlines.get(&key(file))?.read::<Option<Outline>>().flatten()?))
        };
        wanted.par_iter().filter_map(of).collect()
    }
}

/// Whether a file of this name is a changelog. It has many versions, all long, and seldom says when a text was written.
fn is_changelog(name: &str) -> bool {
    const NAMES: &[&str] = &["changelog", "changes", "history", "releases", "release-notes", "release_notes", "news"];
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    NAMES.contains(&stem.as_str())
}

/// The trace without the names and paths that nobody asks for now, where they have become many.
fn without_unasked(mut trace: Trace, ask: &Ask<'_>) -> Trace {
    if trace.names.len() + trace.paths.len() > ask.names.len() + ask.paths.len() + NAME_LIMIT {
        trace.names.retain(|name, _| ask.names.binary_search(name).is_ok());
        trace.paths.retain(|path, _| ask.paths.binary_search(path).is_ok());
    }
    trace
}
