//! A folder of Markdown → a corpus whose sources are the sections.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::super::json::Json;
use super::super::text::trimmed;
use crate::error::Error;
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::section::Section;
use crate::span::Span;
use crate::walk::{self, RepoPath, Root, Skipped};

/// How far a section goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To the next heading: no sentence stands in two sources. Sections of a heading alone are left out.
    Own,
    /// To the next heading of the same or a higher rank: what a drafter is shown of a section.
    Whole,
}

/// The sections below a folder. Their text is kept once, however deep they are nested.
#[derive(Clone, Debug)]
pub struct Folder {
    /// What was left out, with the reason.
    pub skipped: Vec<Skipped>,
    pages: Vec<Sections>,
}

/// A page's text and where the sections are in it.
#[derive(Clone, Debug)]
struct Sections {
    text: String,
    sections: Vec<Named>,
}

#[derive(Clone, Debug)]
struct Named {
    id: String,
    title: String,
    span: Span,
}

impl Folder {
    /// Reads the Markdown below a folder of the root, by the same rules as the docs.
    ///
    /// # Errors
    /// When the root is gone. A file that can't be read is in [`Folder::skipped`].
    pub fn read(root: &Root, folder: &RepoPath, style: SiteStyle, extent: Extent) -> Result<Self, Error> {
        let listing = walk::docs(root, std::slice::from_ref(folder))?;
        let read = |file: &walk::DocFile| match root.read(&file.path) {
            Ok((text, _)) => Ok(named(Page::parse(file.path.clone(), text, style), extent)),
            Err(reason) => Err(Skipped { path: file.path.to_string(), reason }),
        };
        let mut found = Self { skipped: listing.skipped, pages: Vec::new() };
        for page in listing.files.par_iter().map(read).collect::<Vec<_>>() {
            match page {
                Ok(page) => found.pages.push(page),
                Err(skipped) => found.skipped.push(skipped),
            }
        }
        Ok(found)
    }

    /// The sections as a corpus is supplied: an array of objects with `id`, `title` and `text`.
    pub fn corpus(&self) -> Json<'_> {
        let sections = self.pages.iter().flat_map(|page| page.sections.iter().map(|section| (section, &page.text)));
        Json::Array(sections.map(|(section, text)| section.source(text)).collect())
    }
}

impl Named {
    fn source<'a>(&'a self, text: &'a str) -> Json<'a> {
        let fields = [("id", self.id.as_str()), ("title", &self.title), ("text", trimmed(&text[self.span.range()]))];
        let field = |(name, value): (&'static str, &'a str)| (name.into(), Json::Text(value.into()));
        Json::Object(fields.into_iter().map(field).collect::<BTreeMap<_, _>>())
    }
}

/// The sections of a page under names that no two share. What no link leads to (a heading of emoji alone, the second
/// of two headings with one written id) belongs to the source before it.
fn named(page: Page, extent: Extent) -> Sections {
    let mut found: Vec<Named> = Vec::new();
    let mut ids = HashSet::new();
    for section in 0..page.sections.len() {
        let Some(span) = span(&page, section, extent) else { continue };
        let anchor = page.anchor(section).map(|anchor| format!("#{anchor}")).unwrap_or_default();
        let id = format!("{}{anchor}", page.path);
        match found.last_mut() {
            Some(before) if ids.contains(&id) => before.span.end = before.span.end.max(span.end),
            _ => {
                ids.insert(id.clone());
                found.push(Named { id, title: title(&page, section), span });
            }
        }
    }
    Sections { text: page.text, sections: found }
}

/// The bytes of a section; `None` where there is nothing to quote.
fn span(page: &Page, section: usize, extent: Extent) -> Option<Span> {
    let found = &page.sections[section];
    let (own, whole) = (found.own, found.whole);
    let end = if extent == Extent::Own { own.end } else { whole.end };
    let span = match front(page) {
        // Text before the first heading is the main section's where that comes next (contracts A2).
        Front::Joined if section == 0 => return None,
        Front::Joined if section == 1 => Span::new(page.document.front_matter.span.end, end),
        Front::Apart if section == 0 => Span::new(page.document.front_matter.span.end, end),
        Front::Joined | Front::Apart | Front::None => Span::new(start(page, found, extent), end),
    };
    let first = page.document.blocks.partition_point(|block| block.span.start < span.start);
    let has_blocks = first < found.blocks.end;
    let is_bare = extent == Extent::Own && found.heading.is_some() && !has_blocks;
    (!is_bare && !trimmed(&page.text[span.range()]).is_empty()).then_some(span)
}

/// Where a section's text starts: of its own text after the heading, which is its title and no sentence.
fn start(page: &Page, section: &Section, extent: Extent) -> usize {
    let heading = section.heading.filter(|_| extent == Extent::Own);
    heading.map_or(section.own.start, |heading| page.document.headings[heading].span.end)
}

/// Where the text before the first heading goes.
enum Front {
    /// To the section that comes next.
    Joined,
    /// It is a source of its own.
    Apart,
    /// There is none.
    None,
}

fn front(page: &Page) -> Front {
    match page.sections.first() {
        Some(first) if first.heading.is_some() => Front::None,
        Some(_) if page.main_section() == Some(1) => Front::Joined,
        Some(_) => Front::Apart,
        None => Front::None,
    }
}

fn title(page: &Page, section: usize) -> String {
    let names = [page.heading(section), page.title(), page.path.as_str()];
    names.into_iter().map(trimmed).find(|name| !name.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the sources of a page as `(id, title, text)`.
    fn check(text: &str, extent: Extent, expected: &[(&str, &str, &str)]) {
        let path = RepoPath::new("docs/a.md").expect("a path");
        let page = named(Page::parse(path, text.to_owned(), SiteStyle::Github), extent);
        let folder = Folder { skipped: Vec::new(), pages: vec![page] };
        let corpus = folder.corpus();
        let field = |source: &Json<'_>, name| source.field(name).and_then(Json::text).unwrap_or_default().to_owned();
        let found: Vec<_> = corpus
            .items()
            .iter()
            .map(|source| (field(source, "id"), field(source, "title"), field(source, "text")))
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(id, title, text)| (id.to_string(), title.to_string(), text.to_string())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_whole_section_holds_those_below_it() {
        let whole = "# One\n\ntext\n\n## Two\n\nmore";
        let expected = [("docs/a.md#one", "One", whole), ("docs/a.md#two", "Two", "## Two\n\nmore")];
        check(&format!("{whole}\n"), Extent::Whole, &expected);
    }

    #[test]
    fn own_text_stands_in_one_source_only() {
        let expected = [("docs/a.md#one", "One", "text"), ("docs/a.md#two", "Two", "more")];
        check("# One\n\ntext\n\n## Two\n\nmore\n", Extent::Own, &expected);
    }

    #[test]
    fn a_heading_alone_is_a_whole_section_but_no_own_text() {
        check("# One\n\n## Two\n", Extent::Own, &[]);
        let expected = [("docs/a.md#one", "One", "# One\n\n## Two"), ("docs/a.md#two", "Two", "## Two")];
        check("# One\n\n## Two\n", Extent::Whole, &expected);
    }

    #[test]
    fn text_before_the_first_heading_is_the_main_sections() {
        for extent in [Extent::Own, Extent::Whole] {
            let text = "---\ntags: [x]\n---\n\nfront\n\n# One\n\ntext\n";
            check(text, extent, &[("docs/a.md#one", "One", "front\n\n# One\n\ntext")]);
            check("front\n\n# One\n", extent, &[("docs/a.md#one", "One", "front\n\n# One")]);
        }
    }

    #[test]
    fn text_before_a_lesser_heading_is_a_source_of_the_page() {
        let expected =
            [("docs/a.md", "Two", "front"), ("docs/a.md#one", "One", "text"), ("docs/a.md#two", "Two", "more")];
        check("front\n\n## One\n\ntext\n\n# Two\n\nmore\n", Extent::Own, &expected);
    }

    #[test]
    fn a_page_without_headings_is_one_source() {
        check("---\ntitle: T\n---\ntext\n", Extent::Own, &[("docs/a.md", "T", "text")]);
        check("text\n", Extent::Whole, &[("docs/a.md", "a", "text")]);
        check("---\ntitle: T\n---\n\n", Extent::Whole, &[]);
        check("", Extent::Own, &[]);
    }

    #[test]
    fn what_no_link_leads_to_belongs_to_the_source_before() {
        let text = "# One\n\ntext\n\n## 🎉\n\nparty\n\n## Two\n\nmore\n";
        let expected = [("docs/a.md#one", "One", "text\n\n## 🎉\n\nparty"), ("docs/a.md#two", "Two", "more")];
        check(text, Extent::Own, &expected);
        check("# 🎉\n\nparty\n", Extent::Own, &[("docs/a.md", "🎉", "party")]);
    }
}
