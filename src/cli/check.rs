//! `inkwell check`: docs against code.

use std::path::{Component, Path, PathBuf};

use inkwell::check::{self, Baseline, Change, Fixed, Options, Scope};
use inkwell::engine::Engine;
use inkwell::error::{Error, nearest};
use inkwell::finding::Report;
use inkwell::render::report::{self, Detail};
use inkwell::walk::{self, RepoPath};

use super::args::{Check, CheckFormat, FailOn, Place};
use super::terminal::Terminal;
use super::{Exit, Stop, hint_at_other_docs, open};

/// The baseline that is used where none is named and this one exists.
const BASELINE: &str = ".inkwell-baseline.json";

pub fn run(place: &Place, command: &Check, terminal: &Terminal) -> Result<Exit, Stop> {
    let engine = open(place, None)?;
    let options = Options {
        scope: scope(&engine, place, command)?,
        change: change(command),
        baseline: baseline(&engine, command)?,
        only: command.only.clone(),
    };
    let report = engine.check(&options).map_err(|error| near(&engine, error))?;
    if report.summary.pages == 0 {
        hint_at_other_docs(&engine, terminal);
    }
    if let Some(file) = &command.write_baseline {
        return write_baseline(&engine, file.as_deref(), &report, terminal);
    }
    if command.fix || command.dry_run {
        return fix(&engine, command, &report, terminal);
    }
    let text = rendered(&report, command);
    match command.format {
        CheckFormat::Text => terminal.print_places(&text, engine.root.as_path())?,
        CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Github | CheckFormat::Junit => terminal.print(&text)?,
    }
    let fails = report.summary.drifted > 0 && command.fail_on == FailOn::Drift;
    Ok(if fails { Exit::Found } else { Exit::Done })
}

/// A page that does not exist, with one that is called nearly so.
fn near(engine: &Engine, error: Error) -> Stop {
    let Error::NoSuchDocs { path } = &error else { return error.into() };
    let listing = walk::docs(&engine.root, &engine.config.docs).unwrap_or_default();
    match nearest(path, listing.files.iter().map(|file| file.path.as_str())) {
        Some(page) => Stop::Refused { message: error.to_string(), hint: Some(format!("did you mean `{page}`?")) },
        None => error.into(),
    }
}

fn rendered(report: &Report, command: &Check) -> String {
    let detail = |is_wanted| if is_wanted { Detail::Explain } else { Detail::Plain };
    match command.format {
        CheckFormat::Text => report::text(report, detail(command.explain)),
        CheckFormat::Json => report::json(report, detail(command.claims)),
        CheckFormat::Sarif => report::sarif(report),
        CheckFormat::Github => report::github(report),
        CheckFormat::Junit => report::junit(report),
    }
}

fn change(command: &Check) -> Change {
    match (&command.changed, command.staged) {
        (_, true) => Change::Staged,
        (Some(revision), false) => Change::Since(revision.clone()),
        (None, false) => Change::Any,
    }
}

/// The pages that are named, relative to the folder where the command runs, or to `--root` where that is given.
fn scope(engine: &Engine, place: &Place, command: &Check) -> Result<Scope, Stop> {
    if command.paths.is_empty() {
        return Ok(Scope::All);
    }
    let base = match &place.root {
        Some(_) => engine.root.as_path().to_owned(),
        None => std::env::current_dir().and_then(|dir| dir.canonicalize()).unwrap_or_default(),
    };
    let path = |path: &PathBuf| {
        inside(&base.join(path), engine.root.as_path()).ok_or_else(|| Stop::Refused {
            message: format!("`{}` is not below the root `{}`", path.display(), engine.root.as_path().display()),
            hint: Some("name docs of this project, or another project with `-C DIR`".into()),
        })
    };
    command.paths.iter().map(path).collect::<Result<_, _>>().map(Scope::Paths)
}

/// A path as one inside the root, by its words alone.
fn inside(path: &Path, root: &Path) -> Option<RepoPath> {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            other => tidy.push(other),
        }
    }
    RepoPath::new(tidy.strip_prefix(root).ok()?.to_str()?)
}

fn baseline(engine: &Engine, command: &Check) -> Result<Baseline, Stop> {
    let file = match &command.baseline {
        Some(file) => file.clone(),
        None => engine.root.as_path().join(BASELINE),
    };
    if command.write_baseline.is_some() || (command.baseline.is_none() && !file.exists()) {
        return Ok(Baseline::default());
    }
    let failed = |cause: String| Stop::Refused {
        message: format!("failed to read the baseline `{}`: {cause}", file.display()),
        hint: Some("`inkwell check --write-baseline` writes a new one".into()),
    };
    let text = std::fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
    Baseline::read(&text).map_err(failed)
}

fn write_baseline(engine: &Engine, file: Option<&Path>, report: &Report, terminal: &Terminal) -> Result<Exit, Stop> {
    let file = file.map_or_else(|| engine.root.as_path().join(BASELINE), Path::to_owned);
    let baseline = Baseline::of(report.drifts());
    super::write_file(&file, &baseline.text())?;
    terminal.note(&format!("`{}` now knows {}", file.display(), drifts(baseline.len())));
    Ok(Exit::Done)
}

/// Rewrites proven renames, or shows what would be rewritten.
fn fix(engine: &Engine, command: &Check, report: &Report, terminal: &Terminal) -> Result<Exit, Stop> {
    let fixed: Vec<Fixed> = check::fixed(&engine.root, report);
    for page in &fixed {
        terminal.print(&page.diff)?;
    }
    if !command.dry_run {
        for page in &fixed {
            if !command.force && engine.is_edited(&page.path) {
                return Err(Stop::Refused {
                    message: format!("`{}` has changes that are not committed", page.path),
                    hint: Some("commit or stash them first, or give `--force`".into()),
                });
            }
        }
        for page in &fixed {
            super::write_file(&engine.root.join(&page.path), &page.text)?;
        }
    }
    let fixes: usize = fixed.iter().map(|page| page.fixes).sum();
    let left = report.summary.drifted - fixes.min(report.summary.drifted);
    let done = if command.dry_run { "would be fixed" } else { "fixed" };
    terminal.note(&format!("{} {done}, {left} left", drifts(fixes)));
    let fails = left > 0 || (command.dry_run && fixes > 0);
    Ok(if fails && command.fail_on == FailOn::Drift { Exit::Found } else { Exit::Done })
}

fn drifts(count: usize) -> String {
    if count == 1 { "1 drift".to_owned() } else { format!("{count} drifts") }
}
