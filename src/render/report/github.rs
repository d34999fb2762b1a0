//! A report as workflow commands of GitHub Actions, which show as annotations on the lines of a pull request.
//!
//! Syntax and escapes: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>; which
//! characters are escaped is what the official toolkit does.

use super::{counted, explained};
use crate::cite::is_unsafe;
use crate::finding::{Finding, Remark, Report};

/// Renders drifts as errors, remarks as warnings and the counts as a notice, a line each. Lines and byte columns are
/// 1-based; the end column is the one past the claim.
pub fn github(report: &Report) -> String {
    let mut out: String = report.drifts().map(error).collect();
    out.extend(report.remarks.iter().map(warning));
    out.push_str(&format!("::notice title=inkwell::{}\n", value(&counted(&report.summary))));
    out
}

fn error(finding: &Finding) -> String {
    let ((line, column), (end_line, end_column)) = (finding.start, finding.end);
    // Columns are only understood within one line.
    let place = if line == end_line {
        format!("line={line},col={column},endColumn={end_column}")
    } else {
        format!("line={line},endLine={end_line}")
    };
    let (file, rule, text) = (property(&finding.citation.path), finding.rule.id(), value(&explained(finding)));
    format!("::error file={file},{place},title={rule}::{text}\n")
}

fn warning(remark: &Remark) -> String {
    let text = value(&remark.text);
    match &remark.place {
        Some((path, line)) => format!("::warning file={},line={line}::{text}\n", property(path)),
        None => format!("::warning::{text}\n"),
    }
}

/// The text of a command, in which `%` and line breaks are escaped.
fn value(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c if is_unsafe(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// A property of a command, in which also what ends a property is escaped.
fn property(text: &str) -> String {
    value(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::example::report;
    use super::*;

    #[test]
    fn drifts_are_errors_remarks_warnings_and_counts_a_notice() {
        let expected = "\
::error file=docs/a.md,line=12,col=5,endColumn=13,title=missing-path::`src/a.rs` drift detected \
(see src/a.rs: file does not exist)%0Aremoved in: 1a2b3c4%0Arenamed: `src/b.rs`%0Afix: replace with `src/b.rs`
::error file=docs/a.md,line=40,col=1,endColumn=9,title=missing-path::`src/a.rs` drift detected \
(see src/a.rs: file does not exist)%0Aremoved in: 1a2b3c4%0Arenamed: `src/b.rs`%0Afix: replace with `src/b.rs`
::error file=docs/ü #1%2C a%3Ab & \"c\".md,line=3,endLine=4,title=missing-symbol::\
`é\\u{a}\\u{1b}[31m\"]]>&<b>{0}::` drift detected \
(see src/x.rs: symbol 'é\\u{a}\\u{1b}[31m\"]]>&<b>{0}::' not found)\
%0Adefined: src/y z.rs:7%0Ahint: did you mean `parse`?
::warning file=docs/a.md,line=3::this suppresses nothing
::warning::the history is cut short,\\u{1b} 100%25
::notice title=inkwell::checked 5 claims in 3 pages: 1 verified, 3 drifted, 1 not corroborated (1 suppressed)
";
        assert_eq!(github(&report()), expected);
    }

    #[test]
    fn properties_and_text_are_escaped_as_the_runner_reads_them() {
        assert_eq!(property("a\r\nb:c,d%"), "a%0D%0Ab%3Ac%2Cd%25");
        assert_eq!(value("a\r\nb:c,d%\u{1b}"), "a%0D%0Ab:c,d%25\\u{1b}");
    }
}
