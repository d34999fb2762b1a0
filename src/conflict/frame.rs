//! Sentence → its words without the one value in it: two sentences with one frame and different values disagree.
//!
//! "Backups are kept for 30 days." and "Backups are kept 14 days." have one frame. Every other word counts, so a
//! sentence about another plan, platform or condition has another frame.

use std::collections::BTreeSet;

/// A sentence without its one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The words besides the value, without those of grammar alone; at least one.
    pub words: BTreeSet<String>,
    /// Whether they are enough to tell what the sentence is about, whatever was asked. A bare number or a version needs
    /// more of them: many sentences of one form have it.
    pub is_telling: bool,
}

/// The words of a sentence besides its value, and the value. `None` where there is no value or more
/// than one, and where the sentence leans on what stands around it.
pub fn frame(text: &str) -> Option<(Frame, String)> {
    let words: Vec<&str> = text.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
    let (mut own, mut written) = (BTreeSet::new(), None);
    let mut at = 0;
    while at < words.len() {
        let taken = value(&words[at..]);
        if taken == 0 {
            own.insert(words[at].to_lowercase());
            at += 1;
            continue;
        }
        let value = words[at..at + taken].join(" ");
        if written.replace(value).is_some() {
            return None;
        }
        at += taken;
    }
    let written = written?;
    if own.iter().any(|word| LEANING.contains(&word.as_str())) {
        return None;
    }
    own.retain(|word| !GRAMMAR.contains(&word.as_str()));
    let is_bare = written.chars().all(|c| c.is_ascii_digit() || ".v".contains(c));
    let is_telling = own.len() >= if is_bare { 3 } else { 2 };
    (!own.is_empty()).then_some((Frame { words: own, is_telling }, written))
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| c != '%' && !c.is_alphanumeric())
}

/// How many of the first words are a value: a number with its unit, a number alone, a switch.
fn value(words: &[&str]) -> usize {
    let [first, rest @ ..] = words else { return 0 };
    if SWITCHES.contains(&first.to_lowercase().as_str()) {
        return 1;
    }
    let number = first.strip_prefix('v').unwrap_or(first);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let is_alone = !number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let has_unit = rest.first().is_some_and(|unit| UNITS.contains(&unit.to_lowercase().as_str()));
    if !is_alone && has_unit { 2 } else { 1 }
}

const SWITCHES: [&str; 4] = ["enabled", "disabled", "true", "false"];

/// Units that stand apart from their number.
const UNITS: [&str; 38] = [
    "ms",
    "millisecond",
    "milliseconds",
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hr",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "b",
    "byte",
    "bytes",
    "kb",
    "kib",
    "mb",
    "mib",
    "gb",
    "gib",
    "tb",
    "tib",
    "percent",
    "times",
    "%",
];

/// Words that say nothing of what a sentence is about.
const GRAMMAR: [&str; 16] =
    ["the", "a", "an", "is", "are", "be", "of", "for", "by", "in", "to", "at", "with", "and", "its", "our"];

/// Words that make a sentence speak of something said elsewhere, or of another time.
const LEANING: [&str; 20] = [
    "this",
    "that",
    "these",
    "those",
    "it",
    "they",
    "here",
    "there",
    "was",
    "were",
    "previously",
    "formerly",
    "example",
    "e.g",
    "another",
    "above",
    "below",
    "following",
    "then",
    "now",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = frame(text).filter(|(frame, _)| frame.is_telling);
        let found = found.map(|(frame, value)| (frame.words.into_iter().collect::<Vec<_>>().join(" "), value));
        assert_eq!(found, expected.map(|(words, value)| (words.to_owned(), value.to_owned())), "{text}");
    }

    #[test]
    fn a_frame_is_every_word_but_the_value() {
        check("Backups are kept for 30 days.", Some(("backups kept", "30 days")));
        check("On the Pro plan, backups are kept 90 days.", Some(("backups kept on plan pro", "90 days")));
        check("Telemetry is disabled by default.", Some(("default telemetry", "disabled")));
        check("The API allows 100 requests per client.", Some(("allows api client per requests", "100")));
        check("A body may have `5MB`.", Some(("body have may", "5MB")));
    }

    #[test]
    fn too_few_words_two_values_and_leaning_sentences_have_none() {
        check("Added in 1.2.", None);
        check("Timeout is 30 seconds.", None);
        check("Retries 3 times within 5 minutes.", None);
        check("It keeps backups for 30 days.", None);
        check("The old server was restarted after 30 days.", None);
        check("Backups are kept.", None);
    }
}
