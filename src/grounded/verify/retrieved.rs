//! What a retriever returned for a receipt: its state and its spans (contracts D).

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::receipt::Cited;
use super::shape::Shape;

/// What was retrieved.
pub struct Retrieved {
    /// Whether the corpus could be read and held something.
    pub state: State,
    usable: usize,
    by_place: HashMap<String, Vec<Span>>,
}

/// How a retrieval ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// There are spans.
    Ok,
    /// There are none.
    Empty,
    /// The corpus could not be read.
    Error,
}

/// A span with text.
pub struct Span {
    /// The document's title.
    pub title: Option<String>,
    /// What it says.
    pub text: String,
}

impl Retrieved {
    /// How many spans can be answered from: none unless the state is `ok`, else those with a text that is not blank.
    pub fn usable(&self) -> usize {
        if self.state == State::Ok { self.usable } else { 0 }
    }

    /// The usable spans from the place of a cited one.
    pub fn at(&self, cited: &Cited) -> &[Span] {
        self.by_place.get(&cited.place()).map_or(&[], Vec::as_slice)
    }
}

/// Reads `{"state": "ok" | "empty" | "error", "spans": [{id, source_id, title, uri, text, offset}]}`. Fields may be
/// added; the ids are the retriever's own.
///
/// # Errors
/// Everything that differs from this shape.
pub fn retrieved(value: &Value) -> Result<Retrieved, Vec<String>> {
    let mut shape = Shape::default();
    let empty = Map::new();
    let object = shape.object(Some(value), format_args!("what was retrieved")).unwrap_or(&empty);
    let state = state(&mut shape, object.get("state"));
    let mut found = Retrieved { state, usable: 0, by_place: HashMap::new() };
    for (index, item) in shape.items(object.get("spans"), format_args!("spans")).iter().enumerate() {
        let place = format!("spans[{index}]");
        let Some(cited) = Cited::read(&mut shape, item, &place) else { continue };
        // A retriever may return a span whose body is unusable.
        let text = shape.known(item.get("text"), format_args!("{place}.text")).unwrap_or_default();
        if !text.trim().is_empty() {
            found.usable += 1;
            let span = Span { title: cited.title.clone(), text: text.to_owned() };
            found.by_place.entry(cited.place()).or_default().push(span);
        }
    }
    if shape.problems.is_empty() { Ok(found) } else { Err(shape.problems) }
}

fn state(shape: &mut Shape, value: Option<&Value>) -> State {
    match value.and_then(Value::as_str) {
        Some("ok") => State::Ok,
        Some("empty") => State::Empty,
        Some("error") => State::Error,
        _ => {
            shape.differs_in_value("state", value, "`ok`, `empty` or `error`");
            State::Error
        }
    }
}
