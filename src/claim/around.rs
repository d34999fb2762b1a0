//! What stands around the claims of a block: each sentence, heading and link is looked at once, however many claims it
//! holds.

use std::ops::Range;

use super::cue::{self, Doubt, cue_in};
use crate::page::Page;
use crate::parse::{Block, BlockKind, Link};
use crate::span::Span;

/// A row's cues speak for the whole row up to this length in bytes, for the cell alone beyond.
const ROW_BUDGET: usize = 400;

/// A section up to this length in bytes is about one thing, so that one sentence can take all of it back.
const SECTION_BUDGET: usize = 1500;

/// The words around the claims of one block.
pub struct Around<'a> {
    page: &'a Page,
    /// The sentences, items or cells, ascending, each with what it takes back.
    sentences: Vec<(Range<usize>, Option<Doubt>)>,
    /// What headings and section take back.
    by_section: Option<Doubt>,
    /// What the block's lead-in takes back.
    by_lead_in: Option<Doubt>,
    /// Where the marks of struck text stand in the file.
    strikes: Vec<usize>,
}

impl<'a> Around<'a> {
    /// Looks around in a block.
    pub fn of(page: &'a Page, block: &'a Block, section: usize) -> Self {
        let cue = |range: &Range<usize>| match speaks_of_other_package(page, block, range) {
            true => Some(Doubt::OtherPackage),
            false => cue_in(&block.text[range.clone()]),
        };
        let sentences = sentences(block).into_iter().map(|range| (range.clone(), cue(&range))).collect();
        // A block that starts with the mark starts behind it.
        let start = page.text[..block.span.start].rfind('\n').map_or(0, |end| end + 1);
        let strikes = page.text[start..block.span.end].match_indices("~~").map(|(at, _)| start + at).collect();
        let by_lead_in = cue_in(lead_in(page, block));
        Self { page, sentences, by_section: by_section(page, section), by_lead_in, strikes }
    }

    /// What the words around a code span, or the marks on it, take back. `code` is its range in the block's text, `span`
    /// its bytes in the file.
    pub fn doubt(&self, code: &Range<usize>, span: Span) -> Option<Doubt> {
        if is_external_label(self.page, span) {
            return Some(Doubt::ExternalLabel);
        }
        if self.strikes.partition_point(|at| *at < span.start) % 2 == 1 {
            return Some(Doubt::Struck);
        }
        let after = self.sentences.partition_point(|(range, _)| range.start <= code.start);
        let by_words = after.checked_sub(1).and_then(|at| self.sentences[at].1).or(self.by_lead_in);
        // Telling of the past weighs more than an illustration.
        let is_strong = |doubt: &Doubt| *doubt != Doubt::Illustration;
        by_words.filter(is_strong).or(self.by_lead_in.filter(is_strong)).or(self.by_section).or(by_words)
    }
}

/// What the headings of a section, or a sentence for all of it, take back.
fn by_section(page: &Page, section: usize) -> Option<Doubt> {
    let section = &page.sections[section];
    let mut headings = section.trail.iter().chain(&section.heading).map(|at| &page.document.headings[*at].title);
    let own = section.own;
    let is_past = || own.len() <= SECTION_BUDGET && cue::is_of_the_past(&page.text[own.range()]);
    headings.find_map(|title| cue::cue_of_heading(title)).or_else(|| is_past().then_some(Doubt::Past))
}

/// Whether a sentence links out of the project and calls what is there a package: "the [x](https://…) library has `Y`".
fn speaks_of_other_package(page: &Page, block: &Block, range: &Range<usize>) -> bool {
    const PACKAGES: &[&str] =
        &["library", "package", "plugin", "extension", "crate", "gem", "module", "project", "framework"];
    let sentence = &block.text[range.clone()];
    let Some(source) = block.source(range.clone()) else { return false };
    let first = page.document.links.partition_point(|link| link.span.start < source.start);
    let links = page.document.links[first..].iter().take_while(|link| link.span.start < source.end);
    let is_outside = |link: &&Link| link.destination.contains("://");
    // Enough to tell what a sentence speaks of.
    links.filter(is_outside).take(8).any(|link| {
        let after = sentence.split_once(link.text.as_str()).map_or("", |(_, after)| after);
        let next = after.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        let last = link.text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        PACKAGES.contains(&next) || PACKAGES.contains(&last)
    })
}

/// Whether a span is in the label of a link to elsewhere.
fn is_external_label(page: &Page, span: Span) -> bool {
    let links = &page.document.links;
    let after = links.partition_point(|link| link.span.start <= span.start);
    // An image in a link's label is a link of its own, so the link around may be some before.
    let holding = links[after.saturating_sub(4)..after].iter().filter(|link| span.end <= link.span.end);
    let text = page.text[span.range()].trim_matches('`');
    holding.into_iter().any(|link| {
        let is_outside = link.destination.contains("://") || link.destination.starts_with("//");
        // A forge's view of a file is the file.
        let is_view = text.contains('/') && link.destination.ends_with(&format!("/{text}"));
        is_outside && !is_view
    })
}

/// The text that leads into an item.
fn lead_in<'a>(page: &'a Page, block: &Block) -> &'a str {
    let is_item = matches!(block.kind, BlockKind::Item { .. });
    let text = block.lead_in.filter(|_| is_item).map_or("", |index| page.block(index).text.as_str());
    // Only its last sentence leads in.
    text.rsplit_once(". ").map_or(text, |(_, last)| last)
}

/// What a cue in a block speaks for: its sentences, or of a row the cells.
fn sentences(block: &Block) -> Vec<Range<usize>> {
    match block.kind {
        BlockKind::Row | BlockKind::HeaderRow if block.text.len() <= ROW_BUDGET => {
            std::iter::once(0..block.text.len()).collect()
        }
        BlockKind::Row | BlockKind::HeaderRow => pieces(block, |text, at| text[at..].starts_with(" | ").then_some(3)),
        _ => pieces(block, sentence_end),
    }
}

/// The length of a sentence's end at a place, if there is one.
fn sentence_end(text: &str, at: usize) -> Option<usize> {
    let mut chars = text[at..].chars();
    let stop = chars.next().filter(|c| ".!?;".contains(*c))?;
    let next = chars.next().filter(|c| c.is_whitespace())?;
    let is_edge = |c: char| c.is_whitespace() || c == '(';
    let before = &text.as_bytes()[at.saturating_sub(8)..at];
    let word = std::str::from_utf8(before).unwrap_or_default().rsplit(is_edge).next().unwrap_or_default();
    let is_short = ["e.g", "i.e", "etc", "vs", "cf", "approx", "resp"].contains(&word.to_lowercase().as_str());
    (!is_short).then(|| stop.len_utf8() + next.len_utf8())
}

/// Cuts a block's text where `end` finds an end outside of code.
fn pieces(block: &Block, end: impl Fn(&str, usize) -> Option<usize>) -> Vec<Range<usize>> {
    let text = &block.text;
    let mut found = Vec::new();
    let mut start = 0;
    let mut codes = block.code.iter().peekable();
    for (at, _) in text.char_indices() {
        while codes.next_if(|code| code.end <= at).is_some() {}
        if codes.peek().is_some_and(|code| code.contains(&at)) || at < start {
            continue;
        }
        if let Some(length) = end(text, at) {
            found.push(start..at + 1);
            start = at + length;
        }
    }
    found.push(start..text.len());
    found
}
