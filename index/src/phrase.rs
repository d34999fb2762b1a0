//! Which entries hold a phrase: its words at neighbouring positions of one field.

use std::collections::HashSet;

use rustc_hash::{FxBuildHasher, FxHashSet};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED, Term};

use crate::error::Error;
use crate::schema::Field;
use crate::snapshot::{Segment, Snapshot};

/// The fields in which text runs.
const RUNNING: [Field; 4] = [Field::Heading, Field::Title, Field::Prose, Field::Code];

/// The living entries of a segment that hold one of `phrases`.
pub(crate) fn holders(
    snapshot: &Snapshot,
    segment: &Segment,
    phrases: &[Vec<String>],
) -> Result<FxHashSet<DocId>, Error> {
    let mut found = HashSet::with_hasher(FxBuildHasher);
    for phrase in phrases.iter().filter(|phrase| !phrase.is_empty()) {
        for field in RUNNING {
            in_field(snapshot, segment, field, phrase, &mut found)?;
        }
    }
    Ok(found)
}

fn in_field(
    snapshot: &Snapshot,
    segment: &Segment,
    field: Field,
    phrase: &[String],
    found: &mut FxHashSet<DocId>,
) -> Result<(), Error> {
    let column = snapshot.columns.text(field);
    let inverted = segment.reader.inverted_index(column)?;
    let mut words = Vec::with_capacity(phrase.len());
    for word in phrase {
        let term = Term::from_field_text(column, word);
        let Some(postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqsAndPositions)? else {
            return Ok(());
        };
        words.push(postings);
    }
    let mut doc = words[0].doc();
    while doc != TERMINATED {
        match align(&mut words, doc) {
            Ok(()) => {
                if segment.is_alive(doc) && is_adjacent(&mut words) {
                    found.insert(doc);
                }
                doc = words[0].advance();
            }
            Err(next) if next == TERMINATED => return Ok(()),
            Err(next) => doc = words[0].seek(next),
        }
    }
    Ok(())
}

/// Moves every word to `doc`, or tells the next entry that could hold all.
fn align(words: &mut [SegmentPostings], doc: DocId) -> Result<(), DocId> {
    for word in words {
        let at = if word.doc() < doc { word.seek(doc) } else { word.doc() };
        if at != doc {
            return Err(at);
        }
    }
    Ok(())
}

/// Whether the words stand in a row somewhere in the entry they all are at.
fn is_adjacent(words: &mut [SegmentPostings]) -> bool {
    let mut starts = Vec::new();
    let mut positions = Vec::new();
    for (offset, word) in words.iter_mut().enumerate() {
        word.positions(&mut positions);
        let offset = offset as u32;
        if offset == 0 {
            starts.clone_from(&positions);
        } else {
            starts.retain(|start| positions.binary_search(&(start + offset)).is_ok());
        }
    }
    !starts.is_empty()
}
