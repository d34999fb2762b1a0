//! `inkwell query`: a question, or a file of them.

use std::io::{BufRead, Read};
use std::path::Path;

use clap::ValueEnum;
use inkwell::engine::{Engine, State};
use inkwell::grounded::ground::Grounds;
use inkwell::grounded::{citations, receipt};
use inkwell::render::json::{self, Detail};
use inkwell::render::{markdown, text};
use inkwell::response::Response;
use inkwell::sync::Mode;
use inkwell::synth;

use super::args::{Place, Query, QueryFormat};
use super::terminal::Terminal;
use super::{Exit, Stop, hint_at_docs, open, refresh, warn};

/// Skipped files that are named beside an answer.
const NAMED: usize = 3;

pub fn run(place: &Place, command: &Query, terminal: &Terminal) -> Result<Exit, Stop> {
    if let (Some(_), Some(name)) = (&command.batch, one_at_a_time(format(command))) {
        return Err(Stop::Refused {
            message: format!("`--batch` prints JSON: `--format {name}` takes one question at a time"),
            hint: Some("ask each question on its own, or leave `--format` out".into()),
        });
    }
    let engine = open(place, command.synth.as_deref())?;
    let mut state = refresh(&engine, Mode::Update, terminal)?;
    warn(&state, NAMED, terminal);
    hint_at_docs(&engine, &state, terminal);
    match (&command.batch, &command.question) {
        (Some(file), _) => batch(&engine, &mut state, command, file, terminal),
        (None, Some(question)) => {
            let question = question.to_string_lossy();
            if let Some(render) = grounded(format(command)) {
                let grounds = engine.ground(&mut state, &question, command.top)?;
                terminal.print(&render(&grounds))?;
                return Ok(Exit::Done);
            }
            let response = ask(&engine, &mut state, command, &question, terminal)?;
            terminal.print(&rendered(&response, command))?;
            Ok(Exit::Done)
        }
        (None, None) => Err(Stop::Refused { message: "there is no question".into(), hint: None }),
    }
}

fn ask(
    engine: &Engine,
    state: &mut State,
    command: &Query,
    question: &str,
    terminal: &Terminal,
) -> Result<Response, Stop> {
    let mut response = engine.query(state, question, command.top)?;
    for (word, terms) in &response.slips {
        terminal.note(&format!("no text holds `{word}`; read as `{}`", terms.join("`, `")));
    }
    if let Some(writer) = engine.config.synth.as_ref().filter(|_| !response.sources.is_empty()) {
        let citations: Vec<_> = response.sources.iter().map(|source| source.citation.clone()).collect();
        match synth::paragraph(writer, &markdown::chunks(&response), &citations) {
            Ok(paragraph) => response.answer = paragraph,
            Err(reason) => terminal.note(&format!("{reason}; the answer is taken from the sections instead")),
        }
    }
    if command.explain && format(command) != QueryFormat::Json {
        terminal.aside(text::explanation(&response).trim_end());
    }
    Ok(response)
}

fn format(command: &Query) -> QueryFormat {
    if command.json { QueryFormat::Json } else { command.format }
}

fn detail(command: &Query) -> Detail {
    if command.explain { Detail::Explained } else { Detail::Plain }
}

/// The name of a format that a batch can't print; Markdown is the default and stands for no choice.
fn one_at_a_time(format: QueryFormat) -> Option<String> {
    let is_batched = matches!(format, QueryFormat::Json | QueryFormat::Markdown);
    format.to_possible_value().filter(|_| !is_batched).map(|value| value.get_name().to_owned())
}

/// Renders what an answer stands on.
type Render = fn(&Grounds) -> String;

/// The renderer of a format that says what each sentence stands on; `None` for the others.
fn grounded(format: QueryFormat) -> Option<Render> {
    match format {
        QueryFormat::Receipt => Some(receipt::response),
        QueryFormat::Spans => Some(receipt::retrieved),
        QueryFormat::Citations => Some(citations::response),
        QueryFormat::Passages => Some(citations::retrieved),
        QueryFormat::Markdown | QueryFormat::Json | QueryFormat::Chunks => None,
    }
}

fn rendered(response: &Response, command: &Query) -> String {
    match format(command) {
        QueryFormat::Json => json::response(response, detail(command)),
        QueryFormat::Chunks => markdown::chunks(response),
        _ => markdown::response(response),
    }
}

/// Answers every question of a file, one JSON line each, in order.
fn batch(engine: &Engine, state: &mut State, command: &Query, file: &Path, terminal: &Terminal) -> Result<Exit, Stop> {
    let reader: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(file).map_err(|source| unreadable(file, &source))?)
    };
    for (index, line) in std::io::BufReader::new(reader).split(b'\n').enumerate() {
        let line = line.map_err(|source| unreadable(file, &source))?;
        // Any text is a question, also one whose encoding is broken in places.
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        let (id, question) = entry(line).map_err(|reason| Stop::Refused {
            message: format!("`{}` line {}: {reason}", file.display(), index + 1),
            hint: Some("each line is a question, or JSON such as {\"id\": \"q1\", \"question\": \"…\"}".into()),
        })?;
        let id = id.unwrap_or_else(|| (index + 1).to_string());
        let response = ask(engine, state, command, &question, terminal)?;
        terminal.print(&json::response_line(&response, Some(&id), detail(command)))?;
    }
    Ok(Exit::Done)
}

fn unreadable(file: &Path, source: &std::io::Error) -> Stop {
    Stop::Refused { message: format!("failed to read `{}`: {source}", file.display()), hint: None }
}

/// The id and question of a line: of a JSON object, else the line itself, also where it starts with a brace.
fn entry(line: &str) -> Result<(Option<String>, String), String> {
    let inside = line.trim_start().strip_prefix('{').map(str::trim_start);
    if !inside.is_some_and(|inside| inside.starts_with(['"', '}'])) {
        return Ok((None, line.trim().to_owned()));
    }
    let value: serde_json::Value = serde_json::from_str(line).map_err(|source| source.to_string())?;
    let question = value.get("question").and_then(serde_json::Value::as_str).ok_or("there is no `question` string")?;
    let id = match value.get("id") {
        Some(serde_json::Value::String(id)) => Some(id.clone()),
        Some(serde_json::Value::Number(id)) => Some(id.to_string()),
        Some(serde_json::Value::Bool(_) | serde_json::Value::Array(_) | serde_json::Value::Object(_)) => {
            return Err("`id` is neither a string nor a number".into());
        }
        Some(serde_json::Value::Null) | None => None,
    };
    Ok((id, question.to_owned()))
}
