//! The command line. Only this module prints: results to stdout, everything about them to stderr.
//!
//! Exit codes (contracts F): 0 done, also when nothing was found; 1 a check found something; 2 usage or trouble.
//! A reader that closes the pipe ends the program quietly with 0.

mod answer;
mod args;
mod check;
mod completions;
mod corroborate;
mod finalize;
mod index;
mod init;
mod input;
mod man;
mod mcp;
mod query;
mod read;
mod schema;
mod search;
mod status;
mod terminal;
mod verify;

use std::path::Path;
use std::process::ExitCode;

use inkwell::config::{Environment, Overrides};
use inkwell::engine::{Engine, State};
use inkwell::error::Error;
use inkwell::sync::Mode;
use inkwell::walk::Root;

use args::{Args, Command, Place};
use terminal::Terminal;

/// What the program ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Done.
    Done,
    /// A check found something.
    Found,
    /// Usage or trouble.
    Trouble,
}

/// What stops a command.
enum Stop {
    /// An attempt failed; said as `error:` with a hint.
    Failed(Error),
    /// The request makes no sense; said as `error:` with a hint.
    Refused {
        /// What was found and expected.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
    /// Nobody reads on.
    PipeClosed,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Refused { message: format!("failed to write the output: {error}"), hint: None },
        }
    }
}

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    // A panic that is caught where damaged files are read is no news; one that arrives here is a bug of ours.
    std::panic::set_hook(Box::new(|_| {}));
    std::panic::catch_unwind(run_command).unwrap_or_else(|_| {
        Terminal::new().error("inkwell itself failed", Some("please report what you ran, and with which version"));
        ExitCode::from(2)
    })
}

fn run_command() -> ExitCode {
    let args = match Args::read(std::env::args_os().collect()) {
        Ok(args) => args,
        // clap prints help and usage itself; its code is 0 for help and 2 for usage.
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let terminal = Terminal::new();
    let outcome = match args.command {
        Command::Query(command) => query::run(&args.place, &command, &terminal),
        Command::Search(command) => search::run(&args.place, &command, &terminal),
        Command::Read(command) => read::run(&args.place, &command, &terminal),
        Command::Check(command) => check::run(&args.place, &command, &terminal),
        Command::Corroborate(command) => corroborate::run(&args.place, &command, &terminal),
        Command::Finalize(command) => finalize::run(&args.place, &command, &terminal),
        Command::Answer(command) => answer::run(&args.place, &command, &terminal),
        Command::Verify(command) => verify::run(&args.place, &command, &terminal),
        Command::Schema(command) => schema::run(&command, &terminal),
        Command::Mcp(command) => mcp::run(&args.place, &command),
        Command::Index(command) => index::run(&args.place, &command, &terminal),
        Command::Status(command) => status::run(&args.place, &command, &terminal),
        Command::Init(command) => init::run(&args.place, &command, &terminal),
        Command::Completions(command) => completions::run(&command, &terminal),
        Command::Man(command) => man::run(&command, &terminal),
    };
    match outcome {
        Ok(Exit::Done) | Err(Stop::PipeClosed) => ExitCode::SUCCESS,
        Ok(Exit::Found) => ExitCode::from(1),
        Ok(Exit::Trouble) => ExitCode::from(2),
        Err(Stop::Failed(error)) => {
            terminal.error(&error.to_string(), error.hint().as_deref());
            ExitCode::from(2)
        }
        Err(Stop::Refused { message, hint }) => {
            terminal.error(&message, hint.as_deref());
            ExitCode::from(2)
        }
    }
}

/// Writes a file that the user asked for, whole or not at all, with the permissions that it had.
fn write_file(path: &Path, text: &str) -> Result<(), Stop> {
    let failed = |error: std::io::Error| Stop::Refused {
        message: format!("failed to write `{}`: {error}", path.display()),
        hint: None,
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let draft = path.with_file_name(name);
    std::fs::write(&draft, text).map_err(failed)?;
    if let Ok(found) = std::fs::metadata(path) {
        std::fs::set_permissions(&draft, found.permissions()).map_err(failed)?;
    }
    std::fs::rename(&draft, path).map_err(failed)
}

/// The root that the command line names, or the one that the working directory is in.
fn root(place: &Place) -> Result<Root, Stop> {
    Ok(match &place.root {
        Some(path) => Root::open(path)?,
        None => Root::find(Path::new("."))?,
    })
}

/// What the command line says of the settings.
fn overrides(place: &Place) -> Overrides {
    Overrides {
        docs: place.docs.clone(),
        anchors: place.anchors.clone(),
        index_dir: place.index_dir.clone(),
        synth: None,
    }
}

/// Opens the project that the command line names, or the one that the working directory is in.
fn open(place: &Place, synth: Option<&str>) -> Result<Engine, Stop> {
    let overrides = Overrides { synth: synth.map(str::to_owned), ..overrides(place) };
    Ok(Engine::open(root(place)?, &Environment::of_process(), &overrides)?)
}

/// Brings the index up to date, with a progress bar where that takes long, and says what people should know.
fn refresh(engine: &Engine, mode: Mode, terminal: &Terminal) -> Result<State, Stop> {
    let bar = terminal.progress();
    let state = engine.refresh(mode, &|done, of| bar.set(done, of));
    bar.clear();
    let state = state?;
    state.synced.notes.iter().for_each(|note| terminal.note(note));
    Ok(state)
}

/// Says which files are left out and what is wrong with those just read, the first few of each by name.
fn warn(state: &State, limit: usize, terminal: &Terminal) {
    let problems = state.new_problems();
    for (path, problem) in problems.iter().take(limit) {
        terminal.warning(&format!("`{path}` {problem}"));
    }
    if problems.len() > limit {
        terminal.warning(&format!("{} more problems; `inkwell status` lists them", problems.len() - limit));
    }
    let skipped = state.skipped();
    for (path, reason) in skipped.iter().take(limit) {
        terminal.warning(&format!("skipped `{path}`: {reason}"));
    }
    if skipped.len() > limit {
        let more = skipped.len() - limit;
        terminal.warning(&format!("skipped {more} more; `inkwell status` lists them"));
    }
    for path in &state.listing.incomplete {
        terminal.warning(&format!("failed to look into `{}`; what was known of it is kept", path.as_str()));
    }
}

/// Where there are no docs, says what there is instead.
fn hint_at_docs(engine: &Engine, state: &State, terminal: &Terminal) {
    if !state.listing.files.is_empty() {
        return;
    }
    hint_at_other_docs(engine, terminal);
}

/// Says that the docs trees hold nothing, and where else docs are.
fn hint_at_other_docs(engine: &Engine, terminal: &Terminal) {
    let trees: Vec<String> = engine.config.docs.iter().map(|tree| format!("`{}`", tree.as_str())).collect();
    terminal.note(&format!("there is no Markdown in {}", trees.join(", ")));
    for tree in engine.other_trees() {
        let files = if tree.files == 1 { "1 file".to_owned() } else { format!("{} files", tree.files) };
        terminal.hint(&format!("`{path}` has {files}: try `--docs {path}`", path = tree.path.as_str()));
    }
}
