//! Passages → answer: the smallest set of statements that answers the question, and whether they do.
//!
//! The answer is extractive. What is said is said by the docs, verbatim apart from markup, and each part names its
//! source. Evidence is the share of the question's weight (rare words weigh more) that the chosen statements, with
//! the headings they stand under, are about.

use inkwell_index::{Kind, tokens};

use crate::asked::Asked;
use crate::cite::Citation;
use crate::retrieve::{Passage, Retrieved};
use crate::statement::{Statement, StatementKind, statements};

/// Statements in an answer, at most.
const STATEMENT_LIMIT: usize = 4;
/// What a further statement must add, as a share of the question's weight.
const LEAST_GAIN: f32 = 0.12;
/// Evidence from here on answers the question.
const ANSWERED: f32 = 0.5;
/// Evidence below this is none.
const PARTIAL: f32 = 0.25;
/// What each rank takes from a statement: first hits are right more often.
const RANK_DISCOUNT: f32 = 0.12;
/// What a word counts that only the heading above the statement holds.
const HEADING_CREDIT: f32 = 0.5;
/// What the first statement under a heading gains where the heading fits: it usually says the thing.
const OPENING: f32 = 0.4;
/// Statements longer than this are worth less, in bytes.
const COMFORTABLE: usize = 280;
/// What opens a statement that leans on the one before it.
const LEANING: [&str; 12] =
    ["this", "that", "these", "those", "it", "they", "however", "also", "then", "otherwise", "instead", "such"];

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
    /// The share of the question's weight that the statements are about, 0 to 1.
    pub evidence: f32,
    /// Words of the question that nothing found holds, as asked.
    pub missing: Vec<String>,
}

/// Answers `question` from what was retrieved for it.
pub fn answer(question: &str, retrieved: &Retrieved, asked: &Asked) -> Answer {
    let held = retrieved.passages.iter().fold(0, |mask, passage| mask | passage.matched);
    let missing = missing(question, held, asked);
    let chosen = choose(&retrieved.passages, asked);
    let evidence = evidence(&chosen, asked);
    // What is said of other things is no answer, however much of the rest it covers.
    let lacks_name = missing.iter().any(|missing| missing.is_name);
    let missing: Vec<String> = missing.into_iter().map(|missing| missing.word).collect();
    let status = match evidence {
        _ if chosen.is_empty() || asked.lacks_all(held) => Status::NotFound,
        share if share >= ANSWERED && !lacks_name => Status::Answered,
        share if share >= PARTIAL => Status::Partial,
        _ => Status::NotFound,
    };
    let text = match status {
        Status::Answered if missing.is_empty() => paragraph(&chosen, &retrieved.passages),
        Status::Answered => format!("{} {}", paragraph(&chosen, &retrieved.passages), gap(&missing)),
        Status::Partial => format!("{} {}", paragraph(&chosen, &retrieved.passages), gap(&missing)),
        Status::NotFound => not_answered(&missing),
    };
    Answer { status, text, evidence, missing }
}

/// A statement that may become part of the answer.
struct Candidate {
    /// The passage it is from, by rank.
    rank: usize,
    statement: Statement,
    /// Units in the statement.
    held: u64,
    /// Units in the headings above it.
    above: u64,
    /// Whether it is the first of its section.
    opens: bool,
}

/// Picks statements one by one, each for what it adds, and puts them in reading order.
fn choose(passages: &[Passage], asked: &Asked) -> Vec<Candidate> {
    let mut rest = candidates(passages, asked);
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut covered = 0;
    while chosen.len() < STATEMENT_LIMIT {
        let worth = |candidate: &Candidate| gain(candidate, covered, asked);
        let best = (0..rest.len()).max_by(|a, b| worth(&rest[*a]).total_cmp(&worth(&rest[*b])).then(b.cmp(a)));
        let Some(best) = best.filter(|best| worth(&rest[*best]) >= LEAST_GAIN) else {
            break;
        };
        let candidate = rest.swap_remove(best);
        // Swapping must not change which of two equals comes first.
        rest.sort_by_key(|candidate| (candidate.rank, candidate.statement.block, candidate.statement.number));
        covered |= candidate.held | candidate.above;
        chosen.push(candidate);
    }
    chosen.sort_by_key(|candidate| (candidate.rank, candidate.statement.block, candidate.statement.number));
    chosen
}

fn candidates(passages: &[Passage], asked: &Asked) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (rank, passage) in passages.iter().enumerate() {
        let page = &passage.page;
        let above = asked.held_by(&format!("{} {}", page.title(), page.trail(passage.section).join(" ")));
        let mut opens = true;
        for statement in statements(page, passage.blocks.clone()) {
            // What only introduces something says nothing without it.
            if statement.kind == StatementKind::Sentence && statement.text.ends_with(':') {
                continue;
            }
            let held = asked.held_by(&statement.text);
            found.push(Candidate { rank, statement, held, above, opens });
            opens = false;
        }
    }
    found
}

/// What a candidate adds to what is covered, as a share of the question's weight, discounted for what makes a
/// statement a poor quotation.
fn gain(candidate: &Candidate, covered: u64, asked: &Asked) -> f32 {
    let new = candidate.held & !covered;
    let from_heading = candidate.above & !candidate.held & !covered;
    let opening =
        if candidate.opens && covered == 0 { OPENING * asked.share(candidate.above).min(0.5) * 2.0 } else { 0.0 };
    let share = asked.share(new) + HEADING_CREDIT * asked.share(from_heading) + opening;
    // A heading alone is no statement: something in the statement must be asked for, or it opens its section.
    if new == 0 && !candidate.opens {
        return 0.0;
    }
    let text = &candidate.statement.text;
    let long = if text.len() > COMFORTABLE { COMFORTABLE as f32 / text.len() as f32 } else { 1.0 };
    let leaning = if leans(&candidate.statement) { 0.7 } else { 1.0 };
    let question = if text.ends_with('?') { 0.5 } else { 1.0 };
    share * long.max(0.5) * leaning * question / (1.0 + RANK_DISCOUNT * candidate.rank as f32)
}

/// Whether a sentence can't be understood without the one before it.
fn leans(statement: &Statement) -> bool {
    let first = statement.text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    statement.kind == StatementKind::Sentence && LEANING.contains(&first.as_str())
}

/// The share of the question's weight that the chosen statements are about.
fn evidence(chosen: &[Candidate], asked: &Asked) -> f32 {
    let held = chosen.iter().fold(0, |mask, candidate| mask | candidate.held);
    let above = chosen.iter().fold(0, |mask, candidate| mask | candidate.above);
    asked.share(held | above)
}

/// A word of the question that nothing found holds.
struct Missing {
    /// As it was asked.
    word: String,
    /// Whether it names something: an identifier, a flag, a version, a capitalised name.
    is_name: bool,
}

/// The words of the question that matter and that no passage holds.
fn missing(question: &str, held: u64, asked: &Asked) -> Vec<Missing> {
    let mut found: Vec<Missing> = Vec::new();
    for (place, word) in question.split_whitespace().enumerate() {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '-' && c != '+' && c != '#');
        let word: String = word.chars().filter(|c| !c.is_control() && *c != '`').take(WORD_LIMIT).collect();
        let forms = tokens(&word);
        // Of `ctx.BodyParser` the part that has a name of its own is enough.
        let mut whole = forms.iter().filter(|token| token.kind != Kind::Part && token.kind != Kind::Folded);
        let is_missing = !forms.is_empty() && whole.all(|token| asked.lacks(&token.text, held));
        if is_missing && !found.iter().any(|known| known.word == word) {
            let is_compound = forms.iter().any(|token| token.kind == Kind::Whole);
            let is_capitalised = place > 0 && word.starts_with(char::is_uppercase);
            let is_name = is_compound || is_capitalised || word.contains(|c: char| c.is_ascii_digit());
            found.push(Missing { word, is_name });
        }
    }
    found
}

/// The statements as one paragraph; each run from one source ends with the source's name.
fn paragraph(chosen: &[Candidate], passages: &[Passage]) -> String {
    let mut out = String::new();
    for (index, candidate) in chosen.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&closed(&candidate.statement.text));
        let is_last_of_source = chosen.get(index + 1).is_none_or(|next| next.rank != candidate.rank);
        if is_last_of_source {
            out.push_str(&format!(" ({})", Citation::of(&passages[candidate.rank]).label()));
        }
    }
    out
}

/// A statement that ends like a sentence.
fn closed(text: &str) -> String {
    let text = text.trim_end_matches([':', ';', ',']);
    let is_closed = text.ends_with(['.', '!', '?', '。', '！', '？', '`', ')', '"', '\u{201d}']);
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
        return "The documentation does not answer this; the sections below are the nearest.".to_owned();
    }
    format!(
        "The documentation does not answer this: nothing found mentions {}. The sections below are the nearest.",
        quoted(missing)
    )
}

fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().take(6).map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
