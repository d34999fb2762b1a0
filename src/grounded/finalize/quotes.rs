//! Quotes → which of them stand in their sources, byte for byte.
//!
//! A few quotes of a source are searched one by one, many together in one pass. The time is bounded by the sizes of
//! text and quotes whatever they are: of `a`, `aa`, `aaa`, … in `aaaa…` only the longest that ends at a place is looked
//! at, and what it ends with follows from it.

use std::collections::{BTreeMap, HashMap};

use daachorse::DoubleArrayAhoCorasick;
use memchr::memmem;

use super::super::corpus::Corpus;

/// So many quotes of one source are searched one by one: about where a pass of the automaton costs the same.
const FEW: usize = 16;

/// Bytes of quotes that are searched in one pass: the automaton takes some thirty times as much.
const BATCH_BUDGET: usize = 8 << 20;

/// A quote and the source that it should stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote<'a> {
    /// The place of the source in the corpus.
    pub source: usize,
    /// What is quoted; not empty.
    pub text: &'a str,
}

/// Tells for every quote whether it stands in its source.
pub fn are_present(quotes: &[Quote<'_>], corpus: &Corpus<'_>) -> Vec<bool> {
    let mut by_source: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, quote) in quotes.iter().enumerate() {
        by_source.entry(quote.source).or_default().push(index);
    }
    let mut present = vec![false; quotes.len()];
    for (source, own) in by_source {
        let texts: Vec<&str> = own.iter().map(|index| quotes[*index].text).collect();
        let found = all_present(&texts, corpus.sources[source].text);
        own.iter().zip(found).for_each(|(index, is_found)| present[*index] = is_found);
    }
    present
}

/// Tells for every quote whether it stands in the text.
fn all_present(quotes: &[&str], text: &str) -> Vec<bool> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    for quote in quotes.iter().filter(|quote| quote.len() <= text.len()) {
        places.entry(quote).or_insert_with(|| {
            distinct.push(quote);
            distinct.len() - 1
        });
    }
    let found = batches(&distinct).flat_map(|batch| batch_present(batch, text)).collect::<Vec<bool>>();
    quotes.iter().map(|quote| places.get(quote).is_some_and(|at| found[*at])).collect()
}

/// Cuts quotes into runs within the budget, of at least one quote each.
fn batches<'a, 'b>(mut quotes: &'b [&'a str]) -> impl Iterator<Item = &'b [&'a str]> {
    std::iter::from_fn(move || {
        let mut size = 0;
        let fits = |quote: &&&str| {
            size += quote.len();
            size <= BATCH_BUDGET
        };
        let count = quotes.iter().take_while(fits).count().max(1).min(quotes.len());
        let (batch, rest) = quotes.split_at(count);
        quotes = rest;
        Some(batch).filter(|batch| !batch.is_empty())
    })
}

fn batch_present(quotes: &[&str], text: &str) -> Vec<bool> {
    let one_by_one = || quotes.iter().map(|quote| memmem::find(text.as_bytes(), quote.as_bytes()).is_some()).collect();
    if quotes.len() <= FEW {
        return one_by_one();
    }
    // It fails only for more quotes than a batch can hold.
    DoubleArrayAhoCorasick::<u32>::new(quotes)
        .map_or_else(|_| one_by_one(), |automaton| search(&automaton, quotes, text))
}

/// Searches all quotes in one pass.
fn search(automaton: &DoubleArrayAhoCorasick<u32>, quotes: &[&str], text: &str) -> Vec<bool> {
    let mut found = vec![false; quotes.len()];
    let mut missing = quotes.len();
    for longest in automaton.find_overlapping_no_suffix_iter(text) {
        let is_found = &mut found[longest.value() as usize];
        missing -= usize::from(!*is_found);
        *is_found = true;
        if missing == 0 {
            break;
        }
    }
    // A quote that others end with was hidden behind them, the longest first.
    let mut order: Vec<usize> = (0..quotes.len()).collect();
    order.sort_unstable_by_key(|index| std::cmp::Reverse(quotes[*index].len()));
    for index in order {
        if found[index]
            && let Some(ending) = longest_ending(automaton, quotes[index])
        {
            found[ending] = true;
        }
    }
    found
}

/// The longest other quote that a quote ends with.
fn longest_ending(automaton: &DoubleArrayAhoCorasick<u32>, quote: &str) -> Option<usize> {
    let rest = &quote.as_bytes()[1..];
    let last = automaton.find_overlapping_no_suffix_iter(rest).last()?;
    (last.end() == rest.len()).then_some(last.value() as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(quotes: &[&str], text: &str) {
        let expected: Vec<bool> = quotes.iter().map(|quote| text.contains(quote)).collect();
        assert_eq!(all_present(quotes, text), expected, "{quotes:?} in {text:?}");
    }

    #[test]
    fn quotes_that_hold_each_other_are_all_found() {
        let text = "the cache lives for ten minutes";
        let quotes: Vec<&str> = (0..text.len()).flat_map(|at| [&text[at..], &text[..=at]]).collect();
        assert!(quotes.len() > FEW);
        check(&quotes, text);
        check(&quotes, "the cache");
        check(&quotes, "minutes and more");
    }

    #[test]
    fn quotes_of_one_letter_take_one_pass() {
        let text = "a".repeat(100_000);
        let quotes: Vec<String> = (1..=1000).map(|length| "a".repeat(length)).collect();
        let mut quotes: Vec<&str> = quotes.iter().map(String::as_str).collect();
        quotes.push("ab");
        let found = all_present(&quotes, &text);
        assert_eq!((found.iter().filter(|is_found| **is_found).count(), found.last()), (1000, Some(&false)));
    }

    #[test]
    fn large_quotes_are_searched_in_several_passes() {
        let large = "b".repeat(BATCH_BUDGET + 1);
        let sizes = |quotes: &[&str]| batches(quotes).map(<[&str]>::len).collect::<Vec<_>>();
        assert_eq!(sizes(&["a", &large, "b", "c", &large[1..]]), [1, 1, 2, 1]);
        assert_eq!(sizes(&[]), [0_usize; 0]);
    }

    proptest! {
        #[test]
        fn many_quotes_are_found_as_one_by_one(
            text in "[abé]{0,40}",
            quotes in prop::collection::vec("[abé]{1,6}", 0..60),
        ) {
            let quotes: Vec<&str> = quotes.iter().map(String::as_str).collect();
            check(&quotes, &text);
        }
    }
}
