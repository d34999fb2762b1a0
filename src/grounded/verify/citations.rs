//! An answer with citations: its shape, its citations in both directions, and its sentences (contracts E).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::quoted;
use super::shape::{Shape, json};
use crate::grounded::chunk::{chunks, holds};
use crate::grounded::sentence::{Marks, marks, sentences, states};
use crate::page::Page;

/// What an answer may cite, by the chunks' ids.
#[derive(Default)]
pub struct Passages {
    by_id: HashMap<String, Vec<Passage>>,
    origin: Origin,
}

/// Something that can be cited.
pub struct Passage {
    /// The chunk's id.
    pub chunk_id: String,
    /// Where it is from: `path#anchor` for docs of ours.
    pub source: String,
    /// What it says.
    pub text: String,
}

/// Where passages were taken from.
#[derive(Clone, Copy, Default)]
enum Origin {
    /// What a retriever found.
    #[default]
    Retrieved,
    /// The docs as they are now.
    Docs,
}

impl Passages {
    /// Reads the passages that were retrieved: a JSON array of `{chunk_id, source, text}`.
    ///
    /// # Errors
    /// Everything that differs from this shape.
    pub fn read(value: &Value) -> Result<Self, Vec<String>> {
        let mut shape = Shape::default();
        let mut found = Self::default();
        for (index, item) in shape.items(Some(value), format_args!("what was retrieved")).iter().enumerate() {
            let mut text = |key: &str| {
                let text = shape.text(item.get(key), format_args!("[{index}].{key}"));
                text.unwrap_or_default().to_owned()
            };
            found.add(Passage { chunk_id: text("chunk_id"), source: text("source"), text: text("text") });
        }
        if shape.problems.is_empty() { Ok(found) } else { Err(shape.problems) }
    }

    /// All passages of the docs as they are now.
    pub fn of_docs(passages: impl IntoIterator<Item = Passage>) -> Self {
        let mut found = Self { origin: Origin::Docs, ..Self::default() };
        passages.into_iter().for_each(|passage| found.add(passage));
        found
    }

    /// What the passages of an id say.
    pub(super) fn texts(&self, id: &str) -> impl Iterator<Item = &str> {
        self.by_id.get(id).into_iter().flatten().map(|passage| passage.text.as_str())
    }

    fn add(&mut self, passage: Passage) {
        self.by_id.entry(passage.chunk_id.clone()).or_default().push(passage);
    }
}

impl Passage {
    /// The chunks of a page whose ids are among `wanted`.
    pub fn of_page(page: &Page, wanted: &HashSet<String>) -> Vec<Self> {
        let wanted = chunks(page).into_iter().filter(|chunk| wanted.contains(&chunk.id));
        let passage = |chunk: crate::grounded::chunk::Chunk| Self {
            source: chunk.citation.label(),
            text: page.text[chunk.span.range()].to_owned(),
            chunk_id: chunk.id,
        };
        wanted.map(passage).collect()
    }
}

/// The ids that an answer lists; none where it can't be read.
pub fn cited_ids(text: &str) -> HashSet<String> {
    let value = json(text).unwrap_or_default();
    let listed = value.get("citations").and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(|citation| Some(citation.get("chunk_id")?.as_str()?.to_owned())).collect()
}

/// What in the shape of an answer differs from version 1. Fields may be added.
pub fn schema(text: &str) -> Vec<String> {
    let value = match json(text) {
        Ok(value) => value,
        Err(problem) => return vec![problem],
    };
    let mut shape = Shape::default();
    let Some(object) = shape.object(Some(&value), format_args!("the answer")) else {
        return shape.problems;
    };
    let version = object.get("schema_version");
    if version.and_then(Value::as_u64) != Some(1) {
        shape.differs_in_value("schema_version", version, "the integer 1");
    }
    shape.text(object.get("answer"), format_args!("answer"));
    for (index, item) in shape.items(object.get("citations"), format_args!("citations")).iter().enumerate() {
        let Some(citation) = shape.object(Some(item), format_args!("citations[{index}]")) else {
            continue;
        };
        for key in ["chunk_id", "source", "snippet"] {
            shape.text(citation.get(key), format_args!("citations[{index}].{key}"));
        }
    }
    shape.problems
}

/// An entry of the list of citations.
struct Citation<'a> {
    source: &'a str,
    snippet: &'a str,
}

/// What is wrong with the citations of an answer: first what is cited but not listed and listed but not cited, then
/// what is not real, each sorted by id, then the sentences that should cite something, in order.
pub fn citations(text: &str, known: &[&Passages]) -> Vec<String> {
    let value = match json(text) {
        Ok(value) => value,
        Err(problem) => return vec![problem],
    };
    let mut shape = Shape::default();
    let Some(object) = shape.object(Some(&value), format_args!("the answer")) else {
        return shape.problems;
    };
    let answer = shape.text(object.get("answer"), format_args!("answer"));
    let items = shape.items(object.get("citations"), format_args!("citations"));
    let Some(answer) = answer.filter(|_| shape.problems.is_empty()) else {
        return shape.problems;
    };
    let listed = listed(items);
    let mut messages = both_ways(answer, &listed);
    for known in known {
        messages.extend(listed.iter().flat_map(|(id, entries)| unreal(id, entries, known)));
    }
    messages.extend(uncited(answer));
    messages
}

/// The citations by their ids; those without an id are for the other check.
fn listed(items: &[Value]) -> BTreeMap<&str, Vec<Citation<'_>>> {
    let mut listed: BTreeMap<&str, Vec<Citation<'_>>> = BTreeMap::new();
    for item in items {
        let text = |key| item.get(key).and_then(Value::as_str);
        let Some(id) = text("chunk_id") else { continue };
        let source = text("source").unwrap_or_default();
        listed.entry(id).or_default().push(Citation { source, snippet: text("snippet").unwrap_or_default() });
    }
    listed
}

fn both_ways(answer: &str, listed: &BTreeMap<&str, Vec<Citation<'_>>>) -> Vec<String> {
    let used: BTreeSet<&str> = marks(answer, Marks::Chunks).into_iter().map(|mark| mark.id).collect();
    let unlisted = used.iter().filter(|id| !listed.contains_key(*id));
    let unlisted = unlisted.map(|id| format!("`{id}` is cited in the answer but not listed in `citations`"));
    let unused = listed.keys().filter(|id| !used.contains(*id));
    let unused = unused.map(|id| format!("{} is listed in `citations` but not cited in the answer", quoted(id)));
    let twice = listed.iter().filter(|(_, entries)| entries.len() > 1);
    let twice = twice.map(|(id, entries)| format!("{} is listed {} times in `citations`", quoted(id), entries.len()));
    unlisted.chain(unused).chain(twice).collect()
}

/// What about the citations of a chunk is not so.
fn unreal(id: &str, entries: &[Citation<'_>], known: &Passages) -> Vec<String> {
    let Some(passages) = known.by_id.get(id) else {
        let missing = match known.origin {
            Origin::Retrieved => "is not among what was retrieved",
            Origin::Docs => "is no chunk of the docs as they are now",
        };
        return vec![format!("{} {missing}", quoted(id))];
    };
    entries.iter().filter_map(|entry| misquoted(id, entry, passages)).collect()
}

fn misquoted(id: &str, entry: &Citation<'_>, passages: &[Passage]) -> Option<String> {
    let mut from_there = passages.iter().filter(|passage| passage.source == entry.source).peekable();
    if from_there.peek().is_none() {
        let source = passages.first().map_or("", |passage| &passage.source);
        return Some(format!("{} is from {}, not from {}", quoted(id), quoted(source), quoted(entry.source)));
    }
    let snippet = entry.snippet.trim();
    let is_blank = snippet.trim_end_matches('…').is_empty();
    let is_there = !is_blank && from_there.any(|passage| holds(&passage.text, snippet));
    (!is_there).then(|| format!("the snippet of {} does not stand in it: {}", quoted(id), quoted(snippet)))
}

/// The sentences of an answer that state something and cite nothing.
fn uncited(answer: &str) -> Vec<String> {
    let marks = marks(answer, Marks::Chunks);
    let mut marks = marks.iter().peekable();
    let mut found = Vec::new();
    for range in sentences(answer) {
        while marks.next_if(|mark| mark.range.start < range.start).is_some() {}
        let is_cited = marks.peek().is_some_and(|mark| mark.range.start < range.end);
        let sentence = &answer[range];
        if !is_cited && states(sentence) {
            found.push(format!("no citation in: {}", quoted(sentence)));
        }
    }
    found
}
