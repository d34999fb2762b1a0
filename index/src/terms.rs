//! Which terms of the index stand for a word of the question: itself, other forms of it, what starts so, and where
//! there is nothing, the words one slip away.

use std::collections::BTreeSet;

use tantivy::termdict::TermDictionary;

use crate::error::Error;
use crate::query::{Match, Query};
use crate::schema::Field;
use crate::snapshot::Snapshot;

/// Letters of a word from which on a slip is guessed at.
const SLIP_FROM: usize = 5;

/// The terms that stand for a token, each with its weight: itself, and what else `matching` allows.
pub(crate) fn forms(
    snapshot: &Snapshot,
    query: &Query,
    token: &str,
    matching: Match,
) -> Result<Vec<(String, f32)>, Error> {
    let mut found = BTreeSet::new();
    if matching != Match::Exact {
        for segment in &snapshot.segments {
            for field in [Field::Heading, Field::Title, Field::Prose, Field::Code] {
                let inverted = segment.reader.inverted_index(snapshot.columns.text(field))?;
                if matching == Match::Forms {
                    query.language.forms(token, inverted.terms(), &mut found)?;
                } else {
                    starting(token, inverted.terms(), &mut found)?;
                }
            }
        }
    }
    found.remove(token);
    let others = found.into_iter().map(|form| (form, 1.0));
    Ok(std::iter::once((token.to_owned(), query.weights.exact)).chain(others).collect())
}

/// The words of the index that are one slip of the keyboard away from `word`: a letter wrong, missing, too much, or
/// two swapped. Short words and everything with digits or marks are not guessed at.
pub(crate) fn near(snapshot: &Snapshot, word: &str) -> Result<Vec<String>, Error> {
    let letters = word.chars().count();
    let Some(first) = word.chars().next().filter(|_| letters >= SLIP_FROM && word.chars().all(char::is_alphabetic))
    else {
        return Ok(Vec::new());
    };
    let mut found = BTreeSet::new();
    for segment in &snapshot.segments {
        for field in [Field::Heading, Field::Title, Field::Prose] {
            let inverted = segment.reader.inverted_index(snapshot.columns.text(field))?;
            let mut terms = BTreeSet::new();
            starting(first.encode_utf8(&mut [0; 4]), inverted.terms(), &mut terms)?;
            let is_near = |term: &String| {
                term.chars().count().abs_diff(letters) <= 1
                    && term.chars().all(char::is_alphabetic)
                    && strsim::osa_distance(term, word) == 1
            };
            found.extend(terms.into_iter().filter(is_near));
        }
    }
    Ok(found.into_iter().collect())
}

/// Adds every term of `dictionary` that starts with `prefix`.
fn starting(prefix: &str, dictionary: &TermDictionary, found: &mut BTreeSet<String>) -> Result<(), Error> {
    let mut terms = dictionary.range().ge(prefix).into_stream()?;
    while terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
        found.extend(std::str::from_utf8(terms.key()).map(str::to_owned));
    }
    Ok(())
}
