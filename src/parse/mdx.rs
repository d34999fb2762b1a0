//! What MDX adds to Markdown and readers don't see: `import` and `export` statements, JSX tags, `{/* */}`.
//!
//! It finds them; `clean` cuts them out. JavaScript is not parsed, only its brackets and strings are followed.

use std::ops::Range;

use super::HtmlId;
use super::html;

/// Reads MDX, with a bound on how many bytes it looks at in vain: a tag or bracket that never closes is only
/// noticed at the end of the file, and a file may be full of them.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    source: &'a str,
    patience: usize,
}

/// What was found on one line, which reaches over several lines of the file where a tag or comment does.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Just past its line end.
    pub(super) end: usize,
    /// What is not text.
    pub(super) cuts: Vec<Cut>,
    /// Whether anything but white space is left.
    pub(super) has_text: bool,
    /// Ids of the tags in `cuts`.
    pub(super) ids: Vec<HtmlId>,
}

/// A range of the source to leave out.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) range: Range<usize>,
    /// What to put in its place.
    pub(super) stand_in: &'static str,
}

/// Stands for a JSX tag in a heading, so that the space around it is treated as around HTML.
const EMPTY_TAG: &str = "<b>";

/// Elements that CommonMark has its own rules for, or that are headings.
const LEFT_ALONE: [&str; 10] = ["h1", "h2", "h3", "h4", "h5", "h6", "pre", "script", "style", "textarea"];

/// What a line of JavaScript ends with when the statement goes on.
const UNFINISHED: [&str; 13] = ["=", ",", "=>", "(", "[", "{", "+", "?", ":", "&&", "||", "from", "*"];

impl<'a> Reader<'a> {
    /// A reader of `source`.
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, patience: 4 * source.len() + 4096 }
    }

    /// Where the `import` or `export` statement that starts at `at`, the start of a line, ends.
    pub(super) fn statement(&mut self, at: usize) -> Option<usize> {
        let line = self.source[at..].lines().next().unwrap_or("");
        if !is_import(line) && !is_export(line) {
            return None;
        }
        let mut nesting = Nesting::default();
        let mut end = at;
        let mut first_blank = None;
        while end < self.source.len() {
            let next = line_end(self.source, end);
            let line = self.source[end..next].trim();
            if line.is_empty() {
                if nesting.is_closed() {
                    return Some(end);
                }
                first_blank = first_blank.or(Some(end));
                if self.patience == 0 {
                    break;
                }
            }
            nesting.read(&self.source[end..next]);
            end = next;
            if nesting.is_closed() && !goes_on(line, &self.source[end..]) {
                return Some(end);
            }
        }
        self.patience = self.patience.saturating_sub(end - at);
        Some(first_blank.unwrap_or(end))
    }

    /// Finds tags and comments on the line `line`, whose text starts at `text`.
    pub(super) fn line(&mut self, text: usize, line: Range<usize>) -> Line {
        let is_heading = self.source[text..line.end].starts_with('#');
        let mut found = Line { end: line.end, ..Line::default() };
        let mut at = text;
        while at < found.end {
            let rest = &self.source[at..found.end];
            let skipped = match rest.as_bytes()[0] {
                b'\\' | b'`' if !found.has_text => {
                    found.has_text = true;
                    continue;
                }
                b'\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                b'`' => code_span(rest),
                b'{' => self.comment(at, &mut found),
                b'<' if !found.has_text && is_left_alone(rest) => {
                    found.has_text = true;
                    return found;
                }
                b'<' => self.tag(at, is_heading, &mut found),
                _ => 0,
            };
            if skipped > 0 {
                at += skipped;
                continue;
            }
            let char = rest.chars().next().unwrap_or(' ');
            found.has_text |= !char.is_whitespace();
            at += char.len_utf8();
        }
        found
    }

    /// Reads the `{/* … */}` at `at`; returns its length, or 0.
    fn comment(&mut self, at: usize, found: &mut Line) -> usize {
        let rest = &self.source[at..];
        if !rest.starts_with("{/*") || self.patience == 0 {
            return 0;
        }
        let Some(len) = rest.find("*/}").map(|end| end + 3) else {
            self.patience = self.patience.saturating_sub(rest.len());
            return 0;
        };
        let after = rest[len..].trim_start_matches([' ', '\t', '\r']);
        let ends_line = after.is_empty() || after.starts_with('\n');
        if ends_line && comment_id(&rest[..len]).is_some() {
            return 0;
        }
        found.cut(self.source, at..at + len, "");
        len
    }

    /// Reads the JSX tag at `at`; returns its length, or 0.
    fn tag(&mut self, at: usize, is_heading: bool, found: &mut Line) -> usize {
        if self.patience == 0 {
            return 0;
        }
        let (len, read) = tag(&self.source[at..]);
        let Some(len) = len else {
            self.patience = self.patience.saturating_sub(read);
            return 0;
        };
        let source = &self.source[at..at + len];
        let is_html = !source.contains(['{', '\n']) && !matches!(source, "<>" | "</>");
        match is_heading {
            // Inline HTML is removed later, with an eye on its ids and on the space around it.
            true if is_html || source.contains('\n') => {}
            true => found.cut(self.source, at..at + len, EMPTY_TAG),
            false if is_html && found.has_text => {}
            false => {
                found.ids.extend(html::ids(source).map(|id| HtmlId { id: id.to_owned(), at }));
                found.cut(self.source, at..at + len, "");
            }
        }
        found.has_text |= is_heading;
        len
    }
}

impl Line {
    fn cut(&mut self, source: &str, range: Range<usize>, stand_in: &'static str) {
        if range.end > self.end {
            self.end = line_end(source, range.end);
        }
        self.cuts.push(Cut { range, stand_in });
    }
}

/// Whether the first line of `text` is a whole `import … from "…"` statement, which no prose looks like.
pub(super) fn is_import_line(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("");
    is_import(line) && line.trim_end().trim_end_matches(';').ends_with(['"', '\''])
}

/// The id that a `{/* #id */}` comment gives its heading.
pub(super) fn comment_id(comment: &str) -> Option<&str> {
    let id = comment.strip_prefix("{/*")?.strip_suffix("*/}")?.trim().strip_prefix('#')?;
    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
}

/// The length of the `{…}` that `text` starts with, inner braces and strings included.
pub(super) fn braces(text: &str) -> Option<usize> {
    let mut nesting = Nesting::default();
    for (at, byte) in text.bytes().enumerate() {
        nesting.read_byte(byte);
        if nesting.is_closed() && byte == b'}' {
            return Some(at + 1);
        }
    }
    None
}

/// The length of the JSX tag that `text` starts with, and how many bytes were read to know.
fn tag(text: &str) -> (Option<usize>, usize) {
    let bytes = text.as_bytes();
    let start = if bytes.get(1) == Some(&b'/') { 2 } else { 1 };
    let is_name_byte = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$-.:".contains(*byte);
    let name_len = bytes[start..].iter().take_while(is_name_byte).count();
    let mut at = start + name_len;
    let is_name = match name_len {
        0 => bytes.get(at) == Some(&b'>'),
        _ => !bytes[start].is_ascii_digit() && bytes[at - 1] != b':' && !bytes[start..at].contains(&b'@'),
    };
    if !is_name || !bytes.get(at).is_some_and(|byte| b" \t\r\n/>".contains(byte)) {
        return (None, at);
    }
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'>' => return (Some(at + 1), at),
            b'<' => return (None, at),
            b'{' => match braces(&text[at..]) {
                Some(len) => len,
                None => return (None, bytes.len()),
            },
            b'"' | b'\'' => match text[at + 1..].find(*byte as char) {
                Some(end) => end + 2,
                None => return (None, bytes.len()),
            },
            _ => 1,
        };
    }
    (None, at)
}

/// Which brackets and strings of JavaScript are open.
#[derive(Debug, Default)]
struct Nesting {
    depth: isize,
    quote: Option<u8>,
    comment: Option<Comment>,
    last: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comment {
    Line,
    Block,
}

impl Nesting {
    fn is_closed(&self) -> bool {
        self.depth <= 0 && self.quote.is_none() && self.comment != Some(Comment::Block)
    }

    fn read(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.read_byte(byte));
    }

    fn read_byte(&mut self, byte: u8) {
        let last = std::mem::replace(&mut self.last, byte);
        match (self.comment, self.quote) {
            (Some(Comment::Line), _) if byte == b'\n' => self.comment = None,
            (Some(Comment::Block), _) if (last, byte) == (b'*', b'/') => {
                self.comment = None;
                self.last = 0;
            }
            (Some(_), _) => {}
            (None, Some(_)) if last == b'\\' => self.last = 0,
            // Only template strings reach over lines: an apostrophe in JSX text ends with its line.
            (None, Some(quote)) if byte == quote || (byte == b'\n' && quote != b'`') => self.quote = None,
            (None, Some(_)) => {}
            (None, None) => self.read_code(last, byte),
        }
    }

    fn read_code(&mut self, last: u8, byte: u8) {
        match byte {
            b'{' | b'(' | b'[' => self.depth += 1,
            b'}' | b')' | b']' => self.depth -= 1,
            b'"' | b'\'' | b'`' => self.quote = Some(byte),
            b'/' if last == b'/' => self.comment = Some(Comment::Line),
            b'*' if last == b'/' => {
                self.comment = Some(Comment::Block);
                self.last = 0;
            }
            _ => {}
        }
    }
}

fn is_import(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("import") else { return false };
    let rest = rest.trim_start();
    let name = rest.trim_start_matches(|char: char| char.is_alphanumeric() || char == '_' || char == '$');
    let is_named =
        name.len() < rest.len() && (name.trim_start().starts_with("from ") || name.trim_start().starts_with(','));
    rest.starts_with(['"', '\'', '{', '*']) || is_named
}

fn is_export(line: &str) -> bool {
    const WHAT: [&str; 8] = ["default ", "const ", "let ", "var ", "function ", "async ", "{", "*"];
    line.strip_prefix("export ").is_some_and(|rest| WHAT.iter().any(|what| rest.trim_start().starts_with(what)))
}

/// Whether a statement whose brackets are closed after `line` goes on in `rest`.
fn goes_on(line: &str, rest: &str) -> bool {
    let next = rest.lines().next().unwrap_or("");
    UNFINISHED.iter().any(|end| line.ends_with(end))
        || next.starts_with(['.', '?', ':', '}', ')'])
        || (next.starts_with([' ', '\t']) && !next.trim().is_empty())
}

fn is_left_alone(text: &str) -> bool {
    let name = text[1..].trim_start_matches('/');
    let len = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    text.starts_with("<!--") || LEFT_ALONE.contains(&name[..len].to_ascii_lowercase().as_str())
}

/// The length of the code span that `text` starts with; of its backticks alone where it isn't one.
fn code_span(text: &str) -> usize {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = ticks;
    while let Some(offset) = text[at..].find('`') {
        at += offset;
        let closing = text[at..].bytes().take_while(|byte| *byte == b'`').count();
        at += closing;
        if closing == ticks {
            return at;
        }
    }
    ticks
}

/// Just past the end of the line that holds byte `at`.
pub(super) fn line_end(source: &str, at: usize) -> usize {
    source[at..].find('\n').map_or(source.len(), |offset| at + offset + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_statement(text: &str, expected: Option<&str>) {
        let found = Reader::new(text).statement(0).map(|end| &text[..end]);
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn statements_end_where_their_brackets_close() {
        check_statement("import A from 'a'\nimport B from 'b'\n", Some("import A from 'a'\n"));
        check_statement("import {\n  A,\n} from 'a'\n# H\n", Some("import {\n  A,\n} from 'a'\n"));
        check_statement("import 'a.css';\ntext\n", Some("import 'a.css';\n"));
        check_statement(
            "export const a = {\n\n  b: '}', // }\n}\n\ntext\n",
            Some("export const a = {\n\n  b: '}', // }\n}\n"),
        );
        check_statement("export const a =\n  `\n\n`;\ntext\n", Some("export const a =\n  `\n\n`;\n"));
        check_statement(
            "export default ({children}) => <div>don't</div>\n\ntext\n",
            Some("export default ({children}) => <div>don't</div>\n"),
        );
    }

    #[test]
    fn statements_that_never_close_end_at_a_blank_line() {
        check_statement("export const a = {\nb\n\n# H\n", Some("export const a = {\nb\n"));
    }

    #[test]
    fn prose_is_no_statement() {
        check_statement("import statements are hoisted\n", None);
        check_statement("important\n", None);
        check_statement("export your data\n", None);
    }

    fn check_line(text: &str, cuts: &[&str], has_text: bool) {
        let end = line_end(text, 0);
        let found = Reader::new(text).line(0, 0..end);
        let found_cuts: Vec<&str> = found.cuts.iter().map(|cut| &text[cut.range.clone()]).collect();
        assert_eq!((found_cuts.as_slice(), found.has_text), (cuts, has_text), "{text:?}");
    }

    #[test]
    fn tags_that_fill_a_line_are_cut() {
        check_line("<Tabs a=\">\" b={c > {d: 1}}>\n", &["<Tabs a=\">\" b={c > {d: 1}}>"], false);
        check_line("<A.B\n  c\n/> </D>\n", &["<A.B\n  c\n/>", "</D>"], false);
        check_line("<></>\n", &["<>", "</>"], false);
    }

    #[test]
    fn text_around_tags_stays() {
        check_line("<Note>text</Note>\n", &["<Note>"], true);
        check_line("a <B c={1}/> d\n", &["<B c={1}/>"], true);
        check_line("a <b>c</b> < d <e@f.g> <https://h.i> \\<J>\n", &[], true);
        check_line("`<A b={c}>` ``<D>\n", &[], true);
    }

    #[test]
    fn comments_are_cut_unless_they_name_a_heading() {
        check_line("a {/* b\nc */} d\n", &["{/* b\nc */}"], true);
        check_line("# a {/* #b */}\n", &[], true);
        check_line("a {/* #b */} c {/* d\n", &["{/* #b */}"], true);
    }

    #[test]
    fn html_headings_are_left_alone() {
        check_line("<h2 id={a}>b</h2>\n", &[], true);
    }
}
