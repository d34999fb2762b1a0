//! Whether a text is older than a removal: what was written before is drift, what was written after speaks of something
//! else nine times of ten.

use inkwell_code::history::{DocEvent, LINE_LIMIT};

use super::Subject;
use crate::claim::Claim;

/// How a claim's text lies to a removal in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It was there before.
    Older,
    /// It came so many first-parent commits after; 0: with the removal.
    Younger(u32),
    /// It is not committed yet.
    Fresh,
}

/// Tells when a claim's text was written. `docs` are the changes of pages whose lines hold its name, the newest first.
pub fn age(claim: &Claim, subject: &Subject, docs: &[DocEvent], removed: u32) -> Age {
    let page = &subject.page;
    let (first, last) = page.lines.range(claim.span);
    let own: Vec<&str> = page.text.lines().skip(first - 1).take(last + 1 - first).map(str::trim).collect();
    let is_own = |line: &String| own.iter().any(|own| own.starts_with(line.as_str()) && !line.is_empty());
    // Pages that the text stood on: a commit that adds it here and takes it from there moved it.
    let mut pages: Vec<&str> = vec![page.path.as_str()];
    let mut has_met_own = false;
    let mut added = None;
    for event in docs.iter().filter(|event| !event.added.is_empty()) {
        // Of a page that names it often only some lines are kept.
        let may_be_own = event.added.len() >= LINE_LIMIT || event.added.iter().any(is_own);
        if !pages.contains(&event.path.as_str()) || !(has_met_own || may_be_own) {
            continue;
        }
        has_met_own = true;
        let taken: Vec<&str> = docs
            .iter()
            .filter(|other| other.order == event.order && !other.removed.is_empty())
            .map(|other| other.path.as_str())
            .collect();
        if taken.is_empty() {
            added = Some(event.order);
            break;
        }
        pages.extend(taken);
    }
    match added {
        // Every change that is known of only edited or moved it.
        None if has_met_own => Age::Older,
        None => Age::Fresh,
        Some(order) if order > removed => Age::Older,
        Some(order) => Age::Younger(removed - order),
    }
}
