//! `inkwell status`: what is indexed, what is left out and why.

use inkwell::render::{json, text};
use inkwell::sync::Mode;

use super::args::{Place, Status};
use super::terminal::Terminal;
use super::{Exit, Stop, hint_at_docs, open, refresh};

pub fn run(place: &Place, command: &Status, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let state = refresh(&engine, Mode::Update, terminal)?;
    hint_at_docs(&engine, &state, terminal);
    let status = if command.json { json::status(&engine, &state) } else { text::status(&engine, &state) };
    terminal.print(&status)?;
    Ok(Exit::Done)
}
