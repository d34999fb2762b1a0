//! What history says of names and paths that are absent now.

use std::collections::{BTreeSet, HashMap};

use inkwell_code::history::{Removal, Trace};
use inkwell_code::outline::Outline;

use crate::codebase::{Role, role};

/// Files that one name was removed from that are looked at; older ones are seldom the definition's.
const FILE_LIMIT: usize = 16;

/// Something that can be asked about the past, once per run.
pub trait Past {
    /// Looks for names and paths that are no longer there.
    fn look(&mut self, names: &[String], paths: &[String]) -> Seen;
}

/// A project of which no past is known.
pub struct NoPast;

impl Past for NoPast {
    fn look(&mut self, _names: &[String], _paths: &[String]) -> Seen {
        Seen::default()
    }
}

/// What was seen of the past.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The trace; `None` where there is no history.
    pub trace: Option<Trace>,
    /// Why there is none or less than there was, in words; `None` where all of it is there.
    pub gap: Option<String>,
    outlines: HashMap<(String, String), Outline>,
}

impl Seen {
    /// Nothing can be seen, for a reason.
    pub fn nothing(gap: String) -> Self {
        Self { gap: Some(gap), ..Self::default() }
    }

    /// The files that names were removed from, whose state before the removal tells what they defined: commit and path,
    /// sorted.
    pub fn wanted(trace: &Trace) -> Vec<(String, String)> {
        let mut wanted: BTreeSet<(String, String)> = BTreeSet::new();
        for of in trace.names.values() {
            let mut files: Vec<(String, String)> = Vec::new();
            for removal in of.removals.iter().filter(|removal| role(&removal.path) != Role::Foreign) {
                let file = (removal.commit.clone(), removal.path.clone());
                if !files.contains(&file) {
                    files.push(file);
                }
            }
            wanted.extend(files.into_iter().take(FILE_LIMIT));
        }
        wanted.into_iter().collect()
    }

    /// A trace with what the files that it makes [`wanted`](Self::wanted) defined.
    pub fn of(trace: Trace, outlines: HashMap<(String, String), Outline>, gap: Option<String>) -> Self {
        Self { trace: Some(trace), gap, outlines }
    }

    /// Adds what one more file defined before a commit, if that is known.
    pub fn know(&mut self, file: (String, String), outline: Option<Outline>) {
        self.outlines.extend(outline.map(|outline| (file, outline)));
    }

    /// What the file of a removal defined before it.
    pub fn outline(&self, removal: &Removal) -> Option<&Outline> {
        self.outlines.get(&(removal.commit.clone(), removal.path.clone()))
    }
}
