//! Statements → the few that are said: what each is worth to the question, and which go together.
//!
//! The first choice is the statement that holds most of the question; a further one must be about the question
//! itself, not only hold a word of it that was left over. What makes a good quotation is told in `quality`.

use std::ops::Range;

use crate::asked::Asked;
use crate::page::Page;
use crate::retrieve::Passage;
use crate::statement::{Statement, StatementKind, grouped, statements};

use super::quality::{COMFORTABLE, FITTING, is_title, quality};
use super::standing::{is_introduction, standing};
use super::wants::Wants;

/// Statements in an answer, at most.
const STATEMENT_LIMIT: usize = 4;
/// Statements in an answer, in bytes, about: no further one is begun beyond it.
const ANSWER_BUDGET: usize = 720;
/// What the first statement must be worth: next to nothing, since the state of the answer is told by the evidence.
const LEAST_WORTH: f32 = 0.03;
/// What a further statement must add, as a share of the question's weight.
const LEAST_GAIN: f32 = 0.12;
/// What a further statement must be about, as a share of what the first is about.
const LEAST_STRENGTH: f32 = 0.5;
/// The same for a statement from another section than the first: it must be about the question too.
const LEAST_ELSEWHERE: f32 = 0.75;
/// What a further statement from another section is worth: what stands together belongs together.
const ELSEWHERE: f32 = 0.8;
/// What the first statement under a heading gains where the heading fits: it usually says the thing.
const OPENING: f32 = 0.25;
/// Statements of a passage that are looked at: what comes later in a longer one is data.
const STATEMENTS: usize = 2000;
/// A note is not longer than this, in lines.
const ASIDE_LINES: usize = 40;
/// A statement up to this length that opens its section is told with the next one, in bytes.
const BRIEF: usize = 140;

/// A statement that may become part of the answer.
#[derive(Clone)]
pub struct Candidate {
    /// The passage it is from, by rank.
    pub rank: usize,
    /// What its page's kind is worth, below 1 for a changelog that nobody asked for.
    pub kind: f32,
    /// What is said.
    pub statement: Statement,
    /// Units in the statement.
    pub held: u64,
    /// Units that it has another word for.
    pub related: u64,
    /// Units in the headings above it.
    pub above: u64,
    /// Units in a row's first cell, in what introduces a group.
    pub named: u64,
    /// The sentences of its block that it holds.
    pub numbers: Range<usize>,
    /// Where it stands in its section.
    pub place: Place,
}

/// Where a statement stands in its section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The first sentence that isn't an aside.
    Opening,
    /// In a note, tip or quotation beside the text.
    Aside,
    /// Anywhere else.
    Inside,
}

impl Candidate {
    fn order(&self) -> (usize, usize, usize) {
        (self.rank, self.statement.blocks.start, self.numbers.start)
    }

    /// Whether it is made of several items or names.
    pub fn is_group(&self) -> bool {
        matches!(self.statement.kind, StatementKind::List | StatementKind::Steps)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let share = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        let is_same_block = self.rank == other.rank && share(&self.statement.blocks, &other.statement.blocks);
        is_same_block && (self.is_group() || other.is_group() || share(&self.numbers, &other.numbers))
    }
}

/// Picks statements one by one, each for what it adds, and puts them in reading order.
pub fn choose(passages: &[Passage], asked: &Asked, wants: Wants) -> Vec<Candidate> {
    let mut rest: Vec<Candidate> =
        passages.iter().enumerate().flat_map(|(rank, passage)| candidates(rank, passage, asked)).collect();
    let Some(first) = best(&rest, LEAST_WORTH, |candidate| worth(candidate, asked, wants)) else {
        return Vec::new();
    };
    let mut chosen = vec![rest.remove(first)];
    complete(&mut chosen, &rest, asked);
    while chosen.len() < STATEMENT_LIMIT && length(&chosen) < ANSWER_BUDGET {
        rest.retain(|candidate| !chosen.iter().any(|known| known.overlaps(candidate)));
        let Some(next) = best(&rest, LEAST_GAIN, |candidate| further(candidate, &chosen, asked, wants)) else {
            break;
        };
        chosen.push(rest.remove(next));
    }
    chosen.sort_by_key(Candidate::order);
    chosen
}

/// The first of the candidates that are worth most, if that is at least `least`.
fn best(candidates: &[Candidate], least: f32, worth: impl Fn(&Candidate) -> f32) -> Option<usize> {
    let worths: Vec<f32> = candidates.iter().map(worth).collect();
    let best = (0..worths.len()).max_by(|a, b| worths[*a].total_cmp(&worths[*b]).then(b.cmp(a)))?;
    (worths[best] >= least).then_some(best)
}

fn length(chosen: &[Candidate]) -> usize {
    chosen.iter().map(|candidate| candidate.statement.text.len()).sum()
}

/// Adds what follows a brief opening of the section that the question is about: the cause first, then the cure.
fn complete(chosen: &mut Vec<Candidate>, rest: &[Candidate], asked: &Asked) {
    let [first] = chosen.as_slice() else { return };
    let is_brief = first.place == Place::Opening && first.statement.text.len() <= BRIEF;
    if !is_brief || asked.share(first.above) < FITTING {
        return;
    }
    let (pairs, others): (Vec<&Candidate>, Vec<&Candidate>) = rest.iter().partition(|known| known.overlaps(first));
    if let Some(pair) = pairs.into_iter().find(|pair| !pair.is_group() && pair.numbers.end == first.numbers.end + 1) {
        *chosen = vec![pair.clone()];
        return;
    }
    let follows = |next: &&&Candidate| next.rank == first.rank && next.order() > first.order() && !next.is_group();
    let next = others.iter().filter(follows).min_by_key(|next| next.order());
    let is_near = |next: &&&Candidate| next.statement.blocks.start <= first.statement.blocks.start + 1;
    let is_said = |next: &&&Candidate| {
        next.place == Place::Inside && next.statement.kind != StatementKind::Row && !is_title(&next.statement)
    };
    let next = next.filter(is_near).filter(is_said).filter(|next| next.statement.text.len() <= COMFORTABLE);
    chosen.extend(next.map(|next| (*next).clone()));
}

/// Everything that a passage says, each on its own feet.
fn candidates(rank: usize, passage: &Passage, asked: &Asked) -> Vec<Candidate> {
    let page = &passage.page;
    let kind = passage.parts.kind;
    let above = asked.held_by(&format!("{} {}", page.title(), page.trail(passage.section).join(" ")));
    let plain = statements(page, passage.blocks.clone());
    let has_prose =
        plain.iter().any(|statement| statement.kind == StatementKind::Sentence && !is_introduction(statement));
    let mut found = Vec::new();
    let mut opens = true;
    for (index, statement) in plain.iter().enumerate().take(STATEMENTS) {
        // What only introduces something says nothing without it.
        if statement.text.is_empty() || is_introduction(statement) {
            continue;
        }
        let is_first = opens && can_open(statement, has_prose);
        let place = place(page, statement, is_first);
        opens &= place != Place::Opening;
        if let Some((statement, numbers)) = standing(statement, plain[..index].last(), is_first) {
            found.push(candidate((rank, kind), statement, numbers, place, above, asked));
        }
    }
    for statement in grouped(page, passage.blocks.clone()) {
        let numbers = statement.number..statement.number + 1;
        found.push(candidate((rank, kind), statement, numbers, Place::Inside, above, asked));
    }
    found.sort_by_key(Candidate::order);
    found
}

fn candidate(
    (rank, kind): (usize, f32),
    statement: Statement,
    numbers: Range<usize>,
    place: Place,
    above: u64,
    asked: &Asked,
) -> Candidate {
    let (held, related) = asked.held_and_related(&statement.text);
    let introduction = statement.text.strip_suffix(statement.own.as_str()).unwrap_or_default();
    let named = if statement.key.is_empty() { asked.held_by(introduction) } else { asked.held_by(&statement.key) };
    Candidate { rank, kind, statement, held, related, above, named, numbers, place }
}

/// Whether a statement can say what its section is about: a sentence, or an item where there are none; not a fact
/// about the thing in the manner of "Type: `string`".
fn can_open(statement: &Statement, has_prose: bool) -> bool {
    let is_short = |name: &str| name.split(' ').count() <= 2;
    let is_code = |value: &str| value.starts_with('`') && value.ends_with('`');
    let is_fact = statement.own.split_once(": ").is_some_and(|(name, value)| is_short(name) && is_code(value));
    !is_fact && (statement.kind == StatementKind::Sentence || (statement.kind == StatementKind::Item && !has_prose))
}

fn place(page: &Page, statement: &Statement, opens: bool) -> Place {
    match statement.kind {
        _ if is_aside(page, statement) => Place::Aside,
        _ if opens => Place::Opening,
        _ => Place::Inside,
    }
}

/// Whether a statement stands in a quotation, a `:::` container or an indented `!!!` note.
fn is_aside(page: &Page, statement: &Statement) -> bool {
    let before = &page.text[..statement.span.start];
    let (lines, own) = before.rsplit_once('\n').unwrap_or(("", before));
    if own.trim_start().starts_with('>') {
        return true;
    }
    let is_indented = own.starts_with("    ");
    for line in lines.lines().rev().take(ASIDE_LINES) {
        let text = line.trim();
        match text {
            ":::" => return false,
            _ if text.starts_with(":::") => return true,
            _ if text.starts_with('#') => return false,
            _ if is_indented && (text.starts_with("!!!") || text.starts_with("???")) => return true,
            _ => {}
        }
    }
    false
}

/// What a candidate is about, 0 to 1: the units that it holds, with some credit for those that it says in other words
/// or that stand above it.
fn strength(candidate: &Candidate, asked: &Asked) -> f32 {
    asked.credit(candidate.held, candidate.related | candidate.above)
}

/// What a candidate is worth as the first statement.
fn worth(candidate: &Candidate, asked: &Asked, wants: Wants) -> f32 {
    let opening = match candidate.place {
        Place::Opening => OPENING * (asked.share(candidate.above) / FITTING).min(1.0),
        Place::Aside | Place::Inside => 0.0,
    };
    // A heading alone is no statement: something in the statement must be asked for, or it opens its section.
    // What a fitting group is about, its heading or lead-in says.
    if candidate.held | candidate.related == 0 && candidate.place != Place::Opening && !candidate.is_group() {
        return 0.0;
    }
    (strength(candidate, asked) + opening) * quality(candidate, asked, wants)
}

/// What a candidate is worth beside what is chosen.
fn further(candidate: &Candidate, chosen: &[Candidate], asked: &Asked, wants: Wants) -> f32 {
    let covered = chosen.iter().fold(0, |mask, known| mask | known.held | known.above);
    let said = chosen.iter().fold(0, |mask, known| mask | known.held);
    let Some(first) = chosen.first() else { return 0.0 };
    let least = if candidate.rank == first.rank { LEAST_STRENGTH } else { LEAST_ELSEWHERE };
    let is_weak = strength(candidate, asked) < least * strength(first, asked);
    if is_weak || candidate.held & !said == 0 {
        return 0.0;
    }
    let new = asked.credit(candidate.held & !covered, candidate.above & !covered & !candidate.held);
    let distance = if candidate.rank == first.rank { 1.0 } else { ELSEWHERE };
    new * distance * quality(candidate, asked, wants)
}
