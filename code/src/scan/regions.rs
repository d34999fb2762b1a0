//! Tells comments and literals from code in one pass over a file.
//!
//! Nothing here fails: what is not closed where it must be is code, and only a real opener of a multi-line form can
//! reach past its line.

use super::Context;
use super::lexicon::{Block, Docs, Escape, Lexicon, Line, Place, Quote, lexicon};
use super::literals::{self, Heredoc};
use crate::language::Language;

/// A comment or literal, delimiters included. Everything between regions is code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub start: usize,
    pub end: usize,
    pub context: Context,
    /// How many bytes at either end are delimiters; `None` when this is only a piece of a literal.
    pub delimiters: Option<(usize, usize)>,
}

impl Region {
    /// Whether the literal is nothing but `text[start..end]` and dashes before it.
    pub(super) fn is_all(&self, text: &[u8], start: usize, end: usize) -> bool {
        let (Context::Text, Some((open, close))) = (self.context, self.delimiters) else { return false };
        let from = self.start + open;
        from <= start && self.end == end + close && text[from..start].iter().all(|&byte| byte == b'-')
    }
}

/// Reads the comments and literals that start before `limit` (bytes), in order.
pub(super) fn regions(language: Language, text: &[u8], limit: usize) -> Vec<Region> {
    let lexicon = lexicon(language);
    let mut lexer = Lexer {
        text,
        lexicon,
        at: 0,
        regions: Vec::new(),
        heredocs: Vec::new(),
        templates: Vec::new(),
        gave_up: [false; 256],
    };
    let openers = openers(lexicon);
    lexer.shebang();
    while lexer.at < limit {
        let byte = text[lexer.at];
        if !(openers[byte as usize] && lexer.step(byte)) {
            lexer.at += 1;
        }
    }
    lexer.regions
}

/// The bytes at which something can open.
fn openers(lexicon: &Lexicon) -> [bool; 256] {
    let lines = lexicon.lines.iter().map(|line| line.open);
    let blocks = lexicon.blocks.iter().map(|block| block.open);
    let quotes = lexicon.quotes.iter().map(|quote| quote.open);
    let forms = lexicon.forms.iter().map(|&form| literals::openers(form));
    let firsts = lines.chain(blocks).chain(quotes).filter_map(|open| open.as_bytes().first());
    let mut table = [false; 256];
    for &byte in firsts.chain(forms.flatten()) {
        table[byte as usize] = true;
    }
    table
}

/// The state of one pass.
pub(super) struct Lexer<'t> {
    pub text: &'t [u8],
    pub lexicon: &'static Lexicon,
    pub at: usize,
    pub regions: Vec<Region>,
    /// Here documents announced on this line.
    pub heredocs: Vec<Heredoc<'t>>,
    /// Open braces within each open `${` of a template, the innermost last.
    pub templates: Vec<u32>,
    /// First bytes of multi-line forms that were found unclosed: looking for their end again and again would take
    /// quadratic time.
    pub gave_up: [bool; 256],
}

impl<'t> Lexer<'t> {
    fn shebang(&mut self) {
        if self.text.starts_with(b"#!") && !self.text.starts_with(b"#![") {
            self.take_line();
        }
    }

    /// Takes what opens here, if anything does.
    fn step(&mut self, byte: u8) -> bool {
        let lexicon = self.lexicon;
        lexicon.forms.iter().any(|&form| literals::openers(form).contains(&byte) && literals::take(self, form))
            || lexicon.blocks.iter().any(|block| self.take_block(block))
            || lexicon.lines.iter().any(|line| self.take_line_comment(line))
            || lexicon.quotes.iter().any(|quote| self.take_quote(quote))
    }

    /// Adds a region that starts here and goes on after it.
    pub(super) fn take(&mut self, context: Context, end: usize, delimiters: Option<(usize, usize)>) -> bool {
        self.regions.push(Region { start: self.at, end, context, delimiters });
        self.at = end;
        true
    }

    fn take_line(&mut self) -> bool {
        self.take(Context::Comment, self.line_end(self.at), None)
    }

    fn take_line_comment(&mut self, line: &Line) -> bool {
        if !self.rest().starts_with(line.open.as_bytes()) || !self.is_at(line.place) {
            return false;
        }
        if line.except.is_some() && self.text.get(self.at + line.open.len()).copied() == line.except {
            return false;
        }
        self.take_line()
    }

    fn take_block(&mut self, block: &Block) -> bool {
        if !self.rest().starts_with(block.open.as_bytes()) || !self.is_at(block.place) {
            return false;
        }
        let from = self.at + block.open.len();
        let first = self.text[self.at] as usize;
        let end = match block.is_nested {
            _ if self.gave_up[first] => return false,
            true => nested_end(self.text, from, block),
            false => find(self.text, from, block.close.as_bytes()),
        };
        match end {
            Some(end) => self.take(Context::Comment, end, None),
            // Where the opener is certain, what it opens is a comment to the end, as compilers see it.
            None if block.place == Place::Anywhere => self.take(Context::Comment, self.text.len(), None),
            None => {
                self.gave_up[first] = true;
                false
            }
        }
    }

    fn take_quote(&mut self, quote: &Quote) -> bool {
        if !self.rest().starts_with(quote.open.as_bytes()) {
            return false;
        }
        let (first, from) = (self.text[self.at], self.at + quote.open.len());
        if quote.is_multiline && self.gave_up[first as usize] {
            return false;
        }
        let context = if self.is_doc(quote) { Context::Comment } else { Context::Text };
        match quote_end(self.text, from, quote) {
            Ok(end) => self.take(context, end, Some((quote.open.len(), quote.close.len()))),
            Err(_) if quote.is_multiline => {
                self.gave_up[first as usize] = true;
                false
            }
            // A lone apostrophe is rather prose or an operator than a literal.
            Err(_) if first == b'\'' => false,
            Err(line_end) => self.take(context, line_end, None),
        }
    }

    fn is_doc(&self, quote: &Quote) -> bool {
        let docs = self.lexicon.docs;
        if docs == Docs::None || docs == Docs::Statement && quote.open.len() != 3 {
            return false;
        }
        let Some(before) = self.line_so_far() else { return false };
        match docs {
            _ if quote.open.len() == 3 && is_prefix(before) => true,
            Docs::None | Docs::Statement => false,
            Docs::Attribute => {
                let word = before.split(|&byte| byte == b' ').next().unwrap_or_default();
                matches!(word, b"@doc" | b"@moduledoc" | b"@typedoc" | b"@shortdoc")
            }
        }
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    pub(super) fn before(&self) -> Option<u8> {
        self.text.get(self.at.wrapping_sub(1)).copied()
    }

    /// What stands before this place on its line, trimmed; `None` when that is long, so that long lines cost no
    /// quadratic time.
    fn line_so_far(&self) -> Option<&'t [u8]> {
        let from = self.at.saturating_sub(200);
        let before = &self.text[from..self.at];
        match before.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => Some(before[at + 1..].trim_ascii()),
            None => (from == 0).then(|| before.trim_ascii()),
        }
    }

    pub(super) fn line_end(&self, from: usize) -> usize {
        let from = from.min(self.text.len());
        self.text[from..].iter().position(|&byte| byte == b'\n').map_or(self.text.len(), |offset| from + offset)
    }

    pub(super) fn is_at(&self, place: Place) -> bool {
        match place {
            Place::Anywhere => true,
            Place::AfterSpace => {
                self.before().is_none_or(|byte| byte.is_ascii_whitespace() || b";()[]{},|&".contains(&byte))
            }
            Place::LineStart => self.text[..self.at]
                .iter()
                .rev()
                .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
                .is_none_or(|&byte| byte == b'\n'),
        }
    }
}

/// Whether nothing but a string's prefix (`r`, `f`, `u`, `b`) stands before it on its line.
fn is_prefix(before: &[u8]) -> bool {
    before.len() <= 2 && before.iter().all(|byte| b"rRfFuUbB".contains(byte))
}

/// The first end of `close` at or after `from`.
pub(super) fn find(text: &[u8], from: usize, close: &[u8]) -> Option<usize> {
    let (&first, rest) = close.split_first()?;
    let mut at = from;
    while let Some(offset) = text.get(at..)?.iter().position(|&byte| byte == first) {
        at += offset + 1;
        if text[at..].starts_with(rest) {
            return Some(at + rest.len());
        }
    }
    None
}

fn nested_end(text: &[u8], from: usize, block: &Block) -> Option<usize> {
    let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
    let (mut depth, mut at) = (1, from);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(close) {
            at += close.len();
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else if rest.starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    None
}

/// The end of the literal, closer included, or of what there is of it.
fn quote_end(text: &[u8], from: usize, quote: &Quote) -> Result<usize, usize> {
    let close = quote.close.as_bytes();
    let mut at = from;
    while at < text.len() {
        let rest = &text[at..];
        let is_escape = match quote.escape {
            Escape::Backslash => rest[0] == b'\\',
            Escape::Backquote => rest[0] == b'`',
            Escape::Doubled => rest.starts_with(close) && rest[close.len()..].starts_with(close),
            Escape::Never => false,
        };
        if is_escape {
            at += 2;
        } else if rest.starts_with(close) {
            return Ok(at + close.len());
        } else if rest[0] == b'\n' && !quote.is_multiline {
            return Err(at);
        } else {
            at += 1;
        }
    }
    Err(text.len())
}
