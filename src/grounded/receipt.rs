//! An answer with a marker for every span that it was taken from, and the receipt that says so (contracts D).

use crate::cite::{Citation, clip};

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
