//! `inkwell completions`: the script by which a shell completes the command line.

use clap::CommandFactory;

use super::args::{Args, Completions};
use super::terminal::Terminal;
use super::{Exit, Stop};

pub fn run(command: &Completions, terminal: &Terminal) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Args::command(), "inkwell", &mut script);
    terminal.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
