//! What checks found → text for people, JSON for scripts.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::Check;

/// A check and what became of it.
pub struct Checked {
    /// Which.
    pub check: Check,
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// What is wrong.
    pub messages: Vec<String>,
}

/// What became of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Passed,
    /// Something is.
    Failed,
    /// There was nothing to check.
    Skipped,
}

impl Checked {
    /// A check that found these messages.
    pub fn new(check: Check, duration: Duration, messages: Vec<String>) -> Self {
        let outcome = if messages.is_empty() { Outcome::Passed } else { Outcome::Failed };
        Self { check, outcome, duration, messages }
    }

    /// A check without an answer to check.
    pub fn skipped(check: Check) -> Self {
        Self { check, outcome: Outcome::Skipped, duration: Duration::ZERO, messages: Vec::new() }
    }
}

impl Outcome {
    /// What it is called in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// A line for each check, with its messages indented below it.
pub fn text(done: &[Checked]) -> String {
    let mut out = String::new();
    for Checked { check, outcome, messages, .. } in done {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}: {}", check.name(), outcome.name());
        for message in messages {
            let _ = writeln!(out, "  {message}");
        }
    }
    out
}

/// What `verify` found, version 1.
#[derive(Serialize)]
struct VerifiedV1<'a> {
    schema_version: u32,
    checks: Vec<CheckedV1<'a>>,
    summary: SummaryV1,
}

#[derive(Serialize)]
struct CheckedV1<'a> {
    name: &'static str,
    description: &'static str,
    status: &'static str,
    duration_ms: u64,
    messages: &'a [String],
}

#[derive(Serialize)]
struct SummaryV1 {
    total: usize,
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// The same as JSON.
pub fn json(done: &[Checked]) -> String {
    let count = |outcome: Outcome| done.iter().filter(|checked| checked.outcome == outcome).count();
    let verified = VerifiedV1 {
        schema_version: 1,
        checks: done.iter().map(CheckedV1::from).collect(),
        summary: SummaryV1 {
            total: done.len(),
            passed: count(Outcome::Passed),
            failed: count(Outcome::Failed),
            skipped: count(Outcome::Skipped),
        },
    };
    let mut out = serde_json::to_string_pretty(&verified).expect("wire types have string keys and finite numbers");
    out.push('\n');
    out
}

impl<'a> From<&'a Checked> for CheckedV1<'a> {
    fn from(checked: &'a Checked) -> Self {
        Self {
            name: checked.check.name(),
            description: checked.check.description(),
            status: checked.outcome.name(),
            duration_ms: u64::try_from(checked.duration.as_millis()).unwrap_or(u64::MAX),
            messages: &checked.messages,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stand_below_their_check() {
        let done = [
            Checked::new(Check::Schema, Duration::ZERO, Vec::new()),
            Checked::new(Check::Citations, Duration::ZERO, vec!["a".into(), "b".into()]),
            Checked::skipped(Check::Receipt),
        ];
        assert_eq!(text(&done), "schema: passed\ncitations: failed\n  a\n  b\nreceipt: skipped\n");
    }
}
