//! No question fails: any text, asked and searched, has a response that cites only sections that are there.
//!
//! `laws` holds how outputs look for what people type, in a handful of pieces. Here is what hardly anybody types:
//! texts of one kind of characters only, texts longer than all limits, questions with characters out of place. The
//! engine is called in this process, so a panic is a failure too.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;

use inkwell::answer::Status;
use inkwell::cite::Citation;
use inkwell::engine::State;
use inkwell::page::Page;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use crate::laws::{Project, config, fixtures};
use crate::sandbox::{repository, text};

/// How many texts are asked, and how many searched.
const CASES: u32 = 256;

/// The length of a long text, in bytes.
const LONG: usize = 10_000;

/// The most sections that are asked for.
const LIMIT: usize = 6;

/// The sample project with all that can be cited.
struct Docs {
    project: Project,
    state: RefCell<State>,
    pages: BTreeMap<String, Page>,
}

impl Docs {
    fn open() -> Self {
        let project = fixtures();
        let state = project.state();
        let page = |path| project.engine.page(path).expect("a page");
        let pages: BTreeMap<String, Page> =
            state.listing.files.iter().map(|file| (file.path.as_str().to_owned(), page(&file.path))).collect();
        assert!(pages.len() >= 30, "{} pages", pages.len());
        Self { project, state: RefCell::new(state), pages }
    }

    fn check_question(&self, question: &str, limit: usize) {
        let response = self.project.engine.query(&mut self.state.borrow_mut(), question, limit).expect("a response");
        assert_eq!(response.question, question);
        assert!((0.0..=1.0).contains(&response.evidence), "evidence of {}", response.evidence);
        let sources = &response.sources;
        assert!(sources.len() <= limit, "{} sources of at most {limit}", sources.len());
        assert_eq!(response.answer.is_empty(), sources.is_empty(), "an answer has sources");
        assert!(!sources.is_empty() || response.status == Status::NotFound, "nothing found is no answer");
        for (index, source) in sources.iter().enumerate() {
            self.check_citation(&source.citation, source.lines);
            assert!(source.score.is_finite(), "a score of {}", source.score);
            let is_repeated = sources[..index].iter().any(|before| before.citation == source.citation);
            assert!(!is_repeated, "{} is cited twice", source.citation.label());
        }
    }

    fn check_search(&self, text: &str, limit: usize) {
        let lines = self.project.engine.search(&mut self.state.borrow_mut(), text, limit).expect("a result");
        assert!(lines.len() <= limit, "{} lines of at most {limit}", lines.len());
        for line in &lines {
            self.check_citation(&line.citation, (line.line, line.line));
        }
    }

    /// Checks that a section is there and that the lines are its file's.
    fn check_citation(&self, citation: &Citation, (first, last): (usize, usize)) {
        let label = citation.label();
        let page = self.pages.get(&citation.path).unwrap_or_else(|| panic!("{label} is on no page"));
        assert!(page.find(&citation.anchor).is_some(), "{label} leads nowhere");
        assert!(1 <= first && first <= last && last <= page.text.lines().count(), "{label}: lines {first} to {last}");
    }
}

/// A text of any kind below.
fn any_kind() -> impl Strategy<Value = String> {
    // Long texts take longest.
    prop_oneof![2 => any_text(), 3 => text_of_one_kind(), 2 => mangled_question(), 1 => long_text(), 2 => operators()]
}

#[test]
fn any_text_can_be_asked() {
    let docs = Docs::open();
    proptest!(config(CASES), |(text in any_kind(), limit in 1..=LIMIT)| docs.check_question(&text, limit));
}

#[test]
fn any_text_can_be_searched() {
    let docs = Docs::open();
    proptest!(config(CASES), |(text in any_kind(), limit in 1..=LIMIT)| docs.check_search(&text, limit));
}

// Characters

/// Kinds of characters, each with a trap of its own.
const KINDS: &[&[RangeInclusive<char>]] = &[
    // Control characters.
    &['\0'..='\u{1f}', '\u{7f}'..='\u{9f}', '\u{2028}'..='\u{2029}'],
    // ASCII punctuation, and with it every operator.
    &['!'..='/', ':'..='@', '['..='`', '{'..='~'],
    // Quotation marks, dashes and brackets of other scripts.
    &['\u{2010}'..='\u{205e}', '\u{3001}'..='\u{303f}', '\u{ff01}'..='\u{ff0f}', '«'..='«', '»'..='»'],
    // Beside the surrogates and at the ends of planes and of the lengths in UTF-8.
    &[
        '\u{7e}'..='\u{81}',
        '\u{7fe}'..='\u{801}',
        '\u{d7fb}'..='\u{d7ff}',
        '\u{e000}'..='\u{e001}',
        '\u{fdd0}'..='\u{fdd1}',
        '\u{fffd}'..='\u{10001}',
        '\u{1fffe}'..='\u{20000}',
        '\u{10fffd}'..='\u{10ffff}',
    ],
    // What turns text around.
    &[
        '\u{61c}'..='\u{61c}',
        '\u{200e}'..='\u{200f}',
        '\u{202a}'..='\u{202e}',
        '\u{2066}'..='\u{2069}',
        '\u{5d0}'..='\u{5ea}',
    ],
    // What isn't seen.
    &[
        ' '..=' ',
        '\u{a0}'..='\u{a0}',
        '\u{ad}'..='\u{ad}',
        '\u{200b}'..='\u{200d}',
        '\u{2060}'..='\u{2064}',
        '\u{feff}'..='\u{feff}',
    ],
    // Marks that belong to the character before them, if there is one.
    &['\u{300}'..='\u{36f}', '\u{20d0}'..='\u{20f0}', '\u{fe00}'..='\u{fe0f}', '\u{e0100}'..='\u{e01ef}', 'a'..='c'],
    // Letters whose case or normal form has another length.
    &[
        'İ'..='ı',
        'ŉ'..='ŉ',
        'ß'..='ß',
        '\u{1e96}'..='\u{1e9e}',
        '\u{390}'..='\u{390}',
        'ς'..='σ',
        'ﬀ'..='ﬆ',
        '\u{2126}'..='\u{212b}',
        'Ⅰ'..='ⅷ',
        '①'..='⑳',
        '㌀'..='㍗',
    ],
    // Scripts without spaces.
    &['一'..='龥', 'ぁ'..='ヿ', '가'..='힣', '\u{e01}'..='\u{e5b}', '\u{20000}'..='\u{20100}'],
    // Emoji with their joiners, flags and tags.
    &[
        '\u{1f300}'..='\u{1faff}',
        '\u{1f1e6}'..='\u{1f1ff}',
        '\u{200d}'..='\u{200d}',
        '\u{fe0f}'..='\u{fe0f}',
        '\u{e0020}'..='\u{e007f}',
    ],
    // Digits of all scripts.
    &['0'..='9', '.'..='.', '٠'..='٩', '०'..='९', '\u{1d7ce}'..='\u{1d7ff}', '½'..='¾'],
];

/// A text of one kind of characters.
fn text_of_one_kind() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(KINDS);
    kind.prop_flat_map(|kind| prop::collection::vec(prop::char::ranges(Cow::Borrowed(kind)), 1..24))
        .prop_map(String::from_iter)
}

/// A text of any characters.
fn any_text() -> impl Strategy<Value = String> {
    let characters = prop::collection::vec(any::<char>(), 0..64).prop_map(String::from_iter);
    let mixed = prop::collection::vec(prop_oneof![text_of_one_kind(), word()], 1..12).prop_map(|parts| parts.concat());
    prop_oneof![characters, mixed]
}

// Words

/// The words of the docs, markup and all.
fn words() -> Vec<String> {
    let docs = repository().join("fixtures/docs");
    let pages = ["reference/cli.md", "configuration.md", "troubleshooting.md", "i18n/zh/getting-started.md"];
    let text: String = pages.map(|page| fs::read_to_string(docs.join(page)).expect("a page")).concat();
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(words())
}

/// A question of the set.
fn question() -> impl Strategy<Value = String> {
    let file = fs::read_to_string(repository().join("fixtures/expected/questions.jsonl")).expect("questions");
    let question = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        text(&value["question"]).to_owned()
    };
    prop::sample::select(file.lines().map(question).collect::<Vec<_>>())
}

/// A question of the set with some characters lost and others put in.
fn mangled_question() -> impl Strategy<Value = String> {
    let change = prop_oneof![
        Just(None),
        text_of_one_kind().prop_map(|text| text.chars().next()),
        prop::sample::select(vec![' ', '"', '*', ':', '-', '_', '/', '\'', '.', '\n']).prop_map(Some),
    ];
    let changes = prop::collection::vec((any::<Index>(), change), 1..8);
    (question(), changes).prop_map(|(question, changes)| {
        let mut characters: Vec<char> = question.chars().collect();
        for (place, change) in changes {
            let at = place.index(characters.len());
            match change {
                Some(character) => characters.insert(at, character),
                None => drop(characters.remove(at)),
            }
        }
        characters.into_iter().collect()
    })
}

// Lengths

/// As much of a text, again and again, as a long one has.
fn long(text: &str) -> String {
    text.repeat(LONG.div_ceil(text.len()))
}

/// A long text: one kind of characters without an end, one word, a wall of words.
fn long_text() -> impl Strategy<Value = String> {
    let wall = prop::collection::vec(word(), 1..300).prop_map(|words| long(&(words.join(" ") + "\n")));
    prop_oneof![
        text_of_one_kind().prop_map(|text| long(&text)),
        text_of_one_kind().prop_map(|text| long(&(text + " "))),
        word().prop_map(|word| long(&word)),
        wall,
    ]
}

// Syntax

/// Operators of the search command in any order, with and without something to stand beside.
fn operators() -> impl Strategy<Value = String> {
    let operators = vec![
        "AND",
        "OR",
        "NOT",
        "\"",
        "title:",
        "tag:",
        "in:",
        "*",
        "(",
        ")",
        "-",
        "+",
        "title:\"",
        "in:docs/",
        "in:/",
        "in:..",
        "tag:guides",
        "tag:*",
        "a*",
        "**",
        "\"\"",
        "\" \"",
        "NOT NOT",
        "title:title:",
        "and",
        "\\\"",
        ":",
        "“",
        "”",
    ];
    let operator = prop::sample::select(operators).prop_map(str::to_owned);
    let part = prop_oneof![3 => operator, 2 => word(), 1 => text_of_one_kind()];
    let gap = prop::sample::select(vec!["", " ", " ", "\t", "\n\n", "\u{3000}"]);
    prop::collection::vec((part, gap), 1..40)
        .prop_map(|parts| parts.into_iter().flat_map(|(part, gap)| [part, gap.to_owned()]).collect())
}
