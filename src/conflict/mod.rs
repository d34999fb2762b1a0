//! Passages → where the docs disagree: two sections that give one thing different values.
//!
//! Compared are plain claims about defaults ("The default request timeout is 30 seconds.", "`cache.ttl` defaults to
//! `60 s`", a row with a `Default`) and sentences that are the same but for one value, of different pages, with numbers,
//! switches or versions as values, and only about what was asked. A claim with a lead-in is another claim, and a page
//! about the past or about one version says nothing of the present. A false alarm costs more than a silence.

mod frame;
mod value;

use crate::asked::Asked;
use crate::retrieve::Passage;
use crate::span::Span;
use crate::statement::{Statement, StatementKind, statements};

use frame::{Frame, frame};
use value::Value;

/// A claim longer than this has more to say than a value, in bytes.
const CLAIM_BUDGET: usize = 200;
/// Values that are shown, at most.
const VALUES: usize = 3;
/// The share of the question that a subject must be about.
const ASKED: f32 = 0.3;
/// The same of a subject of a word or two: it must be all that is asked for.
const ALL_ASKED: f32 = 0.95;

/// A value that a section gives a thing.
struct Fact {
    side: Side,
    subject: Subject,
    value: Value,
}

/// What a value is of.
#[derive(Clone, PartialEq, Eq)]
enum Subject {
    /// A name that is written the same everywhere: `cache.ttl`, `MAX_SIZE`, `maxSize`.
    Name(String),
    /// At least two words, in their order: a read-write ratio is no write-read ratio.
    Words(Vec<String>),
    /// A whole sentence but for the value.
    Frame(Frame),
}

/// One side of a disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The passage, by rank.
    pub rank: usize,
    /// Where it says so, in the passage's file.
    pub span: Span,
    /// The value as it is written, without backticks.
    pub written: String,
}

/// The first disagreement of the passages about what was asked: two sides or more with different values; none where
/// they agree.
pub fn disagreement(passages: &[Passage], asked: &Asked) -> Vec<Side> {
    let is_present = |(_, passage): &(usize, &Passage)| !is_of_another_time(passage);
    let facts: Vec<Fact> = passages
        .iter()
        .enumerate()
        .filter(is_present)
        .flat_map(|(rank, passage)| facts(rank, passage, asked))
        .collect();
    let mut found = facts.iter().map(|fact| differing(fact, &facts, passages));
    found.find(|found| found.len() > 1).unwrap_or_default().into_iter().map(|fact| fact.side.clone()).collect()
}

/// A fact with the first of each other value that other sections give the same thing.
fn differing<'a>(fact: &'a Fact, facts: &'a [Fact], passages: &[Passage]) -> Vec<&'a Fact> {
    let mut found = vec![fact];
    for other in facts.iter().filter(|other| other.side.rank > fact.side.rank && other.subject == fact.subject) {
        // Two sections of one page mean two things.
        let is_comparable = passages[fact.side.rank].page.path != passages[other.side.rank].page.path;
        let is_new = found.iter().all(|known| known.value.differs(&other.value) && known.side.rank != other.side.rank);
        if is_comparable && is_new && found.len() < VALUES {
            found.push(other);
        }
    }
    found
}

/// Whether a passage speaks of the past, of one version or of an example.
fn is_of_another_time(passage: &Passage) -> bool {
    let page = &passage.page;
    let place =
        format!("{} {} {}", page.path.as_str(), page.title(), page.trail(passage.section).join(" ")).to_lowercase();
    let mut words = place.split(|c: char| !c.is_alphanumeric() && c != '.');
    let is_version = |word: &str| {
        let word = word.trim_start_matches('v');
        word.contains('.') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && word.len() > 2
    };
    let is_numbered = |word: &str| {
        word.len() < 4
            && word.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()) && !rest.is_empty())
    };
    page.document.front_matter.class.is_some()
        || words.any(|word| PAST.contains(&word) || is_version(word) || is_numbered(word))
}

/// Words of a page about another time, version or language.
const PAST: [&str; 29] = [
    "version",
    "versions",
    "next",
    "stable",
    "latest",
    "i18n",
    "translations",
    "changelog",
    "changes",
    "release",
    "releases",
    "history",
    "news",
    "new",
    "migration",
    "migrate",
    "migrating",
    "upgrade",
    "upgrading",
    "deprecated",
    "archive",
    "old",
    "legacy",
    "adr",
    "rfc",
    "example",
    "examples",
    "tutorial",
    "blog",
];

/// The facts of a passage that the question is about.
fn facts(rank: usize, passage: &Passage, asked: &Asked) -> Vec<Fact> {
    let fact = |statement: Statement| {
        let (subject, written) = claim(&statement)?;
        let value = Value::read(&written)?;
        let side = Side { rank, span: statement.span, written };
        is_asked(&subject, asked).then_some(Fact { side, subject, value })
    };
    statements(&passage.page, passage.blocks.clone()).into_iter().filter_map(fact).collect()
}

/// Whether the question is about a subject: of words, every one is asked for.
fn is_asked(subject: &Subject, asked: &Asked) -> bool {
    match subject {
        Subject::Name(name) => asked.share(asked.held_by(name)) >= ASKED,
        Subject::Words(words) => {
            let held: Vec<u64> = words.iter().map(|word| asked.held_by(word)).collect();
            held.iter().all(|mask| *mask != 0) && asked.share(held.iter().fold(0, |all, mask| all | mask)) >= ASKED
        }
        Subject::Frame(frame) => {
            let held = frame.words.iter().fold(0, |all, word| all | asked.held_by(word));
            // What says little of what it is about may be meant where nothing else is asked.
            asked.share(held) >= if frame.is_telling { ASKED } else { ALL_ASKED }
        }
    }
}

/// The subject and the value of a statement that is nothing but a claim.
fn claim(statement: &Statement) -> Option<(Subject, String)> {
    match statement.kind {
        // What introduces a claim may say when it holds.
        _ if statement.lead_in.is_some() && statement.kind != StatementKind::Row => None,
        StatementKind::Row => default_of_row(statement),
        StatementKind::Sentence | StatementKind::Item => claimed(&statement.own).or_else(|| framed(&statement.own)),
        StatementKind::Code | StatementKind::Setting | StatementKind::List | StatementKind::Steps => None,
    }
}

fn framed(text: &str) -> Option<(Subject, String)> {
    let (frame, written) = frame(text).filter(|_| text.len() <= CLAIM_BUDGET)?;
    Some((Subject::Frame(frame), plain(&written)))
}

fn default_of_row(statement: &Statement) -> Option<(Subject, String)> {
    let (_, cells) = statement.text.split_once(" — ")?;
    let default = |cell: &str| {
        let (name, value) = cell.split_once(": ")?;
        ["default", "default value"].iter().any(|known| name.eq_ignore_ascii_case(known)).then(|| value.to_owned())
    };
    let mut values = cells.split("; ").filter_map(default);
    let value = values.next().filter(|_| values.next().is_none())?;
    let name = statement.key.strip_prefix('`')?.strip_suffix('`')?;
    is_name(name).then(|| (Subject::Name(name.to_owned()), plain(&value)))
}

/// What stands between a subject and its value, the more telling first.
const LINKS: [&str; 5] = [" defaults to ", " is set to ", " is ", ": ", " = "];
/// Words that make a claim hold only sometimes, or only about.
const CONDITIONS: [&str; 47] = [
    "maximum",
    "minimum",
    "max",
    "min",
    "limit",
    "deprecated",
    "inherited",
    "if",
    "unless",
    "when",
    "whenever",
    "while",
    "where",
    "until",
    "before",
    "after",
    "since",
    "except",
    "or",
    "and",
    "but",
    "not",
    "was",
    "were",
    "previously",
    "formerly",
    "example",
    "otherwise",
    "instead",
    "about",
    "around",
    "approximately",
    "least",
    "most",
    "up",
    "between",
    "may",
    "can",
    "could",
    "should",
    "usually",
    "often",
    "this",
    "that",
    "these",
    "it",
    "its",
];

/// Reads "The default request timeout is 30 seconds." and its like.
fn claimed(text: &str) -> Option<(Subject, String)> {
    let text = text.trim_end_matches('.');
    let bare = text.strip_suffix(" by default").or_else(|| text.strip_prefix("By default, "));
    let (text, is_by_default) = (bare.unwrap_or(text), bare.is_some());
    // A name's own words are no conditions.
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let is_of_default = is_by_default || words(&prose).any(|word| ["default", "defaults"].contains(&word.as_str()));
    if text.len() > CLAIM_BUDGET || !is_of_default || words(&prose).any(|word| CONDITIONS.contains(&word.as_str())) {
        return None;
    }
    let (subject, value) = LINKS.iter().find_map(|link| text.split_once(link))?;
    Some((self::subject(subject)?, plain(value.trim())))
}

/// What the words before a value name.
fn subject(text: &str) -> Option<Subject> {
    let code: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let words: Vec<String> = words(text).filter(|word| !GRAMMAR.contains(&word.as_str())).collect();
    match code.as_slice() {
        [name] if is_name(name) && words.len() <= 4 => Some(Subject::Name((*name).to_owned())),
        [] if words.len() >= 2 && words.len() <= 5 => Some(Subject::Words(words)),
        _ => None,
    }
}

const GRAMMAR: [&str; 14] =
    ["the", "a", "an", "default", "defaults", "value", "of", "for", "by", "in", "its", "our", "to", "setting"];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a name means one thing wherever it is written. A flag (`--timeout`) means another thing with each command,
/// a plain word (`timeout`) with each section.
fn is_name(name: &str) -> bool {
    let is_char = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let inside = name.trim_matches(|c: char| !c.is_alphanumeric());
    let is_camel = inside.chars().zip(inside.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    !name.starts_with('-') && name.chars().all(is_char) && (inside.contains(['.', '_']) || is_camel)
}

/// Without backticks.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = claimed(text).map(|(subject, value)| (shown(&subject), value));
        assert_eq!(found, expected.map(|(subject, value)| (subject.to_owned(), value.to_owned())), "{text}");
    }

    fn shown(subject: &Subject) -> String {
        match subject {
            Subject::Name(name) => format!("`{name}`"),
            Subject::Words(words) => words.join(" "),
            Subject::Frame(frame) => frame.words.iter().cloned().collect::<Vec<_>>().join(" "),
        }
    }

    #[test]
    fn plain_claims_are_read() {
        check("The default request timeout is 30 seconds.", Some(("request timeout", "30 seconds")));
        check("Default request timeout: 60 seconds", Some(("request timeout", "60 seconds")));
        check("`MAX_SIZE` defaults to 5.", Some(("`MAX_SIZE`", "5")));
        check("`cache.ttl` defaults to `10 min`.", Some(("`cache.ttl`", "10 min")));
        check("The request timeout is 30 seconds by default.", Some(("request timeout", "30 seconds")));
    }

    #[test]
    fn claims_with_a_condition_or_without_a_subject_are_not() {
        check("The request timeout is 30 seconds unless you change it.", None);
        check("The default is 30 seconds.", None);
        check("The maximum for `zebra_x` defaults to 100", None);
        check("`zebra_x` is deprecated.", None);
        check("The request timeout is 30 seconds.", None);
        check("It is 30 seconds.", None);
        check("`--timeout` defaults to 30 seconds.", None);
        check("`timeout` defaults to 30 seconds.", None);
    }

    #[test]
    fn names_mean_one_thing_everywhere() {
        for name in ["cache.ttl", "MAX_SIZE", "maxSize"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["timeout", "--max-size", "max-size", "a b.c", ""] {
            assert!(!is_name(name), "{name}");
        }
    }
}
