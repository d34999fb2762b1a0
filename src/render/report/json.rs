//! A report as JSON that scripts rely on (contracts G), version 1. The wire types are copies; the schema is
//! `schemas/check.v1.schema.json`.

use serde::Serialize;

use super::{Detail, message, pretty};
use crate::finding::{Evidence, Finding, Fix, Remark, Report, Summary};

/// Renders a report as indented JSON; with [`Detail::Explain`] it has every claim besides the drifts. Lines and byte
/// columns are 1-based, byte offsets 0-based. Names are as they are, control characters escaped.
pub fn json(report: &Report, detail: Detail) -> String {
    pretty(&CheckV1 {
        schema_version: 1,
        summary: SummaryV1::from(&report.summary),
        findings: report.drifts().map(FindingV1::from).collect(),
        claims: (detail == Detail::Explain).then(|| report.claims.iter().map(FindingV1::from).collect()),
        remarks: report.remarks.iter().map(RemarkV1::from).collect(),
    })
}

#[derive(Serialize)]
struct CheckV1<'a> {
    schema_version: u32,
    summary: SummaryV1,
    findings: Vec<FindingV1<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<FindingV1<'a>>>,
    remarks: Vec<RemarkV1<'a>>,
}

#[derive(Serialize)]
struct SummaryV1 {
    pages: usize,
    claims: usize,
    verified: usize,
    drifted: usize,
    uncorroborated: usize,
    suppressed: usize,
    baselined: usize,
}

#[derive(Serialize)]
struct FindingV1<'a> {
    path: &'a str,
    anchor: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    span: &'a str,
    kind: &'static str,
    rule: &'static str,
    verdict: &'static str,
    message: String,
    evidence: Option<EvidenceV1<'a>>,
    fix: Option<FixV1<'a>>,
}

#[derive(Serialize)]
struct EvidenceV1<'a> {
    defined_at: Option<&'a str>,
    removed_in: Option<&'a str>,
    renamed_to: Option<&'a str>,
    near: Option<&'a str>,
}

#[derive(Serialize)]
struct FixV1<'a> {
    start: usize,
    end: usize,
    replacement: &'a str,
}

#[derive(Serialize)]
struct RemarkV1<'a> {
    path: Option<&'a str>,
    line: Option<usize>,
    message: &'a str,
}

impl From<&Summary> for SummaryV1 {
    fn from(summary: &Summary) -> Self {
        Self {
            pages: summary.pages,
            claims: summary.claims,
            verified: summary.verified,
            drifted: summary.drifted,
            uncorroborated: summary.uncorroborated,
            suppressed: summary.suppressed,
            baselined: summary.baselined,
        }
    }
}

impl<'a> From<&'a Finding> for FindingV1<'a> {
    fn from(finding: &'a Finding) -> Self {
        let has_evidence = finding.evidence != Evidence::default();
        Self {
            path: &finding.citation.path,
            anchor: &finding.citation.anchor,
            line: finding.start.0,
            column: finding.start.1,
            end_line: finding.end.0,
            end_column: finding.end.1,
            span: &finding.text,
            kind: finding.kind.name(),
            rule: finding.rule.id(),
            verdict: finding.verdict.phrase(),
            message: message(finding),
            evidence: has_evidence.then(|| EvidenceV1::from(&finding.evidence)),
            fix: finding.fix.as_ref().map(FixV1::from),
        }
    }
}

impl<'a> From<&'a Evidence> for EvidenceV1<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        Self {
            defined_at: evidence.defined_at.as_deref(),
            removed_in: evidence.removed_in.as_deref(),
            renamed_to: evidence.renamed_to.as_deref(),
            near: evidence.near.as_deref(),
        }
    }
}

impl<'a> From<&'a Fix> for FixV1<'a> {
    fn from(fix: &'a Fix) -> Self {
        Self { start: fix.span.start, end: fix.span.end, replacement: &fix.replacement }
    }
}

impl<'a> From<&'a Remark> for RemarkV1<'a> {
    fn from(remark: &'a Remark) -> Self {
        let place = remark.place.as_ref();
        Self { path: place.map(|(path, _)| path.as_str()), line: place.map(|(_, line)| *line), message: &remark.text }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::example::report;
    use super::*;

    const SCHEMA: &str = include_str!("../../../schemas/check.v1.schema.json");

    fn check_valid(output: &str) {
        let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).expect("JSON")).expect("a JSON Schema");
        let value: Value = serde_json::from_str(output).expect("JSON");
        let errors: Vec<String> =
            schema.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert_eq!(errors, Vec::<String>::new());
    }

    #[test]
    fn a_report_is_this_json() {
        let mut report = report();
        report.claims.truncate(2);
        let expected = r#"{
  "schema_version": 1,
  "summary": {
    "pages": 3,
    "claims": 5,
    "verified": 1,
    "drifted": 3,
    "uncorroborated": 1,
    "suppressed": 1,
    "baselined": 0
  },
  "findings": [
    {
      "path": "docs/a.md",
      "anchor": "setup",
      "line": 12,
      "column": 5,
      "end_line": 12,
      "end_column": 13,
      "span": "src/a.rs",
      "kind": "path",
      "rule": "missing-path",
      "verdict": "drift detected",
      "message": "drift detected (see src/a.rs: file does not exist)",
      "evidence": {
        "defined_at": null,
        "removed_in": "1a2b3c4",
        "renamed_to": "src/b.rs",
        "near": null
      },
      "fix": {
        "start": 120,
        "end": 128,
        "replacement": "src/b.rs"
      }
    }
  ],
  "remarks": [
    {
      "path": "docs/a.md",
      "line": 3,
      "message": "this suppresses nothing"
    },
    {
      "path": null,
      "line": null,
      "message": "the history is cut short,\u001b 100%"
    }
  ]
}
"#;
        assert_eq!(json(&report, Detail::Plain), expected);
    }

    #[test]
    fn every_claim_is_there_when_asked() {
        let value: Value = serde_json::from_str(&json(&report(), Detail::Explain)).expect("JSON");
        let messages: Vec<&str> = value["claims"]
            .as_array()
            .expect("an array")
            .iter()
            .map(|claim| claim["message"].as_str().expect("a string"))
            .collect();
        assert_eq!(messages.len(), 5);
        assert_eq!(messages[1], "could not corroborate (no such name in the code)");
        assert_eq!(messages[3], "verified");
        assert_eq!(value["claims"][1]["evidence"], Value::Null);
        assert_eq!(value["claims"][1]["fix"], Value::Null);
        assert_eq!(value["claims"][4]["span"], super::super::example::HOSTILE);
    }

    #[test]
    fn reports_follow_their_schema() {
        check_valid(&json(&report(), Detail::Plain));
        check_valid(&json(&report(), Detail::Explain));
        check_valid(&json(&Report::default(), Detail::Explain));
    }
}
