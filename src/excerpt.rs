//! `path#anchor` → the section's text as it stands in the file.
//!
//! A target is never guessed: a name that fits several files is answered with their list, one that fits none with
//! the nearest names.

use crate::cite::{Citation, decode};
use crate::engine::{Engine, State};
use crate::error::nearest;
use crate::page::Page;
use crate::span::Span;
use crate::walk::RepoPath;

/// Names that are offered where none fits, at most.
const OFFERED: usize = 8;

/// A section, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The section, by its printed anchor; no anchor for a whole page.
    pub citation: Citation,
    /// The section's heading; the page's title for a whole page.
    pub heading: String,
    /// Titles from the top of the page down to the heading.
    pub trail: Vec<String>,
    /// First and last 1-based line of the text.
    pub lines: (usize, usize),
    /// The text, byte for byte; with parents, the pieces one after the other.
    pub text: String,
    /// Whether lines were left out at the end.
    pub is_truncated: bool,
}

/// What is read around a section's own text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The headings above, with their own text.
    pub parents: bool,
    /// The sections below.
    pub children: bool,
    /// Lines, at most.
    pub limit: Option<usize>,
}

/// Why nothing was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// What was asked for and what there is.
    pub message: String,
    /// The names that could have been meant.
    pub offers: Vec<String>,
}

/// Reads the section that `target` names, `path#anchor` or a path alone, as printed or percent-encoded.
///
/// # Errors
/// When the target names no docs file, several, or no section of it.
pub fn excerpt(engine: &Engine, state: &State, target: &str, around: Around) -> Result<Excerpt, NotFound> {
    let (path, anchor) = locate(state, target)?;
    let page = engine.page(&path).map_err(|reason| NotFound {
        message: format!("failed to read `{}`: {reason}", path.as_str()),
        offers: Vec::new(),
    })?;
    match anchor {
        None => Ok(whole_page(&page, around)),
        Some(anchor) => match page.find(&anchor).or_else(|| page.find(&decode(&anchor))) {
            Some(section) => Ok(section_of(&page, section, around)),
            None => Err(no_section(&page, &anchor)),
        },
    }
}

/// The file and fragment that a target names. A `#` may be part of a file's name, so every one is tried.
fn locate(state: &State, target: &str) -> Result<(RepoPath, Option<String>), NotFound> {
    let splits = std::iter::once((target, None))
        .chain(target.rmatch_indices('#').map(|(at, _)| (&target[..at], Some(&target[at + 1..]))));
    let mut known = None;
    for (path, anchor) in splits {
        let found = [path.to_owned(), decode(path)].into_iter().find_map(|path| file(state, &path));
        if let Some(found) = found {
            return Ok((found, anchor.filter(|anchor| !anchor.is_empty()).map(str::to_owned)));
        }
        known = Some(path);
    }
    Err(no_file(state, known.unwrap_or(target)))
}

/// The docs file with exactly this path, or the only one whose path ends so, whole names compared.
fn file(state: &State, path: &str) -> Option<RepoPath> {
    let path = RepoPath::new(path)?;
    let files = &state.listing.files;
    if let Ok(at) = files.binary_search_by(|file| file.path.cmp(&path)) {
        return Some(files[at].path.clone());
    }
    match ending(state, path.as_str()).as_slice() {
        [one] => Some((*one).clone()),
        _ => None,
    }
}

/// The docs files whose path ends with the names of `path`, with or without their extension.
fn ending<'a>(state: &'a State, path: &str) -> Vec<&'a RepoPath> {
    let suffix = format!("/{path}");
    let ends = |file: &&RepoPath| {
        let file = file.as_str();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        !path.is_empty() && [file, stem].iter().any(|name| *name == path || name.ends_with(&suffix))
    };
    state.listing.files.iter().map(|file| &file.path).filter(ends).collect()
}

fn no_file(state: &State, path: &str) -> NotFound {
    let several: Vec<String> = ending(state, path).iter().take(OFFERED).map(|path| path.as_str().to_owned()).collect();
    if several.len() > 1 {
        return NotFound { message: format!("`{path}` names several docs files"), offers: several };
    }
    let all = state.listing.files.iter().map(|file| file.path.as_str());
    let near = nearest(path, all).map(str::to_owned);
    NotFound { message: format!("there is no docs file `{path}`"), offers: near.into_iter().collect() }
}

fn no_section(page: &Page, anchor: &str) -> NotFound {
    let printed = || page.anchors.iter().map(|anchors| anchors.printed.as_str()).filter(|anchor| !anchor.is_empty());
    let cite = |anchor: &str| format!("{}#{anchor}", page.path.as_str());
    let offers: Vec<String> = match nearest(anchor, printed()) {
        Some(near) => vec![cite(near)],
        None => printed().take(OFFERED).map(cite).collect(),
    };
    NotFound { message: format!("there is no section `#{anchor}` in `{}`", page.path.as_str()), offers }
}

fn whole_page(page: &Page, around: Around) -> Excerpt {
    let citation = Citation { path: page.path.as_str().to_owned(), anchor: String::new() };
    cut(page, citation, page.title().to_owned(), Vec::new(), &[Span::new(0, page.text.len())], around.limit)
}

fn section_of(page: &Page, index: usize, around: Around) -> Excerpt {
    let section = &page.sections[index];
    let anchor = page.anchor(index).unwrap_or_default().to_owned();
    let citation = Citation { path: page.path.as_str().to_owned(), anchor };
    let mut spans = Vec::new();
    if around.parents {
        let above =
            section.trail.iter().filter_map(|heading| page.sections.iter().find(|s| s.heading == Some(*heading)));
        spans.extend(above.map(|above| above.own));
    }
    // Text before the first heading is cited under the main section, so it is read with it.
    let is_main = around.children && page.main_section() == Some(index);
    let front = page.sections.first().filter(|first| is_main && first.heading.is_none());
    spans.extend(front.and_then(|front| {
        let first = front.blocks.clone().next()?;
        Some(Span::new(page.block(first).span.start, front.own.end))
    }));
    spans.push(if around.children { section.whole } else { section.own });
    let trail = page.trail(index).into_iter().map(str::to_owned).collect();
    cut(page, citation, page.heading(index).to_owned(), trail, &spans, around.limit)
}

fn cut(
    page: &Page,
    citation: Citation,
    heading: String,
    trail: Vec<String>,
    spans: &[Span],
    limit: Option<usize>,
) -> Excerpt {
    let whole: String = spans.iter().map(|span| &page.text[span.range()]).collect();
    let kept: Vec<&str> = whole.split_inclusive('\n').take(limit.unwrap_or(usize::MAX)).collect();
    let text = kept.concat();
    let start = page.lines.line(spans.first().map_or(0, |span| span.start));
    let end = page.lines.range(spans.last().copied().unwrap_or_default()).1;
    let is_truncated = text.len() < whole.len();
    let last = if is_truncated && spans.len() == 1 { start + kept.len() - 1 } else { end };
    Excerpt { citation, heading, trail, lines: (start, last), text, is_truncated }
}
