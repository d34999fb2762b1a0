//! The lines for cited spans in the sources block, ours or those of other writers.

use super::quoted;
use crate::cite::{Citation, clip, one_line};
use crate::grounded::chunk::holds;

/// A line for a cited span; lines that go on with it are joined to it.
pub struct Line<'a> {
    /// `S1`, `S2`, …
    pub id: &'a str,
    /// The whole of it, from its dash on.
    pub text: String,
}

/// The bullets of a sources block, and what is wrong with others. Text before the first bullet is no mistake.
pub fn bullets(block: &str) -> (Vec<Line<'_>>, Vec<String>) {
    let mut found: Vec<Line<'_>> = Vec::new();
    let mut problems = Vec::new();
    let mut goes_on = false;
    for line in block.lines() {
        let is_bullet = ["- ", "* "].iter().any(|dash| line.strip_prefix(' ').unwrap_or(line).starts_with(dash));
        match found.last_mut() {
            _ if is_bullet => {
                let id = id(line);
                goes_on = id.is_some();
                match id {
                    Some(id) => found.push(Line { id, text: line.trim().to_owned() }),
                    None => problems.push(format!("a bullet in `## Sources` names no span: {}", quoted(line))),
                }
            }
            Some(bullet) if goes_on && !line.trim().is_empty() => {
                bullet.text.push(' ');
                bullet.text.push_str(line.trim());
            }
            _ => {}
        }
    }
    (found, problems)
}

/// The id that a bullet begins with: `- [S1] …`, `- S1 …`, both perhaps in bold.
fn id(line: &str) -> Option<&str> {
    let rest = line.trim_start()[1..].trim_start().trim_start_matches("**");
    let rest = rest.strip_prefix('[').unwrap_or(rest);
    let digits = rest.strip_prefix('S')?.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest[1 + digits..].chars().next();
    (digits > 0 && !after.is_some_and(char::is_alphanumeric)).then(|| &rest[..1 + digits])
}

/// What a bullet should say of a span.
pub struct Expected<'a> {
    /// The span's id.
    pub id: &'a str,
    /// The document's title.
    pub title: Option<&'a str>,
    /// The section.
    pub citation: &'a Citation,
    /// What the span says.
    pub text: &'a str,
}

impl Expected<'_> {
    /// Whether a bullet's excerpt is the span's: of a bullet in our form the whole of it, cut as we cut it; of any other
    /// one that stands in the span.
    pub fn is_met(&self, bullet: &str) -> bool {
        match self.excerpt(bullet) {
            Some(excerpt) => excerpt == clip(self.text),
            None => !is_ours(bullet) && excerpts(bullet).any(|excerpt| holds(self.text, excerpt)),
        }
    }

    /// The excerpt of a bullet that names this span, title and section in our form.
    fn excerpt<'b>(&self, bullet: &'b str) -> Option<&'b str> {
        let Self { id, title, citation, .. } = self;
        let title = clip(title.unwrap_or_default());
        let start = format!("- [{id}] {title} — [{}]({}), line", citation.link_text(), citation.target());
        let lines = bullet.strip_prefix(start.as_str())?;
        let lines = lines.strip_prefix('s').unwrap_or(lines);
        let is_lines = |c: char| c.is_ascii_digit() || c == '-' || c == ' ';
        lines.trim_start_matches(is_lines).strip_prefix(": \"")?.strip_suffix('"')
    }
}

/// Whether a bullet is in the form that we print: what is changed in such a line is no matter of taste.
pub fn is_ours(bullet: &str) -> bool {
    let is_linked = |rest: &str| rest.contains("), line");
    bullet.starts_with("- [S") && bullet.split_once(" — [").is_some_and(|(_, rest)| is_linked(rest))
}

/// What a bullet may have quoted: everything that ends with its last closing quotation mark and begins after an opening
/// one. An excerpt can hold such marks itself.
pub fn excerpts(bullet: &str) -> impl Iterator<Item = &str> {
    let pairs = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’')];
    pairs.into_iter().flat_map(move |(open, close)| {
        let end = bullet.rfind(close).unwrap_or_default();
        let before = &bullet[..end];
        let starts = before.match_indices(open).map(|(at, mark)| at + mark.len());
        starts.take(QUOTES).map(|start| &before[start..]).filter(|excerpt| !is_blank(excerpt))
    })
}

/// Quotation marks of a bullet that an excerpt is looked for after.
const QUOTES: usize = 16;

fn is_blank(excerpt: &str) -> bool {
    one_line(excerpt).trim_matches(['…', '.']).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(block: &str, expected: &[(&str, &str)], problems: &[&str]) {
        let (found, wrong) = bullets(block);
        let found: Vec<(&str, &str)> = found.iter().map(|line| (line.id, line.text.as_str())).collect();
        assert_eq!((found, wrong), (expected.to_vec(), problems.iter().map(|text| (*text).to_owned()).collect()));
    }

    #[test]
    fn bullets_begin_with_an_id() {
        check(
            "Cited:\n- [S1] a\n* S2: b\n- **[S3]** c\n",
            &[("S1", "- [S1] a"), ("S2", "* S2: b"), ("S3", "- **[S3]** c")],
            &[],
        );
        check("- [S1] a\n  \"b\"\n\n  - c\n", &[("S1", "- [S1] a \"b\" - c")], &[]);
        let problem = |line: &str| format!("a bullet in `## Sources` names no span: `{line}`");
        check("- docs/a.md\n  x\n- S1a\n- \n", &[], &[&problem("- docs/a.md"), &problem("- S1a"), &problem("-")]);
    }

    #[test]
    fn an_excerpt_is_quoted_last() {
        let found: Vec<&str> = excerpts("- [S1] \"T\" — \"say \"x\" now\"").collect();
        assert_eq!(found, ["T\" — \"say \"x\" now", " — \"say \"x\" now", "say \"x\" now", "x\" now", " now"]);
        assert_eq!(excerpts("- [S1] “so…”").collect::<Vec<_>>(), ["so…"]);
        assert_eq!(excerpts("- [S1] nothing \"…\"").count(), 0);
    }
}
