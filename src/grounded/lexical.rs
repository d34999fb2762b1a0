//! Question and corpus → the sentences that share most words with the question (contracts C).
//!
//! A plain rule for English, kept because other programs rely on its bytes; inkwell's own way of answering is in
//! [`retrieve`](crate::retrieve) and [`answer`](mod@crate::answer). Anything can be supplied: what can't be read is
//! passed over.

use std::cmp::Ordering;
use std::collections::HashSet;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use serde::Serialize;

use super::json::{Json, read};
use super::text::{is_space, trimmed};

/// Sentences that an answer is made of, at most.
const SENTENCES: usize = 3;

/// An answer with its sources, or what is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The answer; empty unless `grounded`.
    pub answer: Answer,
    /// What is missing for an answer.
    pub kb_gaps: Vec<String>,
    /// Whether there is an answer.
    pub grounded: bool,
    /// Where sources contradict each other; `None` where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<Vec<String>>,
}

/// The text of an answer and what it was taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The quotes, joined by a space.
    pub text: String,
    /// The sentences, best first.
    pub citations: Vec<Citation>,
}

/// A sentence of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// The source.
    pub source_id: String,
    /// Its title.
    pub title: String,
    /// The sentence within its source, from 1.
    pub sentence_index: usize,
    /// The sentence.
    pub quote: String,
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The question is missing or blank.
    MissingQuestion,
    /// The input can't be read; what was found, and where.
    InvalidInput(String),
    /// The full-text engine failed; why.
    Engine(String),
}

impl Outcome {
    /// The outcome as it is printed: one line of JSON.
    pub fn to_json(&self) -> String {
        line(self)
    }
}

impl Failure {
    /// The failure as it is printed: one line of JSON.
    pub fn to_json(&self) -> String {
        let (reason, message) = match self {
            Self::MissingQuestion => ("missing_question", "question is required and must not be empty"),
            Self::InvalidInput(message) => ("invalid_input", message.as_str()),
            Self::Engine(message) => ("engine_failed", message.as_str()),
        };
        line(&Failed { error: Reason { reason, message } })
    }
}

#[derive(Serialize)]
struct Failed<'a> {
    error: Reason<'a>,
}

#[derive(Serialize)]
struct Reason<'a> {
    reason: &'a str,
    message: &'a str,
}

fn line(value: &impl Serialize) -> String {
    let mut json = serde_json::to_string(value).expect("strings, numbers and lists are JSON");
    json.push('\n');
    json
}

/// Answers a request: an object with `question` and `corpus`, which may be JSON in a string.
///
/// # Errors
/// When there is no question.
pub fn answer(request: &Json<'_>) -> Result<Outcome, Failure> {
    answered(request, |question, items| {
        let best = best(&terms(question), items);
        if best.is_empty() {
            return Ok(refusal(UNSUPPORTED, question, items));
        }
        let citations: Vec<Citation> = best.iter().map(Sentence::citation).collect();
        let text = best.iter().map(|sentence| sentence.text).collect::<Vec<_>>().join(" ");
        Ok(Outcome { answer: Answer { text, citations }, kb_gaps: Vec::new(), grounded: true, conflicts: None })
    })
}

/// The gap where nothing supplied answers.
pub(super) const UNSUPPORTED: &str = "no grounded answer found in supplied corpus";

/// Reads a request and lets `choose` answer it from the items that have text, if there are any.
pub(super) fn answered(
    request: &Json<'_>,
    choose: impl FnOnce(&str, &[Item<'_>]) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    if *request == Json::Null {
        return Err(Failure::InvalidInput("the input is null: expected an object with `question` and `corpus`".into()));
    }
    let question = request.field("question").and_then(Json::text).ok_or(Failure::MissingQuestion)?;
    let corpus = request.field("corpus").unwrap_or(&Json::Null);
    let inside = match corpus {
        Json::Text(text) => read(trimmed(text).as_bytes()).ok(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    };
    let items = readable(inside.as_ref().unwrap_or(corpus));
    if items.is_empty() {
        return Ok(refusal("corpus is required and must include readable text", question, &items));
    }
    choose(question, &items)
}

pub(super) fn refusal(reason: &str, question: &str, items: &[Item<'_>]) -> Outcome {
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let checked = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    let kb_gaps = vec![
        reason.to_owned(),
        format!("No supplied corpus item directly supports: {question}"),
        format!("Corpus items checked: {checked}"),
    ];
    Outcome { answer: Answer::default(), kb_gaps, grounded: false, conflicts: None }
}

/// An item of the corpus that has text.
pub(super) struct Item<'a> {
    pub id: String,
    pub title: String,
    pub text: &'a str,
}

/// The items with text; those without a name get one from their place, from 1.
fn readable<'a>(corpus: &'a Json<'a>) -> Vec<Item<'a>> {
    let item = |(index, item): (usize, &'a Json<'a>)| {
        let field = |name| item.field(name).and_then(Json::text);
        let named = |name, prefix: &str| field(name).map_or_else(|| format!("{prefix}{}", index + 1), str::to_owned);
        Some(Item { text: field("text")?, id: named("id", "corpus_"), title: named("title", "Corpus ") })
    };
    corpus.items().iter().enumerate().filter_map(item).collect()
}

/// A sentence that shares enough words with the question.
struct Sentence<'a> {
    item: &'a Item<'a>,
    /// The place of the item's id in alphabetical order.
    rank: usize,
    /// From 1.
    number: usize,
    text: &'a str,
    score: usize,
}

impl Sentence<'_> {
    fn citation(&self) -> Citation {
        let Item { id, title, .. } = self.item;
        let (source_id, title, quote) = (id.clone(), title.clone(), self.text.to_owned());
        Citation { source_id, title, sentence_index: self.number, quote }
    }

    fn order(&self, other: &Self) -> Ordering {
        other.score.cmp(&self.score).then(self.rank.cmp(&other.rank)).then(self.number.cmp(&other.number))
    }
}

/// The best sentences for some terms, best first; of equals those that come first.
fn best<'a>(asked: &HashSet<String>, items: &'a [Item<'a>]) -> Vec<Sentence<'a>> {
    let needed = asked.len().div_ceil(4).clamp(1, 2);
    let ranks = ranks(items);
    let mut best: Vec<Sentence<'a>> = Vec::with_capacity(SENTENCES + 1);
    for (item, rank) in items.iter().zip(ranks) {
        for (index, text) in sentences(item.text).enumerate() {
            let score = score(text, asked);
            if score < needed {
                continue;
            }
            let sentence = Sentence { item, rank, number: index + 1, text, score };
            let at = best.partition_point(|before| before.order(&sentence) != Ordering::Greater);
            best.insert(at, sentence);
            best.truncate(SENTENCES);
        }
    }
    best
}

/// How many of some terms a sentence holds.
fn score(sentence: &str, asked: &HashSet<String>) -> usize {
    let lower = sentence.to_lowercase();
    let held: HashSet<&str> = words(&lower).filter(|word| asked.contains(*word)).collect();
    held.len()
}

/// For each item the place of its id in alphabetical order; ids that only differ in how they are encoded share one.
fn ranks(items: &[Item<'_>]) -> Vec<usize> {
    let collator = alphabet();
    let compare = |a: &usize, b: &usize| collator.compare(&items[*a].id, &items[*b].id);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(compare);
    let mut ranks = vec![0; items.len()];
    for pair in order.windows(2) {
        let step = usize::from(compare(&pair[0], &pair[1]) != Ordering::Equal);
        ranks[pair[1]] = ranks[pair[0]] + step;
    }
    ranks
}

/// The order of Unicode's root collation, which is that of English: letters before case and accents.
fn alphabet() -> CollatorBorrowed<'static> {
    Collator::try_new(Default::default(), CollatorOptions::default()).expect("the root collation is compiled in")
}

/// The pieces of a text between white space that follows `.`, `!` or `?`.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = rest.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
        let end = { ends }.find(|end| rest[*end..].starts_with(is_space)).unwrap_or(rest.len());
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start_matches(is_space);
        Some(sentence).filter(|sentence| !sentence.is_empty())
    })
}

/// Words that say nothing.
const STOP: [&str; 25] = [
    "a", "an", "and", "are", "as", "can", "does", "for", "from", "how", "in", "is", "it", "of", "or", "the", "them",
    "they", "to", "what", "when", "where", "who", "why", "with",
];

/// The distinct terms of a text.
fn terms(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    words(&lower).filter(|word| word.len() > 2 && !STOP.contains(word)).map(str::to_owned).collect()
}

/// The words of a lower-case text in their basic forms; of other letters than English has none.
fn words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '-')).map(base)
}

/// The form of a word that stands for its other forms.
fn base(word: &str) -> &str {
    match word {
        "retained" | "retains" | "retention" => "retain",
        "backups" => "backup",
        "requested" | "requests" | "requesting" => "request",
        "restores" | "restored" | "restoring" => "restore",
        _ if word.len() > 4 => word.strip_suffix('s').unwrap_or(word),
        _ => word,
    }
}
