//! Citations: `path#anchor` as a label to read and as a link target to click, and the snippet beside them.

use crate::asked::Asked;
use crate::parse::{Block, BlockKind};
use crate::retrieve::Passage;
use crate::statement::{Statement, fold, statements};

/// Characters of a snippet before it is cut (contracts A1).
const SNIPPET_LIMIT: usize = 120;

/// Lines longer than this are looked through word by word for a piece to show, in bytes.
const LINE_BUDGET: usize = 4000;
/// How far into such a line is looked, in bytes.
const SEARCH_BUDGET: usize = 1 << 20;

/// A place in the docs that a reader can click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// The fragment; empty for a page without headings.
    pub anchor: String,
}

impl Citation {
    /// Cites the section of a passage.
    pub fn of(passage: &Passage) -> Self {
        Self { path: passage.page.path.as_str().to_owned(), anchor: passage.anchor().to_owned() }
    }

    /// `path#anchor` to be read: as it is, except that control characters, which could fake lines or drive a
    /// terminal, show as `\u{fffd}`.
    pub fn label(&self) -> String {
        let plain = |c: char| if is_unsafe(c) { '\u{fffd}' } else { c };
        format!("{}{}", self.path, self.fragment()).chars().map(plain).collect()
    }

    /// `path#anchor` as a Markdown link target: what would end or break the target is percent-encoded.
    pub fn target(&self) -> String {
        let mut out = String::new();
        for (at, c) in self.path.char_indices() {
            let is_special = matches!(c, '#' | '?') || (c == '&' && is_entity(&self.path[at..]));
            encode(c, is_special, &mut out);
        }
        for c in self.fragment().chars() {
            encode(c, false, &mut out);
        }
        out
    }

    /// The label as Markdown link text: what would end it early, or start code, HTML or an entity, is escaped.
    pub fn link_text(&self) -> String {
        let label = self.label();
        let breaks_label = !is_balanced(&label) || label.contains("](");
        let mut out = String::with_capacity(label.len());
        for (at, c) in label.char_indices() {
            let is_markup = matches!(c, '`' | '<' | '\\') || (c == '&' && is_entity(&label[at..]));
            if is_markup || (breaks_label && matches!(c, '[' | ']')) {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }

    fn fragment(&self) -> String {
        if self.anchor.is_empty() { String::new() } else { format!("#{}", self.anchor) }
    }
}

/// Control characters, line and paragraph separators, and marks that turn the direction of text around.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without characters that could drive a terminal or turn text around.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { ' ' } else { c }).collect()
}

/// A name on one line: characters that could fake lines or drive a terminal are shown as `\u{…}`.
pub fn visible(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if is_unsafe(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

fn encode(c: char, is_special: bool, out: &mut String) {
    let breaks = matches!(c, ' ' | '(' | ')' | '<' | '>' | '[' | ']' | '"' | '\\' | '`' | '|' | '%') || is_unsafe(c);
    if !breaks && !is_special && !c.is_whitespace() {
        return out.push(c);
    }
    let mut bytes = [0; 4];
    for byte in c.encode_utf8(&mut bytes).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

/// Whether a text starts like an entity, `&amp;`, which Markdown would decode.
fn is_entity(text: &str) -> bool {
    let name = text.strip_prefix('&').and_then(|rest| rest.split_once(';')).map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#')
}

/// Undoes [`Citation::target`]'s encoding; a `%` that encodes nothing stays.
pub fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = std::str::from_utf8(after.get(..2).unwrap_or_default()).ok();
        match code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Whether brackets pair up, so that Markdown reads them as part of a link label.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return false,
            ']' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The part of a passage that matched, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// One line, at most 120 characters and `…`.
    pub text: String,
    /// The 1-based line of the file that it starts on.
    pub line: usize,
}

/// The snippet of a passage: the statement that holds most of the question, else the first, else the heading.
pub fn snippet(passage: &Passage, asked: &Asked) -> Snippet {
    let page = &passage.page;
    let found = statements(page, passage.blocks.clone());
    let words = Words(asked);
    let worth = |statement: &Statement| words.weight(&statement.quote);
    let best = (0..found.len()).max_by(|a, b| worth(&found[*a]).total_cmp(&worth(&found[*b])).then(b.cmp(a)));
    let line = || any_line(passage, &words);
    let statement = best.map(|best| &found[best]);
    match statement.filter(|statement| worth(statement) > 0.0) {
        Some(statement) => {
            Snippet { text: clip(&words.focus(&statement.quote)), line: page.lines.line(statement.span.start) }
        }
        None => line().unwrap_or_else(|| heading_or(passage, statement)),
    }
}

/// The line that holds most of the question among the blocks that are no statements: code, and text too long for one.
fn any_line(passage: &Passage, words: &Words<'_>) -> Option<Snippet> {
    let page = &passage.page;
    let mut best: Option<(f32, Snippet)> = None;
    let is_unread = |block: &&Block| matches!(block.kind, BlockKind::Code { .. }) || block.text.len() > LINE_BUDGET / 2;
    for block in page.document.blocks[passage.blocks.clone()].iter().filter(is_unread) {
        let source = &page.text[block.span.range()];
        for (number, line) in source.lines().enumerate() {
            let line = words.window(line);
            let weight = words.weight(line);
            if weight > 0.0 && best.as_ref().is_none_or(|(known, _)| weight > *known) {
                let line_number = page.lines.line(block.span.start) + number;
                best = Some((weight, Snippet { text: clip(line), line: line_number }));
            }
        }
    }
    best.map(|(_, snippet)| snippet)
}

/// The first statement, or the heading where the section has no text of its own.
fn heading_or(passage: &Passage, first: Option<&Statement>) -> Snippet {
    let page = &passage.page;
    let section = &page.sections[passage.section];
    let at = section.heading.map_or(section.own.start, |index| page.document.headings[index].span.start);
    match first {
        Some(statement) => Snippet { text: clip(&statement.quote), line: page.lines.line(statement.span.start) },
        None => Snippet { text: clip(page.heading(passage.section)), line: page.lines.line(at) },
    }
}

/// Folds white space, drops control characters and cuts after 120 characters (contracts A1).
pub fn clip(text: &str) -> String {
    let folded = one_line(text);
    match folded.char_indices().nth(SNIPPET_LIMIT) {
        Some((end, _)) => format!("{}…", &folded[..end]),
        None => folded,
    }
}

/// A text on one line: white space folded, control characters dropped.
pub fn one_line(text: &str) -> String {
    fold(&plain(text))
}

/// The words of a question, to weigh texts by.
struct Words<'a>(&'a Asked);

impl Words<'_> {
    /// The weight of the units that `text` holds.
    fn weight(&self, text: &str) -> f32 {
        self.0.share(self.0.held_by(text))
    }

    /// A line itself, or of a very long one the piece from the first word that is asked for.
    fn window<'a>(&self, line: &'a str) -> &'a str {
        if line.len() <= LINE_BUDGET {
            return line;
        }
        let mut searched = line.match_indices(' ').map(|(at, _)| at + 1).take_while(|at| *at < SEARCH_BUDGET);
        let is_asked = |at: &usize| self.weight(line[*at..].split(' ').next().unwrap_or_default()) > 0.0;
        let start = searched.find(is_asked).unwrap_or_default();
        let end = line[start..].char_indices().nth(SNIPPET_LIMIT * 2).map_or(line.len(), |(end, _)| start + end);
        &line[start..end]
    }

    /// A long text from the word where the densest 120 characters begin, so that the match is seen.
    fn focus(&self, text: &str) -> String {
        let text = fold(text);
        if text.chars().count() <= SNIPPET_LIMIT {
            return text;
        }
        let starts = std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1));
        let window = |start: usize| {
            let end = text[start..].char_indices().nth(SNIPPET_LIMIT).map_or(text.len(), |(end, _)| start + end);
            self.weight(&text[start..end])
        };
        let mut best = (0, window(0));
        for start in starts.skip(1) {
            let weight = window(start);
            // A later start must show much more to be worth an opening in mid-sentence.
            if weight > best.1 * 2.0 {
                best = (start, weight);
            }
        }
        text[best.0..].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citation(path: &str, anchor: &str) -> Citation {
        Citation { path: path.into(), anchor: anchor.into() }
    }

    #[test]
    fn only_the_target_is_encoded() {
        let notes = citation("docs/#notes & (draft) [v2].md", "a");
        assert_eq!(notes.label(), "docs/#notes & (draft) [v2].md#a");
        assert_eq!(notes.target(), "docs/%23notes%20&%20%28draft%29%20%5Bv2%5D.md#a");
        assert_eq!(citation("docs/🐘.md", "déjà-vu").target(), "docs/🐘.md#déjà-vu");
    }

    #[test]
    fn line_breaks_in_names_can_not_fake_lines() {
        let hostile = citation("docs/a\n- [x](y).md", "");
        assert_eq!(hostile.label(), "docs/a\u{fffd}- [x](y).md");
        assert_eq!(hostile.target(), "docs/a%0A-%20%5Bx%5D%28y%29.md");
    }

    #[test]
    fn unbalanced_brackets_are_escaped_in_link_text() {
        assert_eq!(citation("a]b.md", "").link_text(), "a\\]b.md");
        assert_eq!(citation("[a]b.md", "").link_text(), "[a]b.md");
    }

    #[test]
    fn names_that_look_like_markup_stay_names() {
        assert_eq!(citation("[a](b).md", "").link_text(), "\\[a\\](b).md");
        assert_eq!(citation("a`b<i>.md", "").link_text(), "a\\`b\\<i>.md");
        assert_eq!(citation("a&amp;b & c.md", "").target(), "a%26amp;b%20&%20c.md");
    }

    #[test]
    fn decoding_undoes_encoding() {
        for path in ["docs/a b.md", "100%.md", "a%20b.md", "🐘 (1).md"] {
            assert_eq!(decode(&citation(path, "").target()), path);
        }
        assert_eq!(decode("50%"), "50%");
    }

    #[test]
    fn snippets_are_one_line_of_120_characters() {
        assert_eq!(clip("  a\n b\tc\u{1b}[31m  "), "a b c [31m");
        assert_eq!(clip(&"x".repeat(120)), "x".repeat(120));
        assert_eq!(clip(&"é".repeat(121)), format!("{}…", "é".repeat(120)));
    }
}
