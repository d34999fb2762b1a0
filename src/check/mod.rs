//! A check of the docs against the code: which pages, what their claims come to, and what is known from earlier runs.
//!
//! The order is: pages → claims → names → places in the code → history for what is missing → verdicts → suppressions
//! and baseline. It renders nothing and prints nothing.

mod baseline;
mod change;
mod cited;
mod fix;
mod links;
mod options;
mod pages;
mod store;
mod suppress;

use std::path::Path;

use crate::codebase::Codebase;
use crate::corroborate::{Scene, Subject, judge, places};
use crate::error::Error;
use crate::finding::{Finding, Remark, Report, Summary, Verdict};
use crate::parse::anchor::SiteStyle;
use crate::walk::{RepoPath, Root};

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
    let code = change::codebase(project, &options.change)?;
    let (pages, mut remarks) = pages(project, &options.scope, &code)?;
    let count = pages.len();
    let mut subjects: Vec<Subject> = pages.into_iter().map(Subject::of).collect();
    change::narrow(&mut subjects, &code, &options.change)?;
    let mut store = CheckStore::open(project.cache);
    let findings = findings(project, &subjects, &code, &mut store);
    remarks.extend(store.gap().map(|text| Remark { place: None, text }));
    if code.files.unseen > 0 {
        let text = format!("{} places could not be looked into", code.files.unseen);
        remarks.push(Remark { place: None, text });
    }
    Ok(settle(count, &subjects, findings, remarks, options))
}

/// The verdicts on the claims of some subjects.
pub fn findings(
    project: &Project<'_>,
    subjects: &[Subject],
    code: &Codebase<'_>,
    store: &mut CheckStore,
) -> Vec<Finding> {
    let places = places(subjects, code, &mut store.known);
    let pages = links::targets(project, subjects, code);
    let scene = Scene { code, places, docs: project.docs, pages: &pages };
    let found = judge(subjects, &scene, &mut store.past(code));
    store.save();
    found
}

/// Takes out of the drifts what comments suppress and the baseline knows, and counts.
fn settle(
    pages: usize,
    subjects: &[Subject],
    mut claims: Vec<Finding>,
    mut remarks: Vec<Remark>,
    options: &Options,
) -> Report {
    let mut summary = Summary { pages, claims: claims.len(), ..Summary::default() };
    for subject in subjects {
        let path = subject.page.path.as_str();
        for suppression in suppress::suppressions(&subject.page) {
            let mut is_used = false;
            let own = claims.iter_mut().filter(|finding| finding.citation.path == path);
            for finding in own.filter(|finding| suppression.span.contains(finding.span.start)) {
                if matches!(finding.verdict, Verdict::Drifted(_)) {
                    let why =
                        if suppression.reason.is_empty() { String::new() } else { format!(": {}", suppression.reason) };
                    finding.reason = format!("suppressed{why}; {}", finding.reason);
                    finding.verdict = Verdict::Uncorroborated;
                    finding.fix = None;
                    summary.suppressed += 1;
                    is_used = true;
                }
            }
            if !is_used && options.change == Change::Any {
                let place = Some((path.to_owned(), subject.page.lines.line(suppression.at)));
                remarks.push(Remark { place, text: "the suppression suppresses nothing".to_owned() });
            }
        }
    }
    let mut baseline = options.baseline.clone();
    for finding in &mut claims {
        if baseline.take(finding) {
            finding.reason = format!("in the baseline; {}", finding.reason);
            finding.verdict = Verdict::Uncorroborated;
            finding.fix = None;
            summary.baselined += 1;
        }
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
