//! What history says of names and paths that are absent now.

use std::collections::{BTreeSet, HashMap};

use inkwell_code::git::Repo;
use inkwell_code::history::{Removal, Trace};
use inkwell_code::language::Language;
use inkwell_code::outline::{Outline, outline};
use rayon::prelude::*;

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

    /// Reads the files that names were removed from, as they were before.
    pub fn of(trace: Trace, repo: &Repo, gap: Option<String>) -> Self {
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
        let wanted: Vec<(String, String)> = wanted.into_iter().collect();
        let specs: Vec<String> = wanted.iter().map(|(commit, path)| format!("{commit}^:./{path}")).collect();
        let blobs = repo.blobs(&specs).unwrap_or_default();
        let read = |(key, blob): ((String, String), Option<Vec<u8>>)| {
            let content = blob?;
            let outline = outline(Language::of(&key.1), &String::from_utf8_lossy(&content))?;
            Some((key, outline))
        };
        let outlines = wanted.into_par_iter().zip(blobs).filter_map(read).collect();
        Self { trace: Some(trace), gap, outlines }
    }

    /// What the file of a removal defined before it.
    pub fn outline(&self, removal: &Removal) -> Option<&Outline> {
        self.outlines.get(&(removal.commit.clone(), removal.path.clone()))
    }
}
