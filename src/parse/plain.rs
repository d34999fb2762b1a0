//! Plain text under construction: what is left of Markdown when the markup is gone, and where it came from.

use std::ops::Range;

use super::edited::Edited;
use super::{Block, BlockKind, Piece};
use crate::span::Span;

/// The text of a leaf block or heading, as far as it has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) code: Vec<Range<usize>>,
    pub(super) strong: Vec<Range<usize>>,
    /// Everything in the source that took part, markup included.
    pub(super) span: Option<Span>,
    /// How many strong emphases are open, and where the outermost began.
    strong_open: (usize, usize),
    /// Whether the last piece is a copy of its source, to which the next may be joined.
    ends_in_copy: bool,
}

impl Plain {
    /// Notes that `span` of the source belongs to the text, whether or not it adds to it.
    pub(super) fn cover(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |old| Span::new(old.start.min(span.start), old.end.max(span.end))));
    }

    /// Appends `text`, which the parser made of the edited bytes `range`.
    pub(super) fn push(&mut self, edited: &Edited<'_>, text: &str, range: Range<usize>) {
        let source = edited.span(range.clone());
        self.cover(source);
        if edited.text.get(range.clone()) != Some(text) {
            return self.push_decoded(text, source);
        }
        let at = self.text.len();
        let mut next = range.start;
        for piece in edited.pieces(range.clone()) {
            if next < piece.at {
                self.push_piece(at + next - range.start, Span::new(piece.source.start, piece.source.start));
            }
            self.push_piece(at + piece.at - range.start, piece.source);
            next = piece.at + piece.source.len();
        }
        if next < range.end {
            self.push_piece(at + next - range.start, Span::new(source.end, source.end));
        }
        self.text.push_str(text);
    }

    /// Appends `text` that stands for `source` without being equal to it: an entity, a line break.
    pub(super) fn push_decoded(&mut self, text: &str, source: Span) {
        self.cover(source);
        self.pieces.push(Piece { at: self.text.len(), source });
        self.ends_in_copy = false;
        self.text.push_str(text);
    }

    /// Appends an inline code span: `text` is its content, `range` the edited bytes with the backticks.
    pub(super) fn push_code(&mut self, edited: &Edited<'_>, text: &str, range: Range<usize>) {
        self.cover(edited.span(range.clone()));
        let start = self.text.len();
        let inner = between_backticks(&edited.text, range);
        let is_at = |from: &usize| edited.text.get(*from..inner.end).is_some_and(|rest| rest.starts_with(text));
        match [inner.start, inner.start + 1].iter().find(|from| is_at(from)) {
            Some(from) => self.push(edited, text, *from..from + text.len()),
            None => {
                let mut left = inner.start;
                for (at, char) in text.char_indices() {
                    left = self.push_code_char(edited, left..inner.end, &text[at..at + char.len_utf8()]);
                }
            }
        }
        self.code.push(start..self.text.len());
    }

    /// Appends one character of a code span, found at or soon after the start of the edited bytes `rest`;
    /// returns where to look for the next. CommonMark turns line ends into spaces, drops the container
    /// markers behind them and, in tables, the backslash before a pipe.
    fn push_code_char(&mut self, edited: &Edited<'_>, rest: Range<usize>, char: &str) -> usize {
        let mut at = rest.start;
        for (offset, found) in edited.text[rest.clone()].char_indices() {
            at = rest.start + offset;
            let end = at + found.len_utf8();
            if edited.text[at..end] == *char {
                self.push(edited, char, at..end);
                return end;
            }
            if char == " " && matches!(found, '\n' | '\r') {
                // pulldown-cmark 0.13 makes two spaces of `\r\n` in code.
                if found == '\n' && edited.text[..at].ends_with('\r') {
                    return end;
                }
                self.push_decoded(char, edited.span(at..end));
                return end;
            }
        }
        self.push_decoded(char, edited.span(at..at));
        rest.end
    }

    /// Appends the bytes `range` of another text with their pieces.
    pub(super) fn push_from(&mut self, other: &Self, range: Range<usize>) {
        let first = other.pieces.partition_point(|piece| piece.at <= range.start).saturating_sub(1);
        for (index, piece) in other.pieces.iter().enumerate().skip(first) {
            if piece.at >= range.end {
                break;
            }
            let piece_end = other.pieces.get(index + 1).map_or(other.text.len(), |next| next.at);
            let (start, end) = (piece.at.max(range.start), piece_end.min(range.end));
            if start >= end {
                continue;
            }
            let source = match piece.source.len() == piece_end - piece.at {
                true => Span::new(piece.source.start + (start - piece.at), piece.source.start + (end - piece.at)),
                false => piece.source,
            };
            self.cover(source);
            self.pieces.push(Piece { at: self.text.len() + start - range.start, source });
        }
        self.ends_in_copy = false;
        self.text.push_str(&other.text[range]);
    }

    /// The source offset of byte `at` of the text; past the end, where the last piece ends.
    pub(super) fn source(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        let Some(piece) = after.checked_sub(1).map(|index| self.pieces[index]) else {
            return self.span.map_or(0, |span| span.start);
        };
        piece.source.start + (at - piece.at).min(piece.source.len())
    }

    /// Opens a strong emphasis.
    pub(super) fn open_strong(&mut self) {
        if self.strong_open.0 == 0 {
            self.strong_open.1 = self.text.len();
        }
        self.strong_open.0 += 1;
    }

    /// Closes the innermost strong emphasis.
    pub(super) fn close_strong(&mut self) {
        self.strong_open.0 = self.strong_open.0.saturating_sub(1);
        if self.strong_open.0 == 0 && self.strong_open.1 < self.text.len() {
            self.strong.push(self.strong_open.1..self.text.len());
        }
    }

    /// Whether there is no text but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Drops the text that came from source bytes at or behind `offset`, and white space before it.
    pub(super) fn truncate_at_source(&mut self, offset: usize) {
        let kept = self.pieces.partition_point(|piece| piece.source.start < offset);
        let end = self.pieces.get(kept).map_or(self.text.len(), |piece| piece.at);
        let inside = kept.checked_sub(1).map(|last| self.pieces[last]);
        let cut = inside.map_or(0, |piece| end.min(piece.at + (offset - piece.source.start)));
        let cut = if self.text.is_char_boundary(cut) { cut } else { end };
        self.keep(0..self.text[..cut].trim_end().len());
    }

    /// Drops the `[!NOTE]` that a quote's first paragraph may start with: where the parser doesn't know its kind.
    pub(super) fn cut_alert_marker(&mut self) {
        let Some(rest) = self.text.strip_prefix("[!") else { return };
        let kind = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if kind > 0 && rest[kind..].starts_with(']') {
            let marker = "[!]".len() + kind;
            let fold = usize::from(self.text[marker..].starts_with(['+', '-']));
            self.keep(marker + fold..self.text.len());
        }
    }

    /// The text as a block, without white space at its ends; `None` where nothing else is in it.
    pub(super) fn into_block(mut self, kind: BlockKind, lead_in: Option<usize>) -> Option<Block> {
        if self.is_blank() {
            return None;
        }
        match kind {
            BlockKind::Code { .. } => self.drop_line_end(),
            BlockKind::Html => {
                self.trim();
                self.shrink_span();
            }
            _ => self.trim(),
        }
        let Self { text, pieces, code, strong, span, .. } = self;
        let span = span?;
        Some(Block { kind, span, text, pieces, code, strong, lead_in })
    }

    /// Drops the line end that closes the last line of code.
    fn drop_line_end(&mut self) {
        if let Some(last) = self.pieces.last_mut().filter(|_| self.text.ends_with('\n')) {
            let is_copy = last.source.len() == self.text.len() - last.at;
            self.text.pop();
            last.source.end -= usize::from(is_copy);
        }
        self.pieces.pop_if(|piece| piece.at == self.text.len());
        // A last line of blanks reaches past the block that its caller trimmed.
        if let Some(last) = self.pieces.last().copied() {
            self.cover(last.source);
        }
    }

    /// Narrows the span to where the text came from.
    fn shrink_span(&mut self) {
        if let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) {
            self.span = Some(Span::new(first.source.start, last.source.end));
        }
    }

    /// Drops white space at both ends.
    pub(super) fn trim(&mut self) {
        let start = self.text.len() - self.text.trim_start().len();
        self.keep(start..self.text.trim_end().len().max(start));
    }

    /// Keeps the bytes `range` of the text only.
    fn keep(&mut self, range: Range<usize>) {
        if range == (0..self.text.len()) {
            return;
        }
        let bound = |at: usize| at.clamp(range.start, range.end) - range.start;
        for ranges in [&mut self.code, &mut self.strong] {
            ranges.iter_mut().for_each(|old| *old = bound(old.start)..bound(old.end));
            ranges.retain(|new| !new.is_empty());
        }
        let mut kept = Self::default();
        kept.push_from(self, range);
        (self.text, self.pieces) = (kept.text, kept.pieces);
        self.ends_in_copy = false;
    }

    fn push_piece(&mut self, at: usize, source: Span) {
        // Bytes that `clean` put in have no source of their own.
        let is_copy = !source.is_empty();
        match self.pieces.last_mut() {
            Some(last) if is_copy && self.ends_in_copy && last.source.end == source.start => {
                last.source.end = source.end
            }
            _ => self.pieces.push(Piece { at, source }),
        }
        self.ends_in_copy = is_copy;
    }
}

/// Folds every run of white space into one space and trims both ends; the ranges follow the text.
pub(super) fn fold(text: &str, ranges: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let mut folded = String::with_capacity(text.len());
    let mut moved = vec![0; text.len() + 1];
    let mut gap = false;
    for (at, char) in text.char_indices() {
        gap |= char.is_whitespace();
        if !char.is_whitespace() {
            if gap && !folded.is_empty() {
                folded.push(' ');
            }
            gap = false;
        }
        moved[at] = folded.len();
        if !char.is_whitespace() {
            folded.push(char);
        }
    }
    moved[text.len()] = folded.len();
    let ranges = ranges.iter().map(|range| {
        let code = &text[range.clone()];
        let start = range.end - code.trim_start().len();
        let end = (range.start + code.trim_end().len()).max(start);
        moved[start]..moved[end]
    });
    let ranges = ranges.filter(|range| !range.is_empty()).collect();
    (folded, ranges)
}

/// The part of a code span between its backticks.
fn between_backticks(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = &text[range.clone()];
    let ticks = whole.bytes().take_while(|byte| *byte == b'`').count();
    let closing = whole.bytes().rev().take_while(|byte| *byte == b'`').count();
    let end = range.end - ticks.max(1).min(closing);
    (range.start + ticks).min(end)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_moves_ranges_along() {
        let check = |text: &str, range: Range<usize>, expected: &str, code: &[&str]| {
            let (folded, ranges) = fold(text, std::slice::from_ref(&range));
            let found: Vec<&str> = ranges.iter().map(|range| &folded[range.clone()]).collect();
            assert_eq!((folded.as_str(), found.as_slice()), (expected, code), "{text:?}");
        };
        check("  a \n b  ", 2..7, "a b", &["a b"]);
        check("a  b c", 3..4, "a b c", &["b"]);
        check("a  b", 1..4, "a b", &["b"]);
        check("a b", 0..2, "a b", &["a"]);
        check("é\u{a0} ", 2..5, "é", &[]);
    }

    #[test]
    fn source_offsets_cut_text_and_the_space_before_it() {
        let edited = crate::parse::edited::Editor::new("ab cd {#e}", 0).finish();
        let mut plain = Plain::default();
        plain.push(&edited, "ab ", 0..3);
        plain.push(&edited, "cd {#e}", 3..10);
        plain.truncate_at_source(6);
        assert_eq!((plain.text.as_str(), plain.pieces.len()), ("ab cd", 1));
    }
}
