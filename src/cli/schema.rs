//! `inkwell schema`.

use super::args::Schema;
use super::terminal::Terminal;
use super::{Exit, Stop};

pub fn run(_command: &Schema, _terminal: &Terminal) -> Result<Exit, Stop> {
    Err(Stop::Refused { message: "not there yet".into(), hint: None })
}
