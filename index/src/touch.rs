//! A word → the entries that hold it, with frequencies weighted by field and discounted by length.

use rustc_hash::FxHashMap;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED, Term};

use crate::error::Error;
use crate::schema::Field;
use crate::snapshot::{Segment, Snapshot};
use crate::weights::Weights;

impl Field {
    /// Weight of a term frequency in the field.
    fn weight(self, weights: &Weights) -> f32 {
        match self {
            Self::Heading => weights.heading,
            Self::Title => weights.title,
            Self::Trail | Self::Prose | Self::Code => 1.0,
        }
    }

    /// How much a longer field discounts its terms, BM25's `b`.
    fn length_discount(self) -> f32 {
        match self {
            Self::Heading | Self::Title | Self::Trail => 0.3,
            Self::Prose | Self::Code => 0.6,
        }
    }
}

/// Per field, what a frequency is multiplied with, by the length code of the entry's field.
pub(crate) struct Norms {
    by_length: [[f32; 256]; Field::ALL.len()],
    weights: Weights,
}

impl Norms {
    pub fn of(snapshot: &Snapshot, weights: &Weights) -> Self {
        let entries = snapshot.totals.entries.max(1) as f32;
        let by_length = Field::ALL.map(|field| {
            let average = (snapshot.totals.tokens[field as usize] as f32 / entries).max(1.0);
            let b = field.length_discount();
            let norm = |code: u8| {
                let length = FieldNormReader::id_to_fieldnorm(code) as f32;
                field.weight(weights) / (1.0 - b + b * length / average)
            };
            std::array::from_fn(|code| norm(code as u8))
        });
        Self { by_length, weights: *weights }
    }
}

/// The entries of one segment that hold a word, ascending.
pub(crate) type Touched = Vec<Touch>;

/// An entry that holds a word.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub doc: DocId,
    /// Weighted frequency over all fields, discounted by length.
    pub frequency: f32,
    /// Weighted frequency without the discount, for the page.
    pub raw: f32,
    pub in_heading: bool,
    pub in_title: bool,
    /// Whether the word itself is there, in any form, and not only another one for it.
    pub is_direct: bool,
}

impl Touch {
    fn empty(doc: DocId) -> Self {
        Self { doc, frequency: 0.0, raw: 0.0, in_heading: false, in_title: false, is_direct: true }
    }

    /// The same for a word that only stands for the one asked about, at a share of its frequency.
    fn as_stand_in(self, share: f32) -> Self {
        let Self { doc, frequency, raw, .. } = self;
        Self { frequency: frequency * share, raw: raw * share, is_direct: false, ..Self::empty(doc) }
    }
}

/// Reads the postings of a word given as its forms with their weights, per segment.
pub(crate) fn touch(snapshot: &Snapshot, forms: &[(String, f32)], norms: &Norms) -> Result<Vec<Touched>, Error> {
    snapshot.segments.iter().map(|segment| touch_segment(snapshot, segment, forms, norms)).collect()
}

fn touch_segment(
    snapshot: &Snapshot,
    segment: &Segment,
    forms: &[(String, f32)],
    norms: &Norms,
) -> Result<Touched, Error> {
    let mut found: FxHashMap<DocId, Touch> = FxHashMap::default();
    for field in Field::ALL {
        let column = snapshot.columns.text(field);
        let inverted = segment.reader.inverted_index(column)?;
        let lengths = segment.reader.get_fieldnorms_reader(column)?;
        for (form, weight) in forms {
            let term = Term::from_field_text(column, form);
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                let doc = postings.doc();
                if segment.is_alive(doc) {
                    let frequency = weight * postings.term_freq() as f32;
                    let touch = found.entry(doc).or_insert(Touch::empty(doc));
                    touch.frequency +=
                        frequency * norms.by_length[field as usize][usize::from(lengths.fieldnorm_id(doc))];
                    touch.raw += frequency * field.weight(&norms.weights);
                    touch.in_heading |= field == Field::Heading;
                    touch.in_title |= field == Field::Title;
                }
                postings.advance();
            }
        }
    }
    let mut touched: Touched = found.into_values().collect();
    touched.sort_unstable_by_key(|touch| touch.doc);
    Ok(touched)
}

/// The weighted frequency of a word, given as its forms that count alike, in some entries of a segment: `docs`,
/// ascending. Zero where it isn't.
pub(crate) fn frequencies(
    snapshot: &Snapshot,
    segment: &Segment,
    forms: &[String],
    norms: &Norms,
    docs: &[DocId],
) -> Result<Vec<f32>, Error> {
    let mut found = vec![0.0; docs.len()];
    for field in Field::ALL {
        let column = snapshot.columns.text(field);
        let inverted = segment.reader.inverted_index(column)?;
        let lengths = segment.reader.get_fieldnorms_reader(column)?;
        for form in forms {
            let term = Term::from_field_text(column, form);
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                continue;
            };
            for (sum, doc) in found.iter_mut().zip(docs) {
                let at = if postings.doc() < *doc { postings.seek(*doc) } else { postings.doc() };
                if at == *doc {
                    let norm = norms.by_length[field as usize][usize::from(lengths.fieldnorm_id(*doc))];
                    *sum += postings.term_freq() as f32 * norm;
                }
            }
        }
    }
    Ok(found)
}

/// How many entries hold a word.
pub(crate) fn count(touched: &[Touched]) -> usize {
    touched.iter().map(Vec::len).sum()
}

/// Adds to a word's entries those of a word that stands for it, at a share of their frequency.
pub(crate) fn add_stand_in(touched: &mut [Touched], other: Vec<Touched>, share: f32) {
    for (known, other) in touched.iter_mut().zip(other) {
        let mut merged = Vec::with_capacity(known.len() + other.len());
        let mut others = other.into_iter().map(|touch| touch.as_stand_in(share)).peekable();
        for mut touch in known.drain(..) {
            while let Some(before) = others.next_if(|other| other.doc < touch.doc) {
                merged.push(before);
            }
            if let Some(same) = others.next_if(|other| other.doc == touch.doc) {
                touch.frequency += same.frequency;
                touch.raw += same.raw;
            }
            merged.push(touch);
        }
        merged.extend(others);
        *known = merged;
    }
}

/// Makes what stands for a word count as the word itself: for a word that no text holds.
pub(crate) fn adopt(touched: &mut [Touched]) {
    touched.iter_mut().flatten().for_each(|touch| touch.is_direct = true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(doc: DocId, frequency: f32) -> Touch {
        Touch { frequency, raw: frequency, in_heading: true, ..Touch::empty(doc) }
    }

    #[test]
    fn stand_ins_are_merged_at_their_share() {
        let mut touched = vec![vec![touch(2, 1.0), touch(5, 1.0)]];
        add_stand_in(&mut touched, vec![vec![touch(1, 4.0), touch(5, 2.0), touch(9, 8.0)]], 0.25);
        let shown: Vec<(DocId, f32, bool, bool)> =
            touched[0].iter().map(|touch| (touch.doc, touch.frequency, touch.is_direct, touch.in_heading)).collect();
        let expected = [(1, 1.0, false, false), (2, 1.0, true, true), (5, 1.5, true, true), (9, 2.0, false, false)];
        assert_eq!(shown, expected);
    }
}
