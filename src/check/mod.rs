//! A check of the docs against the code: which pages, what their claims come to, and what is known from earlier runs.
//!
//! The order is: pages → claims → names → places in the code → history for what is missing → verdicts → suppressions
//! and baseline. It renders nothing and prints nothing.

mod baseline;
mod change;
mod cited;
mod fix;
mod kept;
mod links;
mod options;
mod pages;
mod pending;
mod run;
mod store;
mod suppress;
mod whole;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::claim::Class;
use crate::codebase::Codebase;
use crate::corroborate::{Scene, Subject, documented, judge, places};
use crate::error::Error;
use crate::finding::{Finding, Kind, Remark, Report, Summary, Verdict};
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::walk::{RepoPath, Root};
use pending::Pending;
use run::{Outcome, Suppressed};

pub use baseline::Baseline;
pub use change::is_edited;
pub use cited::{Cited, chunks, cited};
pub use fix::{Fixed, fixed};
pub use options::{Change, Options};
pub use pages::{Scope, pages};
pub use store::CheckStore;

/// What a check needs to know of a project.
pub struct Project<'a> {
    /// Where it is.
    pub root: &'a Root,
    /// Its docs trees.
    pub docs: &'a [RepoPath],
    /// Folders and files whose pages have a class by the settings: the last that holds a page decides.
    pub classes: &'a [(RepoPath, Class)],
    /// How its site makes anchors.
    pub style: SiteStyle,
    /// Where what was found out is kept between runs; `None` where nothing can be kept.
    pub cache: Option<&'a Path>,
}

/// Checks what the options say.
///
/// # Errors
/// When the root is gone, a page that was asked for does not exist, or a change can't be told.
pub fn check(project: &Project<'_>, options: &Options) -> Result<Report, Error> {
    let mut store = CheckStore::open(project.cache);
    let outcome = match (&options.change, &options.scope) {
        (Change::Any, Scope::All) => whole::outcome(project, &mut store)?,
        _ => partial(project, options, &mut store)?,
    };
    Ok(settle(outcome, options))
}

/// Checks some pages, or what a change touches.
fn partial(project: &Project<'_>, options: &Options, store: &mut CheckStore) -> Result<Outcome, Error> {
    let run = store.run(project);
    let listing;
    let code = match options.change {
        Change::Staged => change::staged(project)?,
        Change::Any | Change::Since(_) => {
            listing = store.listing(project, run.as_ref());
            store.codebase(project, &listing)
        }
    };
    let (pages, remarks) = pages(project, &options.scope, &code)?;
    let mut subjects: Vec<Subject> = pages.into_par_iter().map(|page| subject(project, page)).collect();
    let all = subjects.iter().map(|subject| subject.page.path.to_string()).collect();
    change::narrow(&mut subjects, &code, &options.change)?;
    let (findings, _) = findings(project, &subjects, &code, store, None);
    Ok(Outcome { pages: all, remarks: [remarks, gaps(store, &code)].concat(), ..outcome(&subjects, findings) })
}

/// A page with its claims, and the class that its front matter, the settings or its name give it, in this order.
fn subject(project: &Project<'_>, page: Arc<Page>) -> Subject {
    let mut subject = Subject::of(page);
    let is_set = subject.page.document.front_matter.class.as_deref().and_then(Class::from_name).is_some();
    let set = project.classes.iter().rev().find(|(tree, _)| subject.page.path.is_within(tree));
    if let Some((_, class)) = set.filter(|_| !is_set) {
        subject.class = *class;
    }
    subject
}

/// What some subjects came to.
fn outcome(subjects: &[Subject], findings: Vec<Finding>) -> Outcome {
    let of_subject = |subject: &Subject| {
        let page = Arc::clone(&subject.page);
        let suppressed = move |found: suppress::Suppression| Suppressed {
            path: page.path.to_string(),
            line: page.lines.line(found.at),
            start: found.span.start,
            end: found.span.end,
            reason: found.reason,
        };
        suppress::suppressions(&subject.page).into_iter().map(suppressed).collect::<Vec<Suppressed>>()
    };
    let suppressions = subjects.iter().flat_map(of_subject).collect();
    Outcome { findings, suppressions, ..Outcome::default() }
}

/// Lines of files that the docs name for something that stands elsewhere now: worth saying, and no drift.
fn shifted(findings: &[Finding]) -> impl Iterator<Item = Remark> {
    let is_shifted = |finding: &&Finding| {
        let is_line = finding.kind == Kind::PathLine && finding.verdict == Verdict::Uncorroborated;
        is_line && finding.evidence.defined_at.is_some()
    };
    findings.iter().filter(is_shifted).map(|finding| Remark {
        place: Some((finding.citation.path.clone(), finding.start.0)),
        text: finding.reason.clone(),
    })
}

/// What could not be looked at.
fn gaps(store: &CheckStore, code: &Codebase<'_>) -> Vec<Remark> {
    let unseen = code.files.unseen;
    let unseen = (unseen > 0).then(|| format!("{unseen} places could not be looked into"));
    store.gap().into_iter().chain(unseen).map(|text| Remark { place: None, text }).collect()
}

/// The verdicts on the claims of some subjects, and the pages whose text they depend on. `head` is the commit that is
/// checked out, where that is known.
fn findings(
    project: &Project<'_>,
    subjects: &[Subject],
    code: &Codebase<'_>,
    store: &mut CheckStore,
    head: Option<&str>,
) -> (Vec<Finding>, Vec<String>) {
    store.load();
    let places = places(subjects, code, &mut store.known);
    let pages = links::targets(project, subjects, code);
    let documented = documented(subjects);
    let scene = Scene { code, places, docs: project.docs, documented, pages: &pages };
    let mut found = judge(subjects, &scene, &mut Pending { past: store.past(code, head, subjects), code });
    for finding in &mut found {
        finding.evidence.removed_in.take_if(|commit| commit == pending::NO_COMMIT);
    }
    store.save(code);
    let mut read: Vec<String> = pages.into_keys().collect();
    read.sort_unstable();
    (found, read)
}

/// Takes out of the drifts what comments suppress and the baseline knows, and counts. What was not asked for is left out
/// first, but uses up its suppressions and its part of the baseline: these are right, whatever is reported.
fn settle(outcome: Outcome, options: &Options) -> Report {
    let Outcome { pages, findings, suppressions, mut remarks } = outcome;
    let (mut claims, mut others): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| options.asks_for(finding));
    let mut summary = Summary { pages: pages.len(), claims: claims.len(), ..Summary::default() };
    remarks.extend(shifted(&claims));
    for suppression in &suppressions {
        let suppressed = run::suppress(&mut claims, suppression);
        summary.suppressed += suppressed;
        let is_unused = suppressed + run::suppress(&mut others, suppression) == 0;
        if is_unused && options.change == Change::Any {
            let place = Some((suppression.path.clone(), suppression.line));
            remarks.push(Remark { place, text: "the suppression suppresses nothing".to_owned() });
        }
    }
    let mut baseline = options.baseline.clone();
    summary.baselined = claims.iter_mut().map(|finding| usize::from(forgive(finding, &mut baseline))).sum();
    for finding in &mut others {
        forgive(finding, &mut baseline);
    }
    if options.change == Change::Any && options.scope == Scope::All {
        for (path, text) in baseline.unused() {
            remarks.push(Remark { place: Some((path, 1)), text });
        }
    }
    for finding in &claims {
        match finding.verdict {
            Verdict::Verified => summary.verified += 1,
            Verdict::Drifted(_) => summary.drifted += 1,
            Verdict::Uncorroborated => summary.uncorroborated += 1,
        }
    }
    remarks.sort_by(|a, b| a.place.cmp(&b.place));
    Report { summary, claims, remarks }
}

/// Takes a drift back that the baseline knows; whether it does.
fn forgive(finding: &mut Finding, baseline: &mut Baseline) -> bool {
    let is_known = baseline.take(finding);
    if is_known {
        finding.reason = format!("in the baseline; {}", finding.reason);
        finding.verdict = Verdict::Uncorroborated;
        finding.fix = None;
    }
    is_known
}
