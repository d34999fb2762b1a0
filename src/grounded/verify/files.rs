//! A receipt against the files that it was taken from, byte by byte (contracts D).

use std::collections::HashMap;

use super::bullet::{Expected, Line, bullets, is_ours};
use super::quoted;
use super::receipt::{Cited, Receipt};
use super::response::Response;
use crate::cite::Citation;
use crate::grounded::receipt::Bullet;
use crate::page::Page;
use crate::span::Span;
use crate::walk::RepoPath;

/// Reads and parses a file inside the root, or says why it can't.
pub type Open<'a> = &'a dyn Fn(&RepoPath) -> Result<Page, String>;

/// Where cited spans are not what the files hold.
pub fn conflicts(receipt: &Receipt, response: &Response<'_>, open: Open<'_>) -> Vec<String> {
    let (bullets, _) = bullets(response.sources.unwrap_or_default());
    let by_id: HashMap<&str, &Line<'_>> = bullets.iter().map(|bullet| (bullet.id, bullet)).collect();
    let mut pages: HashMap<&str, Result<Page, String>> = HashMap::new();
    let mut messages = Vec::new();
    for cited in &receipt.spans {
        let source = cited.source_id.as_deref().unwrap_or_default();
        let page = pages.entry(source).or_insert_with(|| page(source, open));
        let bullet = by_id.get(cited.id.as_str()).map(|bullet| bullet.text.as_str());
        match page {
            Ok(page) => messages.extend(of_page(cited, page, bullet)),
            Err(reason) => messages.push(format!("`{}`: {reason}", cited.id)),
        }
    }
    messages
}

fn page(source: &str, open: Open<'_>) -> Result<Page, String> {
    let path = RepoPath::new(source).filter(|path| path.as_str() == source && !source.is_empty());
    let path = path.ok_or_else(|| format!("source_id is {}: expected a path relative to the root", quoted(source)))?;
    open(&path).map_err(|reason| format!("failed to read {}: {reason}", quoted(source)))
}

/// What is wrong with a cited span of a page: its title, and the first thing about its place or its bullet.
fn of_page(cited: &Cited, page: &Page, bullet: Option<&str>) -> Vec<String> {
    let id = &cited.id;
    let mut messages = Vec::new();
    if let Some(title) = cited.title.as_deref().filter(|title| *title != page.title()) {
        messages.push(format!("`{id}` is titled {}, not {}", quoted(page.title()), quoted(title)));
    }
    let placed = citation(cited, page).and_then(|citation| {
        let span = span(cited, page)?;
        if !is_shown(page, &citation, span) {
            return Err(format!("bytes {} to {} are not in {}", span.start, span.end, quoted(&citation.label())));
        }
        Ok((citation, span))
    });
    match placed {
        Ok((citation, span)) => {
            messages.extend(bullet.and_then(|bullet| misquoted(cited, page, (&citation, span), bullet)))
        }
        Err(problem) => messages.push(format!("`{id}`: {problem}")),
    }
    messages
}

/// The section that a uri names, which must be `path#anchor` as we print it.
fn citation(cited: &Cited, page: &Page) -> Result<Citation, String> {
    let uri = cited.uri.as_deref().unwrap_or_default();
    let whole = Citation { path: page.path.as_str().to_owned(), anchor: String::new() };
    let anchor = uri.strip_prefix(whole.label().as_str()).map(|rest| rest.strip_prefix('#').unwrap_or(rest));
    let citation = anchor.map(|anchor| Citation { anchor: anchor.to_owned(), ..whole.clone() });
    let citation = citation.filter(|citation| citation.label() == uri);
    let citation =
        citation.ok_or_else(|| format!("uri is {}: expected {} and an anchor", quoted(uri), quoted(&whole.label())))?;
    if !citation.anchor.is_empty() && page.find(&citation.anchor).is_none() {
        return Err(format!("there is no section {}", quoted(uri)));
    }
    Ok(citation)
}

/// The cited bytes, which must be whole words of the file.
fn span(cited: &Cited, page: &Page) -> Result<Span, String> {
    let text = page.text.as_str();
    let (Some(start), Some(end), "bytes") = (cited.offset.start, cited.offset.end, cited.offset.kind.as_str()) else {
        return Err("there are no byte offsets to compare".to_owned());
    };
    // Whole numbers by the shape; what is too large for the file ends past it.
    let (start, end) = (start as usize, end as usize);
    let Some(piece) = text.get(start..end) else {
        let reason =
            if end > text.len() { format!("the file has {}", text.len()) } else { "a character is cut".into() };
        return Err(format!("bytes {start} to {end} are no text: {reason}"));
    };
    let problem = match piece {
        "" => Some("are empty"),
        _ if piece.trim() != piece => Some("begin or end with white space"),
        _ if cuts_word(text, start) || cuts_word(text, end) => Some("cut a word"),
        _ => None,
    };
    match problem {
        Some(problem) => Err(format!("bytes {start} to {end} {problem}")),
        None => Ok(Span::new(start, end)),
    }
}

fn cuts_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

/// Whether what is shown of a section holds the span.
fn is_shown(page: &Page, citation: &Citation, span: Span) -> bool {
    let holds = |section: usize| {
        page.passages(section)
            .iter()
            .map(|passage| page.shown(section, passage))
            .any(|shown| shown.start <= span.start && span.end <= shown.end)
    };
    match citation.anchor.as_str() {
        "" => (0..page.sections.len()).filter(|section| page.anchor(*section).is_none()).any(holds),
        anchor => page.find(anchor).is_some_and(holds),
    }
}

/// What a bullet should be where it is not what the file gives.
fn misquoted(cited: &Cited, page: &Page, (citation, span): (&Citation, Span), bullet: &str) -> Option<String> {
    let (id, title, text) = (cited.id.as_str(), page.title(), &page.text[span.range()]);
    let ours = Bullet { id, title, citation, lines: page.lines_of(span), text }.to_string();
    let other = Expected { id, title: Some(title), citation, text };
    let is_right = bullet == ours || (!is_ours(bullet) && other.is_met(bullet));
    (!is_right).then(|| format!("the bullet of `{id}` differs from the file: expected `{ours}`"))
}
