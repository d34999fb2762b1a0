//! Reads a Markdown file's blocks, headings and links off the CommonMark parser's events.
//!
//! What CommonMark itself doesn't know is dealt with elsewhere: `front_matter` before it, `clean` around it,
//! `html` inside it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::clean::{self, Cleaned};
use super::edited::Edited;
use super::html::{self, Part};
use super::plain::{Plain, fold};
use super::{Block, BlockKind, Dialect, Document, Heading, HtmlId, Link, Problem, front_matter, mdx};
use crate::span::Span;

/// GitHub's extensions. Heading attributes are read here instead: the parser takes `{name}` in
/// `## Use {name}` for one and drops it.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// How many links and images inside one another keep their text.
const MAX_LABEL_DEPTH: usize = 4;

/// Parses a file. Never fails; what is wrong is in [`Document::problems`].
pub fn parse(text: &str, dialect: Dialect) -> Document {
    let split = front_matter::split(text);
    let Cleaned { edited, ids, problems } = clean::clean(text, split.body, dialect);
    let document = Document { front_matter: split.front_matter, ids, problems, ..Document::default() };
    let mut reader = Reader::new(text, &edited, document);
    reader.document.problems.extend(split.problem);
    for (event, range) in Parser::new_ext(&edited.text, OPTIONS).into_offset_iter() {
        reader.take(event, range);
    }
    reader.finish()
}

/// Turns events into a document.
struct Reader<'a> {
    source: &'a str,
    edited: &'a Edited<'a>,
    document: Document,
    open: Open,
    containers: Vec<Container>,
    /// Links and images that are open: index into the document's, and start of the label in `label`.
    labels: Vec<(usize, usize)>,
    label: String,
    header_row: Option<usize>,
    /// How many blocks there were at the last heading or rule: those before introduce nothing behind.
    barrier: usize,
    /// Whether what is read stands inside an inline `<script>` or `<style>`, which is not text.
    is_hidden: bool,
}

/// The leaf that is being read.
enum Open {
    Nothing,
    Text(Plain),
    Heading { level: u8, range: Range<usize>, text: Plain, ids: Vec<String> },
    Code { language: Option<String>, range: Range<usize>, text: Plain },
    Html(Plain),
    Row { kind: BlockKind, range: Range<usize>, cells: usize, text: Plain },
}

#[derive(Clone, Copy, PartialEq)]
enum Container {
    /// A list and the block that introduces it.
    List(Option<usize>),
    Item,
    Quote,
    Footnote,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, edited: &'a Edited<'a>, document: Document) -> Self {
        Self {
            source,
            edited,
            document,
            open: Open::Nothing,
            containers: Vec::new(),
            labels: Vec::new(),
            label: String::new(),
            header_row: None,
            barrier: 0,
            is_hidden: false,
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, range),
            Event::Code(text) => self.code_span(&text, range),
            Event::Html(html) => self.html(&html, range),
            Event::InlineHtml(html) => self.inline_html(&html, range),
            Event::SoftBreak | Event::HardBreak => self.line_break(range),
            Event::Rule => self.barrier = self.document.blocks.len(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            // Not enabled; would be text.
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, range),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        if is_block(&tag) {
            self.end_leaf();
        }
        match tag {
            Tag::Paragraph => self.open = Open::Text(Plain::default()),
            Tag::Heading { level, .. } => {
                self.open = Open::Heading { level: rank(level), range, text: Plain::default(), ids: Vec::new() };
            }
            Tag::CodeBlock(kind) => self.open = Open::Code { language: language(&kind), range, text: Plain::default() },
            Tag::HtmlBlock => self.open = Open::Html(Plain::default()),
            Tag::TableHead => self.open_row(BlockKind::HeaderRow, range),
            Tag::TableRow => self.open_row(BlockKind::Row, range),
            Tag::TableCell => self.open_cell(range),
            Tag::List(_) => {
                let lead_in = self.lead_in().or_else(|| self.list_lead_in());
                self.containers.push(Container::List(lead_in));
            }
            Tag::Item => self.containers.push(Container::Item),
            Tag::BlockQuote(_) => self.containers.push(Container::Quote),
            Tag::FootnoteDefinition(_) => self.containers.push(Container::Footnote),
            Tag::Strong => self.text_mut().open_strong(),
            Tag::Link { dest_url, .. } => self.open_link(&dest_url, LinkKind::Link, range),
            Tag::Image { dest_url, .. } => self.open_link(&dest_url, LinkKind::Image, range),
            Tag::Table(_) => self.header_row = None,
            Tag::Emphasis | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::DefinitionList | Tag::DefinitionListTitle | Tag::DefinitionListDefinition | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.text_mut().close_strong(),
            TagEnd::Link | TagEnd::Image => self.close_link(),
            TagEnd::List(_) | TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => {
                self.end_leaf();
                self.containers.pop();
            }
            TagEnd::TableCell | TagEnd::Emphasis | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            _ => self.end_leaf(),
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if !self.labels.is_empty() {
            self.label.push_str(text);
        }
        if self.is_alt_text_of_heading() {
            return;
        }
        let edited = self.edited;
        if self.is_hidden {
            return self.text_mut().cover(edited.span(range));
        }
        self.text_mut().push(edited, text, range);
    }

    fn code_span(&mut self, text: &str, range: Range<usize>) {
        if !self.labels.is_empty() {
            self.label.push_str(text);
        }
        if self.is_alt_text_of_heading() {
            return;
        }
        let edited = self.edited;
        self.text_mut().push_code(edited, text, range);
    }

    fn line_break(&mut self, range: Range<usize>) {
        if !self.labels.is_empty() {
            self.label.push(' ');
        }
        let span = self.edited.span(range);
        self.text_mut().push_decoded(" ", span);
    }

    fn html(&mut self, html: &str, range: Range<usize>) {
        let edited = self.edited;
        match &mut self.open {
            Open::Html(text) => text.push(edited, html, range),
            _ => self.inline_html(html, range),
        }
    }

    fn inline_html(&mut self, html: &str, range: Range<usize>) {
        let span = self.edited.span(range);
        let is_heading = matches!(self.open, Open::Heading { .. });
        let text = self.text_mut();
        text.cover(span);
        let Some(tag) = html::tag(html) else { return };
        if tag.name.eq_ignore_ascii_case("br") && !is_heading {
            text.push_decoded(" ", span);
        }
        let hides = ["script", "style"].iter().any(|name| tag.name.eq_ignore_ascii_case(name));
        self.is_hidden = if hides { !tag.is_closing } else { self.is_hidden };
        let found = html::ids(html).map(str::to_owned);
        match &mut self.open {
            Open::Heading { ids, .. } => ids.extend(found),
            _ => self.document.ids.extend(found.map(|id| HtmlId { id, at: span.start })),
        }
    }

    /// GitHub leaves the alternative text of images out of a heading's anchor, and readers don't see it.
    fn is_alt_text_of_heading(&self) -> bool {
        let is_image = |(link, _): &(usize, usize)| self.document.links[*link].is_image;
        matches!(self.open, Open::Heading { .. }) && self.labels.iter().any(is_image)
    }

    /// The text that inline content goes to. List items whose text is no paragraph open theirs here.
    fn text_mut(&mut self) -> &mut Plain {
        if matches!(self.open, Open::Nothing) {
            self.open = Open::Text(Plain::default());
        }
        match &mut self.open {
            Open::Text(text) | Open::Html(text) => text,
            Open::Heading { text, .. } | Open::Code { text, .. } | Open::Row { text, .. } => text,
            Open::Nothing => unreachable!("opened above"),
        }
    }

    fn open_row(&mut self, kind: BlockKind, range: Range<usize>) {
        self.open = Open::Row { kind, range, cells: 0, text: Plain::default() };
    }

    fn open_cell(&mut self, range: Range<usize>) {
        let at = self.edited.span(range.start..range.start);
        if let Open::Row { cells, text, .. } = &mut self.open {
            if *cells > 0 {
                text.push_decoded(" | ", at);
            }
            *cells += 1;
        }
    }

    fn open_link(&mut self, destination: &str, kind: LinkKind, range: Range<usize>) {
        let span = self.edited.span(range);
        let link =
            Link { span, destination: destination.to_owned(), text: String::new(), is_image: kind == LinkKind::Image };
        self.labels.push((self.document.links.len(), self.label.len()));
        self.document.links.push(link);
        self.text_mut().cover(span);
    }

    fn close_link(&mut self) {
        let Some((link, start)) = self.labels.pop() else { return };
        if self.labels.len() < MAX_LABEL_DEPTH {
            self.document.links[link].text = fold(&self.label[start..], &[]).0;
        }
        if self.labels.is_empty() {
            self.label.clear();
        }
    }

    /// Ends the leaf that is open, if any, and files it.
    fn end_leaf(&mut self) {
        self.is_hidden = false;
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => {}
            Open::Text(text) => self.end_text(text),
            Open::Heading { level, range, text, ids } => self.end_heading(level, range, text, ids),
            Open::Code { language, range, text } => self.end_code(language, range, text),
            Open::Html(text) => self.end_html(&text),
            Open::Row { kind, range, text, .. } => self.end_row(kind, range, text),
        }
    }

    fn end_text(&mut self, mut text: Plain) {
        let depth = self.containers.iter().filter(|container| matches!(container, Container::List(_))).count();
        let innermost = self.containers.iter().rev().find(|container| !matches!(container, Container::List(_)));
        if innermost == Some(&Container::Quote) {
            text.cut_alert_marker();
        }
        let (kind, lead_in) = match innermost {
            Some(Container::Item) => {
                (BlockKind::Item { depth: depth.min(usize::from(u8::MAX)) as u8 }, self.list_lead_in())
            }
            _ => (BlockKind::Paragraph, None),
        };
        self.document.blocks.extend(text.into_block(kind, lead_in));
    }

    fn end_heading(&mut self, level: u8, range: Range<usize>, mut text: Plain, html_ids: Vec<String>) {
        self.barrier = self.document.blocks.len();
        let attribute = attribute(self.edited.text[range.clone()].trim_end());
        let attribute_id = attribute.and_then(|(at, id)| {
            text.truncate_at_source(self.edited.span(range.start + at..range.end).start);
            id
        });
        let span = self.whole_lines(self.edited.span(range));
        self.push_heading(level, span, &text, attribute_id, html_ids);
    }

    fn push_heading(
        &mut self,
        level: u8,
        span: Span,
        text: &Plain,
        attribute_id: Option<String>,
        html_ids: Vec<String>,
    ) {
        let (title, code) = fold(&text.text, &text.code);
        let raw_title = text.text.clone();
        self.document.headings.push(Heading { level, span, title, raw_title, attribute_id, html_ids, code });
    }

    fn end_code(&mut self, language: Option<String>, range: Range<usize>, mut text: Plain) {
        let edited = self.edited;
        let source = &edited.text[range.clone()];
        if language.is_some() && !is_closed(source, &text, edited.span(range.clone()).end, self.source) {
            let at = edited.span(range.clone()).start;
            self.document.problems.push(Problem { at, message: "code fence is never closed".to_owned() });
        }
        text.span = Some(edited.span(range.start..range.start + source.trim_end().len()));
        let lead_in = self.lead_in();
        let kind = BlockKind::Code { language: language.unwrap_or_default() };
        self.document.blocks.extend(text.into_block(kind, lead_in));
    }

    fn end_html(&mut self, block: &Plain) {
        let (parts, ids) = html::read(block);
        self.document.ids.extend(ids);
        for part in parts {
            match part {
                Part::Text(text) => self.document.blocks.extend(text.into_block(BlockKind::Html, None)),
                Part::Heading(mut element) => {
                    element.text.trim();
                    self.barrier = self.document.blocks.len();
                    let span = self.whole_lines(element.span);
                    self.push_heading(element.level, span, &element.text, None, element.ids);
                }
            }
        }
    }

    fn end_row(&mut self, kind: BlockKind, range: Range<usize>, mut text: Plain) {
        let source = &self.edited.text[range.clone()];
        text.span = Some(self.edited.span(range.start..range.start + source.trim_end().len()));
        if text.text.trim_matches([' ', '|']).is_empty() {
            return;
        }
        let lead_in = self.header_row;
        if kind == BlockKind::HeaderRow {
            self.header_row = Some(self.document.blocks.len());
        }
        self.document.blocks.extend(text.into_block(kind, lead_in));
    }

    /// The block before, if it introduces what follows: a paragraph or list item that ends with a colon.
    fn lead_in(&self) -> Option<usize> {
        let last = self.document.blocks.len().checked_sub(1).filter(|last| *last >= self.barrier)?;
        let block: &Block = &self.document.blocks[last];
        let is_text = matches!(block.kind, BlockKind::Paragraph | BlockKind::Item { .. });
        (is_text && block.text.ends_with([':', '：'])).then_some(last)
    }

    /// The block that introduces the innermost list.
    fn list_lead_in(&self) -> Option<usize> {
        self.containers.iter().rev().find_map(|container| match container {
            Container::List(lead_in) => Some(*lead_in),
            Container::Item | Container::Quote | Container::Footnote => None,
        })?
    }

    /// `span`, widened to whole lines of the source.
    fn whole_lines(&self, span: Span) -> Span {
        let start = self.source[..span.start].rfind(is_line_end).map_or(0, |at| at + 1);
        let last = span.end.saturating_sub(1).max(span.start);
        let rest = self.source.as_bytes()[last..].iter();
        let line_end = rest.copied().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end = line_end.map_or(self.source.len(), |offset| last + offset + 1);
        let is_crlf = self.source[..end].ends_with('\r') && self.source[end..].starts_with('\n');
        Span::new(start, end + usize::from(is_crlf))
    }

    fn finish(mut self) -> Document {
        self.end_leaf();
        self.document.ids.sort_by_key(|id| id.at);
        self.document.problems.sort_by_key(|problem| problem.at);
        self.document
    }
}

#[derive(Clone, Copy, PartialEq)]
enum LinkKind {
    Link,
    Image,
}

/// CommonMark's line ends, a lone `\r` among them.
fn is_line_end(char: char) -> bool {
    matches!(char, '\n' | '\r')
}

/// Whether the element ends the text before it.
fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
            | Tag::TableCell
    )
}

fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The language of a fence, empty where it names none; `None` for indented code.
fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else {
        return None;
    };
    let word = info.split(|char: char| char.is_whitespace() || matches!(char, ',' | '{')).find(|word| !word.is_empty());
    Some(word.unwrap_or("").trim_matches(['.', '}']).to_lowercase())
}

/// Whether a closing fence stands between the last of the code, which came from before `end`, and `end`.
fn is_closed(block: &str, text: &Plain, end: usize, source: &str) -> bool {
    let tail = match text.pieces.last() {
        Some(last) => source.get(last.source.end..end).unwrap_or(""),
        None => block.split_once(is_line_end).map_or("", |(_, tail)| tail),
    };
    !tail.trim_matches(|char: char| char.is_whitespace() || char == '>').is_empty()
}

/// The attributes at the end of a heading: where they start, and the id if one is among them.
///
/// Read are `{#id}`, `{ #id .class key=value }`, Python-Markdown's `{: #id }` and MDX's `{/* #id */}`.
/// Braces with neither id nor class are text.
fn attribute(heading: &str) -> Option<(usize, Option<String>)> {
    let text = without_underline(heading);
    if let Some(at) = text.rfind("{/*").filter(|_| text.ends_with("*/}")) {
        return mdx::comment_id(&text[at..]).map(|id| (at, Some(id.to_owned())));
    }
    let inside = text.strip_suffix('}')?;
    let at = inside.rfind(['{', '}', '<', '>', '\\', '\n', '\r']).filter(|at| inside[*at..].starts_with('{'))?;
    let words = inside[at + 1..].trim_start_matches(':').split_whitespace();
    let is_id = |word: &&str| word.len() > 1 && word.starts_with('#');
    let is_class = |word: &&str| word.len() > 1 && word.starts_with('.');
    let is_attribute = |word: &str| is_id(&word) || is_class(&word) || word.contains('=');
    let mut first = words.clone();
    let id = words.clone().find(is_id).map(|id| id[1..].to_owned());
    let is_list = first.next().is_some_and(is_attribute) && (id.is_some() || words.clone().any(|word| is_class(&word)));
    is_list.then_some((at, id))
}

/// A heading's text without its setext underline.
fn without_underline(heading: &str) -> &str {
    match heading.rsplit_once(is_line_end) {
        Some((text, _)) => text.trim_end(),
        None => heading,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::section::sections;
    use crate::span::Lines;

    /// Headings and blocks in file order, one a line: `h2 Title`, `p text`, `li1 text`, `th …`, `code:rust …`.
    fn outline(text: &str, dialect: Dialect) -> Vec<String> {
        let document = parse(text, dialect);
        let headings = document.headings.iter().map(|heading| {
            let id = heading.attribute_id.iter().map(|id| format!(" #{id}"));
            let ids = heading.html_ids.iter().map(|id| format!(" <{id}>"));
            let ids: String = id.chain(ids).collect();
            (heading.span.start, format!("h{} {}{ids}", heading.level, heading.title))
        });
        let blocks = document.blocks.iter().map(|block| {
            let kind = match &block.kind {
                BlockKind::Paragraph => "p".to_owned(),
                BlockKind::Item { depth } => format!("li{depth}"),
                BlockKind::HeaderRow => "th".to_owned(),
                BlockKind::Row => "tr".to_owned(),
                BlockKind::Code { language } => format!("code:{language}"),
                BlockKind::Html => "html".to_owned(),
            };
            (block.span.start, format!("{kind} {}", block.text))
        });
        let mut lines: Vec<(usize, String)> = headings.chain(blocks).collect();
        lines.sort_by_key(|(at, _)| *at);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(outline(text, Dialect::Markdown), expected, "{text:?}");
    }

    fn check_mdx(text: &str, expected: &[&str]) {
        assert_eq!(outline(text, Dialect::Mdx), expected, "{text:?}");
    }

    fn problems(text: &str) -> Vec<(usize, String)> {
        let document = parse(text, Dialect::Markdown);
        document.problems.into_iter().map(|problem| (problem.at, problem.message)).collect()
    }

    #[test]
    fn comments_in_fenced_code_are_not_headings() {
        let fence = "# Real Title\n```python\n# this is a comment\n```\nprose\n";
        check(fence, &["h1 Real Title", "code:python # this is a comment", "p prose"]);
        check("# A\n~~~bash\n## Install deps\n~~~\n# Next\n", &["h1 A", "code:bash ## Install deps", "h1 Next"]);
    }

    #[test]
    fn a_fence_in_a_list_item_ends_with_it() {
        let text = "## before\n\n- item\n\n  ```bash\n  # comment\n  ```\n\n## after\n";
        check(text, &["h2 before", "li1 item", "code:bash # comment", "h2 after"]);
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        let text = "````\n```\n# no\n```\n# no2\n````\n## yes\n";
        check(text, &["code: ```\n# no\n```\n# no2", "h2 yes"]);
        check("```\n~~~\n# no\n~~~\n```\n## yes\n", &["code: ~~~\n# no\n~~~", "h2 yes"]);
        check("    # no\n\n## yes\n", &["code: # no", "h2 yes"]);
    }

    #[test]
    fn an_unclosed_fence_is_a_problem_and_loses_nothing() {
        let text = "## a\n\n## b\n\n```sh\nrun\n\n## c\nlast\n";
        check(text, &["h2 a", "h2 b", "code:sh run\n\n## c\nlast"]);
        assert_eq!(problems(text), [(12, "code fence is never closed".to_owned())]);
        assert_eq!(problems("> ```\n> a\n\nb\n"), [(2, "code fence is never closed".to_owned())]);
        assert_eq!(problems("- ```\n  a\n  ```\n\n```\n```\n\n> ~~~\n> ~~~\n"), []);
    }

    #[test]
    fn an_unclosed_fence_without_a_line_is_a_problem() {
        assert_eq!(problems("```"), [(0, "code fence is never closed".to_owned())]);
        assert_eq!(problems("a\n\n```sh\n"), [(3, "code fence is never closed".to_owned())]);
    }

    #[test]
    fn rules_in_mid_file_are_not_metadata() {
        let text = "# A\n\npara\n\n---\n\ntext between rules\n\n## Inside\n\n---\n\n## After\n";
        check(text, &["h1 A", "p para", "p text between rules", "h2 Inside", "h2 After"]);
    }

    #[test]
    fn metadata_is_not_a_heading() {
        check("---\nname: example\ndescription: metadata line\n---\n# Title\n", &["h1 Title"]);
        check("---\n\n# A\n\ntext\n\n## B\n", &["h1 A", "p text", "h2 B"]);
    }

    #[test]
    fn comments_are_neither_headings_nor_text() {
        check("<!--\n# commented heading\n-->\n\n## yes\n", &["h2 yes"]);
        check("a <!-- no\n## no --> b\n", &["p a <!-- no", "h2 no --> b"]);
        check("a <!-- no --> b\n", &["p a  b"]);
    }

    #[test]
    fn line_ends_do_not_show() {
        let text = "\u{feff}---\r\ntitle: X\r\n---\r\n# H\r\n\r\none\r\ntwo `a\r\nb`\r\n\r\nSet\r\n---\r\n";
        check(text, &["h1 H", "p one two a b", "h2 Set"]);
        let document = parse(text, Dialect::Markdown);
        assert_eq!(document.front_matter.title.as_deref(), Some("X"));
        let spans: Vec<&str> = document.headings.iter().map(|heading| &text[heading.span.range()]).collect();
        assert_eq!(spans, ["# H\r\n", "Set\r\n---\r\n"]);
    }

    #[test]
    fn a_byte_order_mark_belongs_to_the_first_line() {
        let document = parse("\u{feff}# H\n", Dialect::Markdown);
        assert_eq!((document.headings[0].title.as_str(), document.headings[0].span), ("H", Span::new(0, 7)));
    }

    #[test]
    fn headings_of_every_form_are_found() {
        check("# a #\n## b ######\n### c#\n#d\n####\n", &["h1 a", "h2 b", "h3 c#", "p #d", "h4 "]);
        check("a\nb\n===\n\nc\n-\n", &["h1 a b", "h2 c"]);
        check("> # q\n\n- ## l\n", &["h1 q", "h2 l"]);
    }

    #[test]
    fn titles_are_plain_text() {
        check("## Implement the `KvStore` interface\n", &["h2 Implement the KvStore interface"]);
        check("## *a* **b** ~~c~~ [d](e) ![f](g) &amp; \\* :tada:\n", &["h2 a b c d & * :tada:"]);
        check("## [`a`](b) <http://c>\n", &["h2 a http://c"]);
    }

    #[test]
    fn inline_html_leaves_only_its_white_space() {
        let document = parse("## General <a id=\"x\"></a> <Badge text=\"new\"/>\n## Foo <b/>\n", Dialect::Markdown);
        let titles: Vec<(&str, &str)> =
            document.headings.iter().map(|heading| (heading.title.as_str(), heading.raw_title.as_str())).collect();
        assert_eq!(titles, [("General", "General  "), ("Foo", "Foo ")]);
        assert_eq!(document.headings[0].html_ids, ["x"]);
        assert_eq!(document.ids, []);
    }

    #[test]
    fn code_in_titles_is_marked() {
        let document = parse("##  a  ` b  c `  `d`\n", Dialect::Markdown);
        let heading = &document.headings[0];
        let code: Vec<&str> = heading.code.iter().map(|range| &heading.title[range.clone()]).collect();
        assert_eq!((heading.title.as_str(), code), ("a b c d", vec!["b c", "d"]));
    }

    #[test]
    fn heading_attributes_give_ids_and_placeholders_stay() {
        check(
            "## A {#a-1}\n## B { #b }\n## C {#c .x}\n## D {.x #d k=v}\n",
            &["h2 A #a-1", "h2 B #b", "h2 C #c", "h2 D #d"],
        );
        check("## E {: #e }\n## F{#f_x_}\nG {#g}\n---\n", &["h2 E #e", "h2 F #f_x_", "h2 G #g"]);
        check(
            "## H {.x}\n## Use {name}\n## /a/{id}\n## {{ x }}\n",
            &["h2 H", "h2 Use {name}", "h2 /a/{id}", "h2 {{ x }}"],
        );
        check("## I {#}\n## `a {#b}`\n## {#j}\n", &["h2 I {#}", "h2 a {#b}", "h2  #j"]);
        check("## K {/* #k */}\n", &["h2 K #k"]);
        check_mdx("## L {/* #l */}\n## M {/* m */}\n", &["h2 L #l", "h2 M"]);
    }

    #[test]
    fn html_headings_are_headings() {
        let text = "<h3 name=\"config\">\nDoes <b>it</b> support\n&lt;files?\n</h3>\n\nYes.\n";
        check(text, &["h3 Does it support <files? <config>", "p Yes."]);
        let heading = &parse(text, Dialect::Markdown).headings[0];
        assert_eq!(
            (&text[heading.span.range()], heading.raw_title.as_str()),
            (&text[..text.len() - "\nYes.\n".len()], "Does it support <files?")
        );
        check("<div>\n<h1>A</h1>\n<h2 id=b>B <a name=c></a></h2>\n</div>\n", &["h1 A", "h2 B <b> <c>"]);
    }

    #[test]
    fn html_that_is_no_heading_stays_text() {
        check("<pre>\n<h1>a</h1>\n</pre>\n", &["html a"]);
        check("<!-- <h1>a</h1> -->\n\n<script>\n'<h1>b</h1>'\n</script>\n", &[]);
        check("<h1>A</h1><h2 id=\"b\">B</h2>\n", &["h1 A", "html B"]);
        check("<h1>\n\nA\n\n</h1>\n", &["p A"]);
        check("<h1><img src=x></h1>\n", &[]);
    }

    #[test]
    fn html_blocks_keep_their_text_without_tags() {
        check("<style>.x{color:red}</style>\n<script>fetchWidgets()</script>\n\ntext\n", &["p text"]);
        check("<div><p>a  b</p><p>c &amp; d</p></div>\n", &["html a b", "html c & d"]);
        check("<details>\n<summary>Sum</summary>\n\n**md**\n\n</details>\n", &["html Sum", "p md"]);
    }

    #[test]
    fn list_items_hold_their_own_text_only() {
        let text = "- a\n  b\n  - c\n    1. d\n- e\n\n  f\n- [x] g\n";
        check(text, &["li1 a b", "li2 c", "li3 d", "li1 e", "li1 f", "li1 g"]);
        let document = parse(text, Dialect::Markdown);
        let sources: Vec<&str> = document.blocks.iter().map(|block| &text[block.span.range()]).collect();
        assert_eq!(sources, ["a\n  b", "c", "d", "e", "f", "g"]);
    }

    #[test]
    fn tables_are_read_row_by_row() {
        let text = "|a|`b`|\n|-|-|\n|c \\| d|**e**|\n||f|\n| | |\n";
        check(text, &["th a | b", "tr c | d | e", "tr | f"]);
        let document = parse(text, Dialect::Markdown);
        let leads: Vec<Option<usize>> = document.blocks.iter().map(|block| block.lead_in).collect();
        assert_eq!(leads, [None, Some(0), Some(0)]);
        assert_eq!(document.blocks[1].span, Span::new(14, 28));
    }

    #[test]
    fn quotes_and_footnotes_are_paragraphs() {
        check("> a\n> b\n>\n> - c\n", &["p a b", "li1 c"]);
        check("- x\n\n  > y\n", &["li1 x", "p y"]);
        check("text[^1] more\n\n[^1]: The note.\n", &["p text more", "p The note."]);
    }

    #[test]
    fn alert_markers_are_not_text() {
        check("> [!TIP]\n> text\n", &["p text"]);
        check("> [!INFO] Title\n> text\n", &["p Title text"]);
        check("> [!abstract]- Folded\n", &["p Folded"]);
        check("[!TIP] not in a quote\n", &["p [!TIP] not in a quote"]);
    }

    #[test]
    fn container_markers_are_not_text() {
        check(":::tip My Title\ntext\n:::\n", &["p My Title", "p text"]);
        check("para\n::: warning\ntext\n:::\nmore\n", &["p para", "p text", "p more"]);
        check(":::note[The *label*]{.x}\n\n## h\n\n:::\n", &["p The label", "h2 h"]);
        check("/// tip | Title\ntext\n///\n", &["p Title", "p text"]);
        check("```\n:::tip a\n```\n", &["code: :::tip a"]);
    }

    #[test]
    fn admonition_bodies_are_not_code() {
        let text = "!!! note \"The title\"\n\n    Body\n    ```sh\n    run\n      more\n    ```\n\n    ## In\n\
                    \n        code\n\nafter\n";
        check(text, &["p The title", "p Body", "code:sh run\n  more", "h2 In", "code: code", "p after"]);
        let document = parse(text, Dialect::Markdown);
        let code = &document.blocks[2];
        assert_eq!(code.source(4..10).map(|span| &text[span.range()]), Some("  more"));
        assert_eq!(&text[document.headings[0].span.range()], "    ## In\n");
        check("??? tip\n    a\n\n    !!! b\n        c\n    d\ne\n", &["p a", "p c", "p d", "p e"]);
    }

    #[test]
    fn admonitions_in_list_items_stay_there() {
        check("1. a\n\n    !!! note\n\n        b\n\n    c\n2. d\n", &["li1 a", "li1 b", "li1 c", "li1 d"]);
    }

    #[test]
    fn content_tabs_are_read_like_admonitions() {
        let text = "=== \"A\"\n\n    ```js\n    a()\n    ```\n\n=== \"B\"\n\n    b\n";
        check(text, &["p A", "code:js a()", "p B", "p b"]);
    }

    #[test]
    fn admonition_syntax_in_code_is_code() {
        check("    !!! note\n        a\n\nb\n", &["code: !!! note\n    a", "p b"]);
        check("```\n!!! note\n    a\n```\n", &["code: !!! note\n    a"]);
    }

    #[test]
    fn includes_are_not_text() {
        check("a\n\n{{#include b.md}}\n--8<-- \"c.md\"\n<<< @/d.js{2}\n\ne\n", &["p a", "p e"]);
        check("```\n{{#include b.rs}}\n```\n", &["code: {{#include b.rs}}"]);
    }

    #[test]
    fn mdx_statements_and_tags_are_not_text() {
        let text = "import Snippet from './snippet.mdx'\nexport const a = {\n\n  b: 1,\n}\n\n# T\n\n\
                    <Snippet/>\n\n<Note type=\"x\">Some text</Note>\n";
        check_mdx(text, &["h1 T", "p Some text"]);
        check_mdx("a {/* no\n# no */} b\n\n{/* no */}\n", &["p a  b"]);
        check_mdx("```js\nimport a from 'b'\n<A/>\n```\n", &["code:js import a from 'b'\n<A/>"]);
        check_mdx("`<A b={1}>` and <A b={1}>c</A> {d}\n", &["p <A b={1}> and c {d}"]);
    }

    #[test]
    fn markdown_between_mdx_tags_is_markdown() {
        let text = "<Tabs\n  a={<b/>}\n  c=\"> d\"\n>\n<TabItem value=\"e\">\n## H\n```js\nf()\n\
                    ```\ntext\n</TabItem>\n</Tabs>\n";
        check_mdx(text, &["h2 H", "code:js f()", "p text"]);
        let indented = "<Tabs>\n    <Tab id=\"t\">\n        text\n\n        - a\n          - b\n\n        ```js\n          f()\n        ```\n    </Tab>\n\
                    </Tabs>\n";
        check_mdx(indented, &["p text", "li1 a", "li2 b", "code:js   f()"]);
        assert_eq!(parse(indented, Dialect::Mdx).ids, [HtmlId { id: "t".to_owned(), at: 11 }]);
    }

    #[test]
    fn mdx_headings_keep_their_tags_space() {
        let document = parse("## A <B c={1} />\n\n<h2 id=\"d\">D</h2>\n", Dialect::Mdx);
        assert_eq!(document.headings[0].raw_title, "A ");
        assert_eq!(
            (document.headings[1].title.as_str(), document.headings[1].html_ids.as_slice()),
            ("D", &["d".to_owned()][..])
        );
    }

    #[test]
    fn a_markdown_file_that_imports_is_mdx() {
        check("import Tabs from '@theme/Tabs';\n\n<Tabs>\n# H\n</Tabs>\n", &["h1 H"]);
        check("import the data from 'x' first\n", &["p import the data from 'x' first"]);
    }

    #[test]
    fn lead_ins_end_with_a_colon() {
        let document = parse(
            "Do this:\n\n- a:\n  - b\n- c\n\nNow:\n```\nd\n```\n\nNo.\n\n- e\n\nLost:\n\n## H\n\n- f\n",
            Dialect::Markdown,
        );
        let leads: Vec<(&str, Option<usize>)> =
            document.blocks.iter().map(|block| (block.text.as_str(), block.lead_in)).collect();
        let expected = [
            ("Do this:", None),
            ("a:", Some(0)),
            ("b", Some(1)),
            ("c", Some(0)),
            ("Now:", None),
            ("d", Some(4)),
            ("No.", None),
            ("e", None),
            ("Lost:", None),
            ("f", None),
        ];
        assert_eq!(leads, expected);
    }

    #[test]
    fn a_nested_list_without_a_lead_in_takes_its_parents() {
        let document = parse("Do this:\n\n- a\n  - b\n", Dialect::Markdown);
        let leads: Vec<Option<usize>> = document.blocks.iter().map(|block| block.lead_in).collect();
        assert_eq!(leads, [None, Some(0), Some(0)]);
    }

    #[test]
    fn links_are_listed_with_their_labels() {
        let text = "# [a](b)\n\n[c `d`\n\
                    e](<f g>) [h][r] [r] <i@j.k> ![l **m**](n) [![o](p)](q) [undefined][x]\n\n[r]: s&amp;t \"u\"\n";
        let document = parse(text, Dialect::Markdown);
        let links: Vec<(&str, &str, &str, bool)> = document
            .links
            .iter()
            .map(|link| (&text[link.span.range()], link.destination.as_str(), link.text.as_str(), link.is_image))
            .collect();
        let expected = [
            ("[a](b)", "b", "a", false),
            ("[c `d`\ne](<f g>)", "f g", "c d e", false),
            ("[h][r]", "s&t", "h", false),
            ("[r]", "s&t", "r", false),
            ("<i@j.k>", "i@j.k", "i@j.k", false),
            ("![l **m**](n)", "n", "l m", true),
            ("[![o](p)](q)", "q", "o", false),
            ("![o](p)", "p", "o", true),
        ];
        assert_eq!(links, expected);
    }

    #[test]
    fn ids_are_listed_outside_code_and_comments() {
        let text = "<a id=\"foo\"></a>\n\ntext <code id='bar'>x</code> `<a id=\"no\">`\n\n```\n\
                    <a id=\"no\">\n```\n\n<!-- <a id=\"no\"> -->\n\n<div name=baz>\n";
        let ids: Vec<(String, usize)> =
            parse(text, Dialect::Markdown).ids.into_iter().map(|id| (id.id, id.at)).collect();
        assert_eq!(ids, [("foo".to_owned(), 0), ("bar".to_owned(), 23), ("baz".to_owned(), 105)]);
    }

    #[test]
    fn code_and_strong_ranges_point_into_the_text() {
        let text = "a `` b ` c `` **d `e` __f__** `g\nh`\n";
        let block = &parse(text, Dialect::Markdown).blocks[0];
        let pick = |ranges: &[Range<usize>]| -> Vec<String> {
            ranges.iter().map(|range| block.text[range.clone()].to_owned()).collect()
        };
        assert_eq!(block.text, "a b ` c d e f g h");
        assert_eq!(pick(&block.code), ["b ` c", "e", "g h"]);
        assert_eq!(pick(&block.strong), ["d e f"]);
    }

    #[test]
    fn text_maps_back_to_its_source() {
        let text = "> x *two\n> words* &copy; \\* [l](u) `c\n> d`\n";
        let block = &parse(text, Dialect::Markdown).blocks[0];
        assert_eq!(block.text, "x two words © * l c d");
        let source = |part: &str| {
            let at = block.text.find(part).expect("part of the text");
            block.source(at..at + part.len()).map(|span| &text[span.range()])
        };
        assert_eq!(source("x two"), Some("x *two"));
        assert_eq!(source("two words"), Some("two\n> words"));
        assert_eq!(source("©"), Some("&copy;"));
        assert_eq!(source("* l"), Some("* [l"));
        assert_eq!(source("c d"), Some("c\n> d"));
        assert_eq!((block.source(3..3), block.source(99..100)), (None, None));
    }

    #[test]
    fn code_fences_are_verbatim_and_name_their_language() {
        check("```Rust,ignore {1}\n\tlet a = \"\\*&amp;\";\n\n```\n", &["code:rust \tlet a = \"\\*&amp;\";\n"]);
        check("``` {.python}\na\n```\n", &["code:python a"]);
        let text = "- ```js\n  a\n   b\n  ```\n";
        let document = parse(text, Dialect::Markdown);
        assert_eq!(&text[document.blocks[0].span.range()], "```js\n  a\n   b\n  ```");
        assert_eq!(document.blocks[0].text, "a\n b");
    }

    #[test]
    fn containers_nested_without_end_are_read_in_linear_time() {
        let deep = "> ".repeat(100_000) + "text\n" + &"lazy\n".repeat(20_000);
        let document = parse(&deep, Dialect::Markdown);
        assert!(document.blocks[0].text.starts_with("text lazy"));
        let message = "list and quote markers past column 200 are ignored: nested too deeply";
        assert_eq!(problems(&deep), [(0, message.to_owned())]);
        check(&("- ".repeat(100_000) + "text\n"), &["li100 text"]);
    }

    #[test]
    fn odd_bytes_are_text() {
        check("a\0b\n", &["p a\0b"]);
        check("# a\r# b\rc", &["h1 a", "h1 b", "p c"]);
        check("", &[]);
    }

    /// The laws that hold for every document.
    fn assert_lawful(text: &str, document: &Document) {
        let is_inside = |span: Span| text.get(span.range()).is_some();
        let mut end = 0;
        for heading in &document.headings {
            assert!(is_inside(heading.span) && heading.span.start >= end && !heading.span.is_empty(), "{heading:?}");
            assert!(heading.span.start == 0 || text[..heading.span.start].ends_with(is_line_end), "{heading:?}");
            assert!(heading.code.iter().all(|range| heading.title.get(range.clone()).is_some()), "{heading:?}");
            end = heading.span.end;
        }
        let mut end = 0;
        for block in &document.blocks {
            assert!(is_inside(block.span) && block.span.start >= end, "{block:?} starts before {end}");
            assert!(
                block.code.iter().chain(&block.strong).all(|range| block.text.get(range.clone()).is_some()),
                "{block:?}"
            );
            end = block.span.end;
            assert_pieces(text, block);
        }
        assert!(document.links.iter().all(|link| is_inside(link.span)));
        assert!(document.ids.iter().all(|id| text.is_char_boundary(id.at)));
        let mut end = 0;
        for section in sections(document, text.len()) {
            assert_eq!(section.own.start, end);
            end = section.own.end;
        }
        assert_eq!(end, text.len());
    }

    fn assert_pieces(text: &str, block: &Block) {
        for (at, char) in block.text.char_indices() {
            let source = block.source(at..at + char.len_utf8()).expect("a source for every character");
            assert!(text.get(source.range()).is_some(), "{char:?} at {at} from {source:?} of {block:?}");
        }
        let ends = block.pieces.iter().skip(1).map(|piece| piece.at).chain([block.text.len()]);
        for (piece, end) in block.pieces.iter().zip(ends) {
            let (copy, source) = (&block.text[piece.at..end], &text[piece.source.range()]);
            let is_decoded = copy.len() != source.len() || source.starts_with('&') || copy == " ";
            assert!(is_decoded || copy == source, "{copy:?} from {source:?} of {block:?}");
        }
    }

    /// Text made of what matters to Markdown, MDX and site generators.
    fn markdown_like() -> impl Strategy<Value = String> {
        let token = prop::sample::select(vec![
            "\n",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            " ",
            "    ",
            "\t",
            "#",
            "## ",
            "- ",
            "1. ",
            "> ",
            "```",
            "~~~",
            "`",
            "*",
            "**",
            "_",
            "[",
            "]",
            "(",
            ")",
            "!",
            "[a](b)",
            "![",
            "|",
            "-|-\n",
            "---\n",
            "===\n",
            "<",
            ">",
            "</",
            "<a id=\"é\">",
            "<h2>",
            "</h2>",
            "<div>",
            "<pre>",
            "<!--",
            "-->",
            "<script>",
            "{/*",
            "*/}",
            "{",
            "}",
            "{#é}",
            "import a from 'b'\n",
            "export const a = {",
            "<A b={",
            "/>",
            ":::",
            ":::tip ",
            "!!! note \"",
            "\"\n",
            "=== \"é\"\n",
            "/// a | b\n",
            "[!NOTE]",
            "[^1]",
            "[^1]: ",
            "[r]: ",
            "&amp;",
            "&",
            "\\",
            "|",
            "\\|",
            "a",
            "b:",
            "é",
            "😀",
            "\0",
            "\u{a0}",
            "\u{feff}",
            "title: x\n",
            "+++\n",
            "--8<-- \"a\"\n",
            "<br>",
            "<b>",
            "- [ ] ",
            "https://x.y",
        ]);
        prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_parses_lawfully(text in prop_oneof![markdown_like(), any::<String>()]) {
            for dialect in [Dialect::Markdown, Dialect::Mdx] {
                assert_lawful(&text, &parse(&text, dialect));
            }
        }

        #[test]
        fn a_crlf_twin_has_the_same_headings_on_the_same_lines(text in markdown_like()) {
            let lf = text.replace('\r', "");
            let crlf = lf.replace('\n', "\r\n");
            let headings = |text: &str| -> Vec<(u8, String, usize)> {
                let lines = Lines::of(text);
                let document = parse(text, Dialect::Markdown);
                let line = |heading: &Heading| lines.line(heading.span.start);
                document.headings.iter().map(|heading| (heading.level, heading.title.clone(), line(heading))).collect()
            };
            assert_eq!(headings(&lf), headings(&crlf));
        }
    }
}
