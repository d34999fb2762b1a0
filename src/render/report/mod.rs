//! Reports of a check → text for people and for machines, a format per file. All of them say the same.

mod github;
mod json;
mod junit;
mod sarif;
mod text;

pub use github::github;
pub use json::json;
pub use junit::junit;
pub use sarif::sarif;
pub use text::text;

use serde::Serialize;

use crate::cite::{is_unsafe, visible};
use crate::finding::{Finding, Remark, Summary, Verdict};

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only what is proven wrong.
    Plain,
    /// Every claim, with why it has its verdict.
    Explain,
}

/// The verdict with what it rests on: `drift detected (see …)`, `could not corroborate (no such name in the code)`.
fn message(finding: &Finding) -> String {
    match finding.verdict {
        Verdict::Drifted(_) => finding.verdict.to_string(),
        Verdict::Verified | Verdict::Uncorroborated if finding.reason.is_empty() => finding.verdict.to_string(),
        Verdict::Verified | Verdict::Uncorroborated => format!("{} ({})", finding.verdict, finding.reason),
    }
}

/// The claim and its verdict on one line, safe to show.
fn headline(finding: &Finding) -> String {
    visible(&format!("{} {}", quoted(&finding.text), message(finding)))
}

/// What helps to make a claim true again, a line each, safe to show.
fn helps(finding: &Finding) -> Vec<String> {
    let evidence = &finding.evidence;
    let named = |label: &str, value: &Option<String>| value.as_ref().map(|value| format!("{label}: {value}"));
    let renamed = evidence.renamed_to.as_ref().map(|name| format!("renamed: {}", quoted(name)));
    let near = evidence.near.as_ref().map(|name| format!("hint: did you mean {}?", quoted(name)));
    let fix = finding.fix.as_ref().map(|fix| format!("fix: replace with {}", quoted(&fix.replacement)));
    let lines = [named("defined", &evidence.defined_at), named("removed in", &evidence.removed_in), renamed, near, fix];
    lines.into_iter().flatten().map(|line| visible(&line)).collect()
}

/// The headline and below it what helps.
fn explained(finding: &Finding) -> String {
    let lines: Vec<String> = std::iter::once(headline(finding)).chain(helps(finding)).collect();
    lines.join("\n")
}

/// A remark on one line, safe to show: `docs/a.md:3: …`, or `note: …` where it is about no place.
fn noted(remark: &Remark) -> String {
    match &remark.place {
        Some((path, line)) => visible(&format!("{path}:{line}: {}", remark.text)),
        None => visible(&format!("note: {}", remark.text)),
    }
}

/// The counts as a sentence without a full stop. What is suppressed or known is part of what is not corroborated.
fn counted(summary: &Summary) -> String {
    let known = match (summary.suppressed, summary.baselined) {
        (0, 0) => String::new(),
        (suppressed, 0) => format!(" ({suppressed} suppressed)"),
        (0, baselined) => format!(" ({baselined} in the baseline)"),
        (suppressed, baselined) => format!(" ({suppressed} suppressed, {baselined} in the baseline)"),
    };
    format!(
        "checked {} in {}: {} verified, {} drifted, {} not corroborated{known}",
        count(summary.claims, "claim"),
        count(summary.pages, "page"),
        summary.verified,
        summary.drifted,
        summary.uncorroborated,
    )
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A name in code marks; one that has its own stays as it is.
fn quoted(name: &str) -> String {
    if name.contains('`') { name.to_owned() } else { format!("`{name}`") }
}

/// Indented JSON that is safe to show. What could drive a terminal stands only within strings, where an escape means
/// the same.
fn pretty<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("wire types have string keys and finite numbers");
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if is_unsafe(c) && c != '\n' { out.push_str(&format!("\\u{:04x}", u32::from(c))) } else { out.push(c) }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod example {
    use crate::cite::Citation;
    use crate::finding::{Evidence, Finding, Fix, Kind, Remark, Report, Rule, Summary, Verdict};
    use crate::span::Span;

    /// A name that tries to break out of every format.
    pub const HOSTILE: &str = "é\n\u{1b}[31m\"]]>&<b>{0}::";
    /// A path that needs escapes in URIs, XML and workflow commands.
    pub const ODD_PATH: &str = "docs/ü #1, a:b & \"c\".md";

    /// A claim of eight bytes.
    fn claim(path: &str, anchor: &str, start: (usize, usize), text: &str) -> Finding {
        Finding {
            citation: Citation { path: path.into(), anchor: anchor.into() },
            span: Span::new(start.0 * 10, start.0 * 10 + 8),
            start,
            end: (start.0, start.1 + 8),
            text: text.into(),
            kind: Kind::Path,
            rule: Rule::Exists,
            verdict: Verdict::Verified,
            reason: String::new(),
            evidence: Evidence::default(),
            fix: None,
        }
    }

    fn moved(anchor: &str, start: (usize, usize)) -> Finding {
        let claim = claim("docs/a.md", anchor, start, "src/a.rs");
        let reason = "see src/a.rs: file does not exist";
        Finding {
            rule: Rule::MissingPath,
            verdict: Verdict::Drifted(reason.into()),
            reason: reason.into(),
            evidence: Evidence {
                removed_in: Some("1a2b3c4".into()),
                renamed_to: Some("src/b.rs".into()),
                ..Evidence::default()
            },
            fix: Some(Fix { span: claim.span, replacement: "src/b.rs".into() }),
            ..claim
        }
    }

    fn hostile() -> Finding {
        let reason = format!("see src/x.rs: symbol '{HOSTILE}' not found");
        Finding {
            end: (4, 2),
            kind: Kind::PathSymbol,
            rule: Rule::MissingSymbol,
            verdict: Verdict::Drifted(reason.clone()),
            reason,
            evidence: Evidence {
                defined_at: Some("src/y z.rs:7".into()),
                near: Some("parse".into()),
                ..Evidence::default()
            },
            ..claim(ODD_PATH, "", (3, 1), HOSTILE)
        }
    }

    /// Three drifts in two pages, two of them of the same file, and a page without.
    pub fn report() -> Report {
        let unproven = Finding {
            kind: Kind::Symbol,
            rule: Rule::Unproven,
            verdict: Verdict::Uncorroborated,
            reason: "no such name in the code".into(),
            ..claim("docs/a.md", "setup", (14, 1), "frobnicate")
        };
        let claims = vec![
            moved("setup", (12, 5)),
            unproven,
            moved("use", (40, 1)),
            claim("docs/z.md", "z", (1, 3), "src/b.rs"),
            hostile(),
        ];
        let summary =
            Summary { pages: 3, claims: 5, verified: 1, drifted: 3, uncorroborated: 1, suppressed: 1, baselined: 0 };
        let remarks = vec![
            Remark { place: Some(("docs/a.md".into(), 3)), text: "this suppresses nothing".into() },
            Remark { place: None, text: "the history is cut short,\u{1b} 100%".into() },
        ];
        Report { summary, claims, remarks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_a_sentence() {
        let one = Summary { pages: 1, claims: 1, verified: 1, ..Summary::default() };
        assert_eq!(counted(&one), "checked 1 claim in 1 page: 1 verified, 0 drifted, 0 not corroborated");
        let known = Summary { pages: 2, claims: 5, uncorroborated: 5, suppressed: 3, baselined: 2, ..one };
        let expected = "checked 5 claims in 2 pages: 1 verified, 0 drifted, 5 not corroborated \
                        (3 suppressed, 2 in the baseline)";
        assert_eq!(counted(&known), expected);
    }

    #[test]
    fn names_with_code_marks_get_no_others() {
        assert_eq!(quoted("a"), "`a`");
        assert_eq!(quoted("`a`"), "`a`");
    }

    #[test]
    fn escapes_in_json_are_the_same_string() {
        let hostile = "a\u{1b}\u{9b}\u{202e}\u{2028}\u{7f}\n";
        let json = pretty(&hostile);
        assert_eq!(json, "\"a\\u001b\\u009b\\u202e\\u2028\\u007f\\n\"\n");
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), hostile);
    }
}
