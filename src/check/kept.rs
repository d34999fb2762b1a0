//! A finding in the form in which it is kept between runs. Its page is kept once for all of them.

use serde::{Deserialize, Serialize};

use crate::cite::Citation;
use crate::finding::{Evidence, Finding, Fix, Kind, Rule, Verdict};
use crate::span::Span;

/// A finding, version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingV1 {
    anchor: String,
    span: (usize, usize),
    start: (usize, usize),
    end: (usize, usize),
    text: String,
    kind: u8,
    rule: u8,
    verdict: VerdictV1,
    reason: String,
    evidence: EvidenceV1,
    fix: Option<(usize, usize, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum VerdictV1 {
    Verified,
    Drifted(String),
    Uncorroborated,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct EvidenceV1 {
    defined_at: Option<String>,
    removed_in: Option<String>,
    renamed_to: Option<String>,
    near: Option<String>,
}

/// Every kind, at the place of its number.
const KINDS: [Kind; 10] = [
    Kind::Path,
    Kind::PathSymbol,
    Kind::PathLine,
    Kind::Member,
    Kind::Symbol,
    Kind::Flag,
    Kind::Env,
    Kind::Key,
    Kind::Link,
    Kind::Behaviour,
];

/// Every rule, at the place of its number.
const RULES: [Rule; 14] = [
    Rule::Exists,
    Rule::Defined,
    Rule::Mentioned,
    Rule::BrokenLink,
    Rule::MissingAnchor,
    Rule::MissingLine,
    Rule::MissingPath,
    Rule::MissingSymbol,
    Rule::MissingMember,
    Rule::RemovedName,
    Rule::UnknownFlag,
    Rule::UnknownSetting,
    Rule::Contradicted,
    Rule::Unproven,
];

impl FindingV1 {
    /// The form of a finding.
    pub fn of(finding: &Finding) -> Self {
        let evidence = finding.evidence.clone();
        Self {
            anchor: finding.citation.anchor.clone(),
            span: (finding.span.start, finding.span.end),
            start: finding.start,
            end: finding.end,
            text: finding.text.clone(),
            kind: finding.kind as u8,
            rule: finding.rule as u8,
            verdict: match &finding.verdict {
                Verdict::Verified => VerdictV1::Verified,
                Verdict::Drifted(detail) => VerdictV1::Drifted(detail.clone()),
                Verdict::Uncorroborated => VerdictV1::Uncorroborated,
            },
            reason: finding.reason.clone(),
            evidence: EvidenceV1 {
                defined_at: evidence.defined_at,
                removed_in: evidence.removed_in,
                renamed_to: evidence.renamed_to,
                near: evidence.near,
            },
            fix: finding.fix.as_ref().map(|fix| (fix.span.start, fix.span.end, fix.replacement.clone())),
        }
    }

    /// The finding on the page at `path`; `None` where its kind or rule has no such number.
    pub fn into_finding(self, path: &str) -> Option<Finding> {
        let evidence = self.evidence;
        Some(Finding {
            citation: Citation { path: path.to_owned(), anchor: self.anchor },
            span: Span::new(self.span.0, self.span.1),
            start: self.start,
            end: self.end,
            text: self.text,
            kind: *KINDS.get(usize::from(self.kind))?,
            rule: *RULES.get(usize::from(self.rule))?,
            verdict: match self.verdict {
                VerdictV1::Verified => Verdict::Verified,
                VerdictV1::Drifted(detail) => Verdict::Drifted(detail),
                VerdictV1::Uncorroborated => Verdict::Uncorroborated,
            },
            reason: self.reason,
            evidence: Evidence {
                defined_at: evidence.defined_at,
                removed_in: evidence.removed_in,
                renamed_to: evidence.renamed_to,
                near: evidence.near,
            },
            fix: self.fix.map(|(start, end, replacement)| Fix { span: Span::new(start, end), replacement }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_rule_comes_back() {
        for rule in RULES {
            for kind in KINDS {
                let finding = Finding {
                    citation: Citation { path: "a.md".into(), anchor: "b".into() },
                    span: Span::new(3, 9),
                    start: (1, 4),
                    end: (2, 1),
                    text: "t".into(),
                    kind,
                    rule,
                    verdict: Verdict::Drifted("d".into()),
                    reason: "r".into(),
                    evidence: Evidence { near: Some("n".into()), ..Evidence::default() },
                    fix: Some(Fix { span: Span::new(4, 5), replacement: "x".into() }),
                };
                assert_eq!(FindingV1::of(&finding).into_finding("a.md"), Some(finding));
            }
        }
    }

    #[test]
    fn an_unknown_number_is_no_finding() {
        let finding = FindingV1 {
            anchor: String::new(),
            span: (0, 0),
            start: (1, 1),
            end: (1, 1),
            text: String::new(),
            kind: 0,
            rule: 99,
            verdict: VerdictV1::Verified,
            reason: String::new(),
            evidence: EvidenceV1 { defined_at: None, removed_in: None, renamed_to: None, near: None },
            fix: None,
        };
        assert_eq!(finding.into_finding("a.md"), None);
    }
}
