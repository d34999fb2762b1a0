//! A judge's reply → its verdict.
//!
//! Only the exact words count: a reply that hedges, explains first or says something like them is none.

use crate::cite::is_unsafe;
use crate::finding::Verdict;
use crate::statement::fold;

/// Characters of a reason, at most.
const REASON_LIMIT: usize = 200;

/// What stands before a reason.
const DRIFT: &str = "drift detected:";

/// Reads the verdict from the first line that isn't blank, whatever follows it. `None` where it is none of the three.
pub fn read(reply: &str) -> Option<Verdict> {
    let line = reply.lines().map(str::trim_end).find(|line| !line.is_empty())?;
    let mut plain = [Verdict::Verified, Verdict::Uncorroborated].into_iter();
    if let Some(verdict) = plain.find(|verdict| line.eq_ignore_ascii_case(verdict.phrase())) {
        return Some(verdict);
    }
    let (words, reason) = line.split_at_checked(DRIFT.len())?;
    if !words.eq_ignore_ascii_case(DRIFT) {
        return None;
    }
    Some(reason_of(reason)).filter(|reason| !reason.is_empty()).map(Verdict::Drifted)
}

/// The reason as one short line that drives no terminal.
fn reason_of(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let folded = fold(&spaced.filter(|c| !is_unsafe(*c)).collect::<String>());
    if folded.chars().count() <= REASON_LIMIT {
        return folded;
    }
    let kept: String = folded.chars().take(REASON_LIMIT - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drifted(reason: &str) -> Option<Verdict> {
        Some(Verdict::Drifted(reason.to_owned()))
    }

    #[test]
    fn the_first_line_that_is_not_blank_is_the_verdict() {
        assert_eq!(read("verified"), Some(Verdict::Verified));
        assert_eq!(read("\r\n \t\r\nVeriFied \t\r\nbecause …\r\n"), Some(Verdict::Verified));
        assert_eq!(read("COULD NOT CORROBORATE\nverified"), Some(Verdict::Uncorroborated));
        assert_eq!(read("Drift detected: see a.rs: returns 3"), drifted("see a.rs: returns 3"));
        assert_eq!(read("drift detected:(a) b)"), drifted("(a) b)"));
    }

    #[test]
    fn other_words_are_no_verdict() {
        let others = [
            "",
            " \n\n",
            "verified? no",
            "verified.",
            "`verified`",
            "not verified",
            "un verified",
            " verified",
            "Verdict: verified",
            "I looked.\nverified",
            "could not corroborate it",
            "drift detected",
            "drift detected:",
            "drift detected: \t\u{1b}\u{7}",
            "drift detected : a",
            "no drift detected: a",
            "drift detecteé: a",
        ];
        for reply in others {
            assert_eq!(read(reply), None, "{reply}");
        }
    }

    #[test]
    fn reasons_are_short_lines_without_control_characters() {
        let hostile = "drift detected:  a\u{1b}[31m\tb\u{b}\u{2028}c\u{202e}\rd\u{0}  \r\n- x";
        assert_eq!(read(hostile), drifted("a[31m b c d"));
        assert_eq!(read(&format!("drift detected: {}", "é".repeat(200))), drifted(&"é".repeat(200)));
        assert_eq!(read(&format!("drift detected: {}", "é".repeat(201))), drifted(&format!("{}…", "é".repeat(199))));
    }
}
