//! The tool `check`.

use super::arguments::Arguments;
use super::budget::{most, tokens};
use super::call::{Say, inside, near_page, no_docs, refused};
use super::reply::{Aside, Next, Refusal, Reply};
use super::schema::unit;
use super::tool::Tool;
use crate::check::{Baseline, Change, Options, Scope};
use crate::engine::Engine;
use crate::error::Error;
use crate::finding::{Finding, Report};
use crate::render::report::{self, Detail};
use crate::walk::{self, RepoPath};

/// The baseline of a project, as for the command line.
const BASELINE: &str = ".inkwell-baseline.json";
/// Remarks that are shown.
const REMARKS: usize = 10;

/// Compares docs with the code.
///
/// # Errors
/// When a page that was asked for does not exist, or a change can't be told.
pub fn answer(engine: &Engine, arguments: &Arguments, say: Say<'_>) -> Result<Reply, Refusal> {
    let options = Options {
        scope: scope(engine, arguments)?,
        change: change(arguments),
        baseline: baseline(engine)?,
        only: Vec::new(),
    };
    say("comparing the docs with the code".into());
    let whole = engine.check(&options).map_err(|error| failed(engine, &error, arguments))?;
    let mut notes: Vec<String> = (whole.summary.pages == 0).then(|| no_docs(engine)).into_iter().collect();
    if whole.remarks.len() > REMARKS {
        notes.push(format!("{} more remarks are not shown", whole.remarks.len() - REMARKS));
    }
    let offset = arguments.number("offset").unwrap_or(0);
    let drifts: Vec<&Finding> = whole.drifts().skip(offset).collect();
    let part = |count: usize| part(&whole, &drifts[..count]);
    let rendered = |count| report::json(&part(count), Detail::Plain);
    let count = most(drifts.len(), |count| tokens(&rendered(count)) <= arguments.budget());
    let left_out = drifts.len() - count;
    let mut next: Vec<Next> = drifts.first().map(|first| arguments.reading(&first.citation)).into_iter().collect();
    if left_out > 0 {
        next.push(arguments.again().with("offset", (offset + count).into()));
    }
    let aside = Aside { left_out, unit: unit(Tool::Check), notes, next };
    Ok(Reply::new(&rendered(count), &report::text(&part(count), Detail::Plain), &aside))
}

/// The report with some of its drifts; the counts stay those of the whole.
fn part(whole: &Report, drifts: &[&Finding]) -> Report {
    Report {
        summary: whole.summary,
        claims: drifts.iter().map(|finding| (*finding).clone()).collect(),
        remarks: whole.remarks.iter().take(REMARKS).cloned().collect(),
    }
}

fn scope(engine: &Engine, arguments: &Arguments) -> Result<Scope, Refusal> {
    let named = arguments.texts("paths");
    if named.is_empty() {
        return Ok(Scope::All);
    }
    let path = |path: &&str| Ok(inside(engine, path).map(RepoPath::new)?.unwrap_or(RepoPath::ROOT));
    named.iter().map(path).collect::<Result<Vec<RepoPath>, Refusal>>().map(Scope::Paths)
}

fn change(arguments: &Arguments) -> Change {
    match arguments.text("changed") {
        "" => Change::Any,
        revision => Change::Since(Some(revision.to_owned())),
    }
}

/// The drifts that the project knows; none where it has no such file.
fn baseline(engine: &Engine) -> Result<Baseline, Refusal> {
    let known = RepoPath::new(BASELINE).and_then(|path| engine.root.read(&path).ok());
    let Some((text, _)) = known else { return Ok(Baseline::default()) };
    Baseline::read(&text).map_err(|cause| Refusal::new(format!("failed to read the baseline `{BASELINE}`: {cause}")))
}

/// Offers the nearest page where one that was named does not exist.
fn failed(engine: &Engine, error: &Error, arguments: &Arguments) -> Refusal {
    let refusal = refused(error);
    let Error::NoSuchDocs { path } = error else { return refusal };
    let listing = walk::docs(&engine.root, &engine.config.docs).unwrap_or_default();
    let near = near_page(&listing, path);
    let next = near.map(|near| arguments.again().with("paths", vec![near].into()));
    Refusal { next: next.into_iter().collect(), ..refusal }
}
