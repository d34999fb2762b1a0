//! Passages → answer: the smallest set of statements that answers the question, and whether they do.
//!
//! The answer is extractive. What is said is said by the docs, verbatim apart from markup, and each part names its
//! source. Evidence is the share of the question's weight (rare words weigh more) that one block of the first sections
//! is about.

mod choose;
mod quality;
mod standing;
mod wants;

use inkwell_index::{Kind, tokens};

use crate::asked::Asked;
use crate::cite::Citation;
use crate::conflict::{Side, disagreement};
use crate::parse::Block;
use crate::retrieve::{Passage, Retrieved};
use crate::span::Span;

use choose::{Candidate, choose};
use wants::wants;

/// Evidence from here on answers the question.
const ANSWERED: f32 = 0.25;
/// Evidence below this is none.
const PARTIAL: f32 = 0.05;
/// The share of the question's weight that something found must hold, or the answer is a part of one at most.
const HELD: f32 = 0.5;
/// Both where the question names something that nothing found holds: what is said of other things is no answer, unless
/// the name is by the way.
const ANSWERED_WITHOUT_NAME: f32 = 0.45;
const HELD_WITHOUT_NAME: f32 = 0.7;
/// The first sections, which an answer is made of: a longer list of sources is not a longer answer.
const ANSWERING: usize = 5;

/// Characters of a word of the question that are repeated to its asker.
const WORD_LIMIT: usize = 60;

/// How well the docs answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The statements are about all that matters in the question.
    Answered,
    /// Weak evidence, or a part of the answer.
    Partial,
    /// Nothing found answers it.
    NotFound,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How well the docs answer.
    pub status: Status,
    /// One paragraph.
    pub text: String,
    /// The share of the question's weight that one block of the first sections is about, 0 to 1.
    pub evidence: f32,
    /// Words of the question that nothing found holds, as asked.
    pub missing: Vec<String>,
    /// What the text says of the docs, statement by statement; none where they don't answer.
    pub said: Vec<Said>,
    /// Where the passages contradict each other about what was asked, which the text says too.
    pub disagreement: Vec<Side>,
    /// The sentence of the text that says what the docs don't say.
    pub gap: Option<String>,
}

/// A statement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What is said, closed like a sentence, without its source.
    pub text: String,
    /// The passage it is from, by rank.
    pub rank: usize,
    /// Where it stands in the file, lead-ins and headers excluded.
    pub span: Span,
    /// The block whose words complete it.
    pub lead_in: Option<usize>,
}

/// Answers `question` from what was retrieved for it.
pub fn answer(question: &str, retrieved: &Retrieved, asked: &Asked) -> Answer {
    let held = retrieved.passages.iter().fold(0, |mask, passage| mask | passage.matched);
    let related = retrieved.passages.iter().fold(held, |mask, passage| mask | passage.related);
    let missing = missing(question, held, related, asked);
    let first = &retrieved.passages[..retrieved.passages.len().min(ANSWERING)];
    let chosen = choose(first, asked, wants(question));
    let evidence = evidence(first, asked);
    let names: Vec<String> =
        missing.iter().filter(|missing| missing.is_name).map(|missing| missing.word.clone()).collect();
    let lacks_name = !names.is_empty();
    let (enough, least_held) = if lacks_name { (ANSWERED_WITHOUT_NAME, HELD_WITHOUT_NAME) } else { (ANSWERED, HELD) };
    let missing: Vec<String> = missing.into_iter().map(|missing| missing.word).collect();
    let status = match evidence {
        _ if chosen.is_empty() || asked.lacks_all(held) => Status::NotFound,
        share if share >= enough && asked.share(held) >= least_held => Status::Answered,
        share if share >= PARTIAL => Status::Partial,
        _ => Status::NotFound,
    };
    let gap = match status {
        // What is well answered lacks a name at most: other words are the asker's own.
        Status::Answered => (!names.is_empty()).then(|| gap(&names)),
        Status::Partial => Some(gap(&missing)),
        Status::NotFound => Some(not_answered(&missing)),
    };
    let is_answer = status != Status::NotFound;
    let said = if is_answer { said(&chosen) } else { Vec::new() };
    let disagreement = if is_answer { disagreement(first, asked) } else { Vec::new() };
    let mut text = text(&said, &disagreement, gap.as_deref(), first);
    if !is_answer {
        text.push_str(" The sections below are the nearest.");
    }
    Answer { status, text, evidence, missing, said, disagreement, gap }
}

/// The paragraph: what is said, where it is contradicted, what is missing.
fn text(said: &[Said], disagreement: &[Side], gap: Option<&str>, passages: &[Passage]) -> String {
    let label = |rank: usize| Citation::of(&passages[rank]).label();
    let sides = disagreement.iter().map(|side| (side.written.as_str(), format!("({})", label(side.rank))));
    let contradicted = contradicted(sides);
    let said = (!said.is_empty()).then(|| paragraph(said, &label));
    [said, contradicted, gap.map(str::to_owned)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The sentence that says that sections disagree: each value as it is written, followed by what names its source; `None`
/// where there are no sides.
pub fn contradicted<'a>(sides: impl Iterator<Item = (&'a str, String)>) -> Option<String> {
    let values: Vec<String> = sides.map(|(written, source)| format!("`{written}` {source}")).collect();
    (!values.is_empty()).then(|| format!("The docs disagree: {}.", values.join(", ")))
}

/// The share of the question's weight that the best single block is about. Words that stand together in one block
/// are evidence; the same words scattered over sections are not.
fn evidence(passages: &[Passage], asked: &Asked) -> f32 {
    let of_passage = |passage: &Passage| {
        let above = asked.held_by(passage.page.heading(passage.section));
        let blocks = &passage.page.document.blocks[passage.blocks.clone()];
        let credit = |block: &Block| {
            let (held, related) = asked.held_and_related(&block.text);
            asked.credit(held, related | above)
        };
        blocks.iter().map(credit).fold(0.0, f32::max)
    };
    passages.iter().map(of_passage).fold(0.0, f32::max)
}

/// A word of the question that nothing found holds.
struct Missing {
    /// As it was asked.
    word: String,
    /// Whether it names something: an identifier, a flag, a version, a capitalised name.
    is_name: bool,
}

/// The words of the question that matter and that no passage holds. For a plain word, one of about the same meaning will
/// do (`related`); a name is a name.
fn missing(question: &str, held: u64, related: u64, asked: &Asked) -> Vec<Missing> {
    let mut found: Vec<Missing> = Vec::new();
    for (place, word) in question.split_whitespace().enumerate() {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '-' && c != '+' && c != '#');
        let word: String = word.chars().filter(|c| !c.is_control() && *c != '`').take(WORD_LIMIT).collect();
        let forms = tokens(&word);
        // Of `ctx.BodyParser` the part that has a name of its own is enough.
        let mut whole = forms.iter().filter(|token| token.kind != Kind::Part && token.kind != Kind::Folded);
        let is_missing = !forms.is_empty() && whole.all(|token| asked.lacks(&token.text, held));
        if is_missing && !found.iter().any(|known| known.word == word) {
            let is_replaced = forms.iter().all(|token| !asked.lacks(&token.text, related));
            let is_compound = forms.iter().any(|token| token.kind == Kind::Whole);
            let is_capitalised = place > 0 && word.starts_with(char::is_uppercase);
            let is_name = is_compound || is_capitalised || word.contains(|c: char| c.is_ascii_digit());
            if is_name || !is_replaced {
                found.push(Missing { word, is_name });
            }
        }
    }
    found
}

/// The statements as they are said one after the other.
fn said(chosen: &[Candidate]) -> Vec<Said> {
    let said = |(index, candidate): (usize, &Candidate)| Said {
        text: closed(words(candidate, chosen[..index].last())),
        rank: candidate.rank,
        span: candidate.statement.span,
        lead_in: candidate.statement.lead_in,
    };
    chosen.iter().enumerate().map(said).collect()
}

/// The statements as one paragraph; each run from one source ends with the source's name.
fn paragraph(said: &[Said], label: &impl Fn(usize) -> String) -> String {
    let piece = |(index, statement): (usize, &Said)| {
        let is_last_of_source = said.get(index + 1).is_none_or(|next| next.rank != statement.rank);
        if is_last_of_source {
            format!("{} ({})", statement.text, label(statement.rank))
        } else {
            statement.text.clone()
        }
    };
    said.iter().enumerate().map(piece).collect::<Vec<_>>().join(" ")
}

/// What is said of a statement after another: the lead-in that both have is said once.
fn words<'a>(candidate: &'a Candidate, before: Option<&Candidate>) -> &'a str {
    let lead_in = |candidate: &Candidate| candidate.statement.lead_in.map(|block| (candidate.rank, block));
    let is_repeated = lead_in(candidate).is_some() && before.and_then(lead_in) == lead_in(candidate);
    if is_repeated { &candidate.statement.own } else { &candidate.statement.text }
}

/// A statement that ends like a sentence.
fn closed(text: &str) -> String {
    let text = text.trim_end_matches([':', ';', ',']);
    let is_closed = text.ends_with(['.', '!', '?', '…', '。', '！', '？', '`', ')', '"', '\u{201d}']);
    if is_closed { text.to_owned() } else { format!("{text}.") }
}

fn gap(missing: &[String]) -> String {
    if missing.is_empty() {
        return "The documentation found covers the question only in part.".to_owned();
    }
    format!("The documentation found does not mention {}.", quoted(missing))
}

fn not_answered(missing: &[String]) -> String {
    if missing.is_empty() {
        return "The documentation does not answer this.".to_owned();
    }
    format!("The documentation does not answer this: nothing found mentions {}.", quoted(missing))
}

fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().take(6).map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
