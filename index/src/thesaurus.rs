//! Words of software that people and docs use for each other: a list by hand, in `thesaurus.txt`.
//!
//! It is a list of English words, so it serves English questions only.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::expand::Language;

/// A word that may stand for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// The word.
    pub word: &'static str,
    /// How near it is to the word it stands for.
    pub kinship: Kinship,
}

/// How near a stand-in is to the word it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinship {
    /// The same word in another spelling, short or joined.
    Same,
    /// A word for nearly the same thing, or one that serves who asks for the thing.
    Near,
}

/// By the stem of a word, the words that may stand for it.
static STAND_INS: LazyLock<FxHashMap<String, Vec<StandIn>>> = LazyLock::new(|| read(include_str!("thesaurus.txt")));

/// The words that may stand for `word`, a case-folded English word; none for a word that isn't listed.
pub(crate) fn stand_ins(word: &str) -> &'static [StandIn] {
    STAND_INS.get(&Language::english().stem(word)).map(Vec::as_slice).unwrap_or_default()
}

fn read(text: &'static str) -> FxHashMap<String, Vec<StandIn>> {
    let english = Language::english();
    let mut known = FxHashMap::default();
    let mut add = |word: &str, stand_in: StandIn| {
        let others: &mut Vec<StandIn> = known.entry(english.stem(word)).or_default();
        if !others.iter().any(|other| other.word == stand_in.word) {
            others.push(stand_in);
        }
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (Some(word), Some(relation)) = (words.next(), words.next()) else { continue };
        let kinship = if relation == "=" { Kinship::Same } else { Kinship::Near };
        for other in words {
            add(word, StandIn { word: other, kinship });
            if relation != ">" {
                add(other, StandIn { word, kinship });
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(word: &str) -> Vec<&'static str> {
        stand_ins(word).iter().map(|other| other.word).collect()
    }

    #[test]
    fn every_line_of_the_list_says_something() {
        let is_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        for line in include_str!("thesaurus.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let parts: Vec<&str> = line.split(' ').collect();
            assert!(parts.len() >= 3 && ["=", "~", ">"].contains(&parts[1]), "{line}");
            assert!(parts.iter().enumerate().all(|(at, part)| at == 1 || is_word(part)), "{line}");
        }
    }

    #[test]
    fn relations_go_the_ways_they_say() {
        let known = read("colour = color\nfake ~ mock\nnginx > proxy\n");
        let of = |word: &str| known.get(word).map(|others| others.iter().map(|other| other.word).collect::<Vec<_>>());
        assert_eq!(of("color"), Some(vec!["colour"]));
        assert_eq!(of("mock"), Some(vec!["fake"]));
        assert_eq!(of("nginx"), Some(vec!["proxy"]));
        assert_eq!(of("proxi"), None);
    }

    #[test]
    fn any_form_of_a_word_finds_its_stand_ins() {
        assert_eq!(words("dirs"), words("dir"));
        assert!(words("dirs").contains(&"directory"));
        assert!(words("lantern").is_empty());
    }
}
