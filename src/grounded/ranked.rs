//! Question and corpus → the sentences that answer, chosen as the answer to a question about docs is (contracts C,
//! `--scoring bm25`).
//!
//! A request is read, and sentences are counted, as the lexical answer does it. A weak answer is shown with what is
//! missing, but it isn't grounded; sources that contradict each other are told instead of an answer.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use inkwell_index::{Language, Weights};

use crate::answer::{Answer, Status, answer};
use crate::asked::Asked;
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::retrieve::{Library, Pages, retrieve};
use crate::span::Span;
use crate::sync;
use crate::walk::RepoPath;

use super::ground::{Grounds, ground};
use super::json::Json;
use super::lexical::{Answer as Said, Citation, Failure, Item, Outcome, UNSUPPORTED, answered, refusal, sentences};

/// Answers a request: an object with `question` and `corpus`, which may be JSON in a string.
///
/// # Errors
/// When there is no question, or the full-text engine fails.
pub fn answer_request(request: &Json<'_>) -> Result<Outcome, Failure> {
    // Forms of English words count as one, and the words of other languages are taken as they are.
    let language = Language::named("english").expect("English is built in");
    let outcome = answered(request, |question, items| {
        let sources: Vec<Source<'_>> =
            items.iter().map(|item| Source { title: &item.title, text: item.text }).collect();
        let ranked = rank(question, &sources, language).map_err(|error| Failure::Engine(error.to_string()))?;
        Ok(outcome(question, items, &ranked))
    })?;
    Ok(Outcome { conflicts: Some(outcome.conflicts.unwrap_or_default()), ..outcome })
}

fn outcome(question: &str, items: &[Item<'_>], ranked: &Ranked) -> Outcome {
    let conflict = citations(items, &ranked.conflict);
    if conflict.len() > 1 {
        let side = |side: &Citation| format!("{} says: {}", side.source_id, side.quote);
        let sides: Vec<String> = conflict.iter().map(side).collect();
        let conflicts = Some(vec![format!("sources disagree: {}", sides.join(" | "))]);
        return Outcome { answer: Said::default(), kb_gaps: Vec::new(), grounded: false, conflicts };
    }
    let missing = missing(&ranked.missing);
    let citations = citations(items, &ranked.said);
    if citations.is_empty() {
        let mut refusal = refusal(UNSUPPORTED, question, items);
        let last = refusal.kb_gaps.len() - 1;
        missing.into_iter().for_each(|gap| refusal.kb_gaps.insert(last, gap));
        return refusal;
    }
    let text = citations.iter().map(|citation| citation.quote.as_str()).collect::<Vec<_>>().join(" ");
    let grounded = ranked.status == Status::Answered;
    let weak = (!grounded).then(|| WEAK.to_owned());
    let kb_gaps = if grounded { Vec::new() } else { weak.into_iter().chain(missing).collect() };
    Outcome { answer: Said { text, citations }, kb_gaps, grounded, conflicts: None }
}

/// The gap of an answer that may be none.
const WEAK: &str = "the evidence in the supplied corpus is weak";

/// The gap that names the words that no item holds.
fn missing(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| format!("No supplied corpus item mentions: {}", words.join(", ")))
}

/// The sentences that some places touch, each once, in the order of the places.
fn citations(items: &[Item<'_>], places: &[(usize, Span)]) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    for (index, span) in places {
        let item = &items[*index];
        let sentences = ranges(item.text);
        for number in touched(&sentences, *span) {
            let quote = item.text[sentences[number].clone()].to_owned();
            let citation =
                Citation { source_id: item.id.clone(), title: item.title.clone(), sentence_index: number + 1, quote };
            if !found.contains(&citation) {
                found.push(citation);
            }
        }
    }
    found
}

/// The sentences of an item as ranges of its text.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let start = |sentence: &str| sentence.as_ptr().addr() - text.as_ptr().addr();
    sentences(text).map(|sentence| start(sentence)..start(sentence) + sentence.len()).collect()
}

/// Passages that an answer is looked for in.
const PASSAGES: usize = 10;

/// A source of a corpus.
struct Source<'a> {
    title: &'a str,
    /// Markdown.
    text: &'a str,
}

/// What a corpus answers.
struct Ranked {
    status: Status,
    /// What is said and where it stands, in the order of saying: the source, an index, and the bytes of its text.
    said: Vec<(usize, Span)>,
    /// Where sources contradict each other about what was asked: at least two such places, or none.
    conflict: Vec<(usize, Span)>,
    /// Words of the question that nothing found holds, as asked.
    missing: Vec<String>,
}

/// Answers a question from sources.
fn rank(question: &str, sources: &[Source<'_>], language: Language) -> Result<Ranked, inkwell_index::Error> {
    let pages: BTreeMap<String, Arc<Page>> = sources.iter().enumerate().filter_map(page).collect();
    let snapshot = sync::of_pages(pages.values().map(Arc::as_ref))?;
    let library = Library { pages: Pages::Given(&pages), snapshot: &snapshot, language, weights: Weights::default() };
    let retrieved = retrieve(&library, question, PASSAGES)?;
    let answer = answer(question, &retrieved, &Asked::of(&retrieved, language));
    let grounds = ground(question, &retrieved.passages, &answer);
    Ok(ranked(&grounds, answer, sources))
}

/// A source as a page of its own: its title as a heading over its text.
fn page((index, source): (usize, &Source<'_>)) -> Option<(String, Arc<Page>)> {
    let name = format!("{index:09}.md");
    let text = format!("{}{}", heading(source), source.text);
    let page = Page::parse(RepoPath::new(&name)?, text, SiteStyle::Github);
    Some((name, Arc::new(page)))
}

/// The title as a heading line. Markup in it is taken as such: it only helps to find the source.
fn heading(source: &Source<'_>) -> String {
    let title: Vec<&str> = source.title.split_whitespace().collect();
    format!("# {}\n\n", title.join(" "))
}

fn ranked(grounds: &Grounds, answer: Answer, sources: &[Source<'_>]) -> Ranked {
    let place = |span: &usize| {
        let narrow = &grounds.spans[*span];
        let name = &grounds.passages[narrow.passage].chunk.citation.path;
        let index: usize = name.trim_end_matches(".md").parse().ok()?;
        // What stands in the heading is not the source's text.
        let before = heading(sources.get(index)?).len();
        let start = narrow.span.start.checked_sub(before)?;
        Some((index, Span::new(start, narrow.span.end - before)))
    };
    let places = |spans: &[usize]| spans.iter().filter_map(place).collect::<Vec<_>>();
    Ranked {
        status: answer.status,
        said: grounds.claims.iter().flat_map(|claim| places(&claim.spans)).collect(),
        conflict: grounds.disagreement.iter().flat_map(|side| places(&side.spans)).collect(),
        missing: answer.missing,
    }
}

/// The sentences, as ranges of a source's text, that a span of it touches: indices from 0.
fn touched(sentences: &[Range<usize>], span: Span) -> Range<usize> {
    let first = sentences.partition_point(|sentence| sentence.end <= span.start);
    let end = sentences.partition_point(|sentence| sentence.start < span.end);
    first..end.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said, word for word, and the state of the answer.
    fn check(question: &str, texts: &[(&str, &str)], status: Status, said: &[&str], conflict: &[&str]) {
        let sources: Vec<Source<'_>> = texts.iter().map(|(title, text)| Source { title, text }).collect();
        let language = Language::named("english").expect("a language");
        let found = rank(question, &sources, language).expect("an answer");
        let quote = |(index, span): &(usize, Span)| texts[*index].1[span.range()].to_owned();
        let quotes: Vec<String> = found.said.iter().map(quote).collect();
        let conflicts: Vec<String> = found.conflict.iter().map(quote).collect();
        assert_eq!((found.status, quotes, conflicts), (status, owned(said), owned(conflict)), "{question}");
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    const BACKUPS: (&str, &str) =
        ("Backups", "Backups run every night. Backups are kept for 30 days. Restores take an hour.");
    const LOGIN: (&str, &str) = ("Sign-in", "Sessions end after 12 hours. Nobody can extend them.");

    #[test]
    fn a_sentence_answers() {
        let said = ["Backups are kept for 30 days."];
        check("How long are backups kept?", &[LOGIN, BACKUPS], Status::Answered, &said, &[]);
    }

    #[test]
    fn what_no_source_holds_is_not_found() {
        check("Which colour has the logo?", &[LOGIN, BACKUPS], Status::NotFound, &[], &[]);
    }

    #[test]
    fn sources_that_contradict_each_other_are_found() {
        let other = ("Policy", "Backups are kept for 14 days.");
        let said = ["Backups are kept for 30 days."];
        let conflict = ["Backups are kept for 30 days.", "Backups are kept for 14 days."];
        check("How long are backups kept?", &[BACKUPS, other], Status::Answered, &said, &conflict);
    }

    /// The JSON of an answer to a request with these sources, each `(id, text)`.
    fn check_outcome(question: &str, sources: &[(&str, &str)], expected: &serde_json::Value) {
        let corpus: Vec<serde_json::Value> =
            sources.iter().map(|(id, text)| serde_json::json!({"id": id, "title": id, "text": text})).collect();
        let request = serde_json::json!({"question": question, "corpus": corpus}).to_string();
        let request = super::super::json::read(request.as_bytes()).expect("JSON");
        let found = answer_request(&request).expect("an outcome").to_json();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&found).expect("JSON"), *expected, "{question}");
    }

    #[test]
    fn an_answer_is_quoted_with_its_place() {
        let text = "Backups run every night. Backups are kept for 30 days.";
        let quote = "Backups are kept for 30 days.";
        let citation = serde_json::json!({"source_id": "kb", "title": "kb", "sentence_index": 2, "quote": quote});
        let expected = serde_json::json!({
            "answer": {"text": quote, "citations": [citation]}, "kb_gaps": [], "grounded": true, "conflicts": []
        });
        check_outcome("How long are backups kept?", &[("kb", text), ("b", "Sessions end.")], &expected);
    }

    #[test]
    fn contradicting_sources_are_told_instead_of_an_answer() {
        let conflict =
            "sources disagree: a says: Backups are kept for 30 days. | b says: Backups are kept for 14 days.";
        let expected = serde_json::json!({
            "answer": {"text": "", "citations": []}, "kb_gaps": [], "grounded": false, "conflicts": [conflict]
        });
        let sources = [("a", "Backups are kept for 30 days."), ("b", "Backups are kept for 14 days.")];
        check_outcome("How long are backups kept?", &sources, &expected);
    }

    #[test]
    fn a_refusal_names_the_missing_words() {
        let gaps = [
            "no grounded answer found in supplied corpus",
            "No supplied corpus item directly supports: What does the enterprise plan cost?",
            "No supplied corpus item mentions: enterprise, plan, cost",
            "Corpus items checked: kb",
        ];
        let expected = serde_json::json!({
            "answer": {"text": "", "citations": []}, "kb_gaps": gaps, "grounded": false, "conflicts": []
        });
        check_outcome("What does the enterprise plan cost?", &[("kb", "Backups are kept.")], &expected);
    }

    #[test]
    fn weak_evidence_is_shown_and_not_grounded() {
        let quote = "Sessions end after 12 hours.";
        let citation = serde_json::json!({"source_id": "kb", "title": "kb", "sentence_index": 1, "quote": quote});
        let gaps = ["the evidence in the supplied corpus is weak", "No supplied corpus item mentions: Keycloak"];
        let expected = serde_json::json!({
            "answer": {"text": quote, "citations": [citation]}, "kb_gaps": gaps, "grounded": false, "conflicts": []
        });
        check_outcome("When do Keycloak sessions end?", &[("kb", quote), ("b", "Backups are kept.")], &expected);
    }

    #[test]
    fn any_language_is_answered() {
        let quote = "备份保留三十天。";
        let citation = serde_json::json!({"source_id": "zh", "title": "zh", "sentence_index": 1, "quote": quote});
        let expected = serde_json::json!({
            "answer": {"text": quote, "citations": [citation]}, "kb_gaps": [], "grounded": true, "conflicts": []
        });
        check_outcome("备份保留多久？", &[("zh", quote), ("de", "Sitzungen enden nach zwölf Stunden.")], &expected);
    }

    #[test]
    fn a_subject_of_one_word_is_contradicted_where_nothing_else_is_asked() {
        let texts = [("a", "The timeout is 30 seconds."), ("b", "The timeout is 60 seconds.")];
        let (said, both) =
            (["The timeout is 30 seconds."], ["The timeout is 30 seconds.", "The timeout is 60 seconds."]);
        check("What is the timeout?", &texts, Status::Answered, &said, &both);
        check("What is the timeout of uploads?", &texts, Status::Partial, &said, &[]);
    }

    #[test]
    fn spans_touch_sentences() {
        let sentences = [0..5, 6..10, 11..20];
        assert_eq!(touched(&sentences, Span::new(6, 10)), 1..2);
        assert_eq!(touched(&sentences, Span::new(4, 12)), 0..3);
        assert_eq!(touched(&sentences, Span::new(5, 6)), 1..1);
    }
}
