//! Passages → statements: the sentences, list items, table rows and code that an answer can be made of.
//!
//! A statement is verbatim apart from Markdown markup, and complete on its own: an item brings its lead-in, a row its
//! header. It knows where it stands in the file.

use std::ops::Range;

use crate::page::Page;
use crate::parse::{Block, BlockKind};
use crate::span::Span;

/// Lines of a code block that are short enough to be quoted in a paragraph.
const CODE_LINES: usize = 2;
/// A lead-in longer than this is a paragraph of its own and is left out, in bytes.
const LEAD_IN_BUDGET: usize = 160;

/// An opening sentence up to this length says too little alone, in bytes.
const FRAGMENT: usize = 20;
/// A sentence longer than this is data, not something to say, in bytes.
const SENTENCE_BUDGET: usize = 2000;

/// Something that a page says, quotable on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What to show, complete on its own.
    pub text: String,
    /// The same without what was added to complete it: as it stands in the file, markup other than code removed.
    pub quote: String,
    /// The block it comes from, an index into the page's blocks.
    pub block: usize,
    /// The sentence in its block, from 0.
    pub number: usize,
    /// Where it stands in the file, lead-ins and headers excluded.
    pub span: Span,
    /// What carries it.
    pub kind: StatementKind,
}

/// What carries a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// A sentence of a paragraph.
    Sentence,
    /// A list item, or a sentence of a long one.
    Item,
    /// A table row.
    Row,
    /// A short code block.
    Code,
}

/// The statements of a run of blocks, in file order.
pub fn statements(page: &Page, blocks: Range<usize>) -> Vec<Statement> {
    blocks.flat_map(|index| of_block(page, index)).collect()
}

fn of_block(page: &Page, index: usize) -> Vec<Statement> {
    let block = page.block(index);
    match &block.kind {
        BlockKind::Paragraph | BlockKind::Html => sentences_of(block, index, StatementKind::Sentence, ""),
        BlockKind::Item { .. } => sentences_of(block, index, StatementKind::Item, lead_in(page, block)),
        BlockKind::Row => row(page, block, index).into_iter().collect(),
        BlockKind::Code { .. } => code(page, block, index).into_iter().collect(),
        BlockKind::HeaderRow => Vec::new(),
    }
}

fn sentences_of(block: &Block, index: usize, kind: StatementKind, lead_in: &str) -> Vec<Statement> {
    let is_sentence = |range: &Range<usize>| range.len() <= SENTENCE_BUDGET;
    let ranges: Vec<Range<usize>> = with_fragments(sentences(&block.text)).into_iter().filter(is_sentence).collect();
    let statement = |(number, range): (usize, Range<usize>)| {
        let sentence = marked(block, range.clone());
        // The lead-in completes an item's first sentence; later ones speak for themselves.
        let text = if lead_in.is_empty() || number > 0 { sentence.clone() } else { format!("{lead_in} {sentence}") };
        Some(Statement { text, quote: sentence, block: index, number, span: block.source(range)?, kind })
    };
    ranges.into_iter().enumerate().filter_map(statement).collect()
}

/// The text of a range with its inline code in backticks again: what is code in the docs stays code.
fn marked(block: &Block, range: Range<usize>) -> String {
    let mut out = String::new();
    let mut at = range.start;
    for code in block.code.iter().filter(|code| code.start >= range.start && code.end <= range.end) {
        let text = &block.text[code.clone()];
        let ticks = if text.contains('`') { "``" } else { "`" };
        let pad = if text.contains('`') { " " } else { "" };
        out.push_str(&block.text[at..code.start]);
        for piece in [ticks, pad, text, pad, ticks] {
            out.push_str(piece);
        }
        at = code.end;
    }
    out.push_str(&block.text[at..range.end]);
    fold(&out)
}

/// White space as single spaces, none at the ends.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The last sentence before a list or code block, where it is short enough to be repeated.
fn lead_in<'a>(page: &'a Page, block: &Block) -> &'a str {
    let Some(before) = block.lead_in.map(|index| page.block(index)) else {
        return "";
    };
    let last = sentences(&before.text).pop().map_or("", |range| before.text[range].trim());
    if last.len() <= LEAD_IN_BUDGET { last } else { "" }
}

/// A row with the header's names: `Name: cell; Name: cell`. The first column names the row.
fn row(page: &Page, block: &Block, index: usize) -> Option<Statement> {
    let header = block.lead_in.map(|index| cells(&page.block(index).text)).unwrap_or_default();
    let cells = cells(&block.text);
    let (first, rest) = cells.split_first().filter(|_| block.text.len() <= SENTENCE_BUDGET)?;
    let named = rest.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(|(column, cell)| {
        let name = header.get(column + 1).map_or("", |name| name.trim());
        if name.is_empty() { cell.clone() } else { format!("{name}: {cell}") }
    });
    let text = fold(&format!("{first} — {}", named.collect::<Vec<_>>().join("; ")));
    let text = if rest.iter().all(|cell| cell.is_empty()) { fold(first) } else { text };
    let quote = marked(block, 0..block.text.len());
    Some(Statement { text, quote, block: index, number: 0, span: block.span, kind: StatementKind::Row })
}

/// The cells of a row, empty ones at the ends included.
fn cells(row: &str) -> Vec<String> {
    format!(" {row} ").split(" | ").map(fold).collect()
}

/// A short code block in backticks, after its lead-in.
fn code(page: &Page, block: &Block, index: usize) -> Option<Statement> {
    if block.text.len() > SENTENCE_BUDGET {
        return None;
    }
    let lines: Vec<&str> = block.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() || lines.len() > CODE_LINES || lines.iter().any(|line| line.contains('`')) {
        return None;
    }
    let code: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    let quote = code.join(" ");
    let text = fold(&format!("{} {quote}", lead_in(page, block)));
    Some(Statement { text, quote, block: index, number: 0, span: block.span, kind: StatementKind::Code })
}

/// The sentences of a text, as ranges without white space around them.
///
/// A sentence ends at `.`, `!` or `?`, closing marks after it included, before white space; not after an
/// abbreviation, an initial or inside brackets that opened in it; and at `。`, `！`, `？` anywhere.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_wide = matches!(c, '。' | '！' | '？');
        if !is_wide && !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((next, closing)) = chars.peek().copied().filter(|(_, c)| is_closing(*c)) {
            end = next + closing.len_utf8();
            chars.next();
        }
        let at_space = chars.peek().is_none_or(|(_, c)| c.is_whitespace());
        if is_wide || (at_space && ends_sentence(&text[start..end], &text[end..])) {
            push_trimmed(text, start..end, &mut found);
            start = end;
        }
    }
    push_trimmed(text, start..text.len(), &mut found);
    found
}

/// Sentences, where a fragment ("None.", "365 days.") that opens a text is one with what explains it.
fn with_fragments(mut sentences: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if let [first, second, ..] = sentences.as_mut_slice()
        && first.len() <= FRAGMENT
    {
        second.start = first.start;
        sentences.remove(0);
    }
    sentences
}

fn is_closing(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ')' | ']' | '"' | '\'' | '\u{201d}' | '\u{2019}' | '」' | '）')
}

/// Whether a sentence may end after `sentence`, with `after` behind it.
fn ends_sentence(sentence: &str, after: &str) -> bool {
    let last = sentence.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = last.trim_start_matches(['(', '[', '"', '\'']).to_lowercase();
    let is_initial = word.len() == 2 && word.ends_with('.') && word.starts_with(char::is_alphabetic) && word != "i.";
    let next = after.trim_start().chars().next();
    // A lower-case word goes on with the sentence: "e.g. this", "version 2. something" is rare.
    let goes_on = next.is_some_and(char::is_lowercase);
    !(ABBREVIATIONS.contains(&word.as_str()) || is_initial || goes_on)
}

const ABBREVIATIONS: [&str; 14] =
    ["e.g.", "i.e.", "etc.", "cf.", "vs.", "mr.", "mrs.", "dr.", "st.", "no.", "fig.", "approx.", "resp.", "incl."];

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = range.end - (inner.len() - inner.trim_end().len());
    if start < end {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sentences_end_at_full_stops_before_space() {
        check("Run it. Then stop!  Done?", &["Run it.", "Then stop!", "Done?"]);
        check("Set `a.b.c` to v1.2. It works.", &["Set `a.b.c` to v1.2.", "It works."]);
        check("No end", &["No end"]);
        check("  ", &[]);
    }

    #[test]
    fn abbreviations_do_not_end_sentences() {
        check("Use a tool, e.g. Docker. It is small.", &["Use a tool, e.g. Docker.", "It is small."]);
        check("Files (logs, etc.) stay. Ask J. Doe.", &["Files (logs, etc.) stay.", "Ask J. Doe."]);
    }

    #[test]
    fn closing_marks_belong_to_the_sentence() {
        check("He said \"stop.\" Then (it did.) End.", &["He said \"stop.\"", "Then (it did.)", "End."]);
    }

    #[test]
    fn wide_full_stops_need_no_space() {
        check("设置缓存。重启服务！好", &["设置缓存。", "重启服务！", "好"]);
    }
}
