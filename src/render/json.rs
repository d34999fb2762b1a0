//! JSON that scripts rely on (contracts G). Wire types are copies of the engine's, so that a change inside can't
//! change a contract by accident. `schemas/` holds a JSON Schema for each.

use serde::Serialize;

use crate::answer::Status;
use crate::engine::{Engine, State};
use crate::excerpt::Excerpt;
use crate::response::{Corroboration, Response, Source};
use crate::walk::RepoPath;

/// A response to a question, version 1.
#[derive(Serialize)]
pub struct ResponseV1<'a> {
    schema_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    question: &'a str,
    status: &'static str,
    answer: &'a str,
    evidence: f32,
    missing: &'a [String],
    read_as: Vec<ReadAsV1<'a>>,
    sources: Vec<SourceV1<'a>>,
    corroboration: Vec<CorroborationV1<'a>>,
}

#[derive(Serialize)]
struct ReadAsV1<'a> {
    word: &'a str,
    terms: &'a [String],
}

#[derive(Serialize)]
struct SourceV1<'a> {
    path: &'a str,
    anchor: &'a str,
    heading: &'a str,
    trail: &'a [String],
    line_start: usize,
    line_end: usize,
    snippet: &'a str,
    score: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ExplainV1>,
}

#[derive(Serialize)]
struct ExplainV1 {
    words: f32,
    page: f32,
    heading: f32,
    factor: f32,
    feedback: f32,
    kind: f32,
    named: f32,
}

#[derive(Serialize)]
struct CorroborationV1<'a> {
    citation: String,
    verdict: &'static str,
    detail: Option<&'a str>,
}

/// Whether the parts of scores are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only what the contract names.
    Plain,
    /// Also what each score is made of.
    Explained,
}

impl<'a> ResponseV1<'a> {
    /// The wire form of `response`; `id` comes from a batch.
    pub fn new(response: &'a Response, id: Option<&'a str>, detail: Detail) -> Self {
        Self {
            schema_version: 1,
            id,
            question: &response.question,
            status: status_name(response.status),
            answer: &response.answer,
            evidence: response.evidence,
            missing: &response.missing,
            read_as: response.slips.iter().map(|(word, terms)| ReadAsV1 { word, terms }).collect(),
            sources: response.sources.iter().map(|source| SourceV1::new(source, detail)).collect(),
            corroboration: response.corroboration.iter().map(CorroborationV1::from).collect(),
        }
    }
}

impl<'a> SourceV1<'a> {
    fn new(source: &'a Source, detail: Detail) -> Self {
        let parts = &source.parts;
        let explain = ExplainV1 {
            words: parts.words,
            page: parts.page,
            heading: parts.heading,
            factor: parts.factor,
            feedback: parts.feedback,
            kind: parts.kind,
            named: parts.named,
        };
        Self {
            path: &source.citation.path,
            anchor: &source.citation.anchor,
            heading: &source.heading,
            trail: &source.trail,
            line_start: source.lines.0,
            line_end: source.lines.1,
            snippet: &source.snippet,
            score: source.score,
            explain: (detail == Detail::Explained).then_some(explain),
        }
    }
}

impl<'a> From<&'a Corroboration> for CorroborationV1<'a> {
    fn from(line: &'a Corroboration) -> Self {
        Self { citation: line.citation.label(), verdict: line.verdict.phrase(), detail: line.verdict.detail() }
    }
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Answered => "answered",
        Status::Partial => "partial",
        Status::NotFound => "not_found",
    }
}

/// A response as indented JSON.
pub fn response(response: &Response, detail: Detail) -> String {
    pretty(&ResponseV1::new(response, None, detail))
}

/// A response as one line of JSON.
pub fn response_line(response: &Response, id: Option<&str>, detail: Detail) -> String {
    line(&ResponseV1::new(response, id, detail))
}

/// What is indexed, version 1.
#[derive(Serialize)]
struct StatusV1<'a> {
    schema_version: u32,
    root: String,
    docs: Vec<&'a str>,
    anchors: &'static str,
    index: Option<String>,
    files: usize,
    passages: u64,
    skipped: Vec<SkippedV1>,
    problems: Vec<ProblemV1<'a>>,
    incomplete: Vec<&'a str>,
}

#[derive(Serialize)]
struct SkippedV1 {
    path: String,
    reason: String,
}

#[derive(Serialize)]
struct ProblemV1<'a> {
    path: &'a str,
    problem: &'a str,
}

/// What is indexed, what is left out and why, as indented JSON.
pub fn status(engine: &Engine, state: &State) -> String {
    pretty(&StatusV1 {
        schema_version: 1,
        root: engine.root.as_path().display().to_string(),
        docs: engine.config.docs.iter().map(RepoPath::as_str).collect(),
        anchors: engine.style().name(),
        index: engine.index_dir().map(|dir| dir.display().to_string()),
        files: state.documents(),
        passages: state.passages(),
        skipped: state.skipped().into_iter().map(|(path, reason)| SkippedV1 { path, reason }).collect(),
        problems: state.problems().into_iter().map(|(path, problem)| ProblemV1 { path, problem }).collect(),
        incomplete: state.listing.incomplete.iter().map(RepoPath::as_str).collect(),
    })
}

/// A section that was read, version 1.
#[derive(Serialize)]
struct ExcerptV1<'a> {
    schema_version: u32,
    path: &'a str,
    anchor: &'a str,
    heading: &'a str,
    trail: &'a [String],
    line_start: usize,
    line_end: usize,
    text: &'a str,
    is_truncated: bool,
}

/// A section that was read, as indented JSON.
pub fn excerpt(excerpt: &Excerpt) -> String {
    pretty(&ExcerptV1 {
        schema_version: 1,
        path: &excerpt.citation.path,
        anchor: &excerpt.citation.anchor,
        heading: &excerpt.heading,
        trail: &excerpt.trail,
        line_start: excerpt.lines.0,
        line_end: excerpt.lines.1,
        text: &excerpt.text,
        is_truncated: excerpt.is_truncated,
    })
}

fn pretty<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("wire types have string keys and finite numbers");
    format!("{text}\n")
}

fn line<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("wire types have string keys and finite numbers");
    format!("{text}\n")
}
