//! The arguments of `completions`, `man` and `init`, and those of `check` that name rules.

use std::path::PathBuf;

use clap::Args as Group;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap_complete::Shell;
use inkwell::finding::Rule;

/// Print the completions of a shell
///
/// The script completes commands, flags and the values of flags. It is made from the same definitions as the help.
#[derive(Group)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  inkwell completions bash > ~/.local/share/bash-completion/completions/inkwell
  inkwell completions zsh > ~/.zfunc/_inkwell              with ~/.zfunc in fpath, before compinit
  inkwell completions fish > ~/.config/fish/completions/inkwell.fish
  inkwell completions powershell >> $PROFILE";

/// Print the manual page, or write one for every command
///
/// The pages are made from the same definitions as the help.
#[derive(Group)]
#[command(after_help = MAN_HELP)]
pub struct Man {
    /// An existing folder to write `inkwell.1` and a page for every command into
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Examples:
  inkwell man | man -l -
  mkdir -p ~/.local/share/man/man1 && inkwell man ~/.local/share/man/man1";

/// Write a commented inkwell.toml, and print what belongs into other tools' files
///
/// The file names the docs trees that were found; everything else in it is a comment. One that exists is left as it is.
/// The pieces for pre-commit, CI and agents are only printed: where they go is yours to decide.
#[derive(Group)]
#[command(after_help = INIT_HELP)]
pub struct Init {}

const INIT_HELP: &str = "\
Examples:
  inkwell init
  inkwell init --docs website/docs --docs README.md";

/// A rule that can report a drift, by its id.
pub fn rule() -> impl TypedValueParser<Value = Rule> {
    let named = |id: String| Rule::DRIFT.into_iter().find(|rule| rule.id() == id).ok_or("no such rule");
    let values = Rule::DRIFT.map(|rule| PossibleValue::new(rule.id()).help(rule.summary()));
    PossibleValuesParser::new(values).try_map(named)
}
