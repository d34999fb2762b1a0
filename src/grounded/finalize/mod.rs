//! Draft and corpus → a sealed answer, or a sealed refusal (contracts B).
//!
//! The stages are question, digest, corpus and draft; the first that finds something ends the check. Nothing is judged
//! here but the form of the draft and whether its quotes stand in the sources that it names: what a quote proves is
//! for the drafter to say.

mod draft;
mod fold;
mod nearest;
mod quotes;
mod strict;

use serde::Serialize;

use super::canonical::{digest, is_digest};
use super::corpus::Corpus;
use super::json::Json;

pub use fold::Difference;
pub use nearest::{Near, near};
pub use strict::shares_nothing;

use draft::Accepted;

/// The name of the output's shape.
pub const SCHEMA: &str = "runx.grounded_answer.v1";

/// What a refusal asks for.
const GAP: &str = "Correct the supplied evidence before answering.";

/// How much is asked of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// What the contract asks.
    Contract,
    /// Also that there are no unknown fields, and no sentence without a word in common with what is cited.
    Strict,
}

/// The output: an answer or a refusal under its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sealed<'a> {
    /// The answer or the refusal.
    pub grounded_answer: GroundedAnswer<'a>,
}

/// An answer whose every quote was found, or a refusal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroundedAnswer<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The question, empty where it is missing.
    pub question: &'a str,
    /// What the draft decided; of a refused draft [`Decision::Unsupported`].
    pub decision: Decision,
    /// Whether this is an answer that was checked.
    pub grounded: bool,
    /// The answer; empty unless `grounded`.
    pub answer: Answer<'a>,
    /// What must be known before the question can be answered.
    pub kb_gaps: Vec<&'a str>,
    /// Where the sources disagree.
    pub conflicts: Vec<&'a str>,
    /// The digest of the corpus; `None` where there is no corpus or what was supplied as its digest is none.
    pub corpus_digest: Option<String>,
    /// Whether the draft was accepted.
    pub validation: Validation,
}

/// What a draft can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The corpus answers.
    Answered,
    /// It doesn't.
    Unsupported,
    /// Its sources disagree.
    Conflicted,
}

/// The text of an answer and what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer<'a> {
    /// The text.
    pub text: &'a str,
    /// The quotes, in the draft's order.
    pub citations: Vec<Citation<'a>>,
}

/// A quote that stands in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Citation<'a> {
    /// The source.
    pub source_id: &'a str,
    /// Its title, from the corpus.
    pub title: &'a str,
    /// The quote.
    pub quote: &'a str,
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Validation {
    /// [`Status::Pass`] without findings.
    pub status: Status,
    /// What is wrong, in the words of the contract.
    pub findings: Vec<String>,
}

/// Whether a draft was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It was.
    Pass,
    /// It was refused.
    Fail,
}

/// What a check came to, for programs and for people.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    /// The output.
    pub sealed: Sealed<'a>,
    /// The sources that were read.
    pub corpus: Corpus<'a>,
    /// The citations that were refused, in the draft's order.
    pub refused: Vec<Refused<'a>>,
}

/// A citation that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused<'a> {
    /// Its place in the draft, from 1.
    pub number: usize,
    /// The source that it names; `None` where it names none.
    pub source_id: Option<&'a str>,
    /// What it quotes; `None` where it quotes nothing.
    pub quote: Option<&'a str>,
}

/// Checks a request: an object with `question`, `corpus`, `answer_draft` and perhaps `corpus_digest`. Whatever it is,
/// there is an output for it.
pub fn finalize<'a>(request: &'a Json<'a>, rules: Rules) -> Checked<'a> {
    let question = request.field("question").and_then(Json::text);
    let value = request.field("corpus").unwrap_or(&Json::Null);
    let findings = question_findings(question, request, rules);
    let (corpus_digest, digest_findings) = match findings.is_empty() {
        true => checked_digest(request),
        false => (unchecked_digest(request), Vec::new()),
    };
    let question = question.unwrap_or_default();
    let stopped = |corpus: Corpus<'a>, findings: Vec<String>| Checked {
        sealed: Sealed { grounded_answer: refusal(question, corpus_digest.clone(), findings) },
        corpus,
        refused: Vec::new(),
    };
    for findings in [findings, digest_findings] {
        if !findings.is_empty() {
            return stopped(Corpus::default(), findings);
        }
    }
    let (corpus, mut findings) = Corpus::read(value);
    if rules == Rules::Strict {
        findings.extend(strict::unknown_in_corpus(value));
    }
    if !findings.is_empty() {
        return stopped(corpus, findings);
    }
    let draft = draft::check(request.field("answer_draft").unwrap_or(&Json::Null), &corpus, rules);
    let grounded_answer = match draft.accepted {
        Some(accepted) => sealed(question, corpus_digest, accepted),
        None => refusal(question, corpus_digest, draft.findings),
    };
    Checked { sealed: Sealed { grounded_answer }, corpus, refused: draft.refused }
}

fn sealed<'a>(question: &'a str, corpus_digest: Option<String>, accepted: Accepted<'a>) -> GroundedAnswer<'a> {
    let Accepted { decision, answer, kb_gaps, conflicts } = accepted;
    let validation = Validation { status: Status::Pass, findings: Vec::new() };
    let grounded = decision == Decision::Answered;
    GroundedAnswer {
        schema: SCHEMA,
        question,
        decision,
        grounded,
        answer,
        kb_gaps,
        conflicts,
        corpus_digest,
        validation,
    }
}

fn refusal(question: &str, corpus_digest: Option<String>, findings: Vec<String>) -> GroundedAnswer<'_> {
    let (answer, kb_gaps, conflicts) = (Answer::default(), vec![GAP], Vec::new());
    let accepted = Accepted { decision: Decision::Unsupported, answer, kb_gaps, conflicts };
    let validation = Validation { status: Status::Fail, findings };
    GroundedAnswer { validation, ..sealed(question, corpus_digest, accepted) }
}

fn question_findings(question: Option<&str>, request: &Json<'_>, rules: Rules) -> Vec<String> {
    let missing = question.is_none().then(|| "question is missing".to_owned());
    let unknown = (rules == Rules::Strict).then(|| strict::unknown_in_request(request));
    missing.into_iter().chain(unknown.into_iter().flatten()).collect()
}

/// The digest of the corpus, compared with the supplied one, if there is one.
fn checked_digest(request: &Json<'_>) -> (Option<String>, Vec<String>) {
    let Some(supplied) = supplied_digest(request) else { return (computed_digest(request), Vec::new()) };
    if !is_digest(supplied) {
        return (None, vec!["native corpus digest is missing".to_owned()]);
    }
    match computed_digest(request) {
        Some(computed) if computed != supplied => {
            (Some(computed), vec!["corpus digest does not match the supplied corpus".to_owned()])
        }
        Some(_) | None => (Some(supplied.to_owned()), Vec::new()),
    }
}

/// The same where the check ends before anything is compared.
fn unchecked_digest(request: &Json<'_>) -> Option<String> {
    match supplied_digest(request) {
        Some(supplied) => Some(supplied.to_owned()).filter(|supplied| is_digest(supplied)),
        None => computed_digest(request),
    }
}

fn supplied_digest<'a>(request: &'a Json<'a>) -> Option<&'a str> {
    request.field("corpus_digest").and_then(Json::text)
}

fn computed_digest(request: &Json<'_>) -> Option<String> {
    request.field("corpus").filter(|corpus| **corpus != Json::Null).map(digest)
}

impl Sealed<'_> {
    /// The output as it is printed: JSON with two spaces of indentation and a line end.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("strings, numbers and lists are JSON");
        json.push('\n');
        json
    }
}
