//! Cuts out of a file what CommonMark would take for text and readers never see: site generators' markers, MDX.
//!
//! What is cut is decided line by line, outside fences only. Indentation that means "content of a marker"
//! elsewhere, and code in CommonMark, is cut too. Nothing is moved, so every byte keeps its place in the file.

use super::edited::{Edited, Editor};
use super::layout::{self, Layout, Prefix};
use super::marker::{self, Body, Marker};
use super::mdx::{self, line_end};
use super::{Dialect, HtmlId, Problem};

/// A file made ready for CommonMark.
pub(super) struct Cleaned<'a> {
    pub(super) edited: Edited<'a>,
    /// Ids of the tags that were cut out.
    pub(super) ids: Vec<HtmlId>,
    pub(super) problems: Vec<Problem>,
}

/// How far into a line list and quote markers may reach. Each column may open a container, and the parser's
/// time grows with lines × open containers; nobody's real lists are half as deep.
const MAX_MARKER_COLUMNS: usize = 200;

/// Cleans `source` from byte `from` on.
pub(super) fn clean(source: &str, from: usize, dialect: Dialect) -> Cleaned<'_> {
    let mut cleaner = Cleaner {
        source,
        editor: Editor::new(source, from),
        mdx: (dialect == Dialect::Mdx).then(|| mdx::Reader::new(source)),
        layout: Layout::default(),
        frames: Vec::new(),
        is_after_blank: true,
        ids: Vec::new(),
        problems: Vec::new(),
    };
    let mut at = from;
    while at < source.len() {
        at = cleaner.take_line(at);
    }
    Cleaned { edited: cleaner.editor.finish(), ids: cleaner.ids, problems: cleaner.problems }
}

struct Cleaner<'a> {
    source: &'a str,
    editor: Editor<'a>,
    mdx: Option<mdx::Reader<'a>>,
    layout: Layout,
    frames: Vec<Frame>,
    is_after_blank: bool,
    ids: Vec<HtmlId>,
    problems: Vec<Problem>,
}

/// Lines whose indentation is deeper than CommonMark may see.
struct Frame {
    /// Columns of indentation that a line needs to belong to it.
    indent: usize,
    /// Columns of indentation to cut, those of the frames around it included.
    shift: usize,
    /// Whether it is the body of a marker, at whose end a paragraph ends too.
    is_body: bool,
}

impl Cleaner<'_> {
    /// Takes the line at `at` and returns where the next starts.
    fn take_line(&mut self, at: usize) -> usize {
        let end = line_end(self.source, at);
        let line = &self.source[at..end];
        if line.trim().is_empty() {
            self.is_after_blank = true;
            return end;
        }
        let prefix = layout::prefix(line);
        if prefix.columns > MAX_MARKER_COLUMNS && prefix.columns > prefix.indent {
            self.flatten(at, &prefix);
            return end;
        }
        if let Some(end) = self.take_statement(at, &prefix) {
            return end;
        }
        let shift = self.shift(at, &prefix);
        let is_verbatim = self.layout.take(line, &prefix, shift);
        let indent = prefix.indent.saturating_sub(shift);
        let is_code = indent >= self.layout.item_column(indent) + 4;
        if is_verbatim || is_code {
            self.dedent(at, line, shift);
            self.is_after_blank = false;
            return end;
        }
        self.take_text(at, end, &prefix, shift)
    }

    /// Takes a line that is no code.
    fn take_text(&mut self, at: usize, end: usize, prefix: &Prefix, shift: usize) -> usize {
        let line = &self.source[at..end];
        if let Some(marker) = marker::marker(line[prefix.len..].trim_end()) {
            self.take_marker(at, end, prefix, shift, &marker);
            return end;
        }
        self.is_after_blank = false;
        let Some(mdx) = &mut self.mdx else {
            self.dedent(at, line, shift);
            return end;
        };
        let found = mdx.line(at + prefix.len, at..end);
        self.ids.extend(found.ids);
        if !found.has_text && prefix.columns == prefix.indent {
            self.editor.cut(at..found.end);
            self.editor.insert(found.end, "\n");
            self.is_after_blank = true;
            return found.end;
        }
        self.dedent(at, line, shift);
        for cut in found.cuts {
            self.editor.cut(cut.range.clone());
            self.editor.insert(cut.range.end, cut.stand_in);
        }
        found.end
    }

    /// Cuts out the `import` or `export` statement at `at`; returns where the next line starts.
    fn take_statement(&mut self, at: usize, prefix: &Prefix) -> Option<usize> {
        if prefix.len > 0 || self.layout.is_verbatim() {
            return None;
        }
        // Docusaurus reads `.md` as MDX too; nothing but an import line tells such a file.
        if self.mdx.is_none() && self.is_after_blank && mdx::is_import_line(&self.source[at..]) {
            self.mdx = Some(mdx::Reader::new(self.source));
        }
        let end = self.mdx.as_mut()?.statement(at)?;
        self.editor.cut(at..end);
        self.editor.insert(end, "\n");
        self.is_after_blank = true;
        Some(end)
    }

    fn take_marker(&mut self, at: usize, end: usize, prefix: &Prefix, shift: usize, marker: &Marker) {
        let line = &self.source[at..end];
        let start = at + prefix.len;
        let text_end = at + line.trim_end().len();
        let has_title = !marker.title.is_empty();
        if has_title && !self.is_after_blank && prefix.columns == prefix.indent {
            self.editor.insert(at, "\n");
        }
        self.dedent(at, line, shift);
        self.editor.cut(start..start + marker.title.start);
        self.editor.cut(start + marker.title.end..text_end);
        if has_title {
            self.editor.insert(end, "\n");
        }
        self.is_after_blank = true;
        if marker.body == Body::Indented {
            self.frames.push(Frame { indent: prefix.columns + 4, shift: shift + 4, is_body: true });
        }
    }

    /// How many columns of this line's indentation don't count; closes and opens frames as it tells.
    fn shift(&mut self, at: usize, prefix: &Prefix) -> usize {
        let is_verbatim = self.layout.is_verbatim();
        while let Some(frame) = self.frames.pop_if(|frame| !is_verbatim && prefix.indent < frame.indent) {
            if frame.is_body && !self.is_after_blank {
                self.editor.insert(at, "\n");
                self.is_after_blank = true;
            }
        }
        let shift = self.frames.last().map_or(0, |frame| frame.shift);
        let indent = prefix.indent.saturating_sub(shift);
        let item = self.layout.item_column(indent);
        // MDX has no indented code: what is nested in tags is indented as its author likes.
        if self.mdx.is_none() || self.layout.is_verbatim() || indent < item + 4 {
            return shift;
        }
        let shift = shift + indent - item;
        self.frames.push(Frame { indent: prefix.indent, shift, is_body: false });
        shift
    }

    /// Cuts `shift` columns of white space from the start of the line at `at`.
    fn dedent(&mut self, at: usize, line: &str, shift: usize) {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if shift == 0 || !line[..indentation].contains('\t') {
            return self.editor.cut(at..at + indentation.min(shift));
        }
        let columns = line[..indentation].bytes().fold(0_usize, |columns, byte| match byte {
            b'\t' => columns + 4 - columns % 4,
            _ => columns + 1,
        });
        self.editor.cut(at..at + indentation);
        self.editor.insert(at + indentation, &" ".repeat(columns.saturating_sub(shift)));
    }

    /// Cuts the container markers that reach too far, so that what follows them is plain text.
    fn flatten(&mut self, at: usize, prefix: &Prefix) {
        if self.problems.is_empty() {
            let message =
                format!("list and quote markers past column {MAX_MARKER_COLUMNS} are ignored: nested too deeply");
            self.problems.push(Problem { at, message });
        }
        let line = &self.source[at..at + prefix.len];
        let kept = line.bytes().take(MAX_MARKER_COLUMNS).take_while(|byte| *byte != b'\t').count();
        self.editor.cut(at + kept..at + prefix.len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, dialect: Dialect, expected: &str) {
        assert_eq!(clean(text, 0, dialect).edited.text, expected, "{text:?}");
    }

    #[test]
    fn plain_markdown_is_left_as_it_is() {
        let text = "# a\r\n\n- b\n\n\tc\n";
        assert!(matches!(clean(text, 0, Dialect::Markdown).edited.text, std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn titles_become_paragraphs_and_bodies_lose_their_indentation() {
        check("a\n!!! b \"c\"\n    d\ne\n", Dialect::Markdown, "a\n\nc\n\nd\n\ne\n");
        check("- a\n\n    !!! b\n\t\td\n", Dialect::Markdown, "- a\n\n    \n    d\n");
    }

    #[test]
    fn indentation_that_crosses_a_tab_is_filled_up() {
        check("  !!! a\n\t\tb\n", Dialect::Markdown, "  \n    b\n");
    }

    #[test]
    fn fences_keep_their_frame_open() {
        check("!!! a\n    ```\n  b\n    ```\nc\n", Dialect::Markdown, "\n```\nb\n```\n\nc\n");
    }

    #[test]
    fn mdx_is_cut_in_mdx_only() {
        let text = "export const a = 1\n\n<B>\n    c\n</B>\n";
        check(text, Dialect::Markdown, text);
        check(text, Dialect::Mdx, "\n\n\nc\n\n");
    }

    #[test]
    fn markers_past_the_limit_are_cut() {
        let cleaned = clean("> a\n", 0, Dialect::Markdown);
        assert_eq!(cleaned.problems, []);
        let deep = format!("{}a\n", "> ".repeat(150));
        let cleaned = clean(&deep, 0, Dialect::Markdown);
        assert_eq!((cleaned.edited.text.len(), cleaned.problems.len()), (MAX_MARKER_COLUMNS + 2, 1));
    }
}
