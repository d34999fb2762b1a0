//! Answers that somebody wrote → what is wrong with them (contracts D and E).
//!
//! Each check is a function from the text of an answer, and from what is known of its sources, to messages; no message
//! means that the check passed. Nothing here reads files: who asks hands over pages and what was retrieved.

mod answer;
mod bullet;
mod citations;
mod files;
mod receipt;
mod report;
mod response;
mod retrieved;
mod shape;
mod support;

use crate::error::nearest;

pub use citations::{Passage, Passages, citations, cited_ids, schema};
pub use files::Open;
pub use receipt::{Evidence, receipt};
pub use report::{Checked, Outcome, json, text};
pub use retrieved::{Retrieved, retrieved};
pub use support::{groundless_citations, groundless_claims};

/// Characters of a piece of the answer that a message quotes.
const QUOTED: usize = 80;

/// Something that can be checked of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The shape of an answer with citations.
    Schema,
    /// Its citations.
    Citations,
    /// An answer with a grounding receipt, or the receipt alone.
    Receipt,
}

impl Check {
    /// Every check.
    pub const ALL: [Self; 3] = [Self::Schema, Self::Citations, Self::Receipt];

    /// What the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Citations => "citations",
            Self::Receipt => "receipt",
        }
    }

    /// What it makes sure of, as one sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Schema => "The answer is a JSON object of version 1 with an answer and its citations.",
            Self::Citations => {
                "Every citation is listed, used and real, and every sentence that states something has one."
            }
            Self::Receipt => "Answer, sources and receipt agree with each other and with what was retrieved.",
        }
    }

    /// The checks that a name stands for; `both` is short for the first two.
    ///
    /// # Errors
    /// The nearest name, if there is one.
    pub fn named(name: &str) -> Result<Vec<Self>, Option<&'static str>> {
        if name == "both" {
            return Ok(vec![Self::Schema, Self::Citations]);
        }
        let found = Self::ALL.into_iter().find(|check| check.name() == name);
        let names = || Self::ALL.into_iter().map(Self::name).chain(["both"]);
        found.map(|check| vec![check]).ok_or_else(|| nearest(name, names()))
    }
}

/// The check that a text is plainly meant for: the receipt's, or that of citations.
pub fn meant_for(text: &str) -> Option<Check> {
    if response::is_response(text) {
        return Some(Check::Receipt);
    }
    let value = shape::json(text).ok()?;
    match value.as_object()? {
        object if object.contains_key("cited_spans") => Some(Check::Receipt),
        object if object.contains_key("citations") => Some(Check::Citations),
        _ => None,
    }
}

/// A piece of an answer as a message quotes it: on one line, cut after 80 characters.
fn quoted(text: &str) -> String {
    let line = crate::cite::one_line(text);
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_have_names() {
        assert_eq!(Check::named("receipt"), Ok(vec![Check::Receipt]));
        assert_eq!(Check::named("both"), Ok(vec![Check::Schema, Check::Citations]));
        assert_eq!(Check::named("citation"), Err(Some("citations")));
        assert_eq!(Check::named("colour"), Err(None));
    }

    #[test]
    fn a_text_shows_what_it_is_meant_for() {
        assert_eq!(meant_for("x\n## Grounding receipt\n"), Some(Check::Receipt));
        assert_eq!(meant_for("{\"cited_spans\": []}"), Some(Check::Receipt));
        assert_eq!(meant_for("{\"citations\": []}"), Some(Check::Citations));
        assert_eq!(meant_for("{}"), None);
        assert_eq!(meant_for("[]"), None);
    }

    #[test]
    fn long_pieces_are_cut() {
        assert_eq!(quoted("a\n\u{1b}b"), "`a b`");
        assert_eq!(quoted(&"é".repeat(81)), format!("`{}…`", "é".repeat(80)));
    }
}
