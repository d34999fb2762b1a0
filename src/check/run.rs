//! A check of everything: what it came to, and what that depends on.

use inkwell_index::Packed;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Project;
use super::kept::FindingV1;
use crate::codebase::{Listing, Moment, StampV1};
use crate::error::Error;
use crate::finding::{Finding, Remark, Verdict};
use crate::span::Span;
use crate::walk::{self, RepoPath};

/// What a check found before the baseline is laid over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The pages that were checked, by path.
    pub pages: Vec<String>,
    /// The findings of all pages, by page and place.
    pub findings: Vec<Finding>,
    /// The comments that suppress some.
    pub suppressions: Vec<Suppressed>,
    /// What should be known about the check.
    pub remarks: Vec<Remark>,
}

/// A comment that suppresses findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its page.
    pub path: String,
    /// Its 1-based line.
    pub line: usize,
    /// The first byte that it speaks for.
    pub start: usize,
    /// The byte past the last that it speaks for.
    pub end: usize,
    /// Why, as its author says.
    pub reason: String,
}

impl Suppressed {
    /// The bytes of the page that it speaks for.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// A check of everything as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    settings: String,
    /// The project's files when it began.
    pub listing: Listing,
    docs: Docs,
    /// Pages that were read through links, with what they led to.
    linked: Vec<(String, StampV1)>,
    outcome: Packed,
}

/// What a check begins with.
#[derive(Clone, Debug)]
pub struct Start {
    /// The project's files.
    pub listing: Listing,
    /// Its docs.
    pub docs: Docs,
    /// When nothing had been read yet.
    pub moment: Moment,
}

/// The docs as they were listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Docs {
    files: Vec<(String, StampV1)>,
    skipped: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct OutcomeV1 {
    pages: Vec<String>,
    findings: Vec<(String, Vec<FindingV1>)>,
    suppressions: Vec<Suppressed>,
    remarks: Vec<(Option<(String, usize)>, String)>,
}

impl Docs {
    /// Lists the docs of a project.
    ///
    /// # Errors
    /// When the root is gone.
    pub fn list(project: &Project<'_>) -> Result<Self, Error> {
        let listing = walk::docs(project.root, project.docs)?;
        let files = listing.files.iter().map(|file| (file.path.to_string(), file.stamp.into())).collect();
        let skipped = listing.skipped.into_iter().map(|skipped| (skipped.path, skipped.reason.to_string())).collect();
        Ok(Self { files, skipped })
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }
}

impl Run {
    /// A check of a project to keep. `read` are the pages whose text it depends on; `None` where one of them, which is
    /// no file of the listing, may have been changed since `moment` without leaving a trace.
    pub fn of(project: &Project<'_>, start: Start, read: &[String], outcome: &Outcome) -> Option<Self> {
        let Start { listing, docs, moment } = start;
        let own = |path: &str| project.root.own_stamp(&RepoPath::new(path)?).ok();
        let is_plain = |path: &str| own(path).is_some_and(|stamp| listing.has(path, stamp));
        let linked: Vec<&String> = read.par_iter().filter(|path| !is_plain(path)).collect();
        let settled = |path: &String| {
            let stamp = stamp(project, path).filter(|stamp| moment.settles((*stamp).into()))?;
            Some((path.clone(), stamp))
        };
        let linked = linked.into_iter().map(settled).collect::<Option<Vec<(String, StampV1)>>>()?;
        let outcome = Packed::of(&OutcomeV1::of(outcome))?;
        Some(Self { settings: settings(project), listing, docs, linked, outcome })
    }

    /// Whether it is of this project under these settings.
    pub fn is_of(&self, project: &Project<'_>) -> bool {
        self.settings == settings(project)
    }

    /// What it came to, where nothing that it depends on has changed.
    pub fn outcome(&self, project: &Project<'_>, listing: &Listing, docs: &Docs) -> Option<Outcome> {
        let is_current = *docs == self.docs
            && listing.is_as(&self.listing, project.root)
            && self.linked.iter().all(|(path, known)| stamp(project, path) == Some(*known));
        if !is_current {
            return None;
        }
        self.outcome.read::<OutcomeV1>()?.into_outcome()
    }

    /// The same with a listing all of which can be trusted by its stamps; `None` where it could be before, or can't yet.
    pub fn settled(&self, listing: Listing) -> Option<Self> {
        (!self.listing.is_settled() && listing.is_settled()).then(|| Self { listing, ..self.clone() })
    }
}

/// Takes the drifts that a comment suppresses back; how many these are.
pub fn suppress(findings: &mut [Finding], suppression: &Suppressed) -> usize {
    let span = suppression.span();
    // Findings are by path and place, and a page may have as many suppressions as claims.
    let before = |at: usize| {
        let is_before = |finding: &Finding| (&finding.citation.path, finding.span.start) < (&suppression.path, at);
        findings.partition_point(is_before)
    };
    let own = before(span.start)..before(span.end);
    let mut count = 0;
    for finding in &mut findings[own] {
        if matches!(finding.verdict, Verdict::Drifted(_)) {
            let why = if suppression.reason.is_empty() { String::new() } else { format!(": {}", suppression.reason) };
            finding.reason = format!("suppressed{why}; {}", finding.reason);
            finding.verdict = Verdict::Uncorroborated;
            finding.fix = None;
            count += 1;
        }
    }
    count
}

/// What a path leads to now.
fn stamp(project: &Project<'_>, path: &str) -> Option<StampV1> {
    project.root.stamp(&RepoPath::new(path)?).ok().map(StampV1::from)
}

/// What decides besides files.
fn settings(project: &Project<'_>) -> String {
    // Git gives its hooks another index.
    let index = std::env::var_os("GIT_INDEX_FILE").unwrap_or_default();
    let trees: Vec<&str> = project.docs.iter().map(RepoPath::as_str).collect();
    let (root, limit) = (project.root.as_path(), project.root.size_limit());
    format!("{root:?} {trees:?} {:?} {:?} {limit} {index:?}", project.classes, project.style)
}

impl OutcomeV1 {
    fn of(outcome: &Outcome) -> Self {
        let pages = outcome.findings.chunk_by(|a, b| a.citation.path == b.citation.path);
        let of_page = |findings: &[Finding]| {
            (findings[0].citation.path.clone(), findings.iter().map(FindingV1::of).collect::<Vec<FindingV1>>())
        };
        Self {
            pages: outcome.pages.clone(),
            findings: pages.map(of_page).collect(),
            suppressions: outcome.suppressions.clone(),
            remarks: outcome.remarks.iter().map(|remark| (remark.place.clone(), remark.text.clone())).collect(),
        }
    }

    /// `None` where a finding is of a kind that this version does not know.
    fn into_outcome(self) -> Option<Outcome> {
        let of_page = |(path, findings): (String, Vec<FindingV1>)| {
            findings.into_iter().map(|finding| finding.into_finding(&path)).collect::<Option<Vec<Finding>>>()
        };
        let findings = self.findings.into_iter().map(of_page).collect::<Option<Vec<Vec<Finding>>>>()?;
        let remarks = self.remarks.into_iter().map(|(place, text)| Remark { place, text }).collect();
        Some(Outcome {
            pages: self.pages,
            findings: findings.into_iter().flatten().collect(),
            suppressions: self.suppressions,
            remarks,
        })
    }
}
