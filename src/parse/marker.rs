//! Lines that site generators read and readers never see: container, admonition, tab and include markers.
//!
//! One line at a time; whether the line stands in a fence is known by the caller.

use std::ops::Range;

/// A marker line.
#[derive(Debug, PartialEq)]
pub(super) struct Marker {
    /// The part of the line that readers see: the title; empty where there is none.
    pub(super) title: Range<usize>,
    /// How the marker's content follows.
    pub(super) body: Body,
}

/// How the content of a marker is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Body {
    /// As ordinary lines, or there is none.
    Flat,
    /// Indented by four columns.
    Indented,
}

/// Reads `line`, which has no white space at its ends, as a marker.
pub(super) fn marker(line: &str) -> Option<Marker> {
    match line.as_bytes().first()? {
        b':' => flat(container(line)?),
        b'/' => flat(block(line)?),
        b'!' => admonition(line, "!!!"),
        b'?' => admonition(line, "???"),
        b'=' => tab(line),
        b'{' | b'-' | b'<' => is_directive(line).then_some(0..0).and_then(flat),
        _ => None,
    }
}

fn flat(title: Range<usize>) -> Option<Marker> {
    Some(Marker { title, body: Body::Flat })
}

/// `:::tip Title`, `::: details Title {open}`, `:::note[Title]`, `:::`.
fn container(line: &str) -> Option<Range<usize>> {
    let rest = line.trim_start_matches(':');
    let colons = line.len() - rest.len();
    let rest = rest.trim_start();
    let is_spaced_attribute = rest.starts_with('{');
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte)).count();
    if colons < 3 || (name == 0 && !rest.is_empty() && !is_spaced_attribute) {
        return None;
    }
    let after = without_attributes(&rest[name..]);
    let start = line.len() - rest.len() + name;
    let whole = start..start + after.len();
    let title = match (after.starts_with('['), after.rfind(']')) {
        (true, Some(end)) => start + 1..start + end,
        _ => whole,
    };
    Some(trimmed(line, title))
}

/// `/// tip | Title`, `///`.
fn block(line: &str) -> Option<Range<usize>> {
    let rest = line.strip_prefix("///")?.trim_start_matches('/');
    let name =
        rest.trim_start().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte)).count();
    let after = rest.trim_start()[name..].trim_start();
    let is_block = rest.is_empty() || (rest.starts_with(' ') && name > 0);
    match after.strip_prefix('|') {
        Some(title) if is_block => Some(trimmed(line, line.len() - title.len()..line.len())),
        None if is_block && after.is_empty() => Some(0..0),
        _ => None,
    }
}

/// `!!! note "Title"`, `??? tip`, `???+ tip inline end "Title"`.
fn admonition(line: &str, mark: &str) -> Option<Marker> {
    let rest = line.strip_prefix(mark)?;
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let words = rest.split('"').next().unwrap_or(rest);
    let is_word_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-_ ".contains(&byte);
    let has_words = words.starts_with([' ', '\t']) && !words.trim().is_empty() && words.bytes().all(is_word_byte);
    has_words.then_some(())?;
    let title = match words.len() == rest.len() {
        true => 0..0,
        false => quoted(line)?,
    };
    Some(Marker { title, body: Body::Indented })
}

/// `=== "Title"`, `===! "Title"`, `===+ "Title"`.
fn tab(line: &str) -> Option<Marker> {
    let rest = line.strip_prefix("===")?;
    rest.trim_start_matches(['!', '+']).strip_prefix([' ', '\t'])?.trim_start().strip_prefix('"')?;
    Some(Marker { title: quoted(line)?, body: Body::Indented })
}

/// Includes and template tags that fill a line.
fn is_directive(line: &str) -> bool {
    const PAIRS: [(&str, &str); 5] = [("{{#", "}}"), ("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}"), ("{*", "*}")];
    let is_pair = |(open, close): &(&str, &str)| {
        line.len() > open.len() + close.len() && line.starts_with(open) && line.ends_with(close)
    };
    let snippet = line.strip_prefix("--8<--").or_else(|| line.strip_prefix("-8<-"));
    let is_snippet = snippet.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['"', '\'']));
    let is_import = line.strip_prefix("<<<").is_some_and(|rest| rest.trim_start().starts_with(['@', '.', '/']));
    is_snippet || is_import || PAIRS.iter().any(is_pair)
}

/// What stands between the first and the last double quote, the last being the end of the line.
fn quoted(line: &str) -> Option<Range<usize>> {
    let start = line.find('"')? + 1;
    let end = line.len() - 1;
    (line.ends_with('"') && start <= end).then(|| trimmed(line, start..end))
}

/// `text` without a `{…}` at its end.
fn without_attributes(text: &str) -> &str {
    match text.rfind('{') {
        Some(open) if text.ends_with('}') => &text[..open],
        _ => text,
    }
}

fn trimmed(line: &str, range: Range<usize>) -> Range<usize> {
    let text = &line[range.clone()];
    let start = range.end - text.trim_start().len();
    start..(range.start + text.trim_end().len()).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, Body)>) {
        let found = marker(line);
        let found = found.map(|marker| (&line[marker.title], marker.body));
        assert_eq!(found, expected, "{line:?}");
    }

    #[test]
    fn containers_keep_their_title() {
        check(":::", Some(("", Body::Flat)));
        check(":::tip", Some(("", Body::Flat)));
        check("::: details  Click me {open}", Some(("Click me", Body::Flat)));
        check("::::note[Your [x] title]{.a}", Some(("Your [x] title", Body::Flat)));
        check("::: {.callout-note}", Some(("", Body::Flat)));
        check("::std::vec", None);
        check(":::: ,", None);
    }

    #[test]
    fn admonitions_keep_their_title() {
        check("!!! note", Some(("", Body::Indented)));
        check("!!! warning inline end \"Mind \"this\"\"", Some(("Mind \"this\"", Body::Indented)));
        check("???+ tip \"\"", Some(("", Body::Indented)));
        check("!!!", None);
        check("!!! What?", None);
        check("???", None);
        check("!!! note \"open", None);
    }

    #[test]
    fn tabs_keep_their_title() {
        check("=== \"Linux é\"", Some(("Linux é", Body::Indented)));
        check("===+ \"a\"", Some(("a", Body::Indented)));
        check("===", None);
        check("=== a", None);
        check("=== \"", None);
    }

    #[test]
    fn blocks_keep_their_title() {
        check("/// tip | Use `x`", Some(("Use `x`", Body::Flat)));
        check("/// details", Some(("", Body::Flat)));
        check("///", Some(("", Body::Flat)));
        check("/// a comment", None);
        check("//", None);
    }

    #[test]
    fn directives_have_no_text() {
        for line in
            ["{{#include a.md}}", "{{< x >}}", "{% raw %}", "{* ../a.py *}", "--8<-- \"a\"", "--8<--", "<<< @/a.js"]
        {
            check(line, Some(("", Body::Flat)));
        }
        for line in ["{{ x }}", "{}", "--8", "<<<<<<< HEAD", "<<< a", "---", "{#a}"] {
            check(line, None);
        }
    }
}
