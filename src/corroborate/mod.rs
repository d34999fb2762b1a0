//! Claims × code → verdicts, by the decision procedure: what resolves is verified, what is proven gone is drift, and
//! everything else could not be corroborated.
//!
//! A drift needs a proof: a file that a real link misses, a container without the member, a definition that history
//! shows being removed after the text was written. What the words around a claim take back, and pages that record the
//! past, veto a proof. Nothing here reads docs or renders.

mod age;
mod defined;
mod foreign;
mod link;
mod member;
mod names;
mod past;
mod path;
mod removed;
mod rename;
mod setting;
mod verify;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::cite::Citation;
use crate::claim::{Claim, Class, Doubt, Target, claims, class_of};
use crate::codebase::{Codebase, Known, Places};
use crate::finding::{Evidence, Finding, Fix, Kind, Rule, Verdict};
use crate::page::Page;
use crate::walk::RepoPath;

pub use link::readings as link_readings;
pub use past::{NoPast, Past, Seen};

/// What claims are judged against.
pub struct Scene<'a> {
    /// The code.
    pub code: &'a Codebase<'a>,
    /// Where the names of the claims stand in it.
    pub places: Places,
    /// The docs trees, to resolve paths that start there.
    pub docs: &'a [RepoPath],
    /// Names that the docs know, so that a near name that is documented itself is no candidate for another.
    pub documented: HashSet<String>,
    /// The pages that are judged and those that they link to, by path.
    pub pages: &'a HashMap<String, Arc<Page>>,
}

/// A page whose claims are judged.
pub struct Subject {
    /// The page.
    pub page: Arc<Page>,
    /// Its claims, or those of them that are asked about.
    pub claims: Vec<Claim>,
    /// Whether it is held to the present.
    pub class: Class,
    /// What its code samples import, and from where.
    imports: HashMap<String, String>,
}

impl Subject {
    /// All claims of a page.
    pub fn of(page: Arc<Page>) -> Self {
        let claims = claims(&page);
        let imports = foreign::imports(&page);
        Self { class: class_of(&page), claims, imports, page }
    }
}

/// What is known of a claim so far.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// It resolves.
    Verified(Rule, Option<String>),
    /// It is proven wrong.
    Drifted(Proof),
    /// It does not resolve; history may tell why.
    Absent(Absence),
    /// The file has the line, but what the sentence says is there stands elsewhere in it now: why, and where.
    Shifted(String, String),
    /// There is no telling.
    Unproven(String),
}

/// A proof of drift.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Proof {
    rule: Rule,
    /// What stands in the brackets of the verdict.
    detail: String,
    evidence: Evidence,
    /// What the claim's name is to be replaced with: old and new, both parts of the claim's text.
    rename: Option<(String, String)>,
}

/// What is missing, for history to look up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Absence {
    /// Names that the project may have defined.
    names: Vec<String>,
    /// Paths that it may have had.
    paths: Vec<String>,
    /// Why, in words, where history has nothing to say.
    reason: String,
    /// Where the name still stands in some way that its definition may have left behind: in tests only, or in other
    /// joints. Without a proof of the removal the claim is verified by it.
    still: Option<String>,
    /// Whether only a proven rename counts as such a proof.
    needs_rename: bool,
}

/// The names that claims need to be looked up under.
pub fn wanted(subjects: &[Subject]) -> BTreeSet<String> {
    let claims = subjects.iter().flat_map(|subject| &subject.claims);
    claims.flat_map(|claim| names::wanted(&claim.target)).filter(|name| !name.is_empty()).collect()
}

/// The names that one claim needs to be looked up under.
pub fn names_of(claim: &Claim) -> Vec<String> {
    names::wanted(&claim.target)
}

/// The names that some claims speak of: of qualified names the last part.
pub fn documented(subjects: &[Subject]) -> HashSet<String> {
    let claims = subjects.iter().flat_map(|subject| &subject.claims);
    let name = |claim: &Claim| match &claim.target {
        Target::Env(name) | Target::Symbol(name) => Some(name.clone()),
        Target::Member(parts) | Target::Key(parts) => parts.last().cloned(),
        Target::Path(_) | Target::PathSymbol { .. } | Target::PathLine { .. } | Target::Flag(_) | Target::Link(_) => {
            None
        }
    };
    claims.filter_map(name).collect()
}

/// Judges the claims of some pages. `past` is asked once, for everything that nothing else can decide.
pub fn judge(subjects: &[Subject], scene: &Scene<'_>, past: &mut dyn Past) -> Vec<Finding> {
    let of = |subject: &Subject| -> Vec<Outcome> {
        subject.claims.iter().map(|claim| verify::verify(claim, subject, scene)).collect()
    };
    let mut outcomes: Vec<Vec<Outcome>> = subjects.par_iter().map(of).collect();
    for (subject, outcomes) in subjects.iter().zip(&mut outcomes) {
        setting::compare_neighbours(subject, outcomes, scene);
    }
    let asked = asked(subjects, &outcomes);
    let seen = past.look(&asked.0, &asked.1);
    let decide = |(subject, outcomes): (&Subject, Vec<Outcome>)| -> Vec<Finding> {
        let decided = subject.claims.iter().zip(outcomes).map(|(claim, outcome)| {
            let outcome = match outcome {
                Outcome::Absent(absence) => match silenced(claim, subject) {
                    Some(reason) if absence.still.is_none() => Outcome::Unproven(reason.to_owned()),
                    _ => removed::prove(claim, subject, scene, &absence, &seen),
                },
                known => known,
            };
            finding(claim, subject, veto(claim, subject, scene, outcome))
        });
        decided.collect()
    };
    subjects.par_iter().zip(outcomes).map(decide).collect::<Vec<_>>().concat()
}

/// The names and paths that only history can decide.
fn asked(subjects: &[Subject], outcomes: &[Vec<Outcome>]) -> (Vec<String>, Vec<String>) {
    let (mut names, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for (subject, outcomes) in subjects.iter().zip(outcomes) {
        for (claim, outcome) in subject.claims.iter().zip(outcomes) {
            if let Outcome::Absent(absence) = outcome
                && silenced(claim, subject).is_none()
            {
                names.extend(absence.names.iter().cloned());
                paths.extend(absence.paths.iter().cloned());
                // When a path was written down is told by the lines with its last word.
                names.extend(
                    absence.paths.iter().take(1).filter_map(|path| removed::word_of_path(path)).map(str::to_owned),
                );
            }
        }
    }
    (names.into_iter().collect(), paths.into_iter().collect())
}

/// Takes a drift back where the words around the claim, or the page, say that the absence is meant.
fn veto(claim: &Claim, subject: &Subject, scene: &Scene<'_>, outcome: Outcome) -> Outcome {
    let Outcome::Drifted(proof) = outcome else { return outcome };
    if let Some(reason) = silenced(claim, subject) {
        return Outcome::Unproven(reason.to_owned());
    }
    if let Some(name) = leaf(&claim.target) {
        if subject.imports.get(name).is_some_and(|module| foreign::is_foreign(module, scene)) {
            return Outcome::Unproven("the page imports it from another package".to_owned());
        }
        if is_parameter_of_docs(name, claim, subject) {
            return Outcome::Unproven("the section names a parameter so".to_owned());
        }
    }
    if let Target::Path(path) | Target::PathSymbol { path, .. } | Target::PathLine { path, .. } = &claim.target
        && path::is_ignored(path, subject, scene)
    {
        return Outcome::Unproven("git ignores the path".to_owned());
    }
    Outcome::Drifted(proof)
}

/// The last part of a name.
fn leaf(target: &Target) -> Option<&str> {
    match target {
        Target::Symbol(name) => Some(name),
        Target::Member(parts) | Target::Key(parts) => parts.last().map(String::as_str),
        Target::Env(_) | Target::Flag(_) | Target::Path(_) | Target::PathSymbol { .. } | Target::PathLine { .. } => {
            None
        }
        Target::Link(_) => None,
    }
}

/// Whether a signature in the same section, or in a heading above it, names a parameter so: ``copy(from, to)`` makes
/// `to` the docs' own word.
fn is_parameter_of_docs(name: &str, claim: &Claim, subject: &Subject) -> bool {
    let page = &subject.page;
    let section = &page.sections[claim.section];
    let spans = page.document.blocks[section.blocks.clone()]
        .iter()
        .flat_map(|block| block.code.iter().map(|code| &block.text[code.clone()]));
    let headings = section.trail.iter().chain(&section.heading).map(|at| page.document.headings[*at].title.as_str());
    spans.chain(headings).any(|text| {
        let inside = text.split_once(['(', '[']).map_or("", |(_, inside)| inside);
        let names = |(at, _): (usize, &str)| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let after = &inside[at + name.len()..];
            !inside[..at].ends_with(is_word) && !after.starts_with(is_word) && !after.starts_with('=')
        };
        text != claim.text && inside.match_indices(name).any(names)
    })
}

/// Why nothing can be proven against a claim, if so: by its page, its shape or the words around it.
fn silenced(claim: &Claim, subject: &Subject) -> Option<&'static str> {
    if subject.class != Class::Current {
        return Some(subject.class.reason());
    }
    match (claim.target.kind(), claim.doubt?) {
        // A link is followed, whatever is said around it.
        (Kind::Link, _) => None,
        (Kind::Symbol | Kind::Member | Kind::Env | Kind::Flag, Doubt::Illustration | Doubt::ExternalLabel) => None,
        (Kind::Symbol, Doubt::PlainWord) if claim.text.len() >= 5 => None,

        (Kind::Path, Doubt::Placeholder) if claim.text.matches('/').count() >= 2 => None,
        // `request.path` can be a member's name as well as a key's.
        (Kind::Key, Doubt::Illustration) if claim.text.contains('.') => None,
        (_, doubt) => Some(doubt.reason()),
    }
}

fn finding(claim: &Claim, subject: &Subject, outcome: Outcome) -> Finding {
    let page = &subject.page;
    let place = |at: usize| (page.lines.line(at), page.lines.column(at));
    let (rule, verdict, reason, evidence, fix) = match outcome {
        Outcome::Verified(rule, at) => {
            let reason = at.as_ref().map_or(String::new(), |at| format!("see {at}"));
            let evidence = Evidence { defined_at: at, ..Evidence::default() };
            (rule, Verdict::Verified, reason, evidence, None)
        }
        Outcome::Drifted(proof) => {
            let fix = proof.rename.as_ref().and_then(|(old, new)| fix(claim, page, old, new));
            (proof.rule, Verdict::Drifted(proof.detail.clone()), proof.detail, proof.evidence, fix)
        }
        Outcome::Absent(absence) => {
            (Rule::Unproven, Verdict::Uncorroborated, absence.reason, Evidence::default(), None)
        }
        Outcome::Shifted(reason, at) => {
            let evidence = Evidence { defined_at: Some(at), ..Evidence::default() };
            (Rule::Unproven, Verdict::Uncorroborated, reason, evidence, None)
        }
        Outcome::Unproven(reason) => (Rule::Unproven, Verdict::Uncorroborated, reason, Evidence::default(), None),
    };
    Finding {
        citation: Citation {
            path: page.path.as_str().to_owned(),
            anchor: page.anchor(claim.section).unwrap_or_default().to_owned(),
        },
        span: claim.span,
        start: place(claim.span.start),
        end: place(claim.span.end),
        text: claim.text.clone(),
        kind: claim.target.kind(),
        rule,
        verdict,
        reason,
        evidence,
        fix,
    }
}

/// The replacement of `old` by `new` in the bytes of a claim, where `old` stands there once.
fn fix(claim: &Claim, page: &Page, old: &str, new: &str) -> Option<Fix> {
    let source = &page.text[claim.span.range()];
    let mut found = source.match_indices(old);
    let (at, _) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let start = claim.span.start + at;
    Some(Fix { span: crate::span::Span::new(start, start + old.len()), replacement: new.to_owned() })
}

/// Looks up the names of some subjects.
pub fn places(subjects: &[Subject], code: &Codebase<'_>, known: &mut Known) -> Places {
    code.places(&wanted(subjects), known)
}
