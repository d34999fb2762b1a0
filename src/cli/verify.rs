//! `inkwell verify`: an answer against itself, and against what it was taken from.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use inkwell::config::Environment;
use inkwell::engine::Engine;
use inkwell::error::cause;
use inkwell::grounded::finalize::Rules;
use inkwell::grounded::verify::{
    Check, Checked, Evidence, Open, Outcome, Passage, Passages, Retrieved, citations, cited_ids, groundless_citations,
    groundless_claims, json, meant_for, receipt, retrieved, schema, text,
};
use inkwell::walk::{DocFile, RepoPath, Root};
use rayon::prelude::*;

use super::args::{Place, Verify};
use super::terminal::Terminal;
use super::{Exit, Stop, open, overrides};

/// The longest answer, and list of what was retrieved, that is read, in bytes.
const INPUT_BUDGET: u64 = 64 << 20;

pub fn run(place: &Place, command: &Verify, terminal: &Terminal) -> Result<Exit, Stop> {
    let checks = wanted(&command.check)?;
    let Some(answer) = answer(command.file.as_deref(), terminal)? else {
        let skipped: Vec<Checked> = checks.into_iter().map(Checked::skipped).collect();
        print(&skipped, command, terminal)?;
        return Ok(if command.strict { Exit::Found } else { Exit::Done });
    };
    let sources = sources(place, command, &checks, terminal)?;
    let rules = if command.strict { Rules::Strict } else { Rules::Contract };
    let done: Vec<Checked> =
        checks.iter().map(|check| timed(*check, &answer, &sources, rules)).collect::<Result<_, Stop>>()?;
    print(&done, command, terminal)?;
    hint_at_check(&checks, &answer, terminal);
    let has_failed = done.iter().any(|checked| checked.outcome == Outcome::Failed);
    Ok(if has_failed { Exit::Found } else { Exit::Done })
}

/// The checks that are asked for, each once, in their order.
fn wanted(names: &[String]) -> Result<Vec<Check>, Stop> {
    let mut found = Vec::new();
    for name in names {
        let checks = Check::named(name.trim()).map_err(|near| Stop::Refused {
            message: format!("there is no check `{name}`"),
            hint: Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the checks are `schema`, `citations`, `receipt`, and `both` for the first two".to_owned(),
            }),
        })?;
        found.extend(checks);
    }
    Ok(Check::ALL.into_iter().filter(|check| found.contains(check)).collect())
}

/// The answer to check; `None` where there is none yet.
fn answer(file: Option<&Path>, terminal: &Terminal) -> Result<Option<String>, Stop> {
    let Some(file) = file else {
        terminal.note("there is no answer to check: name a FILE, or `-` for stdin");
        return Ok(None);
    };
    match read(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            terminal.note(&format!("`{}` does not exist: there is no answer to check", file.display()));
            Ok(None)
        }
        Err(error) => Err(unreadable(file, &cause(&error))),
        Ok(bytes) => text_of(file, bytes).map(Some),
    }
}

/// A file's bytes, or those of stdin, one more than the budget at most.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let reader: Box<dyn Read> =
        if file == Path::new("-") { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(file)?) };
    reader.take(INPUT_BUDGET + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn text_of(file: &Path, bytes: Vec<u8>) -> Result<String, Stop> {
    if bytes.len() as u64 > INPUT_BUDGET {
        return Err(unreadable(file, &format!("it is too large: the limit is {} MiB", INPUT_BUDGET >> 20)));
    }
    let wrong = |error: std::string::FromUtf8Error| {
        let at = error.utf8_error().valid_up_to();
        unreadable(file, &format!("it is not UTF-8: the byte at offset {at} is wrong"))
    };
    String::from_utf8(bytes).map_err(wrong)
}

fn unreadable(file: &Path, cause: &str) -> Stop {
    let name = if file == Path::new("-") { "stdin".to_owned() } else { format!("`{}`", file.display()) };
    Stop::Refused { message: format!("failed to read {name}: {cause}"), hint: None }
}

/// What an answer is compared with.
#[derive(Default)]
struct Sources {
    passages: Option<Passages>,
    spans: Option<Retrieved>,
    project: Option<Engine>,
}

fn sources(place: &Place, command: &Verify, checks: &[Check], terminal: &Terminal) -> Result<Sources, Stop> {
    let mut found = Sources::default();
    if !checks.iter().any(|check| *check != Check::Schema) {
        return Ok(found);
    }
    if let Some(file) = &command.retrieved {
        add_retrieved(&mut found, file, checks)?;
    }
    found.project = project(place, command, terminal)?;
    if found.project.is_none() && command.retrieved.is_none() {
        terminal
            .note("what is cited is not compared with its sources: give `--retrieved FILE` or `--root DIR` for that");
    }
    Ok(found)
}

/// Reads what was retrieved: passages for citations, spans for a receipt.
fn add_retrieved(sources: &mut Sources, file: &Path, checks: &[Check]) -> Result<(), Stop> {
    let bytes = read(file).map_err(|error| unreadable(file, &cause(&error)))?;
    let text = text_of(file, bytes)?;
    let wrong = |problem: String| {
        Stop::Refused {
        message: format!("failed to read `{}`: {problem}", file.display()),
        hint: Some("`query --format passages` prints what the check of citations needs, `--format spans` what that of a receipt does".into()),
    }
    };
    let first = |problems: Vec<String>| wrong(problems.into_iter().next().unwrap_or_default());
    let value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| wrong(error.to_string()))?;
    if checks.contains(&Check::Citations) {
        sources.passages = Some(Passages::read(&value).map_err(first)?);
    }
    if checks.contains(&Check::Receipt) {
        sources.spans = Some(retrieved(&value).map_err(first)?);
    }
    Ok(())
}

/// The project whose docs are compared: the one that is named, or where nothing else is, the one that the working
/// directory is in if it has been asked before.
fn project(place: &Place, command: &Verify, terminal: &Terminal) -> Result<Option<Engine>, Stop> {
    if place.root.is_some() {
        return open(place, None).map(Some);
    }
    if command.retrieved.is_some() {
        return Ok(None);
    }
    let root = Root::find(Path::new("."))?;
    match Engine::is_indexed(&root, &Environment::of_process(), &overrides(place)) {
        Ok(true) => open(place, None).map(Some),
        Ok(false) => Ok(None),
        Err(error) => {
            terminal.warning(&format!("{error}; the docs of this folder are not compared"));
            Ok(None)
        }
    }
}

/// The docs' chunks that an answer cites, as they are now.
fn of_docs(engine: &Engine, answer: &str) -> Result<Passages, Stop> {
    let wanted = cited_ids(answer);
    let files = engine.docs()?.files;
    // What can't be read has no chunks; `query` could not have cited them either.
    let of_file =
        |file: &DocFile| engine.page(&file.path).map(|page| Passage::of_page(&page, &wanted)).unwrap_or_default();
    Ok(Passages::of_docs(files.par_iter().flat_map_iter(of_file).collect::<Vec<_>>()))
}

/// Runs a check and measures how long that takes, comparing included.
fn timed(check: Check, answer: &str, sources: &Sources, rules: Rules) -> Result<Checked, Stop> {
    let start = Instant::now();
    let messages = messages(check, answer, sources, rules)?;
    Ok(Checked::new(check, start.elapsed(), messages))
}

fn messages(check: Check, answer: &str, sources: &Sources, rules: Rules) -> Result<Vec<String>, Stop> {
    match check {
        Check::Schema => Ok(schema(answer)),
        Check::Citations => {
            let docs = sources.project.as_ref().map(|engine| of_docs(engine, answer)).transpose()?;
            let known: Vec<&Passages> = sources.passages.iter().chain(&docs).collect();
            let mut messages = citations(answer, &known);
            if rules == Rules::Strict {
                messages.extend(groundless_citations(answer, &known));
            }
            Ok(messages)
        }
        Check::Receipt => {
            let engine = sources.project.as_ref();
            let open = engine.map(|engine| |path: &RepoPath| engine.page(path));
            let files = open.as_ref().map(|open| open as Open<'_>);
            let evidence = Evidence { retrieved: sources.spans.as_ref(), files };
            let mut messages = receipt(answer, &evidence);
            if rules == Rules::Strict {
                messages.extend(groundless_claims(answer, &evidence));
            }
            Ok(messages)
        }
    }
}

fn print(done: &[Checked], command: &Verify, terminal: &Terminal) -> Result<(), Stop> {
    terminal.print(&if command.json { json(done) } else { text(done) })
}

/// Where no check is meant for such an answer, says which one is.
fn hint_at_check(checks: &[Check], answer: &str, terminal: &Terminal) {
    let is_receipt_asked = checks.contains(&Check::Receipt);
    match meant_for(answer) {
        Some(Check::Receipt) if !is_receipt_asked => {
            terminal.hint("this is a grounding receipt: try `--check receipt`")
        }
        Some(Check::Citations) if checks == [Check::Receipt] => {
            terminal.hint("this is an answer with citations: try `--check both`");
        }
        _ => {}
    }
}
