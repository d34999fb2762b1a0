//! Sentences → those that share no word with what they cite (`verify --strict`). Shared words prove nothing; that there
//! is none disproves.

use std::collections::HashMap;

use serde_json::Value;

use super::citations::Passages;
use super::receipt::{Cited, Evidence};
use super::shape::json;
use super::{quoted, receipt, response};
use crate::grounded::finalize::shares_nothing;
use crate::grounded::sentence::{Marks, marks, sentences, unmarked};
use crate::walk::RepoPath;

/// The sentences of an answer with citations that share no word with any chunk that they cite. Those that cite a chunk
/// that isn't known are left to the other checks.
pub fn groundless_citations(text: &str, known: &[&Passages]) -> Vec<String> {
    let value = json(text).unwrap_or_default();
    let answer = value.get("answer").and_then(Value::as_str).unwrap_or_default();
    let texts = |id: &str| known.iter().flat_map(|known| known.texts(id)).map(str::to_owned).collect::<Vec<_>>();
    groundless(answer, Marks::Chunks, texts)
}

/// The same of an answer with a receipt and the spans that it cites.
pub fn groundless_claims(text: &str, evidence: &Evidence<'_>) -> Vec<String> {
    let Some((receipt, response)) = response::response(text).ok().and_then(|response| {
        let receipt = receipt::read(&response).ok()?;
        Some((receipt, response))
    }) else {
        return Vec::new();
    };
    let by_id: HashMap<&str, &Cited> = receipt.spans.iter().map(|span| (span.id.as_str(), span)).collect();
    let texts = |id: &str| by_id.get(id).map(|cited| span_texts(cited, evidence)).unwrap_or_default();
    groundless(response.answer.unwrap_or_default(), Marks::Spans, texts)
}

/// What a cited span says, by what was retrieved and by the files.
fn span_texts(cited: &Cited, evidence: &Evidence<'_>) -> Vec<String> {
    let retrieved = evidence.retrieved.map(|retrieved| retrieved.at(cited)).unwrap_or_default();
    let mut texts: Vec<String> = retrieved.iter().map(|span| span.text.clone()).collect();
    let path = cited.source_id.as_deref().and_then(RepoPath::new);
    let page = evidence.files.zip(path).and_then(|(open, path)| open(&path).ok());
    texts.extend(page.and_then(|page| Some(page.text.get(cited.offset.bytes()?)?.to_owned())));
    texts
}

fn groundless(text: &str, kind: Marks, texts: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for range in sentences(text) {
        let sentence = &text[range];
        let cited: Vec<Vec<String>> = marks(sentence, kind).iter().map(|mark| texts(mark.id)).collect();
        let is_known = !cited.is_empty() && cited.iter().all(|texts| !texts.is_empty());
        let quotes = || cited.iter().flatten().map(String::as_str);
        if is_known && shares_nothing(&unmarked(sentence, kind), quotes()) {
            found.push(format!("shares no word with what it cites: {}", quoted(sentence)));
        }
    }
    found
}
