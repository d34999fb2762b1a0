//! `inkwell mcp`: the tools for agents, over stdin and stdout.

use inkwell::mcp::{Settings, serve};

use super::args::{Mcp, Place};
use super::{Exit, Stop, overrides};

pub fn run(place: &Place, _command: &Mcp) -> Result<Exit, Stop> {
    let settings = Settings { root: place.root.clone(), overrides: overrides(place) };
    match serve(settings) {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(Stop::Refused { message: format!("failed to serve: {error}"), hint: Some(HINT.into()) }),
    }
}

const HINT: &str = "this is for MCP clients, which start it by themselves; `inkwell query` answers people";
