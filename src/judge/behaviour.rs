//! Finds the sentences of a section that say what the program does, in the words of the docs.
//!
//! Only English is known, and only by its words: that a sentence is found says no more than that asking is worth it.

use crate::page::Page;
use crate::span::Span;
use crate::statement::{Statement, StatementKind, statements};

/// Sentences of a section that are judged, at most.
const CLAIMS: usize = 48;

/// The sentences, list items and table rows inside `shown` that say how the program behaves, in file order, each once.
/// Markup other than code is removed; an item brings its lead-in and a row its header, so that each is complete.
/// Code blocks say nothing here.
pub fn behavioural(page: &Page, shown: Span) -> Vec<String> {
    let blocks = &page.document.blocks;
    let first = blocks.partition_point(|block| block.span.start < shown.start);
    let end = blocks.partition_point(|block| block.span.start < shown.end).max(first);
    let mut found: Vec<String> = Vec::new();
    for statement in statements(page, first..end) {
        let is_new = |found: &[String]| !found.contains(&statement.text);
        if statement.span.end <= shown.end && is_claim(&statement) && is_new(&found) {
            found.push(statement.text);
        }
        if found.len() == CLAIMS {
            break;
        }
    }
    found
}

/// Whether a statement asserts behaviour. A question asserts nothing, nor does what only introduces a list or code.
fn is_claim(statement: &Statement) -> bool {
    let is_sentence = match statement.kind {
        StatementKind::Sentence | StatementKind::Item | StatementKind::Row => true,
        StatementKind::Code | StatementKind::Setting | StatementKind::List | StatementKind::Steps => false,
    };
    is_sentence && !statement.text.ends_with(['?', ':']) && says_behaviour(&statement.text, &statement.own)
}

/// Whether `text` has a word or phrase of behaviour outside code. A sentence whose `own` words begin with a verb's bare
/// form tells its reader what to do instead, and that verb doesn't count.
fn says_behaviour(text: &str, own: &str) -> bool {
    let plain = without_code(text).to_lowercase();
    let words: Vec<&str> = words(&plain);
    let opening = own.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_verb = |word: &&str| {
        VERBS.iter().any(|(bare, inflected)| inflected.contains(word) || (word == bare && *bare != opening))
    };
    let is_phrase = |phrase: &&[&str]| words.windows(phrase.len()).any(|window| window == *phrase);
    words.iter().any(|word| CONDITIONS.contains(word) || is_verb(word))
        || PHRASES.iter().any(is_phrase)
        || plain.contains("default: ")
}

/// The text with a mark in place of its inline code: what is code isn't said.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let ticks = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let (before, fence) = (&rest[..at], &rest[at..at + ticks]);
        let after = &rest[at + ticks..];
        out.push_str(before);
        out.push('_');
        rest = after.find(fence).map_or(after, |end| &after[end + ticks..]);
    }
    out.push_str(rest);
    out
}

/// The words of a text; a hyphen or an apostrophe is part of one.
fn words(text: &str) -> Vec<&str> {
    let is_gap = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’'));
    text.split(is_gap).filter(|word| !word.is_empty()).collect()
}

/// Words that open a condition.
const CONDITIONS: [&str; 4] = ["if", "unless", "when", "whenever"];

/// How a default is told. A row's header tells it too: `Default: 5`.
const PHRASES: [&[&str]; 5] =
    [&["defaults", "to"], &["default", "to"], &["default", "is"], &["default", "value", "is"], &["by", "default"]];

/// What programs do: the bare form, and the others.
const VERBS: [(&str, &[&str]); 21] = [
    ("call", &["calls", "called", "calling"]),
    ("delete", &["deletes", "deleted", "deleting"]),
    ("emit", &["emits", "emitted", "emitting"]),
    ("exit", &["exits", "exited", "exiting"]),
    ("expire", &["expires", "expired", "expiring"]),
    ("fail", &["fails", "failed", "failing"]),
    ("ignore", &["ignores", "ignored", "ignoring"]),
    ("invoke", &["invokes", "invoked", "invoking"]),
    ("overwrite", &["overwrites", "overwrote", "overwritten", "overwriting"]),
    ("produce", &["produces", "produced", "producing"]),
    ("raise", &["raises", "raised", "raising"]),
    ("redirect", &["redirects", "redirected", "redirecting"]),
    ("reject", &["rejects", "rejected", "rejecting"]),
    ("retry", &["retries", "retried", "retrying"]),
    ("return", &["returns", "returned", "returning"]),
    ("rotate", &["rotates", "rotated", "rotating"]),
    ("send", &["sends", "sent", "sending"]),
    ("throw", &["throws", "threw", "thrown", "throwing"]),
    ("trigger", &["triggers", "triggered", "triggering"]),
    ("validate", &["validates", "validated", "validating"]),
    ("verify", &["verifies", "verified", "verifying"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::anchor::SiteStyle;
    use crate::walk::RepoPath;

    fn page(text: &str) -> Page {
        Page::parse(RepoPath::new("docs/a.md").expect("a path"), text.to_owned(), SiteStyle::Github)
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(behavioural(&page(text), Span::new(0, text.len())), expected, "{text}");
    }

    #[test]
    fn sentences_with_words_of_behaviour_are_claims() {
        for claim in [
            "The *handler* returns 404.",
            "It defaults to five.",
            "The default is `5`.",
            "The default value is five.",
            "Logging is off by default.",
            "When the cache is full, the oldest entry goes.",
            "The oldest entry goes if it is full.",
            "Keys are Rotated daily.",
            "It never throws.",
            "`load` calls `parse`.",
            "An error is raised here.",
            "It has thrown twice and will emit once.",
        ] {
            check(claim, &[&claim.replace('*', "")]);
        }
    }

    #[test]
    fn other_sentences_are_not() {
        for other in [
            "The cache lives in memory.",
            "Use `if` and `return`.",
            "Use `` a ` if ` `` here.",
            "A call-by-value language, with specific gifts.",
            "Return to the first page.",
            "What happens when it is full?",
            "If you need more:",
            "# When it returns",
            "```rust\nreturn when();\n```",
            "```sh\nrun --if x\n```",
            "",
        ] {
            check(other, &[]);
        }
    }

    #[test]
    fn items_and_rows_are_complete() {
        check("On a miss it:\n\n- calls the loader\n- waits\n", &["On a miss it: calls the loader"]);
        check("It returns:\n\n- `1`, one\n", &["It returns: `1`, one"]);
        let table = "| Key | Default | Note |\n|---|---|---|\n| `a_b` | `5` | Age. |\n| `c_d` | | Size. |\n";
        check(table, &["Key `a_b` — Default: `5`; Note: Age."]);
    }

    #[test]
    fn only_what_is_shown_counts_and_each_once() {
        let text = "It calls one.\n\n# B\n\nThe old store calls two. It is. The old store calls two.\n\n# C\n\nIt calls three.\n";
        let page = page(text);
        assert_eq!(behavioural(&page, page.sections[1].whole), ["The old store calls two."]);
        assert_eq!(behavioural(&page, Span::new(text.len(), text.len())), Vec::<String>::new());
    }

    #[test]
    fn there_is_a_limit() {
        let text: String = (0..100).map(|number| format!("It returns {number}.\n\n")).collect();
        let found = behavioural(&page(&text), Span::new(0, text.len()));
        assert_eq!((found.len(), found.last().map(String::as_str)), (CLAIMS, Some("It returns 47.")));
    }
}
