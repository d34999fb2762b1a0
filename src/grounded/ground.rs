//! Answer and passages → what the answer stands on: the chunks and the narrow spans that were retrieved, and for each
//! sentence said the spans that say it.

use std::ops::Range;

use crate::answer::{Answer, Said, Status, contradicted};
use crate::cite::{Citation, plain};
use crate::conflict::Side;
use crate::page::Page;
use crate::parse::{Block, BlockKind};
use crate::retrieve::Passage;
use crate::span::Span;
use crate::statement::sentences;

use super::chunk::{Chunk, of_section};

/// What a question is answered with, and everything that was retrieved for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Grounds {
    /// The question as it was asked.
    pub question: String,
    /// How well the docs answer it.
    pub status: Status,
    /// The passages that were retrieved, best first.
    pub passages: Vec<Retrieved>,
    /// Their narrow spans, in the order of the passages, then of the file.
    pub spans: Vec<Narrow>,
    /// What is said, in order; none where the docs don't answer.
    pub claims: Vec<Claim>,
    /// Where the docs contradict each other about what was asked; none where they agree.
    pub disagreement: Vec<Contradiction>,
    /// The sentence that says what the docs don't say.
    pub gap: Option<String>,
}

impl Grounds {
    /// The sentence that says where the docs contradict each other, each value followed by what `mark` makes of its
    /// side; `None` where they agree.
    pub fn contradicted(&self, mark: impl Fn(&Contradiction) -> String) -> Option<String> {
        contradicted(self.disagreement.iter().map(|side| (side.written.as_str(), mark(side))))
    }
}

/// A passage that was retrieved.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrieved {
    /// The passage under its lasting name.
    pub chunk: Chunk,
    /// The page's title.
    pub title: String,
    /// Its bytes in the file.
    pub text: String,
}

/// A narrow span of a passage: a sentence, a list item's sentence, a table row, a line of code.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrow {
    /// The passage, an index into [`Grounds::passages`].
    pub passage: usize,
    /// Where it stands in the file.
    pub span: Span,
    /// First and last 1-based line.
    pub lines: (usize, usize),
    /// Its bytes in the file.
    pub text: String,
}

/// A sentence of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is said, safe to print.
    pub text: String,
    /// The passage that says it, an index into [`Grounds::passages`].
    pub passage: usize,
    /// The spans that say it, indices into [`Grounds::spans`], ascending; at least one.
    pub spans: Vec<usize>,
}

/// One side of a contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The value as it is written, safe to print.
    pub written: String,
    /// The passage that says it.
    pub passage: usize,
    /// The spans that say it.
    pub spans: Vec<usize>,
}

/// Finds what an answer stands on in the passages that it was made from.
pub fn ground(question: &str, passages: &[Passage], answer: &Answer) -> Grounds {
    let pieces: Vec<Vec<Piece>> = passages.iter().map(|passage| pieces(&passage.page, &passage.blocks)).collect();
    let mut first = vec![0];
    first.extend(pieces.iter().scan(0, |sum, pieces| {
        *sum += pieces.len();
        Some(*sum)
    }));
    let indices = |rank: usize, found: Vec<usize>| found.into_iter().map(|at| first[rank] + at).collect::<Vec<_>>();
    let claims = |said: &Said| {
        let of_sentence = |(text, found): (String, Vec<usize>)| Claim {
            text: plain(&text),
            passage: said.rank,
            spans: indices(said.rank, found),
        };
        sentence_by_sentence(said, &pieces[said.rank]).into_iter().map(of_sentence).collect::<Vec<_>>()
    };
    let side = |side: &Side| Contradiction {
        written: plain(&side.written),
        passage: side.rank,
        spans: indices(side.rank, touching(side.span, &pieces[side.rank])),
    };
    let narrow = |(passage, piece): (usize, &Piece)| {
        let page = &passages[passage].page;
        let text = page.text[piece.span.range()].to_owned();
        Narrow { passage, span: piece.span, lines: page.lines.range(piece.span), text }
    };
    let all = pieces.iter().enumerate().flat_map(|(passage, pieces)| pieces.iter().map(move |piece| (passage, piece)));
    Grounds {
        question: question.to_owned(),
        status: answer.status,
        passages: passages.iter().map(retrieved).collect(),
        spans: all.map(narrow).collect(),
        claims: answer.said.iter().flat_map(claims).collect(),
        disagreement: answer.disagreement.iter().map(side).collect(),
        gap: answer.gap.as_deref().map(plain),
    }
}

fn retrieved(passage: &Passage) -> Retrieved {
    let page = &passage.page;
    let span = page.span_of(passage.section, &passage.blocks);
    let text = page.text[span.range()].to_owned();
    let title = plain(page.title());
    let known = of_section(page, passage.section).into_iter().find(|chunk| chunk.span == span);
    let chunk = known.unwrap_or_else(|| Chunk::of(Citation::of(passage), span, 1, &text));
    Retrieved { chunk, title, text }
}

/// A narrow span with its plain text.
struct Piece {
    block: usize,
    kind: PieceKind,
    span: Span,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Sentence,
    Header,
    Row,
    Line,
}

/// The narrow spans of a run of blocks, in file order.
fn pieces(page: &Page, blocks: &Range<usize>) -> Vec<Piece> {
    blocks.clone().flat_map(|index| of_block(page, index)).collect()
}

fn of_block(page: &Page, index: usize) -> Vec<Piece> {
    let block = page.block(index);
    let whole = |kind| vec![Piece { block: index, kind, span: block.span, text: block.text.clone() }];
    match block.kind {
        BlockKind::Paragraph | BlockKind::Item { .. } | BlockKind::Html => {
            let mut pieces = cut(block, index, PieceKind::Sentence, sentences(&block.text));
            with_markup(page, block.span.start, &mut pieces);
            pieces
        }
        BlockKind::Code { .. } => cut(block, index, PieceKind::Line, lines(&block.text)),
        BlockKind::HeaderRow => whole(PieceKind::Header),
        BlockKind::Row => whole(PieceKind::Row),
    }
}

fn cut(block: &Block, index: usize, kind: PieceKind, ranges: Vec<Range<usize>>) -> Vec<Piece> {
    let piece = |range: Range<usize>| {
        let text = block.text[range.clone()].to_owned();
        Some(Piece { block: index, kind, span: block.source(range)?, text })
    };
    ranges.into_iter().filter_map(piece).collect()
}

/// Widens the spans of sentences by the markup around them, which plain text has none of: a sentence that begins with
/// code begins at its backtick. What stands between two sentences is parted at the white space.
fn with_markup(page: &Page, start: usize, pieces: &mut [Piece]) {
    let last = pieces.len().saturating_sub(1);
    let mut from = start;
    for index in 0..pieces.len() {
        let until = if index == last { page.text.len() } else { pieces[index + 1].span.start };
        let span = pieces[index].span;
        let (before, after) = (&page.text[from..span.start], &page.text[span.end..until]);
        let start = span.start - before.bytes().rev().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let end = span.end + after.bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
        pieces[index].span = Span::new(start, end);
        from = end;
    }
}

/// The lines of code that hold something, without the white space around them.
fn lines(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let inner = line.trim();
        if !inner.is_empty() {
            let from = start + (line.len() - line.trim_start().len());
            found.push(from..from + inner.len());
        }
        start += line.len();
    }
    found
}

/// The sentences of a statement, each with the pieces that say it; where no piece does so word for word, with all that
/// say the statement. Empty where nothing of the passage does.
fn sentence_by_sentence(said: &Said, pieces: &[Piece]) -> Vec<(String, Vec<usize>)> {
    let all = saying(said, pieces);
    if all.is_empty() {
        return Vec::new();
    }
    let says = |sentence: Range<usize>| {
        let whole = letters(&said.text[sentence.clone()]);
        let says = |at: &usize| {
            matches!(pieces[*at].kind, PieceKind::Row | PieceKind::Header) || is_said(&pieces[*at], &whole)
        };
        let own: Vec<usize> = all.iter().copied().filter(says).collect();
        (said.text[sentence].to_owned(), if own.is_empty() { all.clone() } else { own })
    };
    super::sentence::sentences(&said.text).into_iter().map(says).collect()
}

/// The pieces that say a statement: of those where it stands, and of its lead-in or header, the ones whose words are in
/// it; all where it stands if none is so word for word.
fn saying(said: &Said, pieces: &[Piece]) -> Vec<usize> {
    let whole = letters(&said.text);
    let here = touching(said.span, pieces);
    let mut found: Vec<usize> = here.iter().copied().filter(|at| is_said(&pieces[*at], &whole)).collect();
    if found.is_empty() {
        found = here;
    }
    let introduces = |piece: &Piece| said.lead_in == Some(piece.block) && is_said(piece, &whole);
    let is_header = |piece: &Piece, row: &Piece| {
        piece.kind == PieceKind::Header && row.kind == PieceKind::Row && piece.block < row.block
    };
    let row = found.iter().map(|at| &pieces[*at]).find(|piece| piece.kind == PieceKind::Row);
    let header = row.and_then(|row| pieces.iter().rposition(|piece| is_header(piece, row)));
    found.extend(pieces.iter().position(introduces));
    found.extend(header);
    found.sort_unstable();
    found.dedup();
    found
}

fn touching(span: Span, pieces: &[Piece]) -> Vec<usize> {
    let touches = |piece: &Piece| piece.span.start < span.end && span.start < piece.span.end;
    (0..pieces.len()).filter(|at| touches(&pieces[*at])).collect()
}

/// Whether the letters of a piece, of a row those of its first cell, stand in those of what is said.
fn is_said(piece: &Piece, whole: &str) -> bool {
    let text = match piece.kind {
        PieceKind::Row => piece.text.split(" | ").next().unwrap_or_default(),
        PieceKind::Sentence | PieceKind::Header | PieceKind::Line => &piece.text,
    };
    let own = letters(text);
    !own.is_empty() && whole.contains(&own)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    /// The source of the pieces that say `text` where the statement stands at `at`, with a lead-in or not.
    fn check(source: &str, text: &str, at: &str, lead_in: Option<usize>, expected: &[&str]) {
        let path = RepoPath::new("docs/a.md").expect("a path");
        let page = Page::parse(path, source.to_owned(), SiteStyle::Github);
        let pieces = pieces(&page, &(0..page.document.blocks.len()));
        let start = source.find(at).expect("it stands there");
        let said = Said { text: text.to_owned(), rank: 0, span: Span::new(start, start + at.len()), lead_in };
        let found: Vec<&str> =
            saying(&said, &pieces).into_iter().map(|at| &page.text[pieces[at].span.range()]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_sentence_is_its_own_span() {
        check("# A\n\nOne *thing*. Two `x`.\n", "Two `x`.", "Two `x`.", None, &["Two `x`."]);
        check(
            "# A\n\nOne *thing*. It is.\n",
            "One thing. It is.",
            "One *thing*. It is.",
            None,
            &["One *thing*.", "It is."],
        );
    }

    #[test]
    fn markup_around_a_sentence_is_in_its_span() {
        let source = "- `a` is one. **Two** is\n  [bee](c.md). _Three_\n";
        let path = RepoPath::new("docs/a.md").expect("a path");
        let page = Page::parse(path, source.to_owned(), SiteStyle::Github);
        let found: Vec<&str> = pieces(&page, &(0..1)).iter().map(|piece| &source[piece.span.range()]).collect();
        assert_eq!(found, ["`a` is one.", "**Two** is\n  [bee](c.md).", "_Three_"]);
    }

    #[test]
    fn each_sentence_has_the_spans_that_say_it() {
        let source = "# A\n\nOne *thing*. It is.\n";
        let path = RepoPath::new("docs/a.md").expect("a path");
        let page = Page::parse(path, source.to_owned(), SiteStyle::Github);
        let pieces = pieces(&page, &(0..1));
        let said = Said { text: "One thing. It is.".to_owned(), rank: 0, span: Span::new(5, 23), lead_in: None };
        let expected = [("One thing.".to_owned(), vec![0]), ("It is.".to_owned(), vec![1])];
        assert_eq!(sentence_by_sentence(&said, &pieces), expected);
    }

    #[test]
    fn an_item_is_cited_with_what_introduces_it() {
        let list = "Before. Open these:\n\n- one\n- two\n";
        check(list, "Open these: one.", "one", Some(0), &["Open these:", "one"]);
        check(list, "Open these: one; two.", "one\n- two", Some(0), &["Open these:", "one", "two"]);
    }

    #[test]
    fn a_row_is_cited_with_its_header() {
        let table = "| Key | Default |\n|---|---|\n| `a` | 5 |\n| `b` | 6 |\n";
        check(table, "Key `b`: 6.", "| `b` | 6 |", None, &["| Key | Default |", "| `b` | 6 |"]);
    }

    #[test]
    fn code_is_cited_line_by_line() {
        let code = "Run:\n\n```toml\n[a]\nx = 1\n\ny = 2\n```\n";
        check(code, "`[a]` `y = 2`.", "```toml\n[a]\nx = 1\n\ny = 2\n```", Some(0), &["[a]", "y = 2"]);
    }
}
