//! `inkwell search`: ranked lines by words and a small syntax.

use inkwell::render::text;
use inkwell::sync::Mode;

use super::args::{Place, Search};
use super::terminal::Terminal;
use super::{Exit, Stop, hint_at_docs, open, refresh, warn};

/// Skipped files that are named beside the lines.
const NAMED: usize = 3;

pub fn run(place: &Place, command: &Search, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let mut state = refresh(&engine, Mode::Update, terminal)?;
    warn(&state, NAMED, terminal);
    if state.documents() == 0 {
        // The sentence is contract (A3): scripts look for it.
        terminal.aside("no documents indexed");
        hint_at_docs(&engine, &state, terminal);
        return Ok(Exit::Done);
    }
    let words: Vec<_> = command.words.iter().map(|word| word.to_string_lossy()).collect();
    let lines = engine.search(&mut state, &words.join(" "), command.top)?;
    terminal.print_places(&text::lines(&lines), engine.root.as_path())?;
    Ok(Exit::Done)
}
