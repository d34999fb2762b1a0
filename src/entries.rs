//! Page → entries: what is put into the index for each passage.

use std::ops::Range;

use inkwell_index::{Entry, Field, Tokens};

use crate::link::{names, target};
use crate::page::Page;
use crate::parse::BlockKind;
use crate::walk::RepoPath;

/// The entries of a page: one per passage of each section.
pub fn entries(page: &Page) -> Vec<Entry> {
    let has_headings = page.main_section().is_some();
    let mut found = Vec::new();
    for section in 0..page.sections.len() {
        // Text before the first heading is part of the main section, see `Page::passages`.
        if page.sections[section].heading.is_none() && has_headings {
            continue;
        }
        for (number, passage) in page.passages(section).into_iter().enumerate() {
            found.push(entry(page, section, number, passage));
        }
    }
    found
}

fn entry(page: &Page, section: usize, number: usize, passage: Range<usize>) -> Entry {
    let is_front = page.is_front(section, &passage);
    let front = &page.document.front_matter;
    let mut heading = Tokens::default();
    heading.push(if is_front { page.title() } else { page.heading(section) });
    let mut title = Tokens::default();
    title.push(page.title());
    title.push(file_name(&page.path));
    let mut trail = Tokens::default();
    let above = page.trail(section);
    above.iter().take(above.len().saturating_sub(1)).for_each(|title| trail.push(title));
    trail.push(path_words(&page.path));
    front.tags.iter().for_each(|tag| trail.push(tag));
    let mut prose = Tokens::default();
    if is_front || (number == 0 && page.main_section() == Some(section)) {
        front.description.iter().for_each(|text| prose.push(text));
    }
    let mut code = Tokens::default();
    for block in &page.document.blocks[passage] {
        let is_code = matches!(block.kind, BlockKind::Code { .. });
        if is_code { code.push(&block.text) } else { prose.push(&block.text) }
    }
    let text = [
        (Field::Heading, heading),
        (Field::Title, title),
        (Field::Trail, trail),
        (Field::Prose, prose),
        (Field::Code, code),
    ];
    Entry {
        path: page.path.as_str().to_owned(),
        section: section as u32,
        passage: number as u32,
        tags: front.tags.clone(),
        names: if number == 0 || is_front { names(page, section) } else { Vec::new() },
        links: if number == 0 { links(page, section) } else { Vec::new() },
        text: text.into_iter().filter(|(_, tokens)| !tokens.is_empty()).collect(),
    }
}

/// The names of the sections that a section links to, each once.
fn links(page: &Page, section: usize) -> Vec<String> {
    let own = page.sections[section].own;
    let links = page.document.links.iter().filter(|link| !link.is_image && own.contains(link.span.start));
    let mut found: Vec<String> = links.filter_map(|link| target(page.path.as_str(), &link.destination)).collect();
    found.sort();
    found.dedup();
    found
}

/// The name of the file as a title: `i2c.md` is the page about I2C. An `index` or `README` is named by its folder.
fn file_name(path: &RepoPath) -> &str {
    let stem = path_words(path);
    let mut names = stem.rsplit('/');
    match names.next() {
        Some(name) if ["index", "readme"].iter().any(|usual| name.eq_ignore_ascii_case(usual)) => {
            names.next().unwrap_or_default()
        }
        name => name.unwrap_or_default(),
    }
}

/// The path without its extension, whose words say what a page is about.
fn path_words(path: &RepoPath) -> &str {
    path.as_str().rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem)
}
