//! Readers for literals that take more than an opener and a closer.

use super::Context;
use super::lexicon::{Form, Place};
use super::regions::{Lexer, find};
use super::words::is_word;

/// The longest regular expression, in bytes.
const REGEX_LIMIT: usize = 2000;

/// A here document whose body has not begun.
pub(super) struct Heredoc<'t> {
    word: &'t [u8],
}

/// The first bytes of a form.
pub(super) fn openers(form: Form) -> &'static [u8] {
    match form {
        Form::RustRaw => b"r",
        Form::CppRaw => b"R",
        Form::SwiftRaw => b"#",
        Form::Char => b"'",
        Form::Template => b"`{}",
        Form::Regex => b"/",
        Form::LongBracket => b"[",
        Form::LongComment => b"-",
        Form::Heredoc => b"<\n",
        Form::EqualsBlock => b"=",
        Form::Value => b"\"'",
        Form::ZigLine => b"\\",
    }
}

/// Takes the form if it stands here.
pub(super) fn take(lexer: &mut Lexer, form: Form) -> bool {
    match form {
        Form::RustRaw => take_rust_raw(lexer),
        Form::CppRaw => take_cpp_raw(lexer),
        Form::SwiftRaw => take_swift_raw(lexer),
        Form::Char => take_char(lexer),
        Form::Template => take_template(lexer),
        Form::Regex => take_regex(lexer),
        Form::LongBracket => take_long_bracket(lexer, 0, Context::Text),
        Form::LongComment => lexer.rest().starts_with(b"--[") && take_long_bracket(lexer, 2, Context::Comment),
        Form::Heredoc => take_heredoc(lexer),
        Form::EqualsBlock => take_equals_block(lexer),
        Form::Value => take_value(lexer),
        Form::ZigLine => lexer.rest().starts_with(b"\\\\") && lexer.take(Context::Text, lexer.line_end(lexer.at), None),
    }
}

fn count(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().take_while(|&&other| other == byte).count()
}

/// Takes the text between an opener of `open` bytes and `close`; an opener that is never closed is code.
fn take_raw(lexer: &mut Lexer, open: usize, close: &[u8], context: Context) -> bool {
    let first = lexer.text[lexer.at] as usize;
    if lexer.gave_up[first] {
        return false;
    }
    match find(lexer.text, lexer.at + open, close) {
        Some(end) => lexer.take(context, end, Some((open, close.len()))),
        None => {
            lexer.gave_up[first] = true;
            false
        }
    }
}

fn take_rust_raw(lexer: &mut Lexer) -> bool {
    let hashes = count(&lexer.rest()[1..], b'#');
    let is_word_end = lexer.before().is_some_and(|byte| is_word(byte) && byte != b'b' && byte != b'c');
    if is_word_end || lexer.rest().get(1 + hashes) != Some(&b'"') {
        return false;
    }
    take_raw(lexer, hashes + 2, &closer(b"\"", b"#", hashes), Context::Text)
}

fn closer(first: &[u8], repeated: &[u8], times: usize) -> Vec<u8> {
    [first, &repeated.repeat(times)].concat()
}

fn take_swift_raw(lexer: &mut Lexer) -> bool {
    let hashes = count(lexer.rest(), b'#');
    let quotes = match count(&lexer.rest()[hashes..], b'"') {
        0 => return false,
        3.. => 3,
        _ => 1,
    };
    take_raw(lexer, hashes + quotes, &closer(&b"\"\"\""[..quotes], b"#", hashes), Context::Text)
}

fn take_cpp_raw(lexer: &mut Lexer) -> bool {
    // The standard allows 16 bytes of delimiter.
    let Some(delimiter) = lexer.rest().strip_prefix(b"R\"") else { return false };
    let Some(length) = delimiter.iter().take(17).position(|&byte| byte == b'(') else { return false };
    let close = [b")", &delimiter[..length], b"\""].concat();
    take_raw(lexer, length + 3, &close, Context::Text)
}

fn take_char(lexer: &mut Lexer) -> bool {
    if lexer.before().is_some_and(is_word) && !matches!(lexer.before(), Some(b'b' | b'L' | b'u' | b'U' | b'8')) {
        return false;
    }
    let inside = &lexer.rest()[1..];
    let length = match inside.first() {
        // The longest escape is `\u{10FFFF}`.
        Some(b'\\') => inside.iter().take(12).skip(2).position(|&byte| byte == b'\'').map(|offset| offset + 2),
        Some(b'\'' | b'\n') | None => None,
        Some(&first) => Some(character_length(first)),
    };
    match length {
        Some(length) if inside.get(length) == Some(&b'\'') => {
            lexer.take(Context::Text, lexer.at + length + 2, Some((1, 1)))
        }
        _ => false,
    }
}

/// The bytes of the UTF-8 character that starts with this byte.
fn character_length(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

/// Opens a template, or counts braces within `${…}` and goes on with the text after it.
fn take_template(lexer: &mut Lexer) -> bool {
    match (lexer.text[lexer.at], lexer.templates.last_mut()) {
        (b'`', _) => take_template_text(lexer, true),
        (b'{', Some(depth)) => {
            *depth += 1;
            false
        }
        (b'}', Some(0)) => {
            lexer.templates.pop();
            take_template_text(lexer, false)
        }
        (b'}', Some(depth)) => {
            *depth -= 1;
            false
        }
        _ => false,
    }
}

/// Takes a template's text up to its end or the next `${`.
fn take_template_text(lexer: &mut Lexer, is_start: bool) -> bool {
    if lexer.gave_up[b'`' as usize] {
        return false;
    }
    let mut at = lexer.at + 1;
    while let Some(&byte) = lexer.text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'`' => {
                let delimiters = is_start.then_some((1, 1));
                return lexer.take(Context::Text, at + 1, delimiters);
            }
            b'$' if lexer.text.get(at + 1) == Some(&b'{') => {
                lexer.templates.push(0);
                return lexer.take(Context::Text, at + 2, None);
            }
            _ => {}
        }
        at += 1;
    }
    lexer.gave_up[b'`' as usize] = true;
    false
}

fn take_regex(lexer: &mut Lexer) -> bool {
    if matches!(lexer.rest().get(1), Some(b'/' | b'*' | b'\n') | None) || !expects_operand(lexer) {
        return false;
    }
    // A division that looks like an expression must not make long lines cost quadratic time.
    let inside = &lexer.rest()[1..lexer.rest().len().min(REGEX_LIMIT)];
    let (mut is_class, mut at) = (false, 0);
    while let Some(&byte) = inside.get(at) {
        match byte {
            b'\n' => return false,
            b'\\' => at += 1,
            b'[' => is_class = true,
            b']' => is_class = false,
            b'/' if !is_class => return lexer.take(Context::Text, lexer.at + at + 2, None),
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether what stands before a slash leaves it no operand to divide.
fn expects_operand(lexer: &Lexer) -> bool {
    let before = lexer.text[..lexer.at].trim_ascii_end();
    match before.last() {
        None => true,
        Some(&byte) if is_word(byte) || byte == b'$' => {
            let start = before.iter().rposition(|&byte| !is_word(byte)).map_or(0, |at| at + 1);
            matches!(&before[start..], b"return" | b"typeof" | b"case" | b"in" | b"of" | b"delete" | b"void" | b"await")
        }
        Some(byte) => b"(,=:[!&|?{};+-*%~^<>".contains(byte),
    }
}

/// `skip` bytes stand before the bracket.
fn take_long_bracket(lexer: &mut Lexer, skip: usize, context: Context) -> bool {
    let inside = &lexer.rest()[skip + 1..];
    let level = count(inside, b'=');
    if inside.get(level) != Some(&b'[') {
        return false;
    }
    let close = [&closer(b"]", b"=", level)[..], b"]"].concat();
    take_raw(lexer, skip + level + 2, &close, context)
}

/// Notes a here document, or at the end of its line takes its body.
fn take_heredoc(lexer: &mut Lexer) -> bool {
    if lexer.text[lexer.at] == b'\n' {
        return take_heredoc_bodies(lexer);
    }
    if let Some((length, word)) = heredoc(lexer.rest()) {
        lexer.heredocs.push(Heredoc { word });
        lexer.at += length;
        return true;
    }
    false
}

/// The length of a here document's opener, and its word.
fn heredoc(rest: &[u8]) -> Option<(usize, &[u8])> {
    let mut inside = rest.strip_prefix(b"<<")?;
    let is_php = inside.first() == Some(&b'<');
    if is_php {
        inside = inside[1..].trim_ascii_start();
    }
    inside = inside.strip_prefix(b"-").or_else(|| inside.strip_prefix(b"~")).unwrap_or(inside);
    let quote = inside.first().copied().filter(|byte| b"'\"`".contains(byte));
    inside = &inside[usize::from(quote.is_some())..];
    let length = inside.iter().position(|&byte| !is_word(byte)).unwrap_or(inside.len());
    let word = &inside[..length];
    // `1 << 2` and `class << self` are none.
    if word.first().is_none_or(u8::is_ascii_digit) {
        return None;
    }
    Some((rest.len() - inside.len() + length + usize::from(quote.is_some()), word))
}

fn take_heredoc_bodies(lexer: &mut Lexer) -> bool {
    if lexer.heredocs.is_empty() {
        return false;
    }
    lexer.at += 1;
    for heredoc in std::mem::take(&mut lexer.heredocs) {
        let end = if lexer.gave_up[b'<' as usize] { None } else { body_end(lexer, heredoc.word) };
        match end {
            Some(end) => _ = lexer.take(Context::Text, end, None),
            None => lexer.gave_up[b'<' as usize] = true,
        }
    }
    true
}

/// The start of the line that holds the word alone (or, in PHP, followed by punctuation).
fn body_end(lexer: &Lexer, word: &[u8]) -> Option<usize> {
    let mut at = lexer.at;
    while at < lexer.text.len() {
        let end = lexer.line_end(at);
        let line = lexer.text[at..end].trim_ascii();
        if line.strip_prefix(word).is_some_and(|rest| !rest.first().is_some_and(|&byte| is_word(byte))) {
            return Some(at);
        }
        at = end + 1;
    }
    None
}

fn take_equals_block(lexer: &mut Lexer) -> bool {
    if lexer.before().is_some_and(|byte| byte != b'\n') || !lexer.rest().get(1).is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let close: &[u8] = if lexer.rest().starts_with(b"=begin") { b"\n=end" } else { b"\n=cut" };
    let end = find(lexer.text, lexer.at, close).unwrap_or(lexer.text.len());
    lexer.take(Context::Comment, end, None)
}

/// Takes a quoted value on one line: an apostrophe within words opens nothing.
fn take_value(lexer: &mut Lexer) -> bool {
    let starts_value = lexer.is_at(Place::LineStart)
        || lexer.text[..lexer.at]
            .iter()
            .rev()
            .find(|byte| !byte.is_ascii_whitespace())
            .is_some_and(|byte| b":=-[{,".contains(byte));
    if !starts_value {
        return false;
    }
    let (quote, from) = (lexer.text[lexer.at], lexer.at + 1);
    let inside = &lexer.text[from..];
    let mut at = 0;
    while let Some(&byte) = inside.get(at).filter(|&&byte| byte != b'\n') {
        if byte == b'\\' && quote == b'"' {
            at += 1;
        } else if byte == quote {
            return lexer.take(Context::Text, from + at + 1, Some((1, 1)));
        }
        at += 1;
    }
    false
}
