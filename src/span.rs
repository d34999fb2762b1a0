//! Where something stands in a file: half-open byte ranges inside, 1-based lines outside.
//!
//! This is the one place that converts between the two. It knows nothing about Markdown.

/// A half-open range of bytes in a file, `start..end`, counted from the file's first byte (a BOM included).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The range as the standard library writes it, to slice with.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// The line starts of a text, to turn byte offsets into line numbers.
///
/// A line ends after `\n`; `\r\n` therefore counts once, and a lone `\r` does not end a line.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    len: usize,
}

impl Lines {
    /// Finds the line starts of `text`.
    pub fn of(text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Self { starts, len: text.len() }
    }

    /// The 1-based line that holds byte `offset`; an offset at or past the end is on the last line with content.
    pub fn line(&self, offset: usize) -> usize {
        let offset = offset.min(self.len.saturating_sub(1));
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    /// The first and last 1-based line that `span` touches; an empty span touches the line it stands on.
    pub fn range(&self, span: Span) -> (usize, usize) {
        let last = span.end.saturating_sub(1).max(span.start);
        (self.line(span.start), self.line(last))
    }

    /// The 1-based column of byte `offset` in its line, counted in bytes.
    pub fn column(&self, offset: usize) -> usize {
        offset - self.starts[self.line(offset) - 1] + 1
    }

    /// How many lines the text has; a final newline does not open another one, and an empty text has one.
    pub fn count(&self) -> usize {
        self.line(self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_one_based_lines() {
        let lines = Lines::of("a\r\nbc\n\nd\n");
        let found: Vec<usize> = (0..10).map(|offset| lines.line(offset)).collect();
        assert_eq!(found, [1, 1, 1, 2, 2, 2, 3, 4, 4, 4]);
        assert_eq!(lines.count(), 4);
    }

    #[test]
    fn a_span_touches_whole_lines() {
        let lines = Lines::of("one\ntwo\nthree");
        assert_eq!(lines.range(Span::new(0, 4)), (1, 1));
        assert_eq!(lines.range(Span::new(2, 9)), (1, 3));
        assert_eq!(lines.range(Span::new(4, 4)), (2, 2));
        assert_eq!(lines.column(9), 2);
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let lines = Lines::of("");
        assert_eq!((lines.line(0), lines.count(), lines.column(0)), (1, 1, 1));
    }
}
