//! The `inkwell` program: reads the command line, runs one command, prints, and ends with its exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
