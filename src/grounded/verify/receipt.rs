//! A grounding receipt: its shape, whether it agrees with itself, and with what is known of the sources (contracts D).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::answer;
use super::files::{self, Open};
use super::quoted;
use super::response::{self, Response};
use super::retrieved::{Retrieved, State};
use super::shape::{Shape, json_from};
use crate::grounded::receipt::{ANSWERED, MODE, REFUSED_EMPTY, REFUSED_UNSUPPORTED};

/// What an answer with a receipt is compared with, beside itself.
#[derive(Default)]
pub struct Evidence<'a> {
    /// What was retrieved for it.
    pub retrieved: Option<&'a Retrieved>,
    /// The files that it was taken from.
    pub files: Option<Open<'a>>,
}

/// A receipt whose shape is right.
pub struct Receipt {
    /// What became of the question.
    pub status: Status,
    count: u64,
    /// The cited spans.
    pub spans: Vec<Cited>,
    /// What the answer claims.
    pub claims: Vec<Claim>,
    reason: Option<String>,
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every claim has its spans.
    Answered,
    /// There was nothing to answer from.
    RefusedEmpty,
    /// What there was doesn't answer.
    RefusedUnsupported,
}

/// A span as a receipt cites it.
pub struct Cited {
    /// `S1`, `S2`, …
    pub id: String,
    /// The document.
    pub source_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Where to look it up.
    pub uri: Option<String>,
    /// Where it stands in the document.
    pub offset: Offset,
}

/// Where a span stands in its document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offset {
    /// `bytes`, `lines`, `seconds` or `unknown`.
    pub kind: String,
    /// Where it begins.
    pub start: Option<f64>,
    /// Where it ends; just past it, for bytes.
    pub end: Option<f64>,
}

impl Offset {
    /// The bytes of the document; `None` where it doesn't count in bytes.
    pub fn bytes(&self) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.start? as usize, self.end? as usize);
        (self.kind == "bytes").then_some(start..end)
    }
}

/// Something that an answer claims.
pub struct Claim {
    /// What.
    pub text: String,
    /// The ids of the spans that say so.
    pub supported_by: Vec<String>,
}

/// What is wrong with an answer and its receipt, or with a receipt alone. What is wrong with the shape ends the check.
pub fn receipt(text: &str, evidence: &Evidence<'_>) -> Vec<String> {
    let response = match response::response(text) {
        Ok(response) => response,
        Err(problems) => return problems,
    };
    let receipt = match read(&response) {
        Ok(receipt) => receipt,
        Err(problems) => return problems,
    };
    let mut messages = receipt.conflicts();
    messages.extend(answer::conflicts(&receipt, &response));
    if let Some(retrieved) = evidence.retrieved {
        messages.extend(receipt.unretrieved(retrieved));
        messages.extend(answer::misquoted(&receipt, &response, retrieved));
    }
    if let Some(open) = evidence.files {
        messages.extend(files::conflicts(&receipt, &response, open));
    }
    messages
}

pub(super) fn read(response: &Response<'_>) -> Result<Receipt, Vec<String>> {
    let value = json_from(response.receipt, response.lines_before).map_err(|problem| vec![problem])?;
    let mut shape = Shape::default();
    let receipt = Receipt::read(&mut shape, &value);
    receipt.filter(|_| shape.problems.is_empty()).ok_or(shape.problems)
}

impl Receipt {
    /// Reads a receipt; fields may be added.
    fn read(shape: &mut Shape, value: &Value) -> Option<Self> {
        let object = shape.object(Some(value), format_args!("the receipt"))?;
        let mode = object.get("mode");
        if mode.and_then(Value::as_str) != Some(MODE) {
            shape.differs_in_value("mode", mode, &format!("`{MODE}`"));
        }
        let status = Status::read(shape, object.get("status"));
        shape.text(object.get("retrieval_query"), format_args!("retrieval_query"));
        let count = object.get("retrieved_span_count");
        if count.and_then(Value::as_u64).is_none() {
            shape.differs_in_value("retrieved_span_count", count, "a whole number, 0 or more");
        }
        let spans = spans(shape, object.get("cited_spans"));
        let items = shape.items(object.get("answer_claims"), format_args!("answer_claims"));
        let claims = items.iter().enumerate().filter_map(|(index, item)| Claim::read(shape, item, index)).collect();
        let reason = shape.known(object.get("refusal_reason"), format_args!("refusal_reason")).map(str::to_owned);
        Some(Self { status: status?, count: count.and_then(Value::as_u64)?, spans, claims, reason })
    }

    /// The ids of the cited spans.
    pub fn ids(&self) -> BTreeSet<&str> {
        self.spans.iter().map(|span| span.id.as_str()).collect()
    }

    /// Where the receipt doesn't agree with itself.
    fn conflicts(&self) -> Vec<String> {
        let mut messages = self.repeated();
        messages.extend(self.unsupported());
        match self.status {
            Status::Answered => messages.extend(self.unanswered()),
            Status::RefusedEmpty | Status::RefusedUnsupported => messages.extend(self.unrefused()),
        }
        messages
    }

    fn repeated(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for span in &self.spans {
            *counts.entry(&span.id).or_default() += 1;
        }
        let repeated = counts.into_iter().filter(|(_, count)| *count > 1);
        repeated.map(|(id, count)| format!("`{id}` stands {count} times in `cited_spans`")).collect()
    }

    /// Claims without spans that say so, and spans that support no claim.
    fn unsupported(&self) -> Vec<String> {
        let ids = self.ids();
        let mut messages = Vec::new();
        for (index, claim) in self.claims.iter().enumerate() {
            if claim.supported_by.is_empty() {
                messages.push(format!("answer_claims[{index}].supported_by is empty: a claim needs a span"));
            }
            let unknown = claim.supported_by.iter().filter(|id| !ids.contains(id.as_str()));
            let unknown = unknown.map(|id| {
                format!("answer_claims[{index}].supported_by names {}: it is not in `cited_spans`", quoted(id))
            });
            messages.extend(unknown);
        }
        let supporting: HashSet<&str> =
            self.claims.iter().flat_map(|claim| claim.supported_by.iter().map(String::as_str)).collect();
        let idle = ids.into_iter().filter(|id| !supporting.contains(id));
        messages.extend(idle.map(|id| format!("`{id}` is in `cited_spans` but supports no claim")));
        messages
    }

    /// What an answer lacks, or has too much.
    fn unanswered(&self) -> Vec<String> {
        let cited = self.ids().len();
        let too_few = format!("retrieved_span_count is {}: {cited} spans are cited", self.count);
        let rules = [
            (self.claims.is_empty(), format!("the status is `{ANSWERED}`, but `answer_claims` is empty")),
            (self.spans.is_empty(), format!("the status is `{ANSWERED}`, but `cited_spans` is empty")),
            (self.reason.is_some(), format!("the status is `{ANSWERED}`, but `refusal_reason` is not null")),
            (self.count < cited as u64, too_few),
        ];
        broken(rules)
    }

    /// What a refusal lacks, or has too much.
    fn unrefused(&self) -> Vec<String> {
        let status = self.status.name();
        let is_empty = self.status == Status::RefusedEmpty;
        let no_reason = self.reason.as_ref().is_none_or(|reason| reason.trim().is_empty());
        let count = self.count;
        let rules = [
            (is_empty && count > 0, format!("the status is `{status}`, but retrieved_span_count is {count}")),
            (!is_empty && count == 0, format!("the status is `{status}`, but retrieved_span_count is 0")),
            (!self.claims.is_empty(), format!("the status is `{status}`, but `answer_claims` is not empty")),
            (!self.spans.is_empty(), format!("the status is `{status}`, but `cited_spans` is not empty")),
            (no_reason, format!("the status is `{status}`, but `refusal_reason` says nothing")),
        ];
        broken(rules)
    }

    /// Where the receipt doesn't agree with what was retrieved.
    fn unretrieved(&self, retrieved: &Retrieved) -> Vec<String> {
        let usable = retrieved.usable();
        let state = match retrieved.state {
            State::Ok => "no usable span was retrieved",
            State::Empty => "the retrieval was empty",
            State::Error => "the retrieval failed",
        };
        let status = self.status.name();
        let is_empty = self.status == Status::RefusedEmpty;
        let spans = if usable == 1 { "1 usable span was".into() } else { format!("{usable} usable spans were") };
        let rules = [
            (self.count != usable as u64, format!("retrieved_span_count is {}: {spans} retrieved", self.count)),
            (usable == 0 && !is_empty, format!("the status is `{status}`, but {state}")),
            (usable > 0 && is_empty, format!("the status is `{status}`, but {spans} retrieved")),
        ];
        let mut messages = broken(rules);
        messages.extend(self.spans.iter().filter_map(|span| span.unretrieved(retrieved)));
        messages
    }
}

/// The messages of the rules that are broken.
fn broken<const COUNT: usize>(rules: [(bool, String); COUNT]) -> Vec<String> {
    rules.into_iter().filter_map(|(is_broken, message)| is_broken.then_some(message)).collect()
}

impl Status {
    fn read(shape: &mut Shape, value: Option<&Value>) -> Option<Self> {
        let named = |name: &str| {
            [Self::Answered, Self::RefusedEmpty, Self::RefusedUnsupported].into_iter().find(|s| s.name() == name)
        };
        let status = value.and_then(Value::as_str).and_then(named);
        if status.is_none() {
            let expected = format!("`{ANSWERED}`, `{REFUSED_EMPTY}` or `{REFUSED_UNSUPPORTED}`");
            shape.differs_in_value("status", value, &expected);
        }
        status
    }

    /// The status as a receipt spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => ANSWERED,
            Self::RefusedEmpty => REFUSED_EMPTY,
            Self::RefusedUnsupported => REFUSED_UNSUPPORTED,
        }
    }
}

/// The cited spans, whose ids are `S` and a number.
fn spans(shape: &mut Shape, value: Option<&Value>) -> Vec<Cited> {
    let mut found = Vec::new();
    for (index, item) in shape.items(value, format_args!("cited_spans")).iter().enumerate() {
        let place = format!("cited_spans[{index}]");
        let Some(span) = Cited::read(shape, item, &place) else { continue };
        if !crate::grounded::sentence::Marks::Spans.admits(&span.id) && item.get("id").is_some_and(Value::is_string) {
            shape.differs_in_value(format!("{place}.id"), item.get("id"), "`S` and a number");
        }
        found.push(span);
    }
    found
}

impl Cited {
    /// Reads a span at a place; `None` where it is no object.
    pub fn read(shape: &mut Shape, item: &Value, place: &str) -> Option<Self> {
        let object = shape.object(Some(item), format_args!("{place}"))?;
        let id = shape.text(object.get("id"), format_args!("{place}.id")).unwrap_or_default().to_owned();
        let mut known = |key: &str| shape.known(object.get(key), format_args!("{place}.{key}")).map(str::to_owned);
        let (source_id, title, uri) = (known("source_id"), known("title"), known("uri"));
        let offset = Offset::read(shape, object.get("offset"), &format!("{place}.offset"));
        Some(Self { id, source_id, title, uri, offset })
    }

    /// Document, uri and offset as one key: what tells spans apart whatever they are called.
    pub fn place(&self) -> String {
        let Offset { kind, start, end } = &self.offset;
        format!("{:?} {:?} {kind} {start:?} {end:?}", self.source_id, self.uri)
    }

    fn unretrieved(&self, retrieved: &Retrieved) -> Option<String> {
        let found = retrieved.at(self);
        let Some(first) = found.first() else {
            return Some(format!("`{}` is not among the retrieved spans", self.id));
        };
        if found.iter().any(|span| span.title == self.title) {
            return None;
        }
        let titled = |title: &Option<String>| title.as_ref().map_or("nothing".into(), |title| quoted(title));
        Some(format!("`{}` is titled {}, not {}", self.id, titled(&first.title), titled(&self.title)))
    }
}

impl Offset {
    fn read(shape: &mut Shape, value: Option<&Value>, place: &str) -> Self {
        if value.is_some_and(Value::is_null) {
            return Self { kind: "unknown".into(), ..Self::default() };
        }
        let Some(object) = shape.object(value, format_args!("{place}")) else { return Self::default() };
        let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !["bytes", "lines", "seconds", "unknown"].contains(&kind.as_str()) {
            let expected = "`bytes`, `lines`, `seconds` or `unknown`";
            shape.differs_in_value(format!("{place}.kind"), object.get("kind"), expected);
        }
        let mut number = |key: &str| match object.get(key) {
            Some(Value::Null) => None,
            Some(Value::Number(number)) if number.is_u64() || (kind == "seconds" && number.as_f64() >= Some(0.0)) => {
                number.as_f64()
            }
            other => {
                let expected =
                    if kind == "seconds" { "a number or null" } else { "a whole number, 0 or more, or null" };
                shape.differs_in_value(format!("{place}.{key}"), other, expected);
                None
            }
        };
        let (start, end) = (number("start"), number("end"));
        if let (Some(from), Some(to)) = (start, end)
            && from > to
        {
            shape.problems.push(format!("{place} ends before it starts: {from} to {to}"));
        }
        Self { kind, start, end }
    }
}

impl Claim {
    fn read(shape: &mut Shape, item: &Value, index: usize) -> Option<Self> {
        let object = shape.object(Some(item), format_args!("answer_claims[{index}]"))?;
        let text = shape.text(object.get("claim"), format_args!("answer_claims[{index}].claim"));
        if text.is_some_and(|text| text.trim().is_empty()) {
            shape.problems.push(format!("answer_claims[{index}].claim is blank: expected what is claimed"));
        }
        let place = format!("answer_claims[{index}].supported_by");
        let ids = shape.items(object.get("supported_by"), format_args!("{place}")).iter().enumerate();
        let ids = ids.filter_map(|(at, id)| shape.text(Some(id), format_args!("{place}[{at}]")).map(str::to_owned));
        let supported_by = ids.collect();
        Some(Self { text: text.unwrap_or_default().to_owned(), supported_by })
    }
}
