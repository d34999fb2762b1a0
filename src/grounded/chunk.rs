//! Pages → chunks with ids that last: what retrieval finds at once, named by what it says (contracts E).

use crate::cite::{Citation, one_line};
use crate::digest::Digest;
use crate::page::Page;
use crate::span::Span;
use crate::statement::fold;

/// Hexadecimal digits of a chunk's id.
const ID_DIGITS: usize = 12;

/// A passage of a section under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The first twelve digits of the SHA-256 of path, anchor, number and folded text, separated by zero bytes.
    pub id: String,
    /// The section.
    pub citation: Citation,
    /// Where it stands in the file.
    pub span: Span,
    /// The passage within its section, from 1.
    pub number: usize,
}

impl Chunk {
    /// Names the passage `number` (from 1) of a section, whose bytes are `text`.
    pub fn of(citation: Citation, span: Span, number: usize, text: &str) -> Self {
        Self { id: chunk_id(&citation, number, text), citation, span, number }
    }
}

/// The chunks of a page in file order of their sections. Equal content in an equal place has an equal id, whatever
/// changed elsewhere in the file, line ends and indentation included.
pub fn chunks(page: &Page) -> Vec<Chunk> {
    let is_front = |section: usize| page.sections[section].heading.is_none() && page.main_section().is_some();
    let sections = (0..page.sections.len()).filter(|section| !is_front(*section));
    sections.flat_map(|section| of_section(page, section)).collect()
}

/// The chunks of one section, in the order of [`Page::passages`].
pub fn of_section(page: &Page, section: usize) -> Vec<Chunk> {
    let citation =
        Citation { path: page.path.as_str().to_owned(), anchor: page.anchor(section).unwrap_or_default().to_owned() };
    let chunk = |(number, blocks): (usize, std::ops::Range<usize>)| {
        let span = page.span_of(section, &blocks);
        Chunk::of(citation.clone(), span, number + 1, &page.text[span.range()])
    };
    page.passages(section).into_iter().enumerate().map(chunk).collect()
}

/// The id of a chunk: `number` counts from 1 within the section.
fn chunk_id(citation: &Citation, number: usize, text: &str) -> String {
    let key = format!("{}\0{}\0{number}\0{}", citation.path, citation.anchor, fold(text));
    Digest::of(key.as_bytes()).hex()[..ID_DIGITS].to_owned()
}

/// Whether a snippet, perhaps cut short with `…`, stands in a text, white space and control characters aside.
pub fn holds(text: &str, snippet: &str) -> bool {
    let snippet = one_line(snippet);
    let whole = one_line(text);
    whole.contains(snippet.as_str()) || snippet.strip_suffix('…').is_some_and(|cut| whole.contains(cut.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    fn ids(text: &str) -> Vec<String> {
        let path = RepoPath::new("docs/a.md").expect("a path");
        chunks(&Page::parse(path, text.to_owned(), SiteStyle::Github)).into_iter().map(|chunk| chunk.id).collect()
    }

    #[test]
    fn an_id_is_made_of_place_and_content() {
        // printf 'docs/a.md\0one\0001\0Some text.' | sha256sum | cut -c1-12
        let citation = Citation { path: "docs/a.md".into(), anchor: "one".into() };
        assert_eq!(chunk_id(&citation, 1, " Some\r\n text. "), "44a93403ff74");
        assert_eq!(ids("# One\n\nSome text.\n"), ["44a93403ff74"]);
        assert_ne!(chunk_id(&citation, 2, "Some text."), chunk_id(&citation, 1, "Some text."));
    }

    #[test]
    fn edits_elsewhere_keep_ids() {
        let before = ids("Front.\n\n# One\n\nSome text.\n\n## Two\n\nMore\ntext.\n");
        let after = ids("Front.\r\n\r\n# One\r\n\r\nOther.\r\n\r\n## Two\r\n\r\nMore\r\n  text.\r\n");
        assert_eq!((before.len(), after.len()), (3, 3));
        assert_eq!((&before[0], &before[2]), (&after[0], &after[2]));
        assert_ne!(before[1], after[1]);
    }

    #[test]
    fn snippets_may_be_cut() {
        assert!(holds("a b\n c", "b c"));
        assert!(holds("a b\n c", "a b…"));
        assert!(!holds("a b\n c", "a c…"));
    }
}
