//! Which statements stand on their own feet, and what the others lean on.

use std::ops::Range;

use crate::span::Span;
use crate::statement::{Statement, StatementKind, fold};

/// A sentence and the one that it leans on, in bytes.
const PAIR_BUDGET: usize = 400;

/// A statement that can be understood alone: one that leans on the sentence before it is joined with it where the two
/// are short, and left out otherwise. What opens a section leans on the heading.
pub fn standing(statement: &Statement, before: Option<&Statement>, opens: bool) -> Option<(Statement, Range<usize>)> {
    let number = statement.number;
    if !leans(&statement.own) || !is_prose(statement) {
        return Some((statement.clone(), number..number + 1));
    }
    let is_same = |before: &&Statement| before.blocks == statement.blocks;
    let Some(before) = before.filter(is_same) else {
        let is_of_heading = opens && first_word(&statement.own).is_some_and(|word| POINTING.contains(&word.as_str()));
        return is_of_heading.then(|| (statement.clone(), number..number + 1));
    };
    let text = fold(&format!("{} {}", before.text, statement.text));
    let is_whole =
        (!leans(&before.own) || before.number == 0) && !is_introduction(before) && !before.own.ends_with('?');
    let span = Span::new(before.span.start, statement.span.end);
    let pair = Statement { own: text.clone(), text, lead_in: None, span, ..statement.clone() };
    if is_whole && pair.text.len() <= PAIR_BUDGET {
        return Some((pair, before.number..number + 1));
    }
    let is_loose = LOOSE.iter().any(|opening| statement.own.starts_with(opening));
    is_loose.then(|| (statement.clone(), number..number + 1))
}

/// What opens a sentence that follows another but can be understood without it.
const LOOSE: [&str; 3] = ["For example, ", "That is, ", "Finally, "];

/// The first word as it is written, where the sentence begins with a capital.
fn first_word(text: &str) -> Option<String> {
    let word = text.split(|c: char| !c.is_alphabetic()).next()?;
    word.starts_with(char::is_uppercase).then(|| word.to_lowercase())
}

/// What can stand for the heading.
const POINTING: [&str; 6] = ["this", "these", "it", "its", "they", "such"];

fn is_prose(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Sentence | StatementKind::Item)
}

/// What opens a sentence that leans on the one before it.
const LEANING: [&str; 48] = [
    "this",
    "that",
    "these",
    "those",
    "it",
    "its",
    "they",
    "their",
    "them",
    "he",
    "she",
    "however",
    "also",
    "then",
    "otherwise",
    "instead",
    "such",
    "and",
    "but",
    "or",
    "so",
    "therefore",
    "alternatively",
    "similarly",
    "consequently",
    "likewise",
    "thus",
    "again",
    "here",
    "now",
    "secondly",
    "thirdly",
    "finally",
    "specifically",
    "concretely",
    "additionally",
    "moreover",
    "furthermore",
    "meanwhile",
    "still",
    "well",
    "indeed",
    "hence",
    "namely",
    "besides",
    "nevertheless",
    "nonetheless",
    "neither",
];
const LEANING_PHRASES: [&str; 14] = [
    "in contrast",
    "in that ",
    "in this ",
    "in these ",
    "in the above",
    "because of th",
    "as a result",
    "with this",
    "to do so",
    "to do this",
    "for this",
    "after that",
    "both of these",
    "for example",
];

/// Whether a sentence can't be understood without the one before it.
fn leans(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`').to_lowercase();
    let first = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    LEANING.contains(&first) || LEANING_PHRASES.iter().any(|phrase| text.starts_with(phrase))
}

/// Whether a statement only introduces what follows it.
pub fn is_introduction(statement: &Statement) -> bool {
    is_prose(statement) && statement.text.ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_lean_are_told_by_their_opening() {
        for text in ["This is it.", "However, no.", "In this case, stop.", "(It holds.)", "For example, stop."] {
            assert!(leans(text), "{text}");
        }
        for text in ["`it` is a name.", "Items hold.", "The rotor turns.", "In theory, it turns."] {
            assert!(!leans(text), "{text}");
        }
    }
}
