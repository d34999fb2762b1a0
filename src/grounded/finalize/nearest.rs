//! A refused citation → what was probably meant, for the person who has to correct it. Nothing here decides anything.

use std::collections::{HashMap, HashSet};
use std::fmt;

use inkwell_index::{Language, tokens};
use memchr::memmem;

use super::super::corpus::{Corpus, Source};
use super::Refused;
use super::fold::{Difference, Folded, differences};
use crate::error::nearest;
use crate::statement::sentences;

/// Text of a source in which a passage is looked for that differs in form, in bytes: a hint may not take longer than
/// the check.
const PASSAGE_BUDGET: usize = 4 << 20;

/// Text of a source in which a sentence is looked for that shares words with a quote, in bytes.
const SENTENCES_BUDGET: usize = 128 << 10;

/// What is nearest to a refused citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Near<'a> {
    /// No source has the id that is named; perhaps one says the quote, or has nearly that id.
    UnknownSource {
        /// The id of that one.
        id: Option<&'a str>,
    },
    /// The source says it, but not in these letters.
    Differs {
        /// What the source says.
        passage: &'a str,
        /// What is different.
        differences: Vec<Difference>,
    },
    /// Another source says it in exactly these letters.
    Elsewhere {
        /// The id of that source.
        id: &'a str,
    },
    /// The sentence of the source that shares most words with the quote.
    Sentence {
        /// What the source says.
        passage: &'a str,
    },
    /// Nothing is quoted.
    Unquoted,
    /// Nothing is near.
    Nothing,
}

/// What is nearest to each of some refused citations.
pub fn near<'a>(refused: &[Refused<'a>], corpus: &Corpus<'a>) -> Vec<Near<'a>> {
    // Sources are long and citations of one source are many: each is folded once.
    let mut folded: HashMap<usize, Folded<'a>> = HashMap::new();
    let mut of = |refused: &Refused<'a>| {
        let Some(source) = refused.source_id.and_then(|id| corpus.find(id)) else {
            let ids = corpus.sources.iter().map(|source| source.id);
            let id = refused.quote.and_then(|quote| holder(corpus, quote));
            return Near::UnknownSource { id: id.or_else(|| refused.source_id.and_then(|id| nearest(id, ids))) };
        };
        let Some(quote) = refused.quote else { return Near::Unquoted };
        let text = corpus.sources[source].text;
        let folded = folded.entry(source).or_insert_with(|| Folded::of(start(text, PASSAGE_BUDGET)));
        if let Some(passage) = folded.find(quote) {
            return Near::Differs { passage, differences: differences(passage, quote) };
        }
        match holder(corpus, quote) {
            Some(id) => Near::Elsewhere { id },
            None => sentence(text, quote).map_or(Near::Nothing, |passage| Near::Sentence { passage }),
        }
    };
    refused.iter().map(&mut of).collect()
}

/// The source that says a quote in exactly these letters; of several the shortest, which is the innermost section.
fn holder<'a>(corpus: &Corpus<'a>, quote: &str) -> Option<&'a str> {
    let finder = memmem::Finder::new(quote);
    let holds = |source: &&Source<'a>| finder.find(source.text.as_bytes()).is_some();
    corpus.sources.iter().filter(holds).min_by_key(|source| source.text.len()).map(|source| source.id)
}

/// The sentence with most of the quote's words, the first of equals.
fn sentence<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
    let language = Language::english();
    let stems = |text: &str| tokens(text).iter().map(|token| language.stem(&token.text)).collect::<HashSet<String>>();
    let wanted = stems(quote);
    let text = start(text, SENTENCES_BUDGET);
    let shared = |sentence: &&str| stems(sentence).intersection(&wanted).count();
    let counted = sentences(text).into_iter().map(|range| &text[range]).map(|sentence| (shared(&sentence), sentence));
    let best = counted.filter(|(count, _)| *count > 0).reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, sentence)| sentence)
}

/// At most the first `budget` bytes of a text.
fn start(text: &str, budget: usize) -> &str {
    let end = (0..=budget.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// Said behind "citation 1: ".
impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSource { id: Some(id) } => write!(f, "there is no such source; did you mean `{id}`?"),
            Self::UnknownSource { id: None } => f.write_str("there is no such source"),
            Self::Differs { passage, differences } => {
                let names: Vec<&str> = differences.iter().map(|difference| difference.name()).collect();
                write!(f, "the source has it with other {}: {}", names.join(", "), literal(passage))
            }
            Self::Elsewhere { id } => write!(f, "these words stand in `{id}`"),
            Self::Sentence { passage } => write!(f, "the nearest that the source says is {}", literal(passage)),
            Self::Unquoted => f.write_str("there is no quote"),
            Self::Nothing => f.write_str("the source says nothing like it"),
        }
    }
}

/// A text as a JSON string, to be pasted into a draft.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::super::json::read;
    use super::*;

    const CORPUS: &str = r#"[
        {"id": "kb-1", "title": "Backups", "text": "Backups are kept\nfor “30 days”. Restores take an hour."},
        {"id": "kb-2", "title": "Ports", "text": "The server listens on port 8080."}]"#;

    fn check(source_id: Option<&str>, quote: Option<&str>, expected: &str) {
        let value = read(CORPUS.as_bytes()).expect("JSON");
        let (corpus, _) = Corpus::read(&value);
        let found = near(&[Refused { number: 1, source_id, quote }], &corpus);
        assert_eq!(found[0].to_string(), expected);
    }

    #[test]
    fn an_unknown_source_may_be_a_slip() {
        check(Some("kb-11"), Some("x"), "there is no such source; did you mean `kb-1`?");
        check(Some("handbook"), Some("x"), "there is no such source");
        check(None, Some("x"), "there is no such source");
    }

    #[test]
    fn a_passage_that_differs_in_form_is_given_to_paste() {
        let expected = r#"the source has it with other white space, quotation marks: "kept\nfor “30 days”.""#;
        check(Some("kb-1"), Some("kept for \"30 days\"."), expected);
    }

    #[test]
    fn a_quote_of_another_source_names_it() {
        check(Some("kb-1"), Some("listens on port 8080"), "these words stand in `kb-2`");
    }

    #[test]
    fn a_paraphrase_gets_the_sentence_with_most_of_its_words() {
        let expected = "the nearest that the source says is \"Restores take an hour.\"";
        check(Some("kb-1"), Some("A restore takes one hour"), expected);
    }

    #[test]
    fn what_shares_nothing_has_nothing_near() {
        check(Some("kb-2"), Some("zeppelin"), "the source says nothing like it");
        check(Some("kb-2"), None, "there is no quote");
    }
}
