//! The check of everything: taken from the last run where nothing changed, else made anew and kept.

use rayon::prelude::*;

use super::run::{Docs, Outcome, Run, Start};
use super::{CheckStore, Project, Scope, findings, gaps, outcome as outcome_of, pages};
use crate::codebase::Moment;
use crate::corroborate::Subject;
use crate::error::Error;

/// What a check of everything comes to.
///
/// # Errors
/// When the root is gone.
pub fn outcome(project: &Project<'_>, store: &mut CheckStore) -> Result<Outcome, Error> {
    let docs = Docs::list(project)?;
    outcome_for(project, store, docs)
}

/// The same where it costs little: it is known, or there are at most `limit` pages.
pub fn outcome_within(project: &Project<'_>, store: &mut CheckStore, limit: usize) -> Option<Outcome> {
    let docs = Docs::list(project).ok()?;
    if docs.count() <= limit {
        return outcome_for(project, store, docs).ok();
    }
    let run = store.run(project)?;
    let listing = store.listing(project, Some(&run));
    run.outcome(project, &listing, &docs)
}

fn outcome_for(project: &Project<'_>, store: &mut CheckStore, docs: Docs) -> Result<Outcome, Error> {
    let run = store.run(project);
    let listing = store.listing(project, run.as_ref());
    if let Some(run) = run
        && let Some(known) = run.outcome(project, &listing, &docs)
    {
        if let Some(run) = run.settled(listing) {
            store.keep_run(&run);
        }
        return Ok(known);
    }
    let start = Start { listing, docs, moment: Moment::now() };
    let code = store.codebase(project, &start.listing);
    let (pages, remarks) = pages(project, &Scope::All, &code)?;
    let subjects: Vec<Subject> = pages.into_par_iter().map(|page| super::subject(project, page)).collect();
    let (findings, read) = findings(project, &subjects, &code, store, start.listing.head());
    let outcome = Outcome {
        pages: subjects.iter().map(|subject| subject.page.path.to_string()).collect(),
        remarks: [remarks, gaps(store, &code)].concat(),
        ..outcome_of(&subjects, findings)
    };
    drop(code);
    if store.is_kept()
        && let Some(run) = Run::of(project, start, &read, &outcome)
    {
        store.keep_run(&run);
    }
    Ok(outcome)
}
