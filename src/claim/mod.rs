//! What a page asserts that the repository can confirm or deny: code spans, links and images.
//!
//! Each claim knows its bytes, its section, and what the words around it take back ([`Doubt`]). Fenced code, HTML
//! comments and front matter make no claims. Nothing here looks at the code.

mod cue;
mod extension;
mod scope;
mod shape;

use std::ops::Range;

use crate::page::Page;
use crate::parse::{Block, BlockKind};
use crate::span::Span;

pub use cue::{Doubt, cue_in};
pub use extension::is_file_extension;
pub use scope::{Class, class_of};
pub use shape::{Named, Target, has_mark, is_placeholder, read, words_of};

/// A row's cues speak for the whole row up to this length in bytes, for the cell alone beyond.
const ROW_BUDGET: usize = 400;

/// A section up to this length in bytes is about one thing, so that one sentence can take all of it back.
const SECTION_BUDGET: usize = 1500;

/// Something that a page asserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Bytes in the file: the code span with its marks, or the link with its label.
    pub span: Span,
    /// A code span's text without marks, or a link's destination.
    pub text: String,
    /// Index of the section that makes the claim.
    pub section: usize,
    /// What it names.
    pub target: Target,
    /// Why its absence would prove nothing, if so.
    pub doubt: Option<Doubt>,
    /// The sentence, row or item that holds it, to see which program a flag belongs to.
    pub sentence: String,
    /// The block that holds it, an index into the page's blocks; `None` in a heading.
    pub block: Option<usize>,
    /// The file that the sentence names, for "`X` in `file`".
    pub beside: Option<String>,
}

/// The claims of a page, in document order.
pub fn claims(page: &Page) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    for index in 0..page.document.blocks.len() {
        of_block(page, index, &mut found);
    }
    of_headings(page, &mut found);
    of_definitions(page, &mut found);
    of_links(page, &mut found);
    found.sort_by_key(|claim| claim.span);
    found
}

fn of_block(page: &Page, index: usize, found: &mut Vec<Claim>) {
    let block = page.block(index);
    if matches!(block.kind, BlockKind::Code { .. }) {
        return;
    }
    let sentences = sentences(block);
    let lead_in = lead_in(page, block);
    let first = found.len();
    for code in &block.code {
        let Some(content) = block.source(code.clone()) else { continue };
        let text = block.text[code.clone()].trim();
        let Some(named) = read(text) else { continue };
        let span = with_marks(&page.text, content);
        let sentence = sentences.iter().find(|range| range.contains(&code.start)).cloned().unwrap_or(code.clone());
        let around = Around { block, sentence: sentence.clone(), lead_in };
        let doubt = named.doubt.or_else(|| context_doubt(page, span, &around));
        found.push(Claim {
            span,
            text: text.to_owned(),
            section: section_at(page, span.start),
            target: named.target,
            doubt,
            sentence: block.text[sentence].to_owned(),
            block: Some(index),
            beside: None,
        });
    }
    pair_with_files(&mut found[first..]);
}

/// Gives a bare symbol the one file that its sentence names.
fn pair_with_files(claims: &mut [Claim]) {
    for at in 0..claims.len() {
        let sentence = claims[at].sentence.clone();
        let mut files =
            claims.iter().filter(|claim| claim.sentence == sentence).filter_map(|claim| match &claim.target {
                Target::Path(path) if !path.ends_with('/') => Some(path.clone()),
                _ => None,
            });
        let (file, others) = (files.next(), files.next());
        if others.is_none() && matches!(claims[at].target, Target::Symbol(_) | Target::Member(_)) {
            claims[at].beside = file;
        }
    }
}

/// The words around a claim.
struct Around<'a> {
    block: &'a Block,
    sentence: Range<usize>,
    lead_in: &'a str,
}

/// What the words around a claim, or the marks on it, take back.
fn context_doubt(page: &Page, span: Span, around: &Around<'_>) -> Option<Doubt> {
    if is_external_label(page, span) {
        return Some(Doubt::ExternalLabel);
    }
    if is_struck(page, around.block, span) {
        return Some(Doubt::Struck);
    }
    if speaks_of_other_package(page, around) {
        return Some(Doubt::OtherPackage);
    }
    let section = &page.sections[section_at(page, span.start)];
    let headings = section.trail.iter().chain(&section.heading);
    let by_heading =
        || headings.map(|index| &page.document.headings[*index].title).find_map(|t| cue::cue_of_heading(t));
    let by_words = cue_in(&around.block.text[around.sentence.clone()]).or_else(|| cue_in(around.lead_in));
    // Telling of the past weighs more than an illustration.
    let own = section.own;
    let by_section =
        || (own.len() <= SECTION_BUDGET && cue::is_of_the_past(&page.text[own.range()])).then_some(Doubt::Past);
    by_words.filter(|doubt| *doubt == Doubt::Past).or_else(by_heading).or_else(by_section).or(by_words)
}

/// Whether a sentence links out of the project and calls what is there a package: "the [x](https://…) library has `Y`".
fn speaks_of_other_package(page: &Page, around: &Around<'_>) -> bool {
    const PACKAGES: &[&str] =
        &["library", "package", "plugin", "extension", "crate", "gem", "module", "project", "framework"];
    let sentence = &around.block.text[around.sentence.clone()];
    let Some(source) = around.block.source(around.sentence.clone()) else { return false };
    let mut links = page.document.links.iter().filter(|link| source.contains(link.span.start));
    links.any(|link| {
        let after = sentence.split_once(link.text.as_str()).map_or("", |(_, after)| after);
        let next = after.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        let last = link.text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        link.destination.contains("://") && (PACKAGES.contains(&next) || PACKAGES.contains(&last))
    })
}

fn is_external_label(page: &Page, span: Span) -> bool {
    let holding = page.document.links.iter().filter(|link| link.span.start <= span.start && span.end <= link.span.end);
    holding.into_iter().any(|link| link.destination.contains("://") || link.destination.starts_with("//"))
}

fn is_struck(page: &Page, block: &Block, span: Span) -> bool {
    // A block that starts with the mark starts behind it.
    let start = page.text[..block.span.start.min(span.start)].rfind('\n').map_or(0, |end| end + 1);
    page.text[start..span.start].matches("~~").count() % 2 == 1
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
    let next = chars.next()?;
    let word = text[..at].rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let is_short = ["e.g", "i.e", "etc", "vs", "cf", "approx", "resp"].contains(&word.to_lowercase().as_str());
    (next.is_whitespace() && !is_short).then(|| stop.len_utf8() + next.len_utf8())
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

/// A code span's bytes with its backticks.
fn with_marks(text: &str, content: Span) -> Span {
    let before = text[..content.start].trim_end_matches(' ');
    let open = before.len() - before.trim_end_matches('`').len();
    let after = text[content.end..].trim_start_matches(' ');
    let skipped = text.len() - content.end - after.len();
    let close = after.len() - after.trim_start_matches('`').len();
    match (open, close) {
        (0, _) | (_, 0) => content,
        _ => Span::new(before.len() - open, content.end + skipped + close),
    }
}

fn section_at(page: &Page, at: usize) -> usize {
    page.sections.partition_point(|section| section.own.start <= at).saturating_sub(1)
}

/// Code in headings, found again in their source lines.
fn of_headings(page: &Page, found: &mut Vec<Claim>) {
    for heading in &page.document.headings {
        let mut from = heading.span.start;
        for code in &heading.code {
            let text = heading.title[code.clone()].trim();
            let source = &page.text[from..heading.span.end];
            let Some(at) = source.find(text) else { continue };
            let span = with_marks(&page.text, Span::new(from + at, from + at + text.len()));
            from += at + text.len();
            let Some(named) = read(text) else { continue };
            let section = section_at(page, span.start);
            let headings = page.sections[section].trail.iter().map(|index| &page.document.headings[*index].title);
            let by_heading = || headings.chain([&heading.title]).find_map(|title| cue::cue_of_heading(title));
            let doubt = named.doubt.or_else(by_heading);
            found.push(Claim {
                span,
                text: text.to_owned(),
                section,
                target: named.target,
                doubt,
                sentence: heading.title.clone(),
                block: None,
                beside: None,
            });
        }
    }
}

/// Code in the labels of reference definitions, ``[`x`]: https://…``: they say the same as their uses, but who renames
/// one has to rename both.
fn of_definitions(page: &Page, found: &mut Vec<Claim>) {
    let mut at = 0;
    for line in page.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let Some(label) = line.trim_start_matches(' ').strip_prefix("[`").filter(|_| indent < 4) else { continue };
        let Some((text, rest)) = label.split_once("`]:") else { continue };
        let is_in_block = || page.document.blocks.iter().any(|block| block.span.contains(start + indent));
        let Some(named) = read(text).filter(|_| !text.contains('`') && !is_in_block()) else { continue };
        let span = Span::new(start + indent + 1, start + indent + 3 + text.len());
        let elsewhere = rest.contains("://").then_some(Doubt::ExternalLabel);
        found.push(Claim {
            span,
            text: text.trim().to_owned(),
            section: section_at(page, span.start),
            target: named.target,
            doubt: named.doubt.or(elsewhere),
            sentence: String::new(),
            block: None,
            beside: None,
        });
    }
}

/// Links and images that lead to something in the repository.
fn of_links(page: &Page, found: &mut Vec<Claim>) {
    let inside = page.document.links.iter().filter(|link| is_inside(&link.destination));
    found.extend(inside.map(|link| Claim {
        span: link.span,
        text: link.destination.clone(),
        section: section_at(page, link.span.start),
        target: Target::Link(link.destination.clone()),
        doubt: None,
        sentence: String::new(),
        block: None,
        beside: None,
    }));
}

/// Whether a destination can be in the repository: relative, or a fragment of the page itself.
fn is_inside(destination: &str) -> bool {
    let is_scheme = destination.split(['/', '#', '?']).next().is_some_and(|first| first.contains(':'));
    let is_template = destination.contains("{{")
        || destination.contains("{%")
        || destination.contains("<%")
        || destination.contains("${");
    !destination.is_empty()
        && !is_scheme
        && !is_template
        && !destination.starts_with("//")
        && !destination.starts_with('~')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    fn check(text: &str, expected: &[&str]) {
        let path = RepoPath::new("docs/a.md").expect("a path");
        let page = Page::parse(path, text.to_owned(), SiteStyle::Github);
        let shown = |claim: &Claim| {
            let place = page.lines.line(claim.span.start);
            let doubt = claim.doubt.map_or(String::new(), |doubt| format!(" ({})", doubt.reason()));
            format!("{place} {} {}{doubt}", claim.target.kind().name(), &page.text[claim.span.range()])
        };
        assert_eq!(claims(&page).iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn claims_are_spans_and_links_in_order() {
        check(
            "# The `Cache` type\n\nSee `src/cache.rs` and [the\nguide](guide.md#top), not [there](https://a.b).\n\n```rs\n`x_y`\n```\n",
            &["1 symbol `Cache` (a plain word)", "3 path `src/cache.rs`", "3 link [the\nguide](guide.md#top)"],
        );
    }

    #[test]
    fn cues_speak_for_their_sentence_and_their_items() {
        check(
            "`old_name` was removed. `new_name` stays.\n\nIt replaces the following:\n\n- `one_thing`\n",
            &[
                "1 symbol `old_name` (the text tells of the past or of plans)",
                "1 symbol `new_name`",
                "5 symbol `one_thing` (the text tells of the past or of plans)",
            ],
        );
    }

    #[test]
    fn labels_of_links_to_elsewhere_and_struck_names_prove_nothing() {
        check(
            "[`Other_Thing`](https://docs.rs/x) and ~~`gone_name`~~\n",
            &["1 symbol `Other_Thing` (the label of a link to elsewhere)", "1 symbol `gone_name` (struck through)"],
        );
    }

    #[test]
    fn labels_of_definitions_are_claims() {
        check(
            "see [`a_thing`]\n\n[`a_thing`]: a.md\n",
            &["1 link [`a_thing`]", "1 symbol `a_thing`", "3 symbol `a_thing`"],
        );
    }

    #[test]
    fn spans_with_several_backticks_keep_their_marks() {
        check("a `` b_cd `` d\n", &["1 symbol `` b_cd ``"]);
    }
}
