//! One call: open the project, bring the index up to date, and answer. All of it anew, so that an edit of a page or of
//! the settings shows at once; opening takes well under a millisecond.

use std::sync::{Mutex, PoisonError};

use super::arguments::Arguments;
use super::places::{self, Places};
use super::reply::{Refusal, Reply};
use super::tool::Tool;
use super::{check, query, read, search};
use crate::cite::visible;
use crate::config::{Environment, Overrides};
use crate::engine::{Engine, State};
use crate::error::{Error, nearest};
use crate::sync::Mode;
use crate::walk::{Listing, RepoPath};

/// Left-out files that are named beside a result.
const NAMED: usize = 3;

/// Held while the index is brought up to date. Calls that come while a large one is built wait for it, since each would
/// else lose its patience with the other's lock and build one of its own in memory.
static UPDATING: Mutex<()> = Mutex::new(());

/// Told what a call is doing.
pub type Say<'a> = &'a (dyn Fn(String) + Sync);

/// Answers a call.
///
/// # Errors
/// When the project can't be read, or what was asked for does not exist.
pub fn answer(places: &Places, overrides: &Overrides, arguments: &Arguments, say: Say<'_>) -> Result<Reply, Refusal> {
    let environment = Environment::of_process();
    let root = places::root(places, environment.home.as_deref(), arguments)?;
    let engine = Engine::open(root, &environment, overrides).map_err(|error| refused(&error))?;
    match arguments.tool {
        Tool::Query => query::answer(&engine, refreshed(&engine, say)?, arguments),
        Tool::Search => search::answer(&engine, refreshed(&engine, say)?, arguments),
        Tool::Read => read::answer(&engine, &refreshed(&engine, say)?, arguments),
        Tool::Check => check::answer(&engine, arguments, say),
    }
}

/// The docs as they are now.
fn refreshed(engine: &Engine, say: Say<'_>) -> Result<State, Refusal> {
    let progress = |done, of| say(format!("reading the docs: {done} of {of} files"));
    let updating = UPDATING.lock().unwrap_or_else(PoisonError::into_inner);
    let state = engine.refresh(Mode::Update, &progress).map_err(|error| refused(&error))?;
    drop(updating);
    if state.documents() > 0 {
        return Ok(state);
    }
    let skipped = left_out(&state).into_iter();
    Err(Refusal::new(skipped.fold(no_docs(engine), |text, line| format!("{text}\n{line}"))))
}

/// Says that the docs trees hold nothing, and where else docs are.
pub fn no_docs(engine: &Engine) -> String {
    let trees: Vec<String> = engine.config.docs.iter().map(|tree| format!("`{tree}`")).collect();
    let root = visible(&engine.root.as_path().to_string_lossy());
    let mut text = format!("there is no Markdown in {} of `{root}`", trees.join(", "));
    let others: Vec<String> =
        engine.other_trees().iter().map(|tree| format!("`{}`", visible(tree.path.as_str()))).collect();
    if !others.is_empty() {
        let others = others.join(", ");
        text.push_str(&format!(
            "; there is in {others}: name it as `docs` in `inkwell.toml`, or start the server with `--docs`"
        ));
    }
    text
}

/// Why an attempt failed, and what to do.
pub fn refused(error: &Error) -> Refusal {
    let hint = match error {
        // What the command line says is of no use here.
        Error::Index(_) | Error::NoSuchDocs { .. } => None,
        _ => error.hint(),
    };
    Refusal::new(hint.into_iter().fold(error.to_string(), |text, hint| format!("{text}\n{hint}")))
}

/// What makes a result less than it could be: a sentence each.
pub fn notes(state: &State) -> Vec<String> {
    let mut notes: Vec<String> = state.synced.notes.iter().map(|note| visible(note)).collect();
    notes.extend(left_out(state));
    notes
}

fn left_out(state: &State) -> Option<String> {
    let skipped = state.skipped().into_iter().map(|(path, reason)| format!("`{path}` ({reason})"));
    let unseen = |path: &RepoPath| format!("`{}` (it could not be looked into)", visible(path.as_str()));
    let all: Vec<String> = skipped.chain(state.listing.incomplete.iter().map(unseen)).collect();
    let more = all.len().saturating_sub(NAMED);
    let named = all[..all.len() - more].join(", ");
    match (all.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("not among the docs: {named}")),
        (false, _) => Some(format!("not among the docs: {named} and {more} more")),
    }
}

/// The docs file whose path is nearly this one, whatever the case of the letters.
pub fn near_page<'a>(listing: &'a Listing, path: &str) -> Option<&'a str> {
    let folded: Vec<String> = listing.files.iter().map(|file| file.path.as_str().to_lowercase()).collect();
    let near = nearest(path, folded.iter().map(String::as_str))?;
    let at = folded.iter().position(|path| path == near)?;
    Some(listing.files[at].path.as_str())
}

/// A path of the project as an agent writes it: relative to the root, or absolute and below it.
///
/// # Errors
/// When it leads out of the root.
pub fn inside<'a>(engine: &Engine, path: &'a str) -> Result<&'a str, Refusal> {
    let root = engine.root.as_path().to_string_lossy();
    let below = path.strip_prefix(root.as_ref()).and_then(|rest| rest.strip_prefix(['/', '\\']));
    let named = below.unwrap_or(path);
    // A `#` may begin a fragment, in which anything may stand.
    let file = named.split('#').next().unwrap_or(named);
    match RepoPath::new(file) {
        Some(_) => Ok(named),
        None => {
            Err(Refusal::new(format!("`{}` is outside the project `{root}`: nothing there is read", visible(path))))
        }
    }
}
