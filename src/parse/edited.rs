//! A text with some of its bytes cut out or put in that still knows where each byte came from.
//!
//! It knows nothing about Markdown; what to cut is decided in `clean`.

use std::borrow::Cow;
use std::ops::Range;

use super::Piece;
use crate::span::Span;

/// The edited text and the runs of it that were copied from the source.
pub(super) struct Edited<'a> {
    /// What CommonMark sees.
    pub(super) text: Cow<'a, str>,
    /// Copied runs, ascending. Bytes between two runs were put in.
    runs: Vec<Piece>,
}

/// Edits a source from left to right.
pub(super) struct Editor<'a> {
    source: &'a str,
    from: usize,
    done: usize,
    text: String,
    runs: Vec<Piece>,
}

impl<'a> Editor<'a> {
    /// An editor of `source` whose result leaves out everything before `from`.
    pub(super) fn new(source: &'a str, from: usize) -> Self {
        Self { source, from, done: from, text: String::new(), runs: Vec::new() }
    }

    /// Leaves out `range`, as far as it lies behind the last edit.
    pub(super) fn cut(&mut self, range: Range<usize>) {
        if range.end > self.done && !range.is_empty() {
            self.copy_to(range.start);
            self.done = range.end;
        }
    }

    /// Puts `text` in front of the byte at `at`, or behind the last edit if that lies later.
    pub(super) fn insert(&mut self, at: usize, text: &str) {
        self.copy_to(at);
        self.text.push_str(text);
    }

    /// The edited text; borrowed where nothing was edited.
    pub(super) fn finish(mut self) -> Edited<'a> {
        if self.text.is_empty() && self.done == self.from {
            let run = Piece { at: 0, source: Span::new(self.from, self.source.len()) };
            return Edited { text: Cow::Borrowed(&self.source[self.from..]), runs: vec![run] };
        }
        self.copy_to(self.source.len());
        Edited { text: Cow::Owned(self.text), runs: self.runs }
    }

    fn copy_to(&mut self, end: usize) {
        if end <= self.done {
            return;
        }
        self.runs.push(Piece { at: self.text.len(), source: Span::new(self.done, end) });
        self.text.push_str(&self.source[self.done..end]);
        self.done = end;
    }
}

impl Edited<'_> {
    /// The source of the edited bytes `range`, from its first byte to just past its last.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let start = self.source(range.start);
        match range.end.checked_sub(1) {
            Some(last) if last >= range.start => Span::new(start, self.source_end(last).max(start)),
            _ => Span::new(start, start),
        }
    }

    /// The copied runs that make up the edited bytes `range`, as (edited start, source).
    pub(super) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = Piece> + '_ {
        let first = self.runs.partition_point(|run| run.at + run.source.len() <= range.start);
        self.runs[first..].iter().take_while(move |run| run.at < range.end).map(move |run| {
            let start = run.at.max(range.start);
            let end = (run.at + run.source.len()).min(range.end);
            let from = run.source.start + (start - run.at);
            Piece { at: start, source: Span::new(from, from + (end - start)) }
        })
    }

    /// The source offset of an edited byte; for one that was put in, that of the byte behind it.
    fn source(&self, at: usize) -> usize {
        let index = self.runs.partition_point(|run| run.at + run.source.len() <= at);
        match self.runs.get(index) {
            Some(run) => run.source.start + at.saturating_sub(run.at),
            None => self.runs.last().map_or(0, |run| run.source.end),
        }
    }

    /// The source offset just past an edited byte; for one that was put in, just past the byte before it.
    fn source_end(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|run| run.at <= at);
        match after.checked_sub(1).map(|index| self.runs[index]) {
            Some(run) => run.source.start + (at - run.at + 1).min(run.source.len()),
            None => self.runs.first().map_or(0, |run| run.source.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab[cd]ef` without the brackets' content and with `+` in its place, read from offset 1 on.
    fn sample() -> Edited<'static> {
        let mut editor = Editor::new("ab[cd]ef", 1);
        editor.cut(3..5);
        editor.insert(5, "+");
        editor.finish()
    }

    #[test]
    fn cut_bytes_are_gone_and_put_in_bytes_are_there() {
        assert_eq!(sample().text, "b[+]ef");
    }

    #[test]
    fn spans_point_into_the_source() {
        let spans: Vec<Span> = [0..1, 1..4, 2..3, 3..6, 6..6].into_iter().map(|range| sample().span(range)).collect();
        let expected = [(1, 2), (2, 6), (5, 5), (5, 8), (8, 8)].map(|(start, end)| Span::new(start, end));
        assert_eq!(spans, expected);
    }

    #[test]
    fn pieces_leave_out_what_was_put_in() {
        let pieces: Vec<Piece> = sample().pieces(1..5).collect();
        let expected = [(1, 2, 3), (3, 5, 7)].map(|(at, start, end)| Piece { at, source: Span::new(start, end) });
        assert_eq!(pieces, expected);
    }

    #[test]
    fn an_unedited_text_is_borrowed() {
        let edited = Editor::new("abc", 1).finish();
        assert!(matches!(edited.text, Cow::Borrowed("bc")));
        assert_eq!(edited.span(0..2), Span::new(1, 3));
    }
}
