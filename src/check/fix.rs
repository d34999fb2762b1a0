//! Proven renames written into the docs: what the pages would hold, and the difference.

use std::collections::BTreeMap;

use crate::finding::{Fix, Report};
use crate::walk::{RepoPath, Root};

/// A page with its proven renames carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The page.
    pub path: RepoPath,
    /// What it is to hold.
    pub text: String,
    /// The difference in the unified format.
    pub diff: String,
    /// How many drifts it mends.
    pub fixes: usize,
}

/// Carries out every fix of a report, page by page. A page that can't be read any more is passed over.
pub fn fixed(root: &Root, report: &Report) -> Vec<Fixed> {
    let mut by_page: BTreeMap<&str, Vec<&Fix>> = BTreeMap::new();
    for finding in report.drifts() {
        if let Some(fix) = &finding.fix {
            by_page.entry(&finding.citation.path).or_default().push(fix);
        }
    }
    let of_page = |(path, fixes): (&str, Vec<&Fix>)| {
        let path = RepoPath::new(path)?;
        let (old, _) = root.read(&path).ok()?;
        let (text, fixes) = apply(&old, fixes);
        Some(Fixed { diff: diff(path.as_str(), &old, &text), path, text, fixes })
    };
    by_page.into_iter().filter_map(of_page).collect()
}

/// The text with the fixes in it, and how many there were; of two that overlap the first counts.
fn apply(old: &str, mut fixes: Vec<&Fix>) -> (String, usize) {
    fixes.sort_by_key(|fix| fix.span);
    let (mut text, mut at, mut count) = (String::with_capacity(old.len()), 0, 0);
    for fix in fixes {
        if fix.span.start >= at && fix.span.end <= old.len() {
            text.push_str(&old[at..fix.span.start]);
            text.push_str(&fix.replacement);
            (at, count) = (fix.span.end, count + 1);
        }
    }
    text.push_str(&old[at..]);
    (text, count)
}

/// A unified difference without context. Fixes never change the number of lines.
fn diff(path: &str, old: &str, new: &str) -> String {
    let shown = crate::cite::visible(path);
    let mut out = format!("--- a/{shown}\n+++ b/{shown}\n");
    for (index, (before, after)) in old.lines().zip(new.lines()).enumerate() {
        if before != after {
            out.push_str(&format!("@@ -{line} +{line} @@\n-{before}\n+{after}\n", line = index + 1));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn fixes_are_carried_out_once_and_in_order() {
        let fix = |start, end, text: &str| Fix { span: Span::new(start, end), replacement: text.into() };
        let (first, second, overlapping) = (fix(0, 3, "xyz_"), fix(4, 7, "w"), fix(5, 6, "!"));
        let (text, count) = apply("abc\ndef\n", vec![&second, &overlapping, &first]);
        assert_eq!((text.as_str(), count), ("xyz_\nw\n", 2));
        let expected = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-abc\n+xyz_\n@@ -2 +2 @@\n-def\n+w\n";
        assert_eq!(diff("a.md", "abc\ndef\n", &text), expected);
    }
}
