//! `inkwell answer`.

use super::args::{Answer, Place};
use super::terminal::Terminal;
use super::{Exit, Stop};

pub fn run(_place: &Place, _command: &Answer, _terminal: &Terminal) -> Result<Exit, Stop> {
    Err(Stop::Refused { message: "not there yet".into(), hint: None })
}
