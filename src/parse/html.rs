//! HTML inside Markdown: tags, their ids, headings written as elements, and the text that is left without tags.
//!
//! Everything here works on one block of HTML at a time; which lines are such a block is CommonMark's to say.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use super::HtmlId;
use super::plain::Plain;
use crate::span::Span;

/// Elements whose contents are not text.
const SILENT: [&str; 3] = ["script", "style", "svg"];

/// Elements that end the text before them; the text behind is another block.
const BLOCKS: [&str; 26] = [
    "article",
    "aside",
    "blockquote",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tr",
    "ul",
];

/// Elements that stand for white space in the text.
const SPACES: [&str; 4] = ["br", "img", "td", "th"];

/// A piece of an HTML block.
pub(super) enum Part {
    /// Text between block-level tags.
    Text(Plain),
    /// An `<h1>`–`<h6>` element with text in it.
    Heading(Element),
}

/// A heading element.
pub(super) struct Element {
    pub(super) level: u8,
    pub(super) text: Plain,
    pub(super) ids: Vec<String>,
    /// From the opening tag's first byte to the closing tag's last.
    pub(super) span: Span,
}

/// Reads one HTML block, given as its lines without container markers.
///
/// Returns its parts in order and the ids outside headings.
pub(super) fn read(block: &Plain) -> (Vec<Part>, Vec<HtmlId>) {
    let mut reader = Reader {
        block,
        last_close: block.text.rfind('>').unwrap_or(0),
        parts: Vec::new(),
        ids: Vec::new(),
        text: Plain::default(),
        heading: None,
        line_has_text: false,
        in_pre: false,
    };
    let mut at = 0;
    while at < block.text.len() {
        let open = block.text[at..].find('<').map_or(block.text.len(), |offset| at + offset);
        reader.take_text(at..open);
        at = reader.take_markup(open);
    }
    reader.give_up_heading();
    reader.end_text();
    (reader.parts, reader.ids)
}

struct Reader<'a> {
    block: &'a Plain,
    /// Offset of the last `>`, behind which nothing can be a tag.
    last_close: usize,
    parts: Vec<Part>,
    ids: Vec<HtmlId>,
    text: Plain,
    heading: Option<Element>,
    line_has_text: bool,
    in_pre: bool,
}

impl Reader<'_> {
    fn take_text(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let rest = &self.block.text[at..range.end];
            let blank = rest.len() - rest.trim_start().len();
            let word =
                rest[blank..].find(|char: char| char.is_whitespace() || char == '&').unwrap_or(rest.len() - blank);
            if blank > 0 {
                self.take_blank(at..at + blank);
            }
            if word > 0 {
                self.take_word(at + blank..at + blank + word);
            }
            at += blank + word;
            if self.block.text[at..range.end].starts_with('&') {
                at = self.take_entity(at..range.end);
            }
        }
    }

    fn take_word(&mut self, range: Range<usize>) {
        self.line_has_text = true;
        let block = self.block;
        self.target().push_from(block, range);
    }

    fn take_blank(&mut self, range: Range<usize>) {
        let block = self.block;
        self.line_has_text &= !block.text[range.clone()].contains('\n');
        match self.in_pre || &block.text[range.clone()] == " " && self.ends_in_word() {
            true => self.target().push_from(block, range),
            false => self.take_space(range.start),
        }
    }

    /// One space for whatever white space or tag stands at `at`.
    fn take_space(&mut self, at: usize) {
        let source = self.block.source(at);
        let len = self.block.text[at..].chars().next().map_or(0, char::len_utf8);
        if self.ends_in_word() {
            self.target().push_decoded(" ", Span::new(source, source + len));
        }
    }

    fn ends_in_word(&mut self) -> bool {
        let text = &self.target().text;
        !text.is_empty() && !text.ends_with(' ')
    }

    fn take_entity(&mut self, range: Range<usize>) -> usize {
        let block = self.block;
        let name = block.text[range.start + 1..range.end].bytes().take(40);
        let len = name.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
        let end = range.start + 1 + len;
        let entity = block.text[end..range.end].starts_with(';').then_some(range.start..end + 1);
        let decoded = entity.and_then(|entity| Some((decode(&block.text[entity.clone()])?, entity.end)));
        let Some((text, end)) = decoded else {
            self.take_word(range.start..range.start + 1);
            return range.start + 1;
        };
        self.line_has_text = true;
        let source = Span::new(block.source(range.start), block.source(end - 1) + 1);
        self.target().push_decoded(&text, source);
        end
    }

    /// Takes the tag, comment or lone `<` at `at`; returns where the text goes on.
    fn take_markup(&mut self, at: usize) -> usize {
        let block = self.block;
        let rest = &block.text[at..];
        if rest.is_empty() {
            return at;
        }
        if rest.starts_with("<!--") {
            return rest.find("-->").map_or(block.text.len(), |end| at + end + 3);
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            return rest.find('>').map_or(block.text.len(), |end| at + end + 1);
        }
        let may_be_tag = at < self.last_close;
        match may_be_tag.then(|| tag(rest)).flatten() {
            Some(tag) => self.take_tag(&tag, at),
            None => {
                self.take_word(at..at + 1);
                at + 1
            }
        }
    }

    fn take_tag(&mut self, tag: &Tag<'_>, at: usize) -> usize {
        let end = at + tag.source.len();
        let name = tag.name.to_ascii_lowercase();
        match heading_level(&name) {
            Some(_) if tag.is_closing => self.close_heading(end),
            Some(level) if !self.in_pre => return self.open_heading(tag, level, at),
            _ => {}
        }
        let source = self.block.source(at);
        self.take_ids(tag, source);
        match name.as_str() {
            name if BLOCKS.contains(&name) && self.heading.is_none() => self.end_text(),
            name if BLOCKS.contains(&name) || SPACES.contains(&name) => self.take_space(at),
            _ => {}
        }
        if name == "pre" {
            self.in_pre = !tag.is_closing;
        }
        match SILENT.contains(&name.as_str()) && !tag.is_closing && !tag.source.ends_with("/>") {
            true => closing(&self.block.text, end, &name),
            false => end,
        }
    }

    fn open_heading(&mut self, tag: &Tag<'_>, level: u8, at: usize) -> usize {
        self.give_up_heading();
        self.end_text();
        let source = self.block.source(at);
        let end = at + tag.source.len();
        if self.line_has_text {
            self.take_ids(tag, source);
            return end;
        }
        let ids = ids(tag.source).map(str::to_owned).collect();
        let span = Span::new(source, self.block.source(end - 1) + 1);
        self.heading = Some(Element { level, text: Plain::default(), ids, span });
        end
    }

    fn close_heading(&mut self, end: usize) {
        match self.heading.take() {
            Some(heading) if heading.text.is_blank() => self.heading = Some(heading),
            Some(mut heading) => {
                heading.span.end = self.block.source(end - 1) + 1;
                return self.parts.push(Part::Heading(heading));
            }
            None => return self.end_text(),
        }
        self.give_up_heading();
    }

    /// Turns an open heading element back into text: it is empty, or its closing tag is missing.
    fn give_up_heading(&mut self) {
        let Some(heading) = self.heading.take() else { return };
        let at = heading.span.start;
        self.ids.extend(heading.ids.into_iter().map(|id| HtmlId { id, at }));
        let text = &heading.text;
        self.text.push_from(text, 0..text.text.len());
    }

    fn take_ids(&mut self, tag: &Tag<'_>, at: usize) {
        let found = ids(tag.source).map(str::to_owned);
        match &mut self.heading {
            Some(heading) => heading.ids.extend(found),
            None => self.ids.extend(found.map(|id| HtmlId { id, at })),
        }
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_blank() {
            self.parts.push(Part::Text(text));
        }
    }

    fn target(&mut self) -> &mut Plain {
        match &mut self.heading {
            Some(heading) => &mut heading.text,
            None => &mut self.text,
        }
    }
}

/// A tag at the start of a text.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) is_closing: bool,
    /// From `<` to `>`.
    pub(super) source: &'a str,
}

/// The tag that `text` starts with. A quote that never ends is taken for a plain character.
pub(super) fn tag(text: &str) -> Option<Tag<'_>> {
    let (is_closing, after) = match text.strip_prefix("</") {
        Some(after) => (true, after),
        None => (false, text.strip_prefix('<')?),
    };
    let name_len = after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte)).count();
    let name = &after[..name_len];
    if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        return None;
    }
    let end = unquoted_close(after).or_else(|| after.find('>'))?;
    let len = text.len() - after.len() + end + 1;
    Some(Tag { name, is_closing, source: &text[..len] })
}

/// The values of the `id` and `name` attributes of an opening tag, in order.
pub(super) fn ids(tag: &str) -> impl Iterator<Item = &str> {
    attributes(tag).filter(|(name, value)| matches!(*name, "id" | "name") && !value.is_empty()).map(|(_, value)| value)
}

/// Name and value of every attribute that has a value. JSX values in braces are left out.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let after_name = tag.find(|char: char| char.is_whitespace()).filter(|_| !tag.starts_with("</"));
    let mut rest = after_name.map_or("", |at| &tag[at..]);
    std::iter::from_fn(move || {
        loop {
            rest = rest
                .trim_start_matches(|char: char| char.is_whitespace() || matches!(char, '/' | '>' | '=' | '"' | '\''));
            if rest.is_empty() {
                return None;
            }
            let end =
                rest.find(|char: char| char.is_whitespace() || matches!(char, '=' | '>' | '/')).unwrap_or(rest.len());
            let name = &rest[..end];
            rest = &rest[end..];
            let Some(value) = rest.trim_start().strip_prefix('=') else { continue };
            let (value, after) = attribute_value(value.trim_start());
            rest = after;
            return Some((name, value));
        }
    })
}

/// Splits `text` into the attribute value it starts with and what follows.
fn attribute_value(text: &str) -> (&str, &str) {
    match text.bytes().next() {
        Some(quote @ (b'"' | b'\'')) => {
            let end = text[1..].find(quote as char).map_or(text.len(), |end| end + 1);
            (&text[1..end], text.get(end + 1..).unwrap_or(""))
        }
        Some(b'{') => ("", &text[super::mdx::braces(text).unwrap_or(text.len())..]),
        _ => text.split_at(text.find(|char: char| char.is_whitespace() || char == '>').unwrap_or(text.len())),
    }
}

/// 1 to 6 for `h1` to `h6`.
fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Where the closing tag of the element `name` starts, or the end of the text.
fn closing(text: &str, from: usize, name: &str) -> usize {
    let bytes = text.as_bytes();
    let is_closing = |at: &usize| {
        let after = &bytes[(at + 2).min(bytes.len())..];
        bytes[*at..].starts_with(b"</")
            && after.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
    };
    text[from..].match_indices('<').map(|(offset, _)| from + offset).find(is_closing).unwrap_or(text.len())
}

/// The first `>` outside quotes.
fn unquoted_close(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at),
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            _ => {}
        }
    }
    None
}

/// The character reference `entity`, decoded by the Markdown parser, which has the whole table.
fn decode(entity: &str) -> Option<String> {
    Parser::new(entity).find_map(|event| match event {
        Event::Text(text) if *text != *entity => Some(text.into_string()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::edited::Editor;

    /// Reads one block: parts as `text` or `hN text <id>`, then the ids outside headings.
    fn check(text: &str, parts: &[&str], outside: &[(&str, usize)]) {
        let mut block = Plain::default();
        block.push(&Editor::new(text, 0).finish(), text, 0..text.len());
        let (found, ids) = read(&block);
        let found = found.into_iter().map(|part| match part {
            Part::Text(text) => text.text.trim().to_owned(),
            Part::Heading(heading) => {
                let ids: String = heading.ids.iter().map(|id| format!(" <{id}>")).collect();
                format!("h{} {}{ids}", heading.level, heading.text.text.trim())
            }
        });
        assert_eq!(found.collect::<Vec<_>>(), parts, "{text:?}");
        let ids: Vec<(&str, usize)> = ids.iter().map(|id| (id.id.as_str(), id.at)).collect();
        assert_eq!(ids, outside, "{text:?}");
    }

    #[test]
    fn tags_are_removed_and_white_space_folded() {
        check("<b>a</b>  b\n<i>c</i>d<br>e", &["a b cd e"], &[]);
        check("a < b <3 c> <x", &["a < b <3 c> <x"], &[]);
        check("<p title=\"a > b\">c", &["c"], &[]);
    }

    #[test]
    fn block_elements_part_the_text() {
        check("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>", &["a", "b", "c d"], &[]);
    }

    #[test]
    fn silent_elements_and_comments_are_skipped() {
        check("a<SCRIPT>b</p></Script>c<!-- d -->e<style>f", &["ace"], &[]);
        check("a<!-- b", &["a"], &[]);
    }

    #[test]
    fn entities_are_decoded() {
        check("a&amp;b &lt;c&nbsp;d &nope; & &#233;", &["a&b <c\u{a0}d &nope; & é"], &[]);
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        check("<pre>a\n  b</pre>", &["a\n  b"], &[]);
    }

    #[test]
    fn headings_need_a_text_and_both_tags() {
        check("a\n<h2 id=x>b <a name='y'></a></H2>c", &["a", "h2 b <x> <y>", "c"], &[]);
        check("<h2 id=x></h2><h2>b", &["b"], &[("x", 0)]);
        check("<h1>a\n<h2>b</h2>", &["a", "h2 b"], &[]);
        check("<p>a</p><h1>b</h1>", &["a", "b"], &[]);
    }

    #[test]
    fn ids_come_from_id_and_name_attributes() {
        let check = |tag: &str, expected: &[&str]| assert_eq!(ids(tag).collect::<Vec<_>>(), expected, "{tag:?}");
        check("<a id=\"b c\" name = 'd' data-id=e id=f/>", &["b c", "d", "f/"]);
        check("<A b={<C id=\"no\"/>} id=\"d\" e>", &["d"]);
        check("<a id>", &[]);
        check("</a id=b>", &[]);
        check("<a id=\"\" id=\"open", &["open"]);
    }
}
