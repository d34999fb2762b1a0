//! What is shown of a text: without the marks that only a site generator understands.
//!
//! The parser takes whole marker lines away; here go the marks inside a line. Code is never touched.

/// Removes the marks of site generators and of references that lead nowhere from a text with code in backticks.
pub fn shown(text: &str) -> String {
    let text = without_opening(text);
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = code(rest).map(|len| (rest[..len].to_owned(), len)).or_else(|| mark(rest, &out));
        let (kept, len) = taken.unwrap_or_else(|| (c.to_string(), c.len_utf8()));
        out.push_str(&kept);
        rest = &rest[len..];
    }
    let folded = super::fold(&out);
    // Where a mark stood before a full stop, no space is left behind.
    let closed = |shown: String, gap: &&str| if text.contains(*gap) { shown } else { shown.replace(*gap, &gap[1..]) };
    let closed = [" .", " ,", " ;"].iter().fold(folded, closed);
    // What stands before the first ` : ` of a short line is a term, and what follows its definition.
    match closed.split_once(" : ") {
        Some((term, definition)) if term.len() <= TERM && !term.contains(['.', ':', '`']) => {
            format!("{term}: {definition}")
        }
        _ => closed,
    }
}

/// A term that is defined is not longer than this, in bytes.
const TERM: usize = 40;

/// Takes away what marks the text's kind: `: ` of a definition, `!!! note "Title"`, `=== "Tab"`, `[!NOTE]`, `:::tip`.
fn without_opening(text: &str) -> &str {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix(": ") {
        return without_opening(rest);
    }
    if let Some((kind, rest)) = text.strip_prefix("[!").and_then(|rest| rest.split_once(']')) {
        return if kind.bytes().all(|byte| byte.is_ascii_alphabetic()) { rest } else { text };
    }
    for fence in ["!!!", "???+", "???", "===", ":::"] {
        if let Some(rest) = text.strip_prefix(fence) {
            let rest = rest.trim_start_matches(':').trim_start();
            let kind = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic()).count();
            return without_title(&rest[kind..]);
        }
    }
    text
}

fn without_title(text: &str) -> &str {
    let text = text.trim_start();
    let title = text.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    title.map_or(text, |(_, rest)| rest.trim_start())
}

/// The length of the code span that `text` begins with.
fn code(text: &str) -> Option<usize> {
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let fence = &text[..ticks];
    let end = text[ticks..].find(fence).filter(|_| ticks > 0)?;
    Some(ticks + end + ticks)
}

/// What stays of a mark that `text` begins with, and the length of the mark.
fn mark(text: &str, before: &str) -> Option<(String, usize)> {
    let between = |open: &str, close: &str| {
        let end = text.strip_prefix(open)?.find(close)?;
        Some((&text[open.len()..open.len() + end], open.len() + end + close.len()))
    };
    if let Some((_, len)) = between("<!--", "-->").or_else(|| between("{%", "%}")).or_else(|| between("{{<", ">}}")) {
        return Some((String::new(), len));
    }
    if let Some((inside, len)) = between("{", "}") {
        let inside = inside.trim_start_matches(':').trim_start();
        let is_attribute = inside.starts_with(['.', '#']) && !inside.starts_with("..");
        return is_attribute.then_some((String::new(), len));
    }
    let (label, len) = between("[", "]")?;
    reference(label, &text[len..], before).map(|(kept, more)| (kept, len + more))
}

/// The label of a reference that was not resolved, and the length of what follows it: `[label][id]`, `[label][]`,
/// `` [`code`] ``, `[two words]`. Other brackets are text.
fn reference(label: &str, after: &str, before: &str) -> Option<(String, usize)> {
    if label.starts_with('^') && !label.contains(' ') {
        return Some((String::new(), 0));
    }
    // An index, as in `a[0][1]`, is no reference.
    if label.is_empty()
        || after.starts_with('(')
        || before.ends_with(|c: char| c.is_alphanumeric() || c == ')' || c == ']')
    {
        return None;
    }
    let id = after.strip_prefix('[').and_then(|rest| rest.find(']')).map(|end| end + 2);
    let is_code =
        label.len() > 2 && label.starts_with('`') && label.ends_with('`') && !label[1..label.len() - 1].contains('`');
    // One word in brackets may be an option or a remark.
    let is_phrase = label.contains(' ') && label.chars().all(|c| c.is_alphanumeric() || " -'".contains(c));
    match id {
        Some(more) => Some((label.to_owned(), more)),
        None if is_code || is_phrase => Some((label.to_owned(), 0)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text), expected, "{text}");
    }

    #[test]
    fn marks_of_site_generators_are_not_shown() {
        check("Works <!-- md:version 9.2.0 --> here.", "Works here.");
        check(": The second meaning.", "The second meaning.");
        check("Okapi : A shy animal : small.", "Okapi: A shy animal : small.");
        check("=== \"Linux\" Run it.", "Run it.");
        check("!!! note \"Mind\" Stop first.", "Stop first.");
        check("???+ tip Stop first.", "Stop first.");
        check(":::tip Stop first.", "Stop first.");
        check("[!WARNING] Stop first.", "Stop first.");
        check("A card { .annotate } with {: #id } marks.", "A card with marks.");
        check("Now {% raw %}so{% endraw %}.", "Now so.");
        check("A claim[^1].", "A claim.");
    }

    #[test]
    fn references_that_lead_nowhere_lose_their_brackets() {
        check("See [the guide][guide] and [`run`].", "See the guide and `run`.");
        check("See [the guide][].", "See the guide.");
        check("Off in [CI environments].", "Off in CI environments.");
    }

    #[test]
    fn brackets_and_braces_that_are_text_stay() {
        for text in ["Use `[a][b]` or `{ .x }`.", "Take a[0][1].", "An [optional] word.", "A set {a, b}.", "Wait... {}"]
        {
            check(text, text);
        }
    }
}
