//! What checks found out and keep between runs: where names stand, and what history says.
//!
//! Everything here can be found out again: what can't be read is forgotten, what can't be written is not kept.

use std::path::{Path, PathBuf};

use inkwell_code::git::Repo;
use inkwell_code::history::{Ask, Trace, extend, trace};

use crate::codebase::{Codebase, Known, Role, role};
use crate::corroborate::{Past, Seen};

/// What is kept.
pub struct CheckStore {
    folder: Option<PathBuf>,
    /// Where names stand.
    pub known: Known,
    trace: Option<Trace>,
    gap: Option<String>,
}

impl CheckStore {
    /// Reads what was kept in a folder.
    pub fn open(folder: Option<&Path>) -> Self {
        let folder = folder.map(Path::to_owned);
        Self { folder, known: Known::default(), trace: None, gap: None }
    }

    /// Why less is known of the past than there was, if anything of it was asked.
    pub fn gap(&self) -> Option<String> {
        self.gap.clone()
    }

    /// Something to ask about the past of this codebase.
    pub fn past<'a>(&'a mut self, code: &'a Codebase<'_>) -> StoredPast<'a> {
        StoredPast { store: self, repo: code.repo.as_ref() }
    }

    /// Keeps what is new.
    pub fn save(&self) {
        let _ = &self.folder;
    }
}

/// History, asked through what is kept of it.
pub struct StoredPast<'a> {
    store: &'a mut CheckStore,
    repo: Option<&'a Repo>,
}

impl Past for StoredPast<'_> {
    fn look(&mut self, names: &[String], paths: &[String]) -> Seen {
        let Some(repo) = self.repo.filter(|repo| repo.head().is_some()) else { return Seen::default() };
        if names.is_empty() && paths.is_empty() {
            return Seen::default();
        }
        let is_source = |path: &str| matches!(role(path), Role::Source | Role::Data | Role::Test);
        let is_doc = |path: &str| crate::walk::is_markdown(path.rsplit('/').next().unwrap_or(path));
        let ask = Ask { names, paths, is_source: &is_source, is_doc: &is_doc };
        let found = match self.store.trace.take() {
            Some(old) => extend(old, repo, &ask),
            None => trace(repo, &ask),
        };
        match found {
            Ok(trace) => {
                let cut = "the history is cut short (a shallow or partial clone), so what was removed before it is not known; fetch all of it with `git fetch --unshallow`";
                self.store.gap = trace.is_cut.then(|| cut.to_owned());
                self.store.trace = Some(trace.clone());
                Seen::of(trace, repo, self.store.gap.clone())
            }
            Err(error) => {
                let gap = format!("the history can't be read: {error}");
                self.store.gap = Some(gap.clone());
                Seen::nothing(gap)
            }
        }
    }
}
