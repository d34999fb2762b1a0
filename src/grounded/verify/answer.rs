//! The answer of a response against its sources and its receipt (contracts D).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::bullet::{Expected, Line, bullets, excerpts};
use super::quoted;
use super::receipt::{Cited, Receipt, Status};
use super::response::Response;
use super::retrieved::Retrieved;
use crate::cite::{Citation, one_line};
use crate::grounded::receipt::{ANSWERED, REFUSAL, SOURCES};
use crate::grounded::sentence::{Marks, marks, sentences, states, unmarked};

/// A sentence and the spans that it is marked with.
struct Sentence<'a> {
    text: &'a str,
    ids: BTreeSet<&'a str>,
}

/// Where the answer and its sources don't agree with the receipt; nothing where the receipt stands alone.
pub fn conflicts(receipt: &Receipt, response: &Response<'_>) -> Vec<String> {
    let Some(answer) = response.answer else { return Vec::new() };
    let sentences = marked_sentences(answer);
    let (bullets, mut messages) = bullets(response.sources.unwrap_or_default());
    messages.extend(strays(receipt, answer, &bullets));
    messages.extend(poor(&bullets));
    messages.extend(claims(receipt, &sentences));
    messages.extend(response.outside.iter().flat_map(|text| outside(text)));
    match receipt.status {
        Status::Answered => messages.extend(unmarked_statements(answer, response, &sentences)),
        Status::RefusedEmpty => messages.extend(not_refused(answer)),
        Status::RefusedUnsupported => messages.extend(stating(answer)),
    }
    messages
}

/// The sentences of an answer. A mark that follows a full stop belongs to the sentence before it, where that has none.
fn marked_sentences(answer: &str) -> Vec<Sentence<'_>> {
    let marks = marks(answer, Marks::Spans);
    let mut marks = marks.iter().peekable();
    let mut found: Vec<Sentence<'_>> = Vec::new();
    for range in sentences(answer) {
        let mut start = range.start;
        let mut leading = BTreeSet::new();
        while let Some(mark) = marks.next_if(|mark| answer[start..mark.range.start.max(start)].trim().is_empty()) {
            leading.insert(mark.id);
            start = mark.range.end;
        }
        let mut ids = BTreeSet::new();
        while let Some(mark) = marks.next_if(|mark| mark.range.end <= range.end) {
            ids.insert(mark.id);
        }
        match found.last_mut().filter(|before| before.ids.is_empty()) {
            Some(before) => before.ids = leading,
            None => ids.extend(leading),
        }
        if start < range.end {
            found.push(Sentence { text: &answer[start..range.end], ids });
        }
    }
    found
}

/// Ids that stand in one of answer, sources and receipt but not in all.
fn strays(receipt: &Receipt, answer: &str, bullets: &[Line<'_>]) -> Vec<String> {
    let marked: BTreeSet<&str> = marks(answer, Marks::Spans).into_iter().map(|mark| mark.id).collect();
    let cited = receipt.ids();
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    for bullet in bullets {
        *listed.entry(bullet.id).or_default() += 1;
    }
    let says = |id: &str, what: String| format!("`{id}` {what}");
    let mut messages = Vec::new();
    messages
        .extend(marked.difference(&cited).map(|id| says(id, "is cited in the answer but not in `cited_spans`".into())));
    let bare = marked.iter().filter(|id| !listed.contains_key(*id) && !cited.contains(*id));
    messages.extend(bare.map(|id| says(id, format!("is cited in the answer but has no bullet in `{SOURCES}`"))));
    messages
        .extend(cited.difference(&marked).map(|id| says(id, "is in `cited_spans` but not cited in the answer".into())));
    let bare = cited.iter().filter(|id| !listed.contains_key(*id));
    messages.extend(bare.map(|id| says(id, format!("is in `cited_spans` but has no bullet in `{SOURCES}`"))));
    let idle = listed.keys().filter(|id| !cited.contains(*id));
    messages.extend(idle.map(|id| says(id, format!("has a bullet in `{SOURCES}` but is not in `cited_spans`"))));
    let twice = listed.iter().filter(|(_, count)| **count > 1);
    messages.extend(twice.map(|(id, count)| says(id, format!("has {count} bullets in `{SOURCES}`"))));
    messages
}

/// Bullets without an excerpt.
fn poor(bullets: &[Line<'_>]) -> impl Iterator<Item = String> {
    let poor = bullets.iter().filter(|bullet| excerpts(&bullet.text).next().is_none());
    poor.map(|bullet| format!("the bullet of `{}` quotes nothing", bullet.id))
}

/// Claims that are sentences of the answer must have the spans that are cited there. Where all of them are, every
/// sentence that is marked must be a claim.
fn claims(receipt: &Receipt, sentences: &[Sentence<'_>]) -> Vec<String> {
    let mut by_text: HashMap<String, BTreeSet<&BTreeSet<&str>>> = HashMap::new();
    for sentence in sentences.iter().filter(|sentence| !sentence.ids.is_empty()) {
        by_text.entry(key(sentence.text)).or_default().insert(&sentence.ids);
    }
    let mut messages = Vec::new();
    let mut claimed = BTreeSet::new();
    let mut are_sentences = true;
    for (index, claim) in receipt.claims.iter().enumerate() {
        let key = key(&claim.text);
        let Some(marked) = by_text.get(&key) else {
            are_sentences = false;
            continue;
        };
        let ids: BTreeSet<&str> = claim.supported_by.iter().map(String::as_str).collect();
        if let Some(first) = marked.first().filter(|_| !marked.contains(&ids)) {
            let there = listing(first);
            messages.push(format!(
                "answer_claims[{index}] is supported by {}: the answer cites {there} for it",
                listing(&ids)
            ));
        }
        claimed.insert(key);
    }
    let is_unclaimed = |sentence: &&Sentence<'_>| !sentence.ids.is_empty() && !claimed.contains(&key(sentence.text));
    if are_sentences && !receipt.claims.is_empty() {
        let unclaimed = sentences.iter().filter(is_unclaimed);
        messages.extend(
            unclaimed.map(|sentence| format!("no claim says: {}", quoted(&unmarked(sentence.text, Marks::Spans)))),
        );
    }
    messages
}

/// What a sentence says: without marks, escapes, white space and final punctuation.
fn key(text: &str) -> String {
    let text = one_line(&unmarked(text, Marks::Spans)).replace("&#96;", "`").replace(['\\', '`'], "");
    text.trim_end_matches(['.', '!', '?', '。', '！', '？', ' ']).to_owned()
}

fn listing(ids: &BTreeSet<&str>) -> String {
    let ids: Vec<&str> = ids.iter().copied().collect();
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(", ") }
}

/// What is stated before the answer or after the record, where nothing is checked.
fn outside(text: &str) -> impl Iterator<Item = String> {
    let sentences = sentences(text).into_iter().map(|range| &text[range]);
    let stated = sentences.filter(|sentence| states(sentence));
    stated.map(|sentence| format!("stated outside the three blocks: {}", quoted(sentence)))
}

/// What an answer states without citing a span, and the blocks that it lacks.
fn unmarked_statements(answer: &str, response: &Response<'_>, sentences: &[Sentence<'_>]) -> Vec<String> {
    let mut messages = Vec::new();
    if response.sources.is_none() {
        messages.push(format!("the status is `{ANSWERED}`, but there is no `{SOURCES}`"));
    }
    if answer.trim().is_empty() {
        messages.push(format!("the status is `{ANSWERED}`, but the answer is blank"));
    }
    let bare = sentences.iter().filter(|sentence| sentence.ids.is_empty());
    let bare = bare.filter(|sentence| states(sentence.text) && !is_gap(sentence.text));
    messages.extend(bare.map(|sentence| format!("no span is cited in: {}", quoted(sentence.text))));
    messages
}

/// What a refusal lacks, or states all the same.
fn not_refused(answer: &str) -> Vec<String> {
    let answer = one_line(answer).replace('’', "'");
    let Some((before, after)) = answer.split_once(REFUSAL) else {
        return vec!["the answer lacks the paragraph that refuses for want of usable spans".to_owned()];
    };
    stating(before).chain(stating(after)).collect()
}

/// What a refusal states beside what the docs don't say.
fn stating(text: &str) -> impl Iterator<Item = String> {
    let sentences = sentences(text).into_iter().map(|range| &text[range]);
    let stating = sentences.filter(|sentence| states(sentence) && !is_gap(sentence));
    stating.map(|sentence| format!("the answer refuses and states all the same: {}", quoted(sentence)))
}

/// Whether a sentence only says that the docs don't say something; it has no span to cite.
fn is_gap(sentence: &str) -> bool {
    let folded = one_line(sentence).replace('’', "'").to_lowercase();
    let words: Vec<&str> = folded.split(' ').collect();
    let Some((first, rest)) = words.split_first() else { return false };
    // A few words may stand around the noun: "The retrieved user corpus", "The documentation found".
    let noun = rest.iter().take(4).position(|word| CORPUS.contains(word));
    let Some(rest) = noun.filter(|_| ["the", "these"].contains(first)).map(|noun| &rest[noun + 1..]) else {
        return false;
    };
    // What goes on after a turn is a statement of its own.
    if folded.contains(';') || rest.iter().any(|word| TURNS.contains(&word.trim_end_matches(','))) {
        return false;
    }
    let negated = rest.iter().take(4).position(|word| ["doesn't", "don't", "not"].contains(word));
    let verb = negated.and_then(|at| rest[at + 1..].iter().take(3).find(|word| is_saying(word)));
    let is_denial = verb.is_some() && negated.is_some_and(|at| is_do(rest, at));
    is_denial || (folded.ends_with("only in part.") && rest.iter().take(3).any(|word| is_saying(word)))
}

/// Whether the `not` at a place is that of `do`.
fn is_do(words: &[&str], at: usize) -> bool {
    words[at] != "not" || at.checked_sub(1).is_some_and(|before| ["does", "do"].contains(&words[before]))
}

fn is_saying(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphabetic());
    SAYING.iter().any(|verb| word.strip_prefix(verb).is_some_and(|end| ["", "s", "es"].contains(&end)))
}

/// What an answer is taken from.
const CORPUS: [&str; 12] = [
    "corpus",
    "documentation",
    "docs",
    "documents",
    "sources",
    "source",
    "spans",
    "span",
    "sections",
    "section",
    "passages",
    "passage",
];
/// What it does to something.
const SAYING: [&str; 18] = [
    "support", "mention", "cover", "answer", "say", "hold", "contain", "state", "specify", "describe", "include",
    "provide", "document", "explain", "address", "define", "give", "list",
];
/// Words after which something else begins.
const TURNS: [&str; 7] = ["but", "however", "although", "though", "instead", "because", "since"];

/// Bullets whose excerpts are not those of the retrieved spans.
pub fn misquoted(receipt: &Receipt, response: &Response<'_>, retrieved: &Retrieved) -> Vec<String> {
    let (bullets, _) = bullets(response.sources.unwrap_or_default());
    let by_id: HashMap<&str, &Line<'_>> = bullets.iter().map(|bullet| (bullet.id, bullet)).collect();
    let misquoted = |span: &&Cited| {
        let Some(bullet) = by_id.get(span.id.as_str()) else { return false };
        let found = retrieved.at(span);
        let citation = citation(span);
        let expected = |text| Expected { id: &span.id, title: span.title.as_deref(), citation: &citation, text };
        !found.is_empty() && !found.iter().any(|found| expected(found.text.as_str()).is_met(&bullet.text))
    };
    let misquoted = receipt.spans.iter().filter(misquoted);
    misquoted.map(|span| format!("the bullet of `{}` differs from the retrieved span", span.id)).collect()
}

/// The section that a span's uri names.
fn citation(span: &Cited) -> Citation {
    let uri = span.uri.as_deref().unwrap_or_default();
    let source = span.source_id.as_deref().unwrap_or_default();
    let anchor = uri.strip_prefix(source).and_then(|rest| rest.strip_prefix('#'));
    let (path, anchor) = match anchor {
        Some(anchor) => (source, anchor),
        None => uri.split_once('#').unwrap_or((uri, "")),
    };
    Citation { path: path.to_owned(), anchor: anchor.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_after_a_full_stop_belong_to_the_sentence_before() {
        let found = marked_sentences("One. [S1] Two [S2]. [S3] Three. Four. [S1][S2]");
        let found: Vec<(&str, String)> =
            found.iter().map(|sentence| (sentence.text.trim(), listing(&sentence.ids))).collect();
        let expected = [("One.", "S1"), ("Two [S2].", "S2"), ("Three.", "S3"), ("Four.", "S1, S2")];
        assert_eq!(found, expected.map(|(text, ids)| (text, ids.to_owned())));
    }

    #[test]
    fn a_gap_says_only_what_the_docs_do_not_hold() {
        for gap in [
            "The documentation found does not mention `Zeppelin`.",
            "The documentation found covers the question only in part.",
            "The retrieved corpus does not support that detail.",
            "These docs don't say when it was added.",
            "The retrieved spans do not explicitly state the port 8080.",
            "The user corpus doesn’t cover Windows.",
        ] {
            assert!(is_gap(gap), "{gap}");
        }
        for statement in [
            "The cache does not mention 30 minutes.",
            "Sessions last 30 minutes, which the docs do not mention.",
            "The docs do not mention Redis, but it is used for sessions.",
            "The documentation is not stored in Redis.",
            "The docs mention Redis and not Memcached.",
            "Our docs do not mention Redis.",
            "The sections last 30 minutes only in part.",
        ] {
            assert!(!is_gap(statement), "{statement}");
        }
    }
}
