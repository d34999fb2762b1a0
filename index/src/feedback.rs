//! The best passages → words that the question lacks, and what they say of every hit.
//!
//! Pseudo-relevance feedback after the relevance model RM3 (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004): what
//! the best passages have in common is likely to be what is asked about. Here it adds to a hit's score; it never
//! brings in a hit that holds nothing of the question.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tantivy::{DocId, Term};

use crate::error::Error;
use crate::query::{Match, Query};
use crate::schema::Field;
use crate::search::{Found, idf, order, saturate};
use crate::snapshot::Snapshot;
use crate::terms::forms;
use crate::tokenize::tokens;
use crate::touch::{Norms, frequencies};
use crate::words::{is_stop, is_weak};

/// How many of the best passages are learned from.
pub const PASSAGES: usize = 10;
/// How many words are learned.
const WORDS: usize = 10;
/// Passages that must hold a word: what one alone says is its own affair.
const LEAST_PASSAGES: usize = 2;
/// What is taken from every passage's score before it weighs: the share of the worst one's.
const FLOOR: f32 = 0.9;

/// Learns words from `texts`, the texts of the first [`PASSAGES`] hits, and orders the hits anew by them.
///
/// # Errors
/// [`Error::Damaged`] or [`Error::Engine`] when the index can't be read.
pub fn feed_back(snapshot: &Snapshot, query: &Query, found: &mut Found, texts: &[String]) -> Result<(), Error> {
    let scores: Vec<f32> = found.hits.iter().take(texts.len()).map(|hit| hit.score - hit.parts.named).collect();
    let learned = learn(snapshot, query, &scores, texts)?;
    if learned.is_empty() {
        return Ok(());
    }
    let norms = Norms::of(snapshot, &query.weights);
    let mut sums: FxHashMap<(usize, DocId), f32> = FxHashMap::default();
    for (index, segment) in snapshot.segments.iter().enumerate() {
        let here = found.hits.iter().filter(|hit| hit.entry.0 == index);
        let mut docs: Vec<DocId> = here.map(|hit| hit.entry.1).collect();
        docs.sort_unstable();
        for word in &learned {
            let frequencies = frequencies(snapshot, segment, &word.forms, &norms, &docs)?;
            for (doc, frequency) in docs.iter().zip(frequencies) {
                *sums.entry((index, *doc)).or_default() += word.weight * saturate(frequency);
            }
        }
    }
    for hit in &mut found.hits {
        hit.parts.feedback = query.weights.feedback * sums.get(&hit.entry).copied().unwrap_or_default();
    }
    order(&mut found.hits);
    Ok(())
}

/// A word that the question lacks.
struct Learned {
    /// Its forms in the index.
    forms: Vec<String>,
    /// Its share of what was learned times its rarity.
    weight: f32,
}

/// What is known of a word in the passages.
#[derive(Default)]
struct Seen {
    /// The forms of it that were met.
    forms: Vec<String>,
    /// How often it stands in each passage.
    frequencies: BTreeMap<usize, f32>,
}

/// The words that the passages share and the question lacks.
fn learn(snapshot: &Snapshot, query: &Query, scores: &[f32], texts: &[String]) -> Result<Vec<Learned>, Error> {
    let weights = weights(scores);
    let mut seen = seen(query, texts);
    let asked: Vec<String> = query.units.iter().map(|unit| query.language.stem(&unit.text)).collect();
    seen.retain(|stem, word| {
        let is_shared = word.frequencies.len() >= LEAST_PASSAGES;
        is_shared && !asked.contains(stem) && word.forms.iter().all(|form| says_much(form))
    });
    let mut squares = vec![0.0_f32; texts.len()];
    let mut rarities = Vec::with_capacity(seen.len());
    for word in seen.values() {
        let idf = idf(snapshot, spread(snapshot, word)?);
        for (passage, frequency) in &word.frequencies {
            squares[*passage] += (idf * (1.0 + frequency.ln())).powi(2);
        }
        rarities.push(idf);
    }
    let mut best: Vec<(&Seen, f32, f32)> = Vec::with_capacity(seen.len());
    for (word, idf) in seen.values().zip(rarities) {
        let in_passage = |(passage, frequency): (&usize, &f32)| {
            weights[*passage] * idf * (1.0 + frequency.ln()) / squares[*passage].sqrt().max(f32::MIN_POSITIVE)
        };
        best.push((word, word.frequencies.iter().map(in_passage).sum(), idf));
    }
    // Equal values stay in the order of their stems.
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best.truncate(WORDS);
    let whole: f32 = best.iter().map(|(_, value, _)| value).sum();
    let mut learned = Vec::with_capacity(best.len());
    for (word, value, idf) in best.into_iter().filter(|(_, value, _)| *value > 0.0) {
        let forms = forms(snapshot, query, &word.forms[0], Match::Forms)?;
        let forms = forms.into_iter().map(|(form, _)| form).collect();
        learned.push(Learned { forms, weight: idf * value / whole });
    }
    Ok(learned)
}

/// What each passage counts by its score; all add up to 1.
fn weights(scores: &[f32]) -> Vec<f32> {
    let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let above: Vec<f32> = scores.iter().map(|score| (score - FLOOR * least).max(0.0)).collect();
    let whole: f32 = above.iter().sum();
    above.into_iter().map(|weight| weight / whole.max(f32::MIN_POSITIVE)).collect()
}

/// The words of the passages by their stems.
fn seen(query: &Query, texts: &[String]) -> BTreeMap<String, Seen> {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    for (passage, text) in texts.iter().enumerate() {
        // What is copied to many pages is said once.
        if texts[..passage].contains(text) {
            continue;
        }
        for token in tokens(text) {
            let word = seen.entry(query.language.stem(&token.text)).or_default();
            *word.frequencies.entry(passage).or_default() += 1.0;
            if !word.forms.contains(&token.text) {
                word.forms.push(token.text);
            }
        }
    }
    seen.values_mut().for_each(|word| word.forms.sort());
    seen
}

/// Whether a word is worth learning: no grammar, no conversation, no number, no fragment.
fn says_much(word: &str) -> bool {
    word.chars().count() > 2 && !is_stop(word) && !is_weak(word) && !word.chars().all(|c| c.is_ascii_digit())
}

/// In how many living entries a word stands, about: by its most frequent form in the field that has it most often.
fn spread(snapshot: &Snapshot, word: &Seen) -> Result<usize, Error> {
    let mut most = 0;
    for form in &word.forms {
        for field in [Field::Heading, Field::Prose, Field::Code] {
            most = most.max(snapshot.count(&Term::from_field_text(snapshot.columns.text(field), form))?);
        }
    }
    Ok(most as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_passages_weigh_more() {
        assert_eq!(weights(&[10.0, 4.0, 10.0]), [0.48484847, 0.030303035, 0.48484847]);
        assert_eq!(weights(&[]), Vec::<f32>::new());
        assert_eq!(weights(&[0.0]), [0.0]);
    }

    #[test]
    fn only_telling_words_are_learned() {
        for (word, expected) in [("proxy", true), ("the", false), ("use", false), ("2024", false), ("id", false)] {
            assert_eq!(says_much(word), expected, "{word}");
        }
    }
}
