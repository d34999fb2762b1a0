//! A question, ready to be compared with texts: which of its units a text holds, and what they weigh.

use std::collections::BTreeSet;

use inkwell_index::{Language, Match, tokens};

use crate::retrieve::Retrieved;

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
    /// What the index holds in the place of a word that it doesn't.
    read_as: Vec<String>,
    weight: f32,
    is_content: bool,
}

impl Asked {
    /// Weighs the units of what was retrieved.
    pub fn of(retrieved: &Retrieved, language: Language) -> Self {
        // A word that the docs don't hold is at least as rare as the rarest that they do.
        let rarest = retrieved.units.iter().map(|unit| unit.weight).fold(1.0_f32, f32::max);
        let wanted = |(index, (unit, rarity)): (usize, (&inkwell_index::Unit, &inkwell_index::Rarity))| Wanted {
            text: unit.text.clone(),
            stem: (unit.matching == Match::Forms).then(|| language.stem(&unit.text)),
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
        let words: BTreeSet<String> = tokens(text).into_iter().map(|token| token.text).collect();
        let stems: BTreeSet<String> = words.iter().map(|word| self.language.stem(word)).collect();
        let holds = |unit: &Wanted| {
            words.contains(&unit.text)
                || unit.stem.as_ref().is_some_and(|stem| stems.contains(stem))
                || unit.read_as.iter().any(|term| words.contains(term))
        };
        self.units.iter().enumerate().filter(|(_, unit)| holds(unit)).fold(0, |mask, (bit, _)| mask | 1 << bit)
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
