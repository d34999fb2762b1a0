//! `inkwell index`: brings the index up to date and says what it holds.

use inkwell::render::text;
use inkwell::sync::Mode;

use super::args::{Index, Place};
use super::terminal::Terminal;
use super::{Exit, Stop, hint_at_docs, open, refresh, warn};

pub fn run(place: &Place, command: &Index, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let mode = if command.rebuild { Mode::Rebuild } else { Mode::Update };
    let state = refresh(&engine, mode, terminal)?;
    warn(&state, usize::MAX, terminal);
    hint_at_docs(&engine, &state, terminal);
    terminal.print(&text::indexed(&state))?;
    // Nothing readable, or nothing stored: whoever waits for the index must not go on as if there were one.
    let all_failed = state.documents() == 0 && !state.skipped().is_empty();
    Ok(if all_failed || !state.synced.is_stored { Exit::Trouble } else { Exit::Done })
}
