//! Verdicts on cited sections: those that a check of their pages would give, and nothing of the rest.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::run::Outcome;
use super::{CheckStore, Project, findings, outcome, run, whole};
use crate::cite::{Citation, decode};
use crate::corroborate::Subject;
use crate::finding::Verdict;
use crate::page::Page;
use crate::span::Span;
use crate::walk::RepoPath;

/// A section that is cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// How it is cited.
    pub citation: Citation,
    /// Its page.
    pub path: RepoPath,
    /// The bytes of the page whose claims count.
    pub span: Span,
}

/// Most pages that are all checked for the sake of some, so that the next question finds the work done.
const PAGE_LIMIT: usize = 2000;

/// The verdicts on the claims of each section, in document order, as a check of everything gives them; what a section
/// says twice counts once. A section that claims nothing, or whose page is gone, has none.
pub fn cited(project: &Project<'_>, cited: &[Cited]) -> Vec<Vec<Verdict>> {
    if cited.is_empty() {
        return Vec::new();
    }
    let mut store = CheckStore::open(project.cache);
    let whole = project.cache.and_then(|_| whole::outcome_within(project, &mut store, PAGE_LIMIT));
    let is_covered =
        |whole: &Outcome| cited.iter().all(|section| whole.pages.iter().any(|page| page == section.path.as_str()));
    let mut outcome = match whole.filter(is_covered) {
        Some(whole) => whole,
        None => of_pages(project, cited, &mut store),
    };
    for suppression in &outcome.suppressions {
        run::suppress(&mut outcome.findings, suppression);
    }
    let of = |section: &Cited| {
        let mut seen = HashSet::new();
        let own = outcome.findings.iter().filter(|finding| {
            finding.citation.path == section.path.as_str() && section.span.contains(finding.span.start)
        });
        own.filter(|finding| seen.insert(finding.text.as_str())).map(|finding| finding.verdict.clone()).collect()
    };
    cited.iter().map(of).collect()
}

/// What the cited pages alone come to.
fn of_pages(project: &Project<'_>, cited: &[Cited], store: &mut CheckStore) -> Outcome {
    let paths: BTreeSet<&RepoPath> = cited.iter().map(|section| &section.path).collect();
    let page = |path: &RepoPath| {
        let (text, _) = project.root.read(path).ok()?;
        Some(super::subject(project, Arc::new(Page::parse(path.clone(), text, project.style))))
    };
    let mut subjects: Vec<Subject> = paths.into_iter().filter_map(page).collect();
    for subject in &mut subjects {
        let own: Vec<Span> =
            cited.iter().filter(|section| section.path == subject.page.path).map(|section| section.span).collect();
        subject.claims.retain(|claim| own.iter().any(|span| span.contains(claim.span.start)));
    }
    if subjects.iter().all(|subject| subject.claims.is_empty()) {
        return Outcome::default();
    }
    let run = store.run(project);
    let listing = store.listing(project, run.as_ref());
    let code = store.codebase(project, &listing);
    let (findings, _) = findings(project, &subjects, &code, store, listing.head());
    outcome(&subjects, findings)
}

/// The chunks of a retrieval: each starts at a line `### path#anchor` whose path exists; other such lines are text
/// (contracts A3). What counts is the section as it is on disk.
pub fn chunks(project: &Project<'_>, text: &str) -> Vec<Cited> {
    let of_line = |line: &str| {
        let label = line.strip_prefix("### ")?.trim();
        let (path, anchor) = label.split_once('#')?;
        let path = [path.to_owned(), decode(path)]
            .iter()
            .find_map(|path| RepoPath::new(path).filter(|path| project.root.stamp(path).is_ok()))?;
        let (text, _) = project.root.read(&path).ok()?;
        let page = Page::parse(path.clone(), text, project.style);
        let citation = Citation { path: path.as_str().to_owned(), anchor: anchor.to_owned() };
        let span = match page.find(&decode(anchor)).or_else(|| page.find(anchor)) {
            Some(section) => page.sections[section].whole,
            None => Span::new(0, 0),
        };
        Some(Cited { citation, path, span })
    };
    text.lines().filter_map(of_line).collect()
}
