//! `inkwell corroborate`: verdicts on the chunks that another program retrieved.

use std::io::Read;

use inkwell::render::text;

use super::args::{Corroborate, Place};
use super::terminal::Terminal;
use super::{Exit, Stop, open};

/// The most that is read from standard input, in bytes.
const INPUT_LIMIT: u64 = 64 << 20;

pub fn run(place: &Place, _command: &Corroborate, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let mut input = Vec::new();
    let read = std::io::stdin().take(INPUT_LIMIT).read_to_end(&mut input);
    read.map_err(|error| Stop::Refused { message: format!("failed to read the chunks: {error}"), hint: None })?;
    let lines = engine.corroborate(&String::from_utf8_lossy(&input));
    terminal.print(&text::verdicts(&lines))?;
    Ok(Exit::Done)
}
