//! A report for people: places that a terminal or an editor makes clickable, and below each what helps.

use std::collections::HashMap;

use super::{Detail, counted, headline, helps, noted};
use crate::cite::visible;
use crate::finding::{Finding, Report};

/// Renders a report: drifts, equal ones together, or with [`Detail::Explain`] every claim on a line of its own; then
/// the remarks; then the counts. Lines and byte columns are 1-based.
pub fn text(report: &Report, detail: Detail) -> String {
    let mut blocks: Vec<String> = match detail {
        Detail::Plain => groups(report).iter().map(|group| block(group)).collect(),
        Detail::Explain => vec![report.claims.iter().map(explanation).collect()],
    };
    blocks.push(report.remarks.iter().map(|remark| format!("{}\n", noted(remark))).collect());
    blocks.push(format!("{}\n", counted(&report.summary)));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// The drifts of which the same is said, each group where its first one stands.
fn groups(report: &Report) -> Vec<Vec<&Finding>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in report.drifts() {
        let said = (finding.rule, headline(finding), helps(finding));
        let place = *places.entry(said).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// A line per place, then what helps with all of them.
fn block(group: &[&Finding]) -> String {
    let mut out = String::new();
    for finding in group {
        out.push_str(&format!("{}: {}: {}\n", place(finding), finding.rule.id(), headline(finding)));
    }
    let mut sections: Vec<String> = group.iter().map(|finding| visible(&finding.citation.label())).collect();
    sections.dedup();
    out.push_str(&format!("  section: {}\n", sections.join(", ")));
    helps(group[0]).iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    out
}

/// One line about a claim, whatever its verdict.
fn explanation(finding: &Finding) -> String {
    format!("{}: {}: {} {}\n", place(finding), finding.rule.id(), finding.kind.name(), headline(finding))
}

fn place(finding: &Finding) -> String {
    let (line, column) = finding.start;
    format!("{}:{line}:{column}", visible(&finding.citation.path))
}

#[cfg(test)]
mod tests {
    use super::super::example::report;
    use super::*;

    #[test]
    fn equal_drifts_share_what_helps_and_keep_a_line_per_place() {
        let expected = "\
docs/a.md:12:5: missing-path: `src/a.rs` drift detected (see src/a.rs: file does not exist)
docs/a.md:40:1: missing-path: `src/a.rs` drift detected (see src/a.rs: file does not exist)
  section: docs/a.md#setup, docs/a.md#use
  removed in: 1a2b3c4
  renamed: `src/b.rs`
  fix: replace with `src/b.rs`

docs/ü #1, a:b & \"c\".md:3:1: missing-symbol: `é\\u{a}\\u{1b}[31m\"]]>&<b>{0}::` drift detected \
(see src/x.rs: symbol 'é\\u{a}\\u{1b}[31m\"]]>&<b>{0}::' not found)
  section: docs/ü #1, a:b & \"c\".md
  defined: src/y z.rs:7
  hint: did you mean `parse`?

docs/a.md:3: this suppresses nothing
note: the history is cut short,\\u{1b} 100%

checked 5 claims in 3 pages: 1 verified, 3 drifted, 1 not corroborated (1 suppressed)
";
        assert_eq!(text(&report(), Detail::Plain), expected);
    }

    #[test]
    fn an_explanation_has_a_line_per_claim() {
        let claims = report().claims.into_iter().filter(|claim| claim.citation.path.is_ascii()).collect();
        let expected = "\
docs/a.md:12:5: missing-path: path `src/a.rs` drift detected (see src/a.rs: file does not exist)
docs/a.md:14:1: unproven: symbol `frobnicate` could not corroborate (no such name in the code)
docs/a.md:40:1: missing-path: path `src/a.rs` drift detected (see src/a.rs: file does not exist)
docs/z.md:1:3: exists: path `src/b.rs` verified

checked 0 claims in 0 pages: 0 verified, 0 drifted, 0 not corroborated
";
        assert_eq!(text(&Report { claims, ..Report::default() }, Detail::Explain), expected);
    }

    #[test]
    fn a_report_without_claims_is_its_counts() {
        let expected = "checked 0 claims in 0 pages: 0 verified, 0 drifted, 0 not corroborated\n";
        assert_eq!(text(&Report::default(), Detail::Plain), expected);
        assert_eq!(text(&Report::default(), Detail::Explain), expected);
    }

    #[test]
    fn other_evidence_is_another_group() {
        let mut report = report();
        report.claims[2].evidence.renamed_to = None;
        assert_eq!(groups(&report).len(), 3);
    }
}
