//! The tool `query`.

use serde_json::Value;

use super::arguments::Arguments;
use super::budget::{most, tokens};
use super::call::{notes, refused};
use super::reply::{Aside, Next, Refusal, Reply};
use super::schema::unit;
use super::tool::{BUDGET_LIMIT, Tool};
use crate::answer::Status;
use crate::engine::{Engine, State};
use crate::render::json::{self, Detail};
use crate::render::markdown;
use crate::response::Response;

/// Answers a question.
///
/// # Errors
/// When the index can't be read.
pub fn answer(engine: &Engine, mut state: State, arguments: &Arguments) -> Result<Reply, Refusal> {
    let limit = arguments.number("limit").unwrap_or(1);
    let whole = engine.query(&mut state, arguments.text("question"), limit).map_err(|error| refused(&error))?;
    let rendered = |count| json::response(&cut(&whole, count), Detail::Plain);
    let count = most(whole.sources.len(), |count| tokens(&rendered(count)) <= arguments.budget());
    let left_out = whole.sources.len() - count;
    let said = standing(&whole).into_iter().chain(slips(&whole)).chain(notes(&state));
    let aside =
        Aside { left_out, unit: unit(Tool::Query), notes: said.collect(), next: next(&whole, left_out, arguments) };
    Ok(Reply::new(&rendered(count), &markdown::response(&cut(&whole, count)), &aside))
}

/// The response with its first sources, and the verdicts on these.
fn cut(response: &Response, count: usize) -> Response {
    let mut cut = response.clone();
    cut.sources.truncate(count);
    cut.corroboration.retain(|line| cut.sources.iter().any(|source| source.citation == line.citation));
    cut
}

/// What it means that the docs don't answer, or not well.
fn standing(response: &Response) -> Option<String> {
    let missing = response.missing.join("`, `");
    let lacking = if missing.is_empty() { String::new() } else { format!(": no source holds `{missing}`") };
    match (response.status, response.sources.is_empty()) {
        (Status::NotFound, true) => Some(format!("the docs don't say this{lacking}; say so instead of guessing")),
        (Status::NotFound, false) => {
            Some(format!("not found: the sources are near, but none answers{lacking}; say so instead of guessing"))
        }
        (Status::Partial, _) => Some(format!("partial: the evidence is weak, or a part of the answer{lacking}")),
        (Status::Answered, _) => None,
    }
}

fn slips(response: &Response) -> impl Iterator<Item = String> {
    response.slips.iter().map(|(word, terms)| format!("no text holds `{word}`; read as `{}`", terms.join("`, `")))
}

fn next(response: &Response, left_out: usize, arguments: &Arguments) -> Vec<Next> {
    let Some(first) = response.sources.first() else {
        return vec![arguments.next(Tool::Search, [("text", response.question.as_str().into())])];
    };
    let mut next = vec![arguments.reading(&first.citation)];
    if left_out > 0 && arguments.budget() < BUDGET_LIMIT {
        let budget = (arguments.budget() * 2).min(BUDGET_LIMIT);
        next.push(arguments.again().with("budget", Value::from(budget)));
    }
    next
}
