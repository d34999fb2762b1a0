//! Question and corpus → the sentences that answer, chosen as the answer to a question about docs is (contracts C,
//! `--scoring bm25`).

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

/// Passages that an answer is looked for in.
const PASSAGES: usize = 10;

/// A source of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What it is called.
    pub title: &'a str,
    /// What it says, as Markdown.
    pub text: &'a str,
}

/// What a corpus answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// How well it does.
    pub status: Status,
    /// What is said and where it stands, in the order of saying: the source, an index, and the bytes of its text.
    pub said: Vec<(usize, Span)>,
    /// Where sources contradict each other about what was asked: at least two such places, or none.
    pub conflict: Vec<(usize, Span)>,
    /// Words of the question that nothing found holds, as asked.
    pub missing: Vec<String>,
}

/// Answers a question from sources.
///
/// # Errors
/// When the full-text engine fails.
pub fn rank(question: &str, sources: &[Source<'_>], language: Language) -> Result<Ranked, inkwell_index::Error> {
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
pub fn touched(sentences: &[Range<usize>], span: Span) -> Range<usize> {
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

    #[test]
    fn spans_touch_sentences() {
        let sentences = [0..5, 6..10, 11..20];
        assert_eq!(touched(&sentences, Span::new(6, 10)), 1..2);
        assert_eq!(touched(&sentences, Span::new(4, 12)), 0..3);
        assert_eq!(touched(&sentences, Span::new(5, 6)), 1..1);
    }
}
