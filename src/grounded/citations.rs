//! An answer whose sentences name the chunks that they are taken from, as JSON (contracts E).

use serde::Serialize;

use crate::answer::Status;
use crate::cite::clip;

use super::ground::{Grounds, Retrieved};
use super::sentence::{Marks, marked};
use super::wire;

/// An answer with citations. Keys and their order are the contract's; `status` and `gaps` are additions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    schema_version: u32,
    answer: String,
    citations: Vec<Cited>,
    status: &'static str,
    gaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Cited {
    chunk_id: String,
    source: String,
    snippet: String,
}

/// A chunk that was retrieved, as `verify --retrieved` reads it.
#[derive(Serialize)]
struct RetrievedChunk<'a> {
    /// The same as `chunk_id`: so the list is a corpus that drafts can quote, too.
    id: &'a str,
    chunk_id: &'a str,
    source: String,
    title: &'a str,
    text: &'a str,
}

/// Renders an answer with citations. Where the docs don't answer, there is none, and `gaps` says what is missing.
pub fn response(grounds: &Grounds) -> String {
    wire::pretty(&answer(grounds))
}

/// Renders the chunks that were retrieved, best first, as JSON.
pub fn retrieved(grounds: &Grounds) -> String {
    let chunks: Vec<RetrievedChunk<'_>> = grounds.passages.iter().map(RetrievedChunk::from).collect();
    wire::pretty(&chunks)
}

impl<'a> From<&'a Retrieved> for RetrievedChunk<'a> {
    fn from(passage: &'a Retrieved) -> Self {
        let Retrieved { chunk, title, text } = passage;
        Self { id: &chunk.id, chunk_id: &chunk.id, source: chunk.citation.label(), title, text }
    }
}

fn answer(grounds: &Grounds) -> Answer {
    let id = |passage: usize| grounds.passages[passage].chunk.id.clone();
    let claims = grounds.claims.iter().map(|claim| marked(&claim.text, &[id(claim.passage)], Marks::Chunks));
    let disagreement = grounds.contradicted(|side| format!("[{}]", id(side.passage)));
    let said: Vec<String> = claims.chain(disagreement).collect();
    let status = match grounds.status {
        Status::Answered if !said.is_empty() => "answered",
        Status::Partial if !said.is_empty() => "partial",
        Status::Answered | Status::Partial | Status::NotFound => "not_found",
    };
    Answer {
        schema_version: 1,
        answer: said.join(" "),
        citations: citations(grounds),
        status,
        gaps: grounds.gap.iter().cloned().collect(),
    }
}

/// Each chunk that something is taken from once, in the order of the answer, with the first span taken from it.
fn citations(grounds: &Grounds) -> Vec<Cited> {
    let of_claims = grounds.claims.iter().map(|claim| (claim.passage, &claim.spans));
    let of_sides = grounds.disagreement.iter().map(|side| (side.passage, &side.spans));
    let mut found: Vec<Cited> = Vec::new();
    for (passage, spans) in of_claims.chain(of_sides) {
        let chunk = &grounds.passages[passage].chunk;
        if found.iter().any(|known| known.chunk_id == chunk.id) {
            continue;
        }
        let snippet = spans.first().map_or("", |span| &grounds.spans[*span].text);
        found.push(Cited { chunk_id: chunk.id.clone(), source: chunk.citation.label(), snippet: clip(snippet) });
    }
    found
}
