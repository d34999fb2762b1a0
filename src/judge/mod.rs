//! What a section says about behaviour → the verdict of a judge, a command of the user's that reads the code.
//!
//! The judge gets all such sentences of a citation at once and answers for all of them. Nothing it does can stop or
//! hold up the caller: whatever isn't one of the three answers in time is `could not corroborate`. What it answers is
//! kept for as long as docs and code stay as they are.

mod behaviour;
mod kept;
mod prompt;
mod reply;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::codebase::Codebase;
use crate::command;
use crate::digest::Digest;
use crate::finding::Verdict;

use kept::{Kept, sources};

pub use behaviour::behavioural;

/// Judges that run at once, at most.
const PARALLEL: usize = 4;

/// What a command of one word is told besides (contracts A4): the arguments of `claude`.
const ARGUMENTS: [&str; 3] = ["-p", "--model", "haiku"];

/// A citation to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// `path#anchor`, as the response prints it.
    pub citation: String,
    /// The section as it is shown.
    pub section: String,
    /// What the section says about behaviour, see [`behavioural`]; a case without any is not judged.
    pub claims: Vec<String>,
}

/// How cases are judged.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// The program and its arguments; a single word gets `-p --model haiku` as well (contracts A4).
    pub command: &'a [String],
    /// How long one case may take.
    pub timeout: Duration,
    /// How long all cases together may take.
    pub budget: Duration,
    /// The repository's root, absolute.
    pub root: &'a Path,
}

impl Judge<'_> {
    /// Judges the cases that were not judged before from the same code, and keeps what is new in `folder`: one verdict
    /// per case in their order, `None` where there is nothing to judge.
    pub fn judge_new(&self, cases: &[Case], folder: Option<&Path>, code: &Codebase<'_>) -> Vec<Option<Verdict>> {
        let sources = sources(code);
        let mut kept = Kept::open(folder);
        let key = |case: &Case| key(case, self.command, &sources);
        let mut verdicts: Vec<Option<Verdict>> = cases.iter().map(|case| kept.find(key(case))).collect();
        let is_new = |at: &usize| verdicts[*at].is_none();
        let new: Vec<usize> = (0..cases.len()).filter(is_new).collect();
        let judged = self.judge(&new.iter().map(|at| cases[*at].clone()).collect::<Vec<_>>());
        for (at, verdict) in new.into_iter().zip(judged) {
            verdict.iter().for_each(|verdict| kept.add(key(&cases[at]), verdict));
            verdicts[at] = verdict;
        }
        kept.save();
        verdicts
    }

    /// Judges every case, some at the same time: one verdict per case in their order, `None` where there is nothing to
    /// judge.
    pub fn judge(&self, cases: &[Case]) -> Vec<Option<Verdict>> {
        let start = Instant::now();
        let next = AtomicUsize::new(0);
        // Each takes the next case until there is none.
        let work = || {
            let cases = std::iter::from_fn(|| cases.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)));
            cases.map(|(index, case)| (index, self.verdict(case, start))).collect::<Vec<_>>()
        };
        let judged: Vec<(usize, Option<Verdict>)> = thread::scope(|scope| {
            let helpers = cases.len().min(PARALLEL).saturating_sub(1);
            // Where no thread can be had, fewer run at once.
            let helpers: Vec<_> = (0..helpers).filter_map(|_| Builder::new().spawn_scoped(scope, work).ok()).collect();
            let own = work();
            let others = helpers.into_iter().filter_map(|helper| helper.join().ok()).flatten();
            own.into_iter().chain(others).collect()
        });
        let mut verdicts: Vec<Option<Verdict>> =
            cases.iter().map(|case| (!case.claims.is_empty()).then_some(Verdict::Uncorroborated)).collect();
        for (index, verdict) in judged {
            verdicts[index] = verdict;
        }
        verdicts
    }

    fn verdict(&self, case: &Case, start: Instant) -> Option<Verdict> {
        if case.claims.is_empty() {
            return None;
        }
        let left = self.timeout.min(self.budget.saturating_sub(start.elapsed()));
        if left.is_zero() {
            return Some(Verdict::Uncorroborated);
        }
        let finished = command::run(&self.words(), &prompt::prompt(case, self.root), left);
        // How the command ended is no matter where it answered (contracts A4).
        let verdict = finished.ok().and_then(|finished| reply::read(&String::from_utf8_lossy(&finished.output)));
        Some(verdict.unwrap_or(Verdict::Uncorroborated))
    }

    fn words(&self) -> Vec<String> {
        let more = ARGUMENTS.into_iter().filter(|_| self.command.len() == 1).map(str::to_owned);
        self.command.iter().cloned().chain(more).collect()
    }
}

/// What a verdict may be kept under: the same for the same citation, section and claims, judged by the same command
/// from the same code, for which `sources` stands.
fn key(case: &Case, command: &[String], sources: &str) -> Digest {
    let lists = [command, &case.claims, &[case.citation.clone(), case.section.clone(), sources.to_owned()]];
    let mut bytes = prompt::VERSION.as_bytes().to_vec();
    for list in lists {
        // Lengths stand before what they measure, so that no two cases have the same bytes.
        bytes.extend(list.len().to_be_bytes());
        for word in list {
            bytes.extend(word.len().to_be_bytes());
            bytes.extend(word.as_bytes());
        }
    }
    Digest::of(&bytes)
}

#[cfg(all(test, unix))]
mod tests;
