//! What may be asked of a check.

use super::baseline::Baseline;
use super::pages::Scope;
use crate::finding::{Finding, Rule};

/// What is checked, and against what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which pages.
    pub scope: Scope,
    /// Whether only what a change touches is checked.
    pub change: Change,
    /// The drifts that are known.
    pub baseline: Baseline,
    /// The rules whose drifts are reported and counted; all where it is empty.
    pub only: Vec<Rule>,
}

impl Options {
    /// Whether a finding is one that was asked for: any but the drifts of other rules, suppressed or not.
    pub(super) fn asks_for(&self, finding: &Finding) -> bool {
        self.only.is_empty() || !Rule::DRIFT.contains(&finding.rule) || self.only.contains(&finding.rule)
    }
}

/// The change that a check is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// None: everything is checked.
    Any,
    /// What differs between the working tree and this revision; `HEAD` where none is given.
    Since(Option<String>),
    /// What the next commit holds: the index is judged, not the disk.
    Staged,
}

impl Default for Options {
    fn default() -> Self {
        Self { scope: Scope::All, change: Change::Any, baseline: Baseline::default(), only: Vec::new() }
    }
}
