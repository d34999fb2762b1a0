//! What may be asked of a check.

use super::baseline::Baseline;
use super::pages::Scope;

/// What is checked, and against what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which pages.
    pub scope: Scope,
    /// Whether only what a change touches is checked.
    pub change: Change,
    /// The drifts that are known.
    pub baseline: Baseline,
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
        Self { scope: Scope::All, change: Change::Any, baseline: Baseline::default() }
    }
}
