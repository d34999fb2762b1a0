//! What a question is answered with, before anything is rendered.

use inkwell_index::Parts;

use crate::answer::Status;
use crate::cite::Citation;
use crate::finding::Verdict;

/// Lines of a section that are shown, its heading line included (contracts A2).
pub const SECTION_LINES: usize = 60;

/// The answer to a question with everything that backs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The question as it was asked.
    pub question: String,
    /// How well the docs answer it.
    pub status: Status,
    /// One paragraph; empty where nothing was found.
    pub answer: String,
    /// The share of the question's weight that the answer is about, 0 to 1.
    pub evidence: f32,
    /// Words of the question that nothing found holds, as asked.
    pub missing: Vec<String>,
    /// Words that no text holds and that were read as near ones: what was asked, what the docs hold.
    pub slips: Vec<(String, Vec<String>)>,
    /// The cited sections, best first. Empty means: no matching documentation.
    pub sources: Vec<Source>,
    /// Verdicts on what the cited sections claim, in the order of the sources.
    pub corroboration: Vec<Corroboration>,
}

/// A cited section.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where it is.
    pub citation: Citation,
    /// The section's heading.
    pub heading: String,
    /// Titles from the top of the page down to the heading.
    pub trail: Vec<String>,
    /// First and last 1-based line of the section, subsections included.
    pub lines: (usize, usize),
    /// One line from the part that matched.
    pub snippet: String,
    /// The section from its heading line, at most [`SECTION_LINES`] lines.
    pub text: String,
    /// What the order goes by; comparable within one question only.
    pub score: f32,
    /// What the score was made of.
    pub parts: Parts,
}

/// A verdict on one claim of a cited section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corroboration {
    /// The section.
    pub citation: Citation,
    /// Whether the code agrees.
    pub verdict: Verdict,
}
