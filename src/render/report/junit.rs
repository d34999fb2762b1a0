//! A report as JUnit XML, which CI systems show as tests: a suite per page, a failing case per drift, and one passing
//! case for a page without. A first suite stands for the check itself, since viewers take a file without any test for
//! a broken one.

use super::{count, counted, explained, headline, noted};
use crate::cite::visible;
use crate::finding::{Finding, Report, Verdict};

/// Renders a report as JUnit XML. Lines and byte columns in names are 1-based.
pub fn junit(report: &Report) -> String {
    let pages: Vec<&[Finding]> = report.claims.chunk_by(|a, b| a.citation.path == b.citation.path).collect();
    let tests = 1 + pages.iter().map(|claims| drifts(claims).count().max(1)).sum::<usize>();
    let failures = report.drifts().count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites name=\"inkwell check\" tests=\"{tests}\" failures=\"{failures}\">\n"));
    out.push_str(&check(report));
    out.extend(pages.iter().map(|claims| page(claims)));
    out.push_str("</testsuites>\n");
    out
}

/// The suite of the check itself, with its counts and remarks.
fn check(report: &Report) -> String {
    let lines: Vec<String> =
        std::iter::once(counted(&report.summary)).chain(report.remarks.iter().map(noted)).collect();
    let said = format!("      <system-out>{}</system-out>\n", escape(&lines.join("\n")));
    suite("inkwell", 0, &case("inkwell", "check", &said))
}

/// The suite of a page.
fn page(claims: &[Finding]) -> String {
    let path = visible(&claims[0].citation.path);
    let failed: String = drifts(claims).map(failure).collect();
    if failed.is_empty() {
        let passed = format!("no drift in {}", count(claims.len(), "claim"));
        let said = format!("      <system-out>{passed}</system-out>\n");
        return suite(&path, 0, &case(&path, "no drift", &said));
    }
    suite(&path, drifts(claims).count(), &failed)
}

fn drifts(claims: &[Finding]) -> impl Iterator<Item = &Finding> {
    claims.iter().filter(|finding| matches!(finding.verdict, Verdict::Drifted(_)))
}

fn failure(finding: &Finding) -> String {
    let ((line, column), rule, path) = (finding.start, finding.rule.id(), visible(&finding.citation.path));
    let name = format!("{line}:{column}: {rule}: {}", visible(&finding.text));
    let text = format!("{path}:{line}:{column}: {}", explained(finding));
    let failure = format!(
        "      <failure type=\"{rule}\" message=\"{}\">{}</failure>\n",
        escape(&headline(finding)),
        escape(&text)
    );
    case(&path, &name, &failure)
}

/// A suite around its cases; one without failures has one case.
fn suite(name: &str, failures: usize, cases: &str) -> String {
    let tests = failures.max(1);
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"");
    format!("  <testsuite name=\"{}\" {counts}>\n{cases}  </testsuite>\n", escape(name))
}

fn case(class: &str, name: &str, content: &str) -> String {
    let (class, name) = (escape(class), escape(name));
    format!("    <testcase classname=\"{class}\" name=\"{name}\">\n{content}    </testcase>\n")
}

/// Text between tags or in an attribute. What gets here is safe to show but for line breaks of ours; the two code
/// points that XML 1.0 forbids beyond control characters are replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::example::report;
    use super::*;

    #[test]
    fn a_page_is_a_suite_and_a_drift_a_failing_case() {
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="inkwell check" tests="5" failures="3">
  <testsuite name="inkwell" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="inkwell" name="check">
      <system-out>checked 5 claims in 3 pages: 1 verified, 3 drifted, 1 not corroborated (1 suppressed)
docs/a.md:3: this suppresses nothing
note: the history is cut short,\u{1b} 100%</system-out>
    </testcase>
  </testsuite>
  <testsuite name="docs/a.md" tests="2" failures="2" errors="0" skipped="0">
    <testcase classname="docs/a.md" name="12:5: missing-path: src/a.rs">
      <failure type="missing-path" message="`src/a.rs` drift detected (see src/a.rs: file does not exist)">docs/a.md:12:5: `src/a.rs` drift detected (see src/a.rs: file does not exist)
removed in: 1a2b3c4
renamed: `src/b.rs`
fix: replace with `src/b.rs`</failure>
    </testcase>
    <testcase classname="docs/a.md" name="40:1: missing-path: src/a.rs">
      <failure type="missing-path" message="`src/a.rs` drift detected (see src/a.rs: file does not exist)">docs/a.md:40:1: `src/a.rs` drift detected (see src/a.rs: file does not exist)
removed in: 1a2b3c4
renamed: `src/b.rs`
fix: replace with `src/b.rs`</failure>
    </testcase>
  </testsuite>
  <testsuite name="docs/z.md" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="docs/z.md" name="no drift">
      <system-out>no drift in 1 claim</system-out>
    </testcase>
  </testsuite>
  <testsuite name="docs/ü #1, a:b &amp; &quot;c&quot;.md" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="docs/ü #1, a:b &amp; &quot;c&quot;.md" name="3:1: missing-symbol: é\u{a}\u{1b}[31m&quot;]]&gt;&amp;&lt;b&gt;{0}::">
      <failure type="missing-symbol" message="`é\u{a}\u{1b}[31m&quot;]]&gt;&amp;&lt;b&gt;{0}::` drift detected (see src/x.rs: symbol 'é\u{a}\u{1b}[31m&quot;]]&gt;&amp;&lt;b&gt;{0}::' not found)">docs/ü #1, a:b &amp; &quot;c&quot;.md:3:1: `é\u{a}\u{1b}[31m&quot;]]&gt;&amp;&lt;b&gt;{0}::` drift detected (see src/x.rs: symbol 'é\u{a}\u{1b}[31m&quot;]]&gt;&amp;&lt;b&gt;{0}::' not found)
defined: src/y z.rs:7
hint: did you mean `parse`?</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(junit(&report()), expected);
    }

    #[test]
    fn a_report_without_claims_still_has_a_test() {
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="inkwell check" tests="1" failures="0">
  <testsuite name="inkwell" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="inkwell" name="check">
      <system-out>checked 0 claims in 0 pages: 0 verified, 0 drifted, 0 not corroborated</system-out>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(junit(&Report::default()), expected);
    }

    #[test]
    fn what_xml_forbids_is_replaced() {
        assert_eq!(escape("a\u{ffff}\u{fffe}]]>"), "a\u{fffd}\u{fffd}]]&gt;");
    }
}
