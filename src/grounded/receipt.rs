//! An answer with a marker for every span that it was taken from, and the receipt that says so (contracts D).

use serde::Serialize;

use crate::cite::{Citation, clip};

use super::ground::Grounds;
use super::sentence::{Marks, marked, marks, sentences, unmarked};
use super::wire;

/// Opens the block with the answer.
pub const ANSWER: &str = "## Answer";
/// Opens the block with a line for each cited span.
pub const SOURCES: &str = "## Sources";
/// Opens the block with the receipt.
pub const RECEIPT: &str = "## Grounding receipt";
/// What is said where nothing was retrieved.
pub const REFUSAL: &str = "I can't answer that from the user corpus because retrieval returned no usable spans. I can try \
a different query, use a source you provide, or answer without corpus grounding if you explicitly allow an ungrounded \
answer.";
/// Stands in the sources block where no span is cited.
pub const NO_SOURCES: &str = "No span is cited.";
/// The mode of every receipt.
pub const MODE: &str = "cite_or_refuse";
/// Status: every claim has its spans.
pub const ANSWERED: &str = "answered_with_citations";
/// Status: there was nothing to answer from.
pub const REFUSED_EMPTY: &str = "refused_empty_retrieval";
/// Status: what there was doesn't answer.
pub const REFUSED_UNSUPPORTED: &str = "refused_unsupported_claim";

/// Why nothing is said where nothing was retrieved.
const NOTHING_RETRIEVED: &str = "retrieval returned no usable spans";

/// The audit record of an answer. Keys and their order are the contract's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    mode: &'static str,
    status: &'static str,
    retrieval_query: String,
    retrieved_span_count: usize,
    cited_spans: Vec<CitedSpan>,
    answer_claims: Vec<AnswerClaim>,
    refusal_reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct CitedSpan {
    id: String,
    source_id: String,
    title: String,
    uri: String,
    offset: Offset,
}

/// Half-open, in bytes of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Offset {
    kind: &'static str,
    start: usize,
    end: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct AnswerClaim {
    claim: String,
    supported_by: Vec<String>,
}

/// What was retrieved, as `verify --retrieved` reads it.
#[derive(Serialize)]
struct RetrievedSpans<'a> {
    state: &'static str,
    spans: Vec<RetrievedSpan<'a>>,
}

#[derive(Serialize)]
struct RetrievedSpan<'a> {
    #[serde(flatten)]
    cited: CitedSpan,
    /// 1-based, inclusive.
    line_start: usize,
    line_end: usize,
    text: &'a str,
}

/// Renders an answer with markers, the spans that it cites, and the receipt.
pub fn response(grounds: &Grounds) -> String {
    let answer = answer(grounds);
    let receipt = receipt(grounds, &answer);
    let cited: Vec<usize> = cited(&answer);
    let bullets: Vec<String> = cited.iter().map(|index| format!("{}\n", bullet(grounds, *index))).collect();
    let sources = if bullets.is_empty() { format!("{NO_SOURCES}\n") } else { bullets.concat() };
    format!("{ANSWER}\n\n{answer}\n\n{SOURCES}\n\n{sources}\n{RECEIPT}\n\n```json\n{}```\n", wire::pretty(&receipt))
}

/// Renders all that was retrieved, as JSON.
pub fn retrieved(grounds: &Grounds) -> String {
    let usable = usable(grounds);
    let state = if usable == 0 { "empty" } else { "ok" };
    let spans = grounds.spans.iter().enumerate();
    let spans = spans.map(|(index, narrow)| RetrievedSpan {
        cited: cited_span(grounds, index),
        line_start: narrow.lines.0,
        line_end: narrow.lines.1,
        text: &narrow.text,
    });
    wire::pretty(&RetrievedSpans { state, spans: spans.collect() })
}

/// How many spans hold something.
fn usable(grounds: &Grounds) -> usize {
    grounds.spans.iter().filter(|narrow| !narrow.text.trim().is_empty()).count()
}

/// The answer with its markers; a refusal where there is nothing to cite.
fn answer(grounds: &Grounds) -> String {
    let is_empty = usable(grounds) == 0;
    if is_empty {
        return REFUSAL.to_owned();
    }
    let claims = grounds.claims.iter().map(|claim| marked(&claim.text, &ids(&claim.spans), Marks::Spans));
    let disagreement = grounds.contradicted(|side| ids(&side.spans).iter().map(|id| format!("[{id}]")).collect());
    let said = claims.chain(disagreement).chain(grounds.gap.clone());
    said.collect::<Vec<_>>().join(" ")
}

fn ids(spans: &[usize]) -> Vec<String> {
    spans.iter().copied().map(id).collect()
}

/// A span's id: its place among those retrieved, from 1.
fn id(index: usize) -> String {
    format!("S{}", index + 1)
}

/// The spans that an answer has markers for, in the order of their ids.
fn cited(answer: &str) -> Vec<usize> {
    let index = |id: &str| id.strip_prefix('S')?.parse::<usize>().ok()?.checked_sub(1);
    let mut found: Vec<usize> = marks(answer, Marks::Spans).iter().filter_map(|mark| index(mark.id)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn receipt(grounds: &Grounds, answer: &str) -> Receipt {
    let cited = cited(answer);
    let (status, refusal_reason) = match (usable(grounds), cited.len()) {
        (0, _) => (REFUSED_EMPTY, Some(NOTHING_RETRIEVED.to_owned())),
        (_, 0) => (REFUSED_UNSUPPORTED, Some(answer.to_owned())),
        _ => (ANSWERED, None),
    };
    Receipt {
        mode: MODE,
        status,
        retrieval_query: grounds.question.clone(),
        retrieved_span_count: usable(grounds),
        cited_spans: cited.into_iter().map(|index| cited_span(grounds, index)).collect(),
        answer_claims: answer_claims(answer),
        refusal_reason,
    }
}

/// The sentences of an answer that have markers, without them.
fn answer_claims(answer: &str) -> Vec<AnswerClaim> {
    let claim = |sentence: std::ops::Range<usize>| {
        let sentence = &answer[sentence];
        let mut supported_by: Vec<String> = Vec::new();
        for mark in marks(sentence, Marks::Spans) {
            if !supported_by.iter().any(|known| known == mark.id) {
                supported_by.push(mark.id.to_owned());
            }
        }
        (!supported_by.is_empty()).then(|| AnswerClaim { claim: unmarked(sentence, Marks::Spans), supported_by })
    };
    sentences(answer).into_iter().filter_map(claim).collect()
}

fn cited_span(grounds: &Grounds, index: usize) -> CitedSpan {
    let narrow = &grounds.spans[index];
    let passage = &grounds.passages[narrow.passage];
    let citation = &passage.chunk.citation;
    CitedSpan {
        id: id(index),
        source_id: citation.path.clone(),
        title: passage.title.clone(),
        uri: citation.label(),
        offset: Offset { kind: "bytes", start: narrow.span.start, end: narrow.span.end },
    }
}

fn bullet(grounds: &Grounds, index: usize) -> String {
    let narrow = &grounds.spans[index];
    let passage = &grounds.passages[narrow.passage];
    let (id, citation) = (id(index), &passage.chunk.citation);
    Bullet { id: &id, title: &passage.title, citation, lines: narrow.lines, text: &narrow.text }.to_string()
}

/// The line of a cited span in the sources block.
pub struct Bullet<'a> {
    /// `S1`, `S2`, …
    pub id: &'a str,
    /// The page's title.
    pub title: &'a str,
    /// The section.
    pub citation: &'a Citation,
    /// First and last 1-based line.
    pub lines: (usize, usize),
    /// The span's bytes in the file; shown on one line, cut after 120 characters.
    pub text: &'a str,
}

impl std::fmt::Display for Bullet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, title, citation, lines: (first, last), text } = self;
        let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
        let link = format!("[{}]({})", citation.link_text(), citation.target());
        write!(f, "- [{id}] {} — {link}, {lines}: \"{}\"", clip(title), clip(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bullet_names_title_section_lines_and_excerpt() {
        let citation = Citation { path: "docs/a b.md".into(), anchor: "x".into() };
        let bullet = Bullet { id: "S1", title: "A \"b\"", citation: &citation, lines: (3, 4), text: "Some\n*text*." };
        let expected = "- [S1] A \"b\" — [docs/a b.md#x](docs/a%20b.md#x), lines 3-4: \"Some *text*.\"";
        assert_eq!(bullet.to_string(), expected);
    }
}
