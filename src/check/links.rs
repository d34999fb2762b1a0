//! The pages that links lead to, read before anything is judged, so that headings can be looked up.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::Project;
use crate::claim::Target;
use crate::codebase::Codebase;
use crate::corroborate::{Subject, link_readings};
use crate::page::Page;
use crate::walk::{RepoPath, is_markdown};

/// The Markdown files that links with a fragment lead to, by path.
pub fn targets(project: &Project<'_>, subjects: &[Subject], code: &Codebase<'_>) -> HashMap<String, Arc<Page>> {
    let mut found: HashMap<String, Arc<Page>> =
        subjects.iter().map(|subject| (subject.page.path.to_string(), Arc::clone(&subject.page))).collect();
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    for subject in subjects {
        for claim in &subject.claims {
            if let Target::Link(destination) = &claim.target
                && destination.contains('#')
            {
                let readings = link_readings(destination, &subject.page, project.docs);
                let path = readings.into_iter().find(|path| code.files.holds(path));
                wanted.extend(path.filter(|path| is_markdown(path) && !found.contains_key(path)));
            }
        }
    }
    let read = |path: String| {
        let repo_path = RepoPath::new(&path)?;
        let (text, _) = project.root.read(&repo_path).ok()?;
        Some((path, Arc::new(Page::parse(repo_path, text, project.style))))
    };
    let wanted: Vec<String> = wanted.into_iter().collect();
    found.extend(wanted.into_par_iter().filter_map(read).collect::<Vec<_>>());
    found
}
