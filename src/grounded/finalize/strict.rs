//! What `--strict` refuses beyond the contract: fields that it doesn't have, and sentences that have nothing to do with
//! what is cited. To share words is no proof, but to share none is disproof.

use std::collections::HashSet;

use inkwell_index::{Kind, Language, Match, Query, tokens};

use super::super::json::Json;
use crate::statement::sentences;

/// A part of a compound this short, as in `sign-in`, says nothing alone; in bytes.
const SHORT: usize = 3;

/// A word that no text has.
const MARK: &str = "xqzjvk";

/// Findings on fields of the request itself.
pub fn unknown_in_request(request: &Json<'_>) -> Vec<String> {
    unknown(request, "", &["question", "corpus", "corpus_digest", "answer_draft"])
}

/// Findings on fields of the sources.
pub fn unknown_in_corpus(corpus: &Json<'_>) -> Vec<String> {
    let of_source =
        |(index, source): (usize, &Json<'_>)| unknown(source, &format!("corpus[{index}]."), &["id", "title", "text"]);
    corpus.items().iter().enumerate().flat_map(of_source).collect()
}

/// Findings on fields of the draft.
pub fn unknown_in_draft(draft: &Json<'_>) -> Vec<String> {
    let answer = draft.field("answer").unwrap_or(&Json::Null);
    let citations = answer.field("citations").map(Json::items).unwrap_or_default();
    let mut found = unknown(draft, "answer_draft.", &["decision", "answer", "kb_gaps", "conflicts"]);
    found.extend(unknown(answer, "answer_draft.answer.", &["text", "citations"]));
    for (index, citation) in citations.iter().enumerate() {
        let path = format!("answer_draft.answer.citations[{index}].");
        found.extend(unknown(citation, &path, &["source_id", "quote"]));
    }
    found
}

fn unknown(value: &Json<'_>, path: &str, known: &[&str]) -> Vec<String> {
    let names = value.names().filter(|name| !known.contains(name));
    names.map(|name| format!("unknown field: {path}{name}")).collect()
}

/// Findings on sentences of an answer none of whose content words and numbers stand in any cited quote.
pub fn unfounded<'a>(answer: &str, quotes: impl Iterator<Item = &'a str>) -> Vec<String> {
    let quoted = Quoted::of(quotes);
    let found = sentences(answer).into_iter().map(|range| &answer[range]).filter(|sentence| quoted.lacks_all(sentence));
    found.map(|sentence| format!("answer sentence shares no word with any cited quote: \"{sentence}\"")).collect()
}

/// Whether a sentence has content words or numbers and none of them stands in any of some texts.
pub fn shares_nothing<'a>(sentence: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    Quoted::of(texts).lacks_all(sentence)
}

/// The words of some texts.
struct Quoted {
    words: HashSet<String>,
    stems: HashSet<String>,
    language: Language,
}

impl Quoted {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let language = Language::english();
        let words: HashSet<String> = texts.flat_map(tokens).map(|token| token.text).collect();
        let stems = words.iter().map(|word| language.stem(word)).collect();
        Self { words, stems, language }
    }

    fn holds(&self, word: &Word) -> bool {
        self.words.contains(&word.text) || word.stem.as_ref().is_some_and(|stem| self.stems.contains(stem))
    }

    fn lacks_all(&self, sentence: &str) -> bool {
        let content = content(sentence, self.language);
        !content.is_empty() && !content.iter().any(|word| self.holds(word))
    }
}

/// A content word of a sentence.
struct Word {
    text: String,
    /// The stem, where other forms of the word count.
    stem: Option<String>,
}

/// What a sentence says beside grammar and conversation, as a question would be read; of a compound also the longer
/// parts. Empty where there is nothing.
fn content(sentence: &str, language: Language) -> Vec<Word> {
    let stem = |text: &str| language.stem(text);
    // A question of grammar alone is asked by its grammar; with a word of content before it, by nothing else.
    let query = Query::question(&format!("{MARK} {sentence}"), language);
    let units = query.units.into_iter().filter(|unit| unit.is_content && unit.text != MARK);
    let mut found: Vec<Word> = units
        .map(|unit| Word { stem: (unit.matching == Match::Forms).then(|| stem(&unit.text)), text: unit.text })
        .collect();
    if !found.is_empty() {
        let parts = tokens(sentence).into_iter().filter(|token| token.kind == Kind::Part && token.text.len() > SHORT);
        found.extend(parts.map(|part| Word { stem: Some(stem(&part.text)), text: part.text }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::json::read;
    use super::*;

    /// Checks which sentences of an answer are refused.
    fn check(answer: &str, quotes: &[&str], expected: &[&str]) {
        let finding = |sentence| format!("answer sentence shares no word with any cited quote: \"{sentence}\"");
        let expected: Vec<String> = expected.iter().map(finding).collect();
        assert_eq!(unfounded(answer, quotes.iter().copied()), expected, "{answer}");
    }

    #[test]
    fn a_sentence_needs_a_word_of_a_quote() {
        let quote = "Backups are retained for 30 days.";
        check("The backup lives 30 days. Rotate keys daily.", &[quote], &["Rotate keys daily."]);
        check("Retaining them is automatic.", &[quote], &[]);
        check("About 30.", &[quote], &[]);
        check("About 31.", &[quote], &["About 31."]);
        check("Keys rotate.", &[quote, "rotate the keys"], &[]);
    }

    #[test]
    fn grammar_is_no_common_ground() {
        check("These are for those.", &["They are not for us.", "Keys"], &[]);
        check("So it is.", &["Keys rotate."], &[]);
        check("The keys are for you.", &["They are for you."], &["The keys are for you."]);
    }

    #[test]
    fn a_part_of_a_compound_is_common_ground() {
        check("Set --max-retries.", &["the number of retries"], &[]);
        check("Call readPackage.", &["reads the package"], &[]);
        check("The sign-in page.", &["in a minute"], &["The sign-in page."]);
    }

    #[test]
    fn without_quotes_every_sentence_with_content_is_refused() {
        check("Keys rotate. 12!", &[], &["Keys rotate.", "12!"]);
        check("?!", &[], &[]);
    }

    #[test]
    fn unknown_fields_are_named_with_their_path() {
        let check = |found: Vec<String>, expected: &[&str]| {
            assert_eq!(found, expected.iter().map(|path| format!("unknown field: {path}")).collect::<Vec<_>>());
        };
        let value = |json: &'static str| read(json.as_bytes()).expect("JSON");
        let request = r#"{"question": 1, "corpus": 2, "corpus_digest": 3, "answer_draft": 4, "model": 5, "a": 6}"#;
        check(unknown_in_request(&value(request)), &["a", "model"]);
        let corpus = r#"[{"id": 1, "title": 2, "text": 3}, {"url": 1}, 7, [{"url": 1}]]"#;
        check(unknown_in_corpus(&value(corpus)), &["corpus[1].url"]);
        let draft = r#"{"decision": 1, "answer": {"text": 1, "citations": [
            {"source_id": 1, "quote": 2}, {"title": 1}], "x": 1}, "kb_gaps": 1, "conflicts": 1, "y": 1}"#;
        let paths = ["answer_draft.y", "answer_draft.answer.x", "answer_draft.answer.citations[1].title"];
        check(unknown_in_draft(&value(draft)), &paths);
    }
}
