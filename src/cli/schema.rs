//! `inkwell schema`.

use inkwell::error::nearest;

use super::args::Schema;
use super::terminal::Terminal;
use super::{Exit, Stop};

/// A published JSON Schema.
struct Published {
    name: &'static str,
    /// What follows it.
    about: &'static str,
    text: &'static str,
}

/// The schema of a name, as `schemas/` holds it.
macro_rules! published {
    ($name:literal, $about:literal) => {
        Published {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../schemas/", $name, ".v1.schema.json")),
        }
    };
}

/// Every schema, by name.
const PUBLISHED: [Published; 13] = [
    published!("answer", "what `answer` prints"),
    published!("answer-input", "what `answer` reads"),
    published!("check", "what `check --format json` prints"),
    published!("citations", "what `query --format citations` prints"),
    published!("finalize", "what `finalize` prints"),
    published!("finalize-input", "what `finalize` reads"),
    published!("query", "what `query --json` and each line of `query --batch` print"),
    published!("read", "what `read --json` prints"),
    published!("receipt", "the receipt in what `query --format receipt` prints"),
    published!("retrieved-passages", "what `query --format passages` prints"),
    published!("retrieved-spans", "what `query --format spans` prints"),
    published!("status", "what `status --json` prints"),
    published!("verify", "what `verify --json` prints"),
];

pub fn run(command: &Schema, terminal: &Terminal) -> Result<Exit, Stop> {
    let Some(name) = &command.name else {
        terminal.print(&list())?;
        return Ok(Exit::Done);
    };
    let found = PUBLISHED.iter().find(|schema| schema.name == name).ok_or_else(|| unknown(name))?;
    terminal.print(found.text)?;
    Ok(Exit::Done)
}

fn list() -> String {
    let width = PUBLISHED.iter().map(|schema| schema.name.len()).max().unwrap_or_default();
    PUBLISHED.iter().map(|Published { name, about, .. }| format!("{name:width$}  {about}\n")).collect()
}

fn unknown(name: &str) -> Stop {
    let near = nearest(name, PUBLISHED.iter().map(|schema| schema.name));
    let hint = near.map_or("`inkwell schema` lists them".to_owned(), |name| format!("did you mean `{name}`?"));
    Stop::Refused { message: format!("there is no schema `{name}`"), hint: Some(hint) }
}
