//! What a page asserts that the repository can confirm or deny: code spans, links and images.
//!
//! Each claim knows its bytes, its section, and what the words around it take back ([`Doubt`]). Fenced code, HTML
//! comments and front matter make no claims. Nothing here looks at the code.

mod around;
mod cue;
mod extension;
mod scope;
mod shape;

use around::Around;

use crate::page::Page;
use crate::parse::BlockKind;
use crate::span::Span;

pub use cue::{Doubt, cue_in};
pub use extension::is_file_extension;
pub use scope::{Class, class_of};
pub use shape::{Named, Target, has_mark, is_placeholder, read, words_of};

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
    /// The block that holds it, an index into the page's blocks; `None` in a heading.
    pub block: Option<usize>,
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
    if matches!(block.kind, BlockKind::Code { .. }) || block.code.is_empty() {
        return;
    }
    let section = section_at(page, block.span.start);
    let around = Around::of(page, block, section);
    let mut file: Option<String> = None;
    for code in &block.code {
        let Some(content) = block.source(code.clone()) else { continue };
        let text = block.text[code.clone()].trim();
        // `:481` behind `a.h:478` is of the same file.
        let target = bare_line(text).and_then(|line| Some(Target::PathLine { path: file.clone()?, line }));
        let Some(named) = target.map(|target| Named { target, doubt: None }).or_else(|| read(text)) else { continue };
        if let Target::PathLine { path, .. } = &named.target {
            file = Some(path.clone());
        }
        let span = with_marks(&page.text, content);
        let doubt = named.doubt.or_else(|| around.doubt(code, span));
        let text = text.to_owned();
        found.push(Claim { span, text, section, target: named.target, doubt, block: Some(index) });
    }
}

/// `:481`.
fn bare_line(text: &str) -> Option<usize> {
    text.strip_prefix(':')?.parse().ok()
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
            found.push(Claim { span, text: text.to_owned(), section, target: named.target, doubt, block: None });
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
        let blocks = &page.document.blocks;
        let after = blocks.partition_point(|block| block.span.start <= start + indent);
        let is_in_block = || blocks[..after].last().is_some_and(|block| block.span.contains(start + indent));
        let Some(named) = read(text).filter(|_| !text.contains('`') && !is_in_block()) else { continue };
        let span = Span::new(start + indent + 1, start + indent + 3 + text.len());
        let elsewhere = rest.contains("://").then_some(Doubt::ExternalLabel);
        found.push(Claim {
            span,
            text: text.trim().to_owned(),
            section: section_at(page, span.start),
            target: named.target,
            doubt: named.doubt.or(elsewhere),
            block: None,
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
        block: None,
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
        && !destination.starts_with(['~', '@'])
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
    fn links_that_only_a_site_resolves_are_no_claims() {
        check(
            "[a](@site/docs/a.md) [b](~/b.md) [c]({{ base }}/c.md) [d](https://d.e) [f](g.md)\n",
            &["1 link [f](g.md)"],
        );
    }

    #[test]
    fn spans_with_several_backticks_keep_their_marks() {
        check("a `` b_cd `` d\n", &["1 symbol `` b_cd ``"]);
    }
}
