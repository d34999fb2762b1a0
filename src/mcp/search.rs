//! The tool `search`.

use serde_json::json;

use super::arguments::Arguments;
use super::budget::{most, tokens};
use super::call::{notes, refused};
use super::reply::{Aside, Next, Refusal, Reply};
use super::schema::unit;
use super::tool::Tool;
use crate::cite::visible;
use crate::engine::{Engine, Line, State};

/// Lists sections by words.
///
/// # Errors
/// When the index can't be read.
pub fn answer(engine: &Engine, mut state: State, arguments: &Arguments) -> Result<Reply, Refusal> {
    let (limit, offset) = (arguments.number("limit").unwrap_or(1), arguments.number("offset").unwrap_or(0));
    // One more tells whether the list goes on.
    let found =
        engine.search(&mut state, arguments.text("text"), offset + limit + 1).map_err(|error| refused(&error))?;
    let rest = found.get(offset..).unwrap_or_default();
    let wanted = &rest[..rest.len().min(limit)];
    let rendered = |count: usize| rendered(&wanted[..count], arguments);
    let count = most(wanted.len(), |count| tokens(&rendered(count)) <= arguments.budget());
    let shown = &wanted[..count];
    let mut said = notes(&state);
    said.extend(shown.is_empty().then(|| nothing(found.len(), offset)));
    let mut next: Vec<Next> = shown.first().into_iter().map(|line| arguments.reading(&line.citation)).collect();
    if count < rest.len() {
        next.push(arguments.again().with("offset", (offset + count).into()));
    }
    let aside = Aside { left_out: wanted.len() - count, unit: unit(Tool::Search), notes: said, next };
    Ok(Reply::new(&rendered(count), &shown.iter().map(text).collect::<String>(), &aside))
}

fn nothing(found: usize, offset: usize) -> String {
    if found > 0 {
        return format!("there are only {found} sections, and `offset` is {offset}");
    }
    "no section holds these words: try others, or fewer".to_owned()
}

/// The lines as JSON, version 1 of `schemas/search.v1.schema.json`.
fn rendered(lines: &[Line], arguments: &Arguments) -> String {
    let line = |line: &Line| {
        json!({
            "path": line.citation.path,
            "anchor": line.citation.anchor,
            "line": line.line,
            "tags": line.tags,
            "snippet": line.snippet,
        })
    };
    let lines: Vec<_> = lines.iter().map(line).collect();
    json!({ "schema_version": 1, "text": arguments.text("text"), "lines": lines }).to_string()
}

/// A section with its name, so that it can be read.
fn text(line: &Line) -> String {
    let tags = if line.tags.is_empty() { String::new() } else { format!("  [{}]", visible(&line.tags.join(", "))) };
    format!("- {} (line {}){tags}: {}\n", line.citation.label(), line.line, line.snippet)
}
