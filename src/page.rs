//! A docs file as everything after parsing sees it: text, document, sections, anchors and lines together.
//!
//! It answers where things are and what a section is called. It does not rank and does not print.

use std::ops::Range;

use crate::parse::anchor::{Anchors, SiteStyle, assign};
use crate::parse::{Block, BlockKind, Dialect, Document, parse};
use crate::section::{Section, sections};
use crate::span::{Lines, Span};
use crate::walk::RepoPath;

/// Text of a passage in bytes, about; longer sections are searched piece by piece.
const PASSAGE_BUDGET: usize = 6000;

/// A parsed docs file.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where the file is.
    pub path: RepoPath,
    /// What it holds, byte for byte.
    pub text: String,
    /// What was parsed from the text.
    pub document: Document,
    /// The sections, tiling the text.
    pub sections: Vec<Section>,
    /// The anchors of the headings, one per heading.
    pub anchors: Vec<Anchors>,
    /// The lines of the text.
    pub lines: Lines,
    title: String,
    main_section: Option<usize>,
}

impl Page {
    /// Parses `text`, the content of the file at `path`, with anchors as the site style makes them.
    pub fn parse(path: RepoPath, text: String, style: SiteStyle) -> Self {
        let document = parse(&text, dialect(&path));
        let sections = sections(&document, text.len());
        let anchors = assign(style, &document.headings);
        let lines = Lines::of(&text);
        let title = title(&document, &path);
        let main_section = main_section(&document, &sections);
        Self { path, text, document, sections, anchors, lines, title, main_section }
    }

    /// The page's title: of the front matter, else the first first-rank heading, else the file's name.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The title of a section: its heading, or the page's title for text outside any.
    pub fn heading(&self, section: usize) -> &str {
        self.sections[section].heading.map_or_else(|| self.title(), |index| &self.document.headings[index].title)
    }

    /// The titles from the top of the page down to the section's own heading.
    pub fn trail(&self, section: usize) -> Vec<&str> {
        let section = &self.sections[section];
        let headings = section.trail.iter().chain(&section.heading);
        headings.map(|index| self.document.headings[*index].title.as_str()).collect()
    }

    /// The section that text before the first heading belongs to: the first of first rank, else the first with a
    /// heading (contracts A2). `None` where the page has no heading.
    pub fn main_section(&self) -> Option<usize> {
        self.main_section
    }

    /// The fragment that a link to the section uses: its own anchor, else that of the nearest heading above that
    /// has one (a heading of emoji alone has none). `None` where there is nothing to link to.
    pub fn anchor(&self, section: usize) -> Option<&str> {
        let section = &self.sections[section];
        let own = section.heading?;
        let above = section.trail.iter().rev();
        let mut printed = std::iter::once(&own).chain(above).map(|index| self.anchors[*index].printed.as_str());
        printed.find(|anchor| !anchor.is_empty())
    }

    /// The section that `anchor` leads to: by a heading's printed anchor, else by any other fragment that is valid
    /// for a heading, else by an element with that id.
    pub fn find(&self, anchor: &str) -> Option<usize> {
        let heading = |is_it: &dyn Fn(&Anchors) -> bool| {
            let index = self.anchors.iter().position(is_it)?;
            self.sections.iter().position(|section| section.heading == Some(index))
        };
        let element = || {
            let id = self.document.ids.iter().find(|id| id.id == anchor)?;
            self.sections.iter().position(|section| section.own.contains(id.at))
        };
        heading(&|anchors| anchors.printed == anchor)
            .or_else(|| heading(&|anchors| anchors.also.iter().any(|also| also == anchor)))
            .or_else(element)
    }

    /// The passages of a section, in file order: runs of blocks that are searched as one. The main section's begin
    /// with those of the text before the first heading. A section without text has one empty passage, so that its
    /// heading can be found.
    pub fn passages(&self, section: usize) -> Vec<Range<usize>> {
        let own = &self.sections[section];
        let mut found = Vec::new();
        let front = self.sections.first().filter(|first| first.heading.is_none());
        if let Some(front) = front.filter(|_| self.main_section() == Some(section)) {
            self.split(front.blocks.clone(), &mut found);
        }
        let before = found.len();
        self.split(own.blocks.clone(), &mut found);
        if found.len() == before {
            found.push(own.blocks.end..own.blocks.end);
        }
        found
    }

    /// Whether a passage of a section is text from before the first heading.
    pub fn is_front(&self, section: usize, passage: &Range<usize>) -> bool {
        passage.start < self.sections[section].blocks.start
    }

    /// What is shown of a section when `passage` was found in it: from its heading line to the next heading of the
    /// same or a higher rank (contracts A2). Where the passage stands before the first heading, what is shown
    /// begins with it: a citation must hold what it is cited for.
    pub fn shown(&self, section: usize, passage: &Range<usize>) -> Span {
        let whole = self.sections[section].whole;
        if passage.is_empty() || !self.is_front(section, passage) {
            return whole;
        }
        let start = self.block(passage.start).span.start;
        let is_next = self.sections[..section].iter().all(|before| before.heading.is_none());
        let end = if is_next { whole.end } else { self.block(passage.end - 1).span.end };
        Span::new(start, end)
    }

    /// The bytes of a passage of a section, from its first block to its last with the markup that touches them; of one
    /// without blocks, the section's heading.
    pub fn span_of(&self, section: usize, passage: &Range<usize>) -> Span {
        if !passage.is_empty() {
            let (start, end) = (self.block(passage.start).span.start, self.block(passage.end - 1).span.end);
            let is_black = |byte: &u8| !byte.is_ascii_whitespace();
            let before = self.text.as_bytes()[..start].iter().rev().take_while(|byte| is_black(byte)).count();
            let after = self.text.as_bytes()[end..].iter().take_while(|byte| is_black(byte)).count();
            return Span::new(start - before, end + after);
        }
        let section = &self.sections[section];
        section.heading.map_or(section.own, |heading| self.document.headings[heading].span)
    }

    fn split(&self, blocks: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut start = blocks.start;
        let mut size = 0;
        for index in blocks.clone() {
            let block = &self.document.blocks[index];
            // A row stays with its header; everything else may begin a passage.
            if size + block.text.len() > PASSAGE_BUDGET && index > start && block.kind != BlockKind::Row {
                found.push(start..index);
                (start, size) = (index, 0);
            }
            size += block.text.len();
        }
        if start < blocks.end {
            found.push(start..blocks.end);
        }
    }

    /// A block's place in lines, 1-based and inclusive.
    pub fn lines_of(&self, span: Span) -> (usize, usize) {
        self.lines.range(span)
    }

    /// A block by index.
    pub fn block(&self, index: usize) -> &Block {
        &self.document.blocks[index]
    }
}

fn title(document: &Document, path: &RepoPath) -> String {
    let front = document.front_matter.title.as_deref().filter(|title| !title.trim().is_empty());
    let heading = || document.headings.iter().find(|heading| heading.level == 1).map(|heading| heading.title.as_str());
    let name = || path.name().rsplit_once('.').map_or(path.name(), |(stem, _)| stem);
    front.or_else(heading).unwrap_or_else(name).to_owned()
}

fn main_section(document: &Document, sections: &[Section]) -> Option<usize> {
    let level = |section: &Section| section.heading.map(|index| document.headings[index].level);
    let first_rank = sections.iter().position(|section| level(section) == Some(1));
    first_rank.or_else(|| sections.iter().position(|section| section.heading.is_some()))
}

/// The dialect of a file, by its extension.
pub fn dialect(path: &RepoPath) -> Dialect {
    let is_mdx = path.as_str().rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("mdx"));
    if is_mdx { Dialect::Mdx } else { Dialect::Markdown }
}
