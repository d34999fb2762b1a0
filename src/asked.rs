//! A question, ready to be compared with texts: which of its units a text holds, and what they weigh.

use std::collections::HashSet;

use inkwell_index::{Language, Match, tokens};

use crate::retrieve::Retrieved;

/// What a unit counts that a text is only partly about.
const PARTLY: f32 = 0.5;

/// The units of a question with their weights.
pub struct Asked {
    units: Vec<Wanted>,
    language: Language,
    whole: f32,
}

struct Wanted {
    text: String,
    /// The stem, where other forms of the word count.
    stem: Option<String>,
    /// Stems of the words that may stand for it.
    stand_ins: Vec<String>,
    /// What the index holds in the place of a word that it doesn't.
    read_as: Vec<String>,
    weight: f32,
    is_content: bool,
}

impl Wanted {
    /// Whether a text with these words and stems holds the unit.
    fn is_in(&self, words: &HashSet<String>, stems: &HashSet<String>) -> bool {
        words.contains(&self.text)
            || self.stem.as_ref().is_some_and(|stem| stems.contains(stem))
            || self.read_as.iter().any(|term| words.contains(term))
    }
}

impl Asked {
    /// Weighs the units of what was retrieved.
    pub fn of(retrieved: &Retrieved, language: Language) -> Self {
        // A word that the docs don't hold is at least as rare as the rarest that they do.
        let rarest = retrieved.units.iter().map(|unit| unit.weight).fold(1.0_f32, f32::max);
        let wanted = |(index, (unit, rarity)): (usize, (&inkwell_index::Unit, &inkwell_index::Rarity))| Wanted {
            text: unit.text.clone(),
            stem: (unit.matching == Match::Forms).then(|| language.stem(&unit.text)),
            stand_ins: unit.stand_ins.iter().map(|other| language.stem(other.word)).collect(),
            read_as: retrieved
                .slips
                .iter()
                .filter(|slip| slip.unit == index)
                .flat_map(|slip| slip.terms.clone())
                .collect(),
            weight: match (rarity.passages, unit.is_content) {
                (0, true) => rarest * unit.weight,
                (0, false) => 0.0,
                _ => rarity.weight,
            },
            is_content: unit.is_content,
        };
        let units: Vec<Wanted> = retrieved.query.units.iter().zip(&retrieved.units).enumerate().map(wanted).collect();
        let whole = units.iter().map(|unit| unit.weight).sum();
        Self { units, language, whole }
    }

    /// The units that a text holds, a bit each.
    pub fn held_by(&self, text: &str) -> u64 {
        self.held_and_related(text).0
    }

    /// The units that a text holds, and those that it doesn't hold but for which it holds a word of about the same
    /// meaning, a bit each.
    pub fn held_and_related(&self, text: &str) -> (u64, u64) {
        let (words, stems) = self.words(text);
        let (mut held, mut related) = (0, 0);
        for (bit, unit) in self.units.iter().enumerate() {
            if unit.is_in(&words, &stems) {
                held |= 1 << bit;
            } else if unit.stand_ins.iter().any(|other| stems.contains(other)) {
                related |= 1 << bit;
            }
        }
        (held, related)
    }

    /// The weight of what a text is about, as a share of the question's: the units that it holds, and by half those that
    /// it is only partly about: by the headings above it or by a word of about the same meaning.
    pub fn credit(&self, held: u64, partly: u64) -> f32 {
        self.share(held) + PARTLY * self.share(partly & !held)
    }

    /// The words of a text, and their stems.
    fn words(&self, text: &str) -> (HashSet<String>, HashSet<String>) {
        let words: HashSet<String> = tokens(text).into_iter().map(|token| token.text).collect();
        let stems = words.iter().map(|word| self.language.stem(word)).collect();
        (words, stems)
    }

    /// The weight of the units in a mask, as a share of the question's.
    pub fn share(&self, mask: u64) -> f32 {
        let held = self.units.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let weight: f32 = held.map(|(_, unit)| unit.weight).sum();
        if self.whole > 0.0 { weight / self.whole } else { 0.0 }
    }

    /// Whether `text` is a unit of content that is not in `held`.
    pub fn lacks(&self, text: &str, held: u64) -> bool {
        self.missing(held).any(|unit| unit.text == text)
    }

    /// Whether something of content is asked about and none of it is in `held`.
    pub fn lacks_all(&self, held: u64) -> bool {
        let content = self.units.iter().filter(|unit| unit.is_content).count();
        content > 0 && self.missing(held).count() == content
    }

    fn missing(&self, held: u64) -> impl Iterator<Item = &Wanted> {
        let is_missing = move |(bit, unit): &(usize, &Wanted)| unit.is_content && held >> bit & 1 == 0;
        self.units.iter().enumerate().filter(is_missing).map(|(_, unit)| unit)
    }
}
