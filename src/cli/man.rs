//! `inkwell man`: the manual pages, made from the same definitions as the help.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::roff::{Roff, roman};

use super::args::{Args, Man};
use super::terminal::Terminal;
use super::{Exit, Stop, write_file};

pub fn run(command: &Man, terminal: &Terminal) -> Result<Exit, Stop> {
    // The list of commands is a page already.
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let Some(dir) = &command.dir else {
        terminal.print(&page(&program)?.1)?;
        return Ok(Exit::Done);
    };
    let written = write(&program, dir)?;
    terminal.note(&format!("`{}` holds {written} pages", dir.display()));
    Ok(Exit::Done)
}

/// Writes the pages of the program and of all its commands; how many these are.
fn write(program: &Command, dir: &Path) -> Result<usize, Stop> {
    if !dir.is_dir() {
        return Err(Stop::Refused {
            message: format!("there is no folder `{}`", dir.display()),
            hint: Some(format!("`mkdir -p '{}'` makes it", dir.display())),
        });
    }
    let pages = std::iter::once(program).chain(program.get_subcommands()).map(page);
    let pages = pages.collect::<Result<Vec<_>, Stop>>()?;
    for (name, text) in &pages {
        write_file(&dir.join(name), text)?;
    }
    Ok(pages.len())
}

/// A page and its file's name.
fn page(command: &Command) -> Result<(String, String), Stop> {
    let man = clap_mangen::Man::new(command.clone().after_help(None::<&'static str>))
        .source(concat!("inkwell ", env!("CARGO_PKG_VERSION")))
        .manual("inkwell Manual");
    let mut text = Vec::new();
    man.render(&mut text)?;
    examples(command).to_writer(&mut text)?;
    Ok((man.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}

/// What the help ends with, line by line: filled like prose, examples could not be read.
fn examples(command: &Command) -> Roff {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES AND NOTES"]).control("nf", []).text([roman(text)]).control("fi", []);
    roff
}
