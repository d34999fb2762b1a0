//! Document → sections: heading-bounded pieces that tile the file.
//!
//! A section's own text runs from its heading to the next heading of any rank; its whole text runs to the next
//! heading of the same or a higher rank. This stage does not rank or cite.

use std::ops::Range;

use crate::parse::Document;
use crate::span::Span;

/// A piece of a document under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Index into [`Document::headings`]; `None` for the text before the first heading, front matter included.
    pub heading: Option<usize>,
    /// Headings above this one, outermost first, as indices into [`Document::headings`].
    pub trail: Vec<usize>,
    /// The section without its subsections. The own spans of all sections tile the file byte for byte.
    pub own: Span,
    /// From the heading to the next heading of the same or a higher rank, or the end of the file.
    pub whole: Span,
    /// The blocks of the own text, as a range of [`Document::blocks`].
    pub blocks: Range<usize>,
}

/// Splits a document of `len` bytes into sections, in file order.
///
/// Every heading opens one. Text before the first heading is a section of its own; a document without
/// headings is one section, even when it is empty.
pub fn sections(document: &Document, len: usize) -> Vec<Section> {
    let starts: Vec<usize> = document.headings.iter().map(|heading| heading.span.start.min(len)).collect();
    let first = starts.first().copied().unwrap_or(len);
    let mut sections = Vec::with_capacity(starts.len() + 1);
    if first > 0 || starts.is_empty() {
        let span = Span::new(0, first);
        sections.push(Section { heading: None, trail: Vec::new(), own: span, whole: span, blocks: 0..0 });
    }
    let mut trail: Vec<usize> = Vec::new();
    for (heading, start) in starts.iter().copied().enumerate() {
        let end = starts.get(heading + 1).copied().unwrap_or(len);
        let level = document.headings[heading].level;
        while trail.pop_if(|above| document.headings[*above].level >= level).is_some() {}
        let own = Span::new(start, end.max(start));
        sections.push(Section { heading: Some(heading), trail: trail.clone(), own, whole: own, blocks: 0..0 });
        trail.push(heading);
    }
    close_wholes(document, len, &mut sections);
    hand_out_blocks(document, &mut sections);
    sections
}

/// Extends every section's whole span to the next heading of the same or a higher rank.
fn close_wholes(document: &Document, len: usize, sections: &mut [Section]) {
    // Later headings that no later-still one closes before, nearest last: (level, start), levels ascending.
    let mut closers: Vec<(u8, usize)> = Vec::new();
    for section in sections.iter_mut().rev() {
        let Some(heading) = section.heading else { continue };
        let level = document.headings[heading].level;
        while closers.pop_if(|(other, _)| *other > level).is_some() {}
        section.whole.end = closers.last().map_or(len, |(_, start)| *start);
        closers.push((level, section.own.start));
    }
}

/// Gives every section the blocks that start in it.
fn hand_out_blocks(document: &Document, sections: &mut [Section]) {
    for section in sections {
        let first = document.blocks.partition_point(|block| block.span.start < section.own.start);
        let end = document.blocks.partition_point(|block| block.span.start < section.own.end);
        section.blocks = first..end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{self, Dialect};

    /// Sections one a line: heading, trail, own text, whole text.
    fn check(text: &str, expected: &[(&str, &[&str], &str, &str)]) {
        let document = parse::parse(text, Dialect::Markdown);
        let title = |heading: usize| document.headings[heading].title.as_str();
        let found = sections(&document, text.len());
        let rows = found.iter().map(|section| {
            let trail: Vec<&str> = section.trail.iter().map(|heading| title(*heading)).collect();
            (section.heading.map_or("", title), trail, &text[section.own.range()], &text[section.whole.range()])
        });
        let expected: Vec<_> =
            expected.iter().map(|(heading, trail, own, whole)| (*heading, trail.to_vec(), *own, *whole)).collect();
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_section_ends_where_the_next_heading_starts() {
        check(
            "# One\ntext\n# Two\n### deep\nmore\n",
            &[
                ("One", &[], "# One\ntext\n", "# One\ntext\n"),
                ("Two", &[], "# Two\n", "# Two\n### deep\nmore\n"),
                ("deep", &["Two"], "### deep\nmore\n", "### deep\nmore\n"),
            ],
        );
    }

    #[test]
    fn trails_follow_the_ranks() {
        check(
            "## a\n#### b\n### c\n# d\n## e\n",
            &[
                ("a", &[], "## a\n", "## a\n#### b\n### c\n"),
                ("b", &["a"], "#### b\n", "#### b\n"),
                ("c", &["a"], "### c\n", "### c\n"),
                ("d", &[], "# d\n", "# d\n## e\n"),
                ("e", &["d"], "## e\n", "## e\n"),
            ],
        );
    }

    #[test]
    fn text_before_the_first_heading_is_a_section() {
        check(
            "---\ntitle: x\n---\n\nintro\n\n# A\n",
            &[
                ("", &[], "---\ntitle: x\n---\n\nintro\n\n", "---\ntitle: x\n---\n\nintro\n\n"),
                ("A", &[], "# A\n", "# A\n"),
            ],
        );
        check("\u{feff}# A", &[("A", &[], "\u{feff}# A", "\u{feff}# A")]);
    }

    #[test]
    fn a_document_without_headings_is_one_section() {
        check("a\n\nb\n", &[("", &[], "a\n\nb\n", "a\n\nb\n")]);
        check("", &[("", &[], "", "")]);
    }

    #[test]
    fn nested_headings_open_sections_at_their_line() {
        check(
            "> # a\n> b\n\n- ## c\n",
            &[("a", &[], "> # a\n> b\n\n", "> # a\n> b\n\n- ## c\n"), ("c", &["a"], "- ## c\n", "- ## c\n")],
        );
    }

    #[test]
    fn every_block_is_in_the_section_where_it_starts() {
        let text = "a\n\nb\n# c\n\nd\n## e\n## f\n- g\n- h\n";
        let document = parse::parse(text, Dialect::Markdown);
        let blocks: Vec<Range<usize>> =
            sections(&document, text.len()).into_iter().map(|section| section.blocks).collect();
        assert_eq!(blocks, [0..2, 2..3, 3..3, 3..5]);
    }
}
