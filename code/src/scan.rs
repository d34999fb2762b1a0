//! Where names stand in a file, and whether that is code, a literal or a comment.
//!
//! Many names are looked up at once and only as whole identifiers. Comments and literals are told apart by a small
//! table per language, and only in files that hold one of the names: most files hold none.

mod lexicon;
mod literals;
mod regions;
#[cfg(test)]
mod tests;
mod words;

use rustc_hash::FxHashMap;

use crate::language::Language;
use regions::{Region, regions};
use words::Words;

/// How many hits of one name in one context are reported.
pub const HIT_LIMIT: u32 = 8;

/// The names to look for.
#[derive(Clone, Debug)]
pub struct Needles {
    numbers: FxHashMap<Box<[u8]>, u32>,
    filter: Filter,
    has_kebab: bool,
}

/// One place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hit {
    /// The number of the name: its place in what [`Needles`] was built from, counted from 0.
    pub needle: u32,
    /// The line, 1-based.
    pub line: u32,
    /// What the name is part of.
    pub context: Context,
    /// Whether the name is a whole string or character literal, but for leading dashes.
    pub is_quoted: bool,
}

/// What a piece of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Code proper.
    Code,
    /// The inside of a string, character or regular expression literal.
    Text,
    /// A comment, a doc comment or a doc string.
    Comment,
}

impl<S: AsRef<str>> FromIterator<S> for Needles {
    /// Numbers the names from 0. Of equal names the first number is reported; names that are not identifiers or
    /// identifiers joined by single dashes are never found.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Needles {
        let mut needles = Needles { numbers: FxHashMap::default(), filter: Filter::default(), has_kebab: false };
        for (number, name) in (0..).zip(names) {
            let name = name.as_ref().as_bytes();
            needles.has_kebab |= name.contains(&b'-');
            needles.filter.insert(name);
            needles.numbers.entry(name.into()).or_insert(number);
        }
        needles
    }
}

impl Needles {
    fn number(&self, word: &[u8]) -> Option<u32> {
        if !self.filter.may_hold(word) {
            return None;
        }
        self.numbers.get(word).copied()
    }
}

/// A set of bits that says of most words at the cost of a few instructions that they are not looked for.
#[derive(Clone, Debug)]
struct Filter(Box<[u64; FILTER_WORDS]>);

/// 64 Ki bits: with some thousand names most words fail, and it stays in the first-level cache.
const FILTER_WORDS: usize = 1024;

impl Default for Filter {
    fn default() -> Filter {
        Filter(Box::new([0; FILTER_WORDS]))
    }
}

impl Filter {
    fn insert(&mut self, word: &[u8]) {
        if let Some(bit) = Self::bit(word) {
            self.0[bit / 64] |= 1 << (bit % 64);
        }
    }

    fn may_hold(&self, word: &[u8]) -> bool {
        Self::bit(word).is_some_and(|bit| self.0[bit / 64] & (1 << (bit % 64)) != 0)
    }

    /// Mixes the length with the first, a middle and the last two bytes.
    fn bit(word: &[u8]) -> Option<usize> {
        let (&first, &last) = (word.first()?, word.last()?);
        let middle = word[word.len() / 2];
        let late = word[word.len().saturating_sub(2)];
        let mixed = u32::from_le_bytes([first, middle, late, last])
            .wrapping_add((word.len() as u32).wrapping_mul(0x85eb_ca6b))
            .wrapping_mul(0x9e37_79b1);
        Some((mixed >> 16) as usize % (FILTER_WORDS * 64))
    }
}

/// A hit before its line and context are known.
struct Found {
    needle: u32,
    start: usize,
    end: usize,
}

/// Finds the names in `text`, in order of appearance, at most [`HIT_LIMIT`] per name and context.
pub fn scan(language: Language, text: &[u8], needles: &Needles) -> Vec<Hit> {
    let found = find(text, needles);
    let Some(last) = found.last() else { return Vec::new() };
    place(text, &found, &regions(language, text, last.end))
}

fn find(text: &[u8], needles: &Needles) -> Vec<Found> {
    let mut found = Vec::new();
    // The words joined by single dashes so far: where they start and end, and how many they are.
    let (mut first, mut last, mut parts) = (0, 0, 0);
    for (start, end) in Words::new(text) {
        if parts > 0 && start == last + 1 && text[last] == b'-' {
            parts += 1;
        } else {
            if parts > 1 && needles.has_kebab {
                push(&mut found, needles, text, first, last);
            }
            (first, parts) = (start, 1);
        }
        push(&mut found, needles, text, start, end);
        last = end;
    }
    if parts > 1 && needles.has_kebab {
        push(&mut found, needles, text, first, last);
    }
    found
}

fn push(found: &mut Vec<Found>, needles: &Needles, text: &[u8], start: usize, end: usize) {
    if let Some(needle) = needles.number(&text[start..end]) {
        found.push(Found { needle, start, end });
    }
}

/// Gives each find its line and context. Finds and regions both come in order.
fn place(text: &[u8], found: &[Found], regions: &[Region]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut counts = FxHashMap::<(u32, Context), u32>::default();
    let mut regions = regions.iter().peekable();
    let (mut line, mut counted) = (1, 0);
    for find in found {
        // The whole of a kebab word is found after its parts, so its start may lie before what has been counted.
        if find.start > counted {
            line += newlines(&text[counted..find.start]);
            counted = find.start;
        }
        while regions.peek().is_some_and(|region| region.end < find.end) {
            regions.next();
        }
        let region = regions.peek().filter(|region| region.start <= find.start);
        let context = region.map_or(Context::Code, |region| region.context);
        let count = counts.entry((find.needle, context)).or_default();
        *count += 1;
        if *count <= HIT_LIMIT {
            let is_quoted = region.is_some_and(|region| region.is_all(text, find.start, find.end));
            hits.push(Hit { needle: find.needle, line, context, is_quoted });
        }
    }
    hits
}

fn newlines(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u32
}
