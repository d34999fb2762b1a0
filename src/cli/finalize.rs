//! `inkwell finalize`: a drafted answer, sealed or refused.

use std::path::Path;

use inkwell::grounded::corpus::Extent;
use inkwell::grounded::finalize::{Checked, Rules, finalize, near};
use inkwell::grounded::json::Json;

use super::args::{Finalize, Place};
use super::input::{Input, Origin, Supplied};
use super::terminal::Terminal;
use super::{Exit, Stop};

/// Refused citations that are explained.
const EXPLAINED: usize = 10;

pub fn run(place: &Place, command: &Finalize, terminal: &Terminal) -> Result<Exit, Stop> {
    let read = |origin| Input::read(origin).map_err(unreadable);
    let draft = command.draft.as_deref().map(|path| read(Origin::of(path))).transpose()?;
    let input = whole(command)?.map(read).transpose()?;
    let corpus = command.corpus.as_deref();
    let corpus = corpus.map(|path| Supplied::read(path, place, Extent::Whole, terminal)).transpose()?;

    let mut request = input.as_ref().map_or(Ok(Json::Null), |input| input.json().map_err(not_json))?;
    if let Some(question) = &command.question {
        request.set("question", Json::Text(question.into()));
    }
    if let Some(corpus) = &corpus {
        request.set("corpus", corpus.json().map_err(unreadable)?);
    }
    if let Some(draft) = &draft {
        request.set("answer_draft", draft.json().map_err(unreadable)?);
    }
    let rules = if command.strict { Rules::Strict } else { Rules::Contract };
    let checked = finalize(&request, rules);
    terminal.print(&checked.sealed.to_json())?;
    explain(&checked, terminal);
    hint_at_flags(command, &request, terminal);
    Ok(Exit::Done)
}

/// Where the whole request is read from: stdin unless there is a file, or the draft comes by itself.
fn whole(command: &Finalize) -> Result<Option<Origin>, Stop> {
    let is_stdin = |path: &Option<std::path::PathBuf>| path.as_deref() == Some(Path::new("-"));
    let origin = match (&command.input, &command.draft) {
        (Some(path), _) => Some(Origin::of(path)),
        (None, Some(_)) => None,
        (None, None) => Some(Origin::Stdin),
    };
    let readers = [origin == Some(Origin::Stdin), is_stdin(&command.draft), is_stdin(&command.corpus)];
    if readers.iter().filter(|reads| **reads).count() > 1 {
        let message = "stdin can be read only once: two inputs come from it".to_owned();
        return Err(Stop::Refused { message, hint: Some("give a file for one of them".to_owned()) });
    }
    Ok(origin)
}

fn unreadable(message: String) -> Stop {
    Stop::Refused { message, hint: None }
}

fn not_json(message: String) -> Stop {
    let hint = "the input is one JSON object with `question`, `corpus` and `answer_draft`, without a Markdown fence"
        .to_owned();
    Stop::Refused { message, hint: Some(hint) }
}

/// Says what the command line lacks where the draft comes by itself.
fn hint_at_flags(command: &Finalize, request: &Json<'_>, terminal: &Terminal) {
    let lacks = |name| command.draft.is_some() && request.field(name).is_none();
    if lacks("corpus") {
        terminal.hint("name what the quotes are from with `--corpus docs`, or a JSON file");
    }
    if lacks("question") {
        terminal.hint("give the question with `--question \"…\"`");
    }
}

/// Says of the first refused citations what was probably meant.
fn explain(checked: &Checked<'_>, terminal: &Terminal) {
    let refused = &checked.refused[..checked.refused.len().min(EXPLAINED)];
    for (citation, near) in refused.iter().zip(near(refused, &checked.corpus)) {
        let source = citation.source_id.map(|id| format!(" of `{id}`")).unwrap_or_default();
        terminal.note(&format!("citation {}{source}: {near}", citation.number));
    }
    if checked.refused.len() > EXPLAINED {
        terminal.note(&format!("{} more citations are refused", checked.refused.len() - EXPLAINED));
    }
}
