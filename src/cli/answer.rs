//! `inkwell answer`: a question answered from a supplied corpus.
//!
//! What goes wrong is said in the one line of JSON that other programs expect of this command (contracts C), not as
//! `error:`.

use std::ffi::OsString;

use inkwell::cite::visible;
use inkwell::grounded::corpus::Extent;
use inkwell::grounded::json::Json;
use inkwell::grounded::lexical::{self, Failure, Outcome};
use inkwell::grounded::ranked;

use super::args::{Answer, Place, Scoring};
use super::input::{Input, Origin, Supplied};
use super::terminal::Terminal;
use super::{Exit, Stop};

/// Names the file with the input.
const PATH: &str = "RUNX_INPUTS_PATH";
/// Holds the input.
const JSON: &str = "RUNX_INPUTS_JSON";

pub fn run(place: &Place, command: &Answer, terminal: &Terminal) -> Result<Exit, Stop> {
    match outcome(place, command, terminal) {
        Ok(outcome) => {
            terminal.print(&outcome.to_json())?;
            Ok(Exit::Done)
        }
        Err(failure) => {
            terminal.aside(failure.to_json().trim_end());
            Ok(Exit::Trouble)
        }
    }
}

fn outcome(place: &Place, command: &Answer, terminal: &Terminal) -> Result<Outcome, Failure> {
    let corpus = command.corpus.as_deref();
    let corpus = corpus.map(|path| Supplied::read(path, place, Extent::Own, terminal)).transpose();
    let corpus = corpus.map_err(|stop| Failure::InvalidInput(words(stop)))?;
    let input = whole(command).map(Input::read).transpose().map_err(Failure::InvalidInput)?;

    let request = input.as_ref().filter(|input| !input.is_silence()).map(Input::json).transpose();
    let mut request = request.map_err(Failure::InvalidInput)?.unwrap_or_else(|| Json::Object(Default::default()));
    if let Some(question) = &command.question {
        request.set("question", Json::Text(question.into()));
    }
    if let Some(corpus) = &corpus {
        request.set("corpus", corpus.json().map_err(Failure::InvalidInput)?);
    }
    match command.scoring {
        Scoring::Seed => lexical::answer(&request),
        Scoring::Bm25 => ranked::answer_request(&request),
    }
}

/// Where the request is read from; nowhere where the command line says everything.
fn whole(command: &Answer) -> Option<Origin> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(path) = &command.input {
        return Some(Origin::of(path));
    }
    if command.question.is_some() && command.corpus.is_some() {
        return None;
    }
    match (variable(PATH), variable(JSON)) {
        (Some(path), _) => Some(Origin::File(path.into())),
        (None, Some(json)) => Some(Origin::Variable(JSON, OsString::into_encoded_bytes(json))),
        (None, None) => Some(Origin::Stdin),
    }
}

/// What stopped the reading of a corpus, on one line.
fn words(stop: Stop) -> String {
    match stop {
        Stop::Failed(error) => visible(&error.to_string()),
        Stop::Refused { message, .. } => visible(&message),
        Stop::PipeClosed => String::new(),
    }
}
