//! Which lines stand in fenced code or comments, told line by line before CommonMark has its say.
//!
//! Only the containers that decide where a fence ends are followed: lists by their content column, quotes by
//! their number. It knows no paragraphs, so a lazily continued list is taken for ended.

/// What the lines so far have opened.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Content columns of the open list items, outermost first.
    items: Vec<usize>,
    verbatim: Option<Verbatim>,
}

/// Lines that are taken as they are.
#[derive(Debug)]
enum Verbatim {
    Fence { mark: u8, len: usize, column: usize, quotes: usize },
    Html(&'static str),
}

/// The container markers and white space that a line starts with.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Prefix {
    /// Bytes of it.
    pub(super) len: usize,
    /// Columns of it.
    pub(super) columns: usize,
    /// Columns of the white space before the first marker.
    pub(super) indent: usize,
    /// How many `>` are in it.
    quotes: usize,
    /// Content columns of the list items that it opens.
    items: Vec<usize>,
}

/// HTML elements (and comments) whose lines CommonMark passes on untouched up to their end.
const RAW_HTML: [(&str, &str); 5] = [
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<pre", "</pre>"),
    ("<textarea", "</textarea>"),
];

/// How many list markers of one line are told from thematic breaks; each look reads the rest of the line.
const MAX_RULE_CHECKS: usize = 16;

impl Layout {
    /// Whether the line before left a fence, comment or raw element open.
    pub(super) fn is_verbatim(&self) -> bool {
        self.verbatim.is_some()
    }

    /// The content column of the innermost list item that a line indented by `columns` belongs to.
    pub(super) fn item_column(&self, columns: usize) -> usize {
        self.items.iter().rev().copied().find(|item| *item <= columns).unwrap_or(0)
    }

    /// Takes the next line that isn't blank and tells whether it is verbatim: inside a fence, a fence line
    /// itself, or a line of a comment or raw element. `shift` columns of its indentation don't count.
    pub(super) fn take(&mut self, line: &str, prefix: &Prefix, shift: usize) -> bool {
        let indent = prefix.indent.saturating_sub(shift);
        if let Some(verbatim) = &self.verbatim {
            let is_left = verbatim.is_left(indent, prefix.quotes);
            if !is_left && !verbatim.is_closed_by(line) {
                return true;
            }
            self.verbatim = None;
            if !is_left {
                return true;
            }
        }
        self.items.retain(|item| *item <= indent);
        let is_code = indent >= self.item_column(indent) + 4;
        if is_code {
            return false;
        }
        self.items.extend(prefix.items.iter().map(|column| column.saturating_sub(shift)));
        let column = self.items.last().copied().unwrap_or(0);
        self.verbatim = opening(&line[prefix.len..], column, prefix.quotes);
        self.verbatim.is_some()
    }
}

impl Verbatim {
    /// Whether a line with this indentation and these quotes lies outside the container of the fence.
    fn is_left(&self, indent: usize, quotes_now: usize) -> bool {
        match self {
            Self::Fence { column, quotes, .. } => match quotes {
                0 => indent < *column,
                _ => quotes_now < *quotes,
            },
            Self::Html(_) => false,
        }
    }

    fn is_closed_by(&self, line: &str) -> bool {
        match self {
            Self::Fence { mark, len, .. } => {
                let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
                line.len() >= *len && line.bytes().all(|byte| byte == *mark)
            }
            Self::Html(end) => line.contains(end),
        }
    }
}

/// The fence, comment or raw element that `text` opens and doesn't close on the same line.
fn opening(text: &str, column: usize, quotes: usize) -> Option<Verbatim> {
    if let Some(mark) = text.bytes().next().filter(|byte| matches!(byte, b'`' | b'~')) {
        let len = text.bytes().take_while(|byte| *byte == mark).count();
        let is_fence = len >= 3 && (mark == b'~' || !text[len..].contains('`'));
        return is_fence.then_some(Verbatim::Fence { mark, len, column, quotes });
    }
    let is_name_end = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'>');
    let opens =
        |start: &str| text.starts_with(start) && (start == "<!--" || is_name_end(text.as_bytes().get(start.len())));
    let (start, end) = RAW_HTML.iter().find(|(start, _)| opens(start))?;
    let is_open = !text[start.len()..].contains(end);
    is_open.then_some(Verbatim::Html(end))
}

/// Reads the prefix of `line`.
pub(super) fn prefix(line: &str) -> Prefix {
    let bytes = line.as_bytes();
    let mut prefix = Prefix::default();
    let mut has_marker = false;
    loop {
        let marker = match bytes.get(prefix.len) {
            Some(b' ') => {
                prefix.advance(1, 1);
                continue;
            }
            Some(b'\t') => {
                let width = 4 - prefix.columns % 4;
                prefix.advance(1, width);
                continue;
            }
            Some(b'>') => 1,
            _ => list_marker(&line[prefix.len..]),
        };
        if !has_marker {
            prefix.indent = prefix.columns;
        }
        if marker == 0 || (prefix.items.len() < MAX_RULE_CHECKS && is_rule(&line[prefix.len..])) {
            return prefix;
        }
        has_marker = true;
        match bytes[prefix.len] {
            b'>' => prefix.quotes += 1,
            _ => prefix.items.push(content_column(&bytes[prefix.len + marker..], prefix.columns + marker)),
        }
        prefix.advance(marker, marker);
    }
}

impl Prefix {
    fn advance(&mut self, bytes: usize, columns: usize) {
        self.len += bytes;
        self.columns += columns;
    }
}

/// The length of the list marker that `text` starts with, or 0.
fn list_marker(text: &str) -> usize {
    let digits = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let marker = text.as_bytes().get(digits).copied().unwrap_or(0);
    let is_marker = match digits {
        0 => b"-*+".contains(&marker),
        1..10 => b".)".contains(&marker),
        _ => false,
    };
    let is_followed_by_space = text.as_bytes().get(digits + 1).is_none_or(|byte| b" \t\r\n".contains(byte));
    if is_marker && is_followed_by_space { digits + 1 } else { 0 }
}

/// Where the content of a list item starts, `column` columns into the line, when `after` follows its marker.
fn content_column(after: &[u8], column: usize) -> usize {
    let spaces = after.iter().take_while(|byte| **byte == b' ').count();
    let is_empty = after.get(spaces).is_none_or(|byte| b"\r\n".contains(byte));
    match spaces {
        1..=4 if !is_empty => column + spaces,
        _ => column + 1,
    }
}

/// Whether `text` is a thematic break, which looks like a list of empty items.
fn is_rule(text: &str) -> bool {
    let mark = text.as_bytes()[0];
    let is_mark = |byte: u8| byte == mark || byte.is_ascii_whitespace();
    b"-*".contains(&mark) && text.bytes().all(is_mark) && text.bytes().filter(|byte| *byte == mark).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which lines of `text` are verbatim: `v` for those, `.` for the others, blanks left out.
    fn check(text: &str, expected: &str) {
        let mut layout = Layout::default();
        let lines = text.split_inclusive('\n').filter(|line| !line.trim().is_empty());
        let found: String = lines.map(|line| if layout.take(line, &prefix(line), 0) { 'v' } else { '.' }).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn fences_end_with_a_line_of_their_kind() {
        check("a\n```\nb\n~~~\n``\n````\nc\n", ".vvvvv.");
        check("~~~ a`b\n```\n~~~ c\n~~~\nd\n", "vvvv.");
        check("``` a`b\nc\n", "..");
        check("> ```\n> a\n> ```\nb\n", "vvv.");
    }

    #[test]
    fn fences_end_with_their_container() {
        check("- ```\n  a\nb\n", "vv.");
        check("1. a\n\n   ```\n   b\n   ```\n   c\n", ".vvv.");
        check("> ```\n> a\nb\n", "vv.");
        check("- a\n- b\n  ```\n- c\n", "..v.");
        check(" ```\na\n ```\nb\n", "vvv.");
    }

    #[test]
    fn indented_code_opens_nothing() {
        check("    ```\na\n", "..");
        check("- a\n\n      ```\n  b\n", "...");
    }

    #[test]
    fn comments_and_raw_elements_are_verbatim() {
        check("<!-- a\n```\nb -->\nc\n", "vvv.");
        check("<preview>\n<style-x>\na\n", "...");
        check("<!-- a -->\n<pre>\n```\n</pre>\nb\n", ".vvv.");
    }

    #[test]
    fn prefixes_are_measured_in_columns() {
        let check = |line: &str, len: usize, columns: usize, indent: usize, quotes: usize, items: &[usize]| {
            let expected = Prefix { len, columns, indent, quotes, items: items.to_vec() };
            assert_eq!(prefix(line), expected, "{line:?}");
        };
        check("a", 0, 0, 0, 0, &[]);
        check(" \ta", 2, 4, 4, 0, &[]);
        check("  - 12.  > a", 11, 11, 2, 1, &[4, 9]);
        check("-\n", 1, 1, 0, 0, &[2]);
        check("* * *\n", 0, 0, 0, 0, &[]);
        check("-a", 0, 0, 0, 0, &[]);
    }
}
