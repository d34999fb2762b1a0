//! Markdown in, [`Document`] out: headings, leaf blocks, links, ids and front matter with exact byte spans.
//!
//! Parsing never fails. What is wrong with a document is listed in [`Document::problems`] and the rest is still
//! read. This stage does not decide what a section is (`section`), nor which text is worth citing.

pub mod anchor;
mod clean;
mod edited;
mod front_matter;
mod html;
mod layout;
mod markdown;
mod marker;
mod mdx;
mod plain;

use std::ops::Range;

use crate::span::Span;

pub use markdown::parse;

/// Which dialect a file is written in, told by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// CommonMark with GitHub's extensions: `.md`, `.markdown`.
    Markdown,
    /// The same with `import`/`export` lines and JSX tags, which are not text: `.mdx`.
    Mdx,
}

/// What a Markdown file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The metadata at the top of the file; all empty where there is none.
    pub front_matter: FrontMatter,
    /// Every heading, in file order.
    pub headings: Vec<Heading>,
    /// Every leaf block that holds text, in file order, headings excepted. They don't overlap.
    pub blocks: Vec<Block>,
    /// Every link and image, in file order, those in headings too.
    pub links: Vec<Link>,
    /// Every `id` and `name` attribute of an HTML element outside headings, fences and comments, in file order.
    pub ids: Vec<HtmlId>,
    /// What is wrong with the file, in file order.
    pub problems: Vec<Problem>,
}

/// The metadata at the top of a file, YAML between `---` lines or TOML between `+++` lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// From the opening fence to the end of the closing fence's line; empty where there is no front matter.
    pub span: Span,
    /// `title`.
    pub title: Option<String>,
    /// `tags` (also `keywords`): a list in any YAML form, or one string, split at commas.
    pub tags: Vec<String>,
    /// `template`.
    pub template: Option<String>,
    /// `updated` as it is written (also `date`, `last_updated`).
    pub updated: Option<String>,
    /// `description` (also `summary`).
    pub description: Option<String>,
    /// Other names of the page: `aliases`, `redirect_from`, `slug`.
    pub aliases: Vec<String>,
    /// `inkwell`, the page class that the author sets (`historical`, …).
    pub class: Option<String>,
}

/// A heading: ATX, setext, or an HTML `<h1>`–`<h6>` element.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The whole lines that the heading stands on, the setext underline and line ends included.
    pub span: Span,
    /// Plain text: markup, inline HTML tags and `{#id}` removed, code text kept, white space folded and trimmed.
    pub title: String,
    /// The text that slug rules see when they neither fold white space nor trim what removed inline HTML leaves
    /// behind; equal to `title` in all but a few headings.
    pub raw_title: String,
    /// The id of a `{#id}` attribute (or MDX `{/* #id */}`).
    pub attribute_id: Option<String>,
    /// Ids of HTML elements in the heading, or of the HTML heading element itself, in order.
    pub html_ids: Vec<String>,
    /// Ranges of `title` that were inline code.
    pub code: Vec<Range<usize>>,
}

/// A leaf block of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What the block is.
    pub kind: BlockKind,
    /// The source bytes, from the first to the last byte of the block's own content (a list item without its
    /// nested lists, a fence with its fence lines).
    pub span: Span,
    /// Plain text: markup and HTML tags removed, line breaks inside a paragraph as spaces; code verbatim but for
    /// its last line end. Cells of a table row are joined by ` | `. The alternative text of images is in it.
    pub text: String,
    /// Where the pieces of `text` come from, ascending; see [`Block::source`].
    pub pieces: Vec<Piece>,
    /// Ranges of `text` that were inline code.
    pub code: Vec<Range<usize>>,
    /// Ranges of `text` that were strongly emphasised.
    pub strong: Vec<Range<usize>>,
    /// The block that introduces this one: for list items and code, the paragraph or item right before the
    /// list or fence (index into [`Document::blocks`]); for table rows, the header row.
    pub lead_in: Option<usize>,
}

/// What a leaf block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph outside lists.
    Paragraph,
    /// The own text of a list item (its first paragraph, or a later one).
    Item {
        /// 1 for a top-level list.
        depth: u8,
    },
    /// The header row of a table.
    HeaderRow,
    /// A body row of a table.
    Row,
    /// A fenced or indented code block.
    Code {
        /// The first word of the info string, lower-cased; empty where there is none.
        language: String,
    },
    /// Text of an HTML block, tags removed.
    Html,
}

/// One run of a block's text that was copied from the source byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset in [`Block::text`] where the run starts.
    pub at: usize,
    /// The run's bytes in the file. Where an entity or escape was decoded, the source of it.
    pub source: Span,
}

impl Block {
    /// The source bytes that the range `text` of the block's plain text came from, markup between included.
    ///
    /// `None` for an empty range or one past the end.
    pub fn source(&self, text: Range<usize>) -> Option<Span> {
        let end = self.text.len().min(text.end);
        if text.start >= end {
            return None;
        }
        Some(Span::new(self.byte(text.start).start, self.byte(end - 1).end))
    }

    /// The source of byte `at` of the text: of a decoded piece, all of it.
    fn byte(&self, at: usize) -> Span {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        let Some(piece) = after.checked_sub(1).map(|index| self.pieces[index]) else {
            return Span::new(self.span.start, self.span.start);
        };
        let end = self.pieces.get(after).map_or(self.text.len(), |next| next.at);
        if piece.source.len() != end - piece.at {
            return piece.source;
        }
        let source = piece.source.start + (at - piece.at);
        Span::new(source, source + 1)
    }
}

/// A link or image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The whole construct in the source.
    pub span: Span,
    /// The destination as written, entities and escapes decoded; for a reference link, the definition's.
    pub destination: String,
    /// The plain text of the label; for an image, its alternative text.
    pub text: String,
    /// Whether it is an image.
    pub is_image: bool,
}

/// An `id` or `name` attribute in HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlId {
    /// The value.
    pub id: String,
    /// Where the element stands in the source.
    pub at: usize,
}

/// Something wrong with a document that did not stop it from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Offset in bytes that the message is about.
    pub at: usize,
    /// What was found, in words, without place: lower case, no full stop.
    pub message: String,
}
