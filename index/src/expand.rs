//! Word → the forms of it that the index holds: same stem, found in the term dictionary when a question is read.
//!
//! Stems are Snowball's. Joining forms at query time keeps the index free of stems: an exact form can weigh more,
//! a quoted word means itself, and the language can change without building anything again.

use std::collections::BTreeSet;

use frostem::Stemmer;
use tantivy::termdict::TermDictionary;

use crate::error::Error;

/// The language whose word forms are joined.
#[derive(Clone, Copy)]
pub struct Language {
    stemmer: Option<Stemmer>,
    is_english: bool,
}

impl Language {
    /// English, the default.
    pub fn english() -> Self {
        Self { stemmer: Stemmer::try_from_name("english").ok(), is_english: true }
    }

    /// The language called `name`: Snowball's names and ISO codes (`german`, `de`), or `none` to join no forms.
    ///
    /// `None` for a name that isn't known.
    pub fn named(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("none") {
            return Some(Self { stemmer: None, is_english: false });
        }
        let is_english = ["english", "en", "eng", "porter"].iter().any(|known| name.eq_ignore_ascii_case(known));
        Stemmer::try_from_name(name).ok().map(|stemmer| Self { stemmer: Some(stemmer), is_english })
    }

    /// Whether it is English, the language of the thesaurus.
    pub(crate) fn is_english(&self) -> bool {
        self.is_english
    }

    /// The stem of a case-folded word; the word itself where the language has no stems.
    pub fn stem(&self, word: &str) -> String {
        match &self.stemmer {
            Some(stemmer) if has_forms(word) => stemmer.stem(word).into_owned(),
            _ => word.to_owned(),
        }
    }

    /// Adds to `found` every term of `dictionary` that has the stem of `word`.
    ///
    /// # Errors
    /// When the dictionary can't be read.
    pub fn forms(&self, word: &str, dictionary: &TermDictionary, found: &mut BTreeSet<String>) -> Result<(), Error> {
        let Some(stemmer) = self.stemmer.as_ref().filter(|_| has_forms(word)) else {
            return Ok(());
        };
        let stem = stemmer.stem(word);
        let prefix = invariant(&stem, word);
        let mut terms = dictionary.range().ge(prefix).into_stream()?;
        while terms.advance() {
            if !terms.key().starts_with(prefix.as_bytes()) {
                break;
            }
            let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
            // Suffixes are short: a longer term is another word or a compound.
            if term.len() <= stem.len() + 9 && has_forms(term) && stemmer.stem(term) == stem {
                found.insert(term.to_owned());
            }
        }
        Ok(())
    }
}

/// Only words of letters have forms; numbers, versions, flags and one-letter words are what they are.
fn has_forms(word: &str) -> bool {
    word.len() > 2 && word.chars().all(char::is_alphabetic)
}

/// The start that all words with `stem` share with `word`: stemming rewrites a final `e`, `i` or `y`
/// (`use`/`using`, `early`/`earli`), the rest only loses its end.
fn invariant<'a>(stem: &str, word: &'a str) -> &'a str {
    let same = stem.chars().zip(word.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let shared = &word[..same];
    let firm = shared.strip_suffix(['e', 'i', 'y']).unwrap_or(shared);
    if firm.len() < 2 { shared } else { firm }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_invariant_start_survives_stemming() {
        let english = Language::english();
        for (word, expected) in [("validation", "valid"), ("using", "us"), ("early", "earl"), ("pools", "pool")] {
            assert_eq!(invariant(&english.stem(word), word), expected, "{word}");
        }
    }

    #[test]
    fn names_of_languages_are_known() {
        assert!(Language::named("de").is_some());
        assert!(Language::named("German").is_some());
        assert!(Language::named("none").is_some());
        assert!(Language::named("klingon").is_none());
    }

    #[test]
    fn numbers_and_flags_have_no_forms() {
        let english = Language::english();
        assert_eq!(english.stem("--watches"), "--watches");
        assert_eq!(english.stem("v12s"), "v12s");
        assert_eq!(english.stem("validates"), "valid");
    }
}
