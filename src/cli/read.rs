//! `inkwell read`: a section as it stands in its file.

use inkwell::excerpt::{Around, excerpt};
use inkwell::render::json;
use inkwell::sync::Mode;

use super::args::{Context, Place, Read, ReadFormat};
use super::terminal::Terminal;
use super::{Exit, Stop, open, refresh};

pub fn run(place: &Place, command: &Read, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let state = refresh(&engine, Mode::Update, terminal)?;
    let wants = |context| command.context.contains(&context);
    let around = Around {
        parents: wants(Context::Parents),
        children: command.context.is_empty() || wants(Context::Children),
        limit: command.max_lines,
    };
    let found = excerpt(&engine, &state, &command.target, around).map_err(|reason| Stop::Refused {
        message: reason.message,
        hint: (!reason.offers.is_empty()).then(|| format!("there is `{}`", reason.offers.join("`, `"))),
    })?;
    let as_json = command.json || command.format == ReadFormat::Json;
    if as_json {
        terminal.print(&json::excerpt(&found))?;
    } else {
        terminal.print(&found.text)?;
        if found.is_truncated {
            terminal.note(&format!("cut at line {}; raise --max-lines for more", found.lines.1));
        }
    }
    Ok(Exit::Done)
}
