//! The small syntax of the search command, and the filter it makes.
//!
//! ```text
//! "a phrase"   these words in a row        title:word   in the page's title
//! word*        words that start so         tag:x        pages with the tag
//! a AND b      both                        in:path      pages below a path, or with a name that starts so
//! a OR b       either                      NOT a        without
//! ```
//!
//! Operators are upper-case; `AND` binds before `OR`. Words without an operator are all looked for and more of them
//! is better. Whatever makes no sense is taken as plain words: there is no syntax error.

use rustc_hash::FxHashSet;
use tantivy::schema::{Field as Column, IndexRecordOption};
use tantivy::{DocId, DocSet, TERMINATED, Term};

use crate::error::Error;
use crate::expand::Language;
use crate::phrase;
use crate::query::{Match, Query, phrase as words_of};
use crate::schema::Field;
use crate::search::{Found, Scope, ranked};
use crate::snapshot::{Segment, Snapshot};
use crate::terms::forms;

/// A search, read.
pub struct Search {
    /// Alternatives; an entry needs to satisfy one.
    groups: Vec<Vec<Item>>,
    /// What hits are ranked by.
    query: Query,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    leaf: Leaf,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Optional,
    Required,
    Excluded,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Leaf {
    Word(String),
    Phrase(String),
    Prefix(String),
    Title(String),
    Tag(String),
    Path(String),
}

impl Search {
    /// Reads a search. Any text is a search.
    pub fn read(text: &str, language: Language) -> Self {
        let groups = groups(&lex(text));
        let mut query = Query::question(&ranked_text(&groups), language);
        query.phrases.clear();
        for item in groups.iter().flatten().filter(|item| item.role != Role::Excluded) {
            if let Leaf::Prefix(prefix) = &item.leaf {
                query.add(prefix, Match::Prefix);
            }
        }
        Self { groups, query }
    }

    /// What hits are ranked by.
    pub fn into_query(self) -> Query {
        self.query
    }

    /// Whether the search says nothing at all.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(Vec::is_empty)
    }
}

/// Finds the best `limit` passages for `search`. Where nothing ranks (`tag:x` alone), the order is by path.
///
/// # Errors
/// [`Error::Damaged`] or [`Error::Engine`] when the index can't be read.
pub fn filtered(snapshot: &Snapshot, search: &Search, limit: usize) -> Result<Found, Error> {
    let is_plain = matches!(search.groups.as_slice(), [group] if group.iter().all(|item| item.role == Role::Optional));
    if is_plain || search.is_empty() {
        return ranked(snapshot, &search.query, &Scope::All, limit);
    }
    let mut allowed = Vec::with_capacity(snapshot.segments.len());
    for segment in &snapshot.segments {
        let mut docs = FxHashSet::default();
        for group in &search.groups {
            docs.extend(satisfied(snapshot, segment, search, group)?);
        }
        allowed.push(docs);
    }
    ranked(snapshot, &search.query, &Scope::Only(allowed), limit)
}

/// A piece of the text, before operators are understood.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lexeme {
    And,
    Or,
    Not,
    Leaf(Leaf),
}

fn lex(text: &str) -> Vec<Lexeme> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (lexeme, after) = next_lexeme(rest);
        found.push(lexeme);
        rest = after.trim_start();
    }
    found
}

fn next_lexeme(text: &str) -> (Lexeme, &str) {
    if let Some((phrase, after)) = in_quotes(text) {
        return (Lexeme::Leaf(Leaf::Phrase(phrase.to_owned())), after);
    }
    for (name, leaf) in FIELDS {
        let Some(value) = text.strip_prefix(name) else { continue };
        let (value, after) = value_of(value);
        if !value.is_empty() {
            return (Lexeme::Leaf(leaf(value.to_owned())), after);
        }
    }
    let (word, after) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let lexeme = match word {
        "AND" => Lexeme::And,
        "OR" => Lexeme::Or,
        "NOT" => Lexeme::Not,
        _ => match word.strip_suffix('*').filter(|prefix| words_of(prefix).len() == 1) {
            Some(prefix) => Lexeme::Leaf(Leaf::Prefix(prefix.to_owned())),
            None => Lexeme::Leaf(Leaf::Word(word.to_owned())),
        },
    };
    (lexeme, after)
}

/// Makes a leaf of a field's value.
type MakeLeaf = fn(String) -> Leaf;

const FIELDS: [(&str, MakeLeaf); 3] = [("title:", Leaf::Title), ("tag:", Leaf::Tag), ("in:", Leaf::Path)];

/// The value behind a field's colon, bare or in quotation marks, and what follows it.
fn value_of(text: &str) -> (&str, &str) {
    in_quotes(text).unwrap_or_else(|| text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())))
}

/// What stands in the quotation marks that a text begins with, and what follows them.
fn in_quotes(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

/// Understands the operators: alternatives of items with their roles.
fn groups(lexemes: &[Lexeme]) -> Vec<Vec<Item>> {
    let mut groups: Vec<Vec<Item>> = vec![Vec::new()];
    let mut role = None;
    for (index, lexeme) in lexemes.iter().enumerate() {
        let has_next = matches!(lexemes.get(index + 1), Some(Lexeme::Leaf(_) | Lexeme::Not));
        let group = groups.last_mut().expect("there is always a group");
        match lexeme {
            Lexeme::And if has_next && !group.is_empty() => {
                if let Some(last) = group.last_mut().filter(|item| item.role == Role::Optional) {
                    last.role = Role::Required;
                }
                role = Some(Role::Required);
            }
            Lexeme::Or if has_next && !group.is_empty() => groups.push(Vec::new()),
            Lexeme::Not if matches!(lexemes.get(index + 1), Some(Lexeme::Leaf(_))) => role = Some(Role::Excluded),
            Lexeme::Leaf(leaf) => {
                let usual =
                    if matches!(leaf, Leaf::Word(_) | Leaf::Prefix(_)) { Role::Optional } else { Role::Required };
                group.push(Item { leaf: leaf.clone(), role: role.take().unwrap_or(usual) });
            }
            // An operator without operands is a word, and such words say nothing.
            Lexeme::And | Lexeme::Or | Lexeme::Not => {}
        }
    }
    groups.retain(|group| !group.is_empty());
    for group in &mut groups {
        // "Everything without a" is no search: then the words are just words.
        if group.iter().all(|item| item.role == Role::Excluded) {
            group.iter_mut().for_each(|item| item.role = Role::Optional);
        }
    }
    groups
}

/// The words that hits are ranked by: all that may stand in a hit.
fn ranked_text(groups: &[Vec<Item>]) -> String {
    let wanted = groups.iter().flatten().filter(|item| item.role != Role::Excluded);
    let texts = wanted.filter_map(|item| match &item.leaf {
        Leaf::Word(text) | Leaf::Phrase(text) | Leaf::Title(text) => Some(text.as_str()),
        Leaf::Prefix(_) | Leaf::Tag(_) | Leaf::Path(_) => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// The entries of a segment that satisfy every item of a group.
fn satisfied(
    snapshot: &Snapshot,
    segment: &Segment,
    search: &Search,
    group: &[Item],
) -> Result<FxHashSet<DocId>, Error> {
    let mut required: Option<FxHashSet<DocId>> = None;
    let mut optional = FxHashSet::default();
    let mut excluded = FxHashSet::default();
    for item in group {
        let docs = holders(snapshot, segment, search, &item.leaf)?;
        match item.role {
            Role::Optional => optional.extend(docs),
            Role::Excluded => excluded.extend(docs),
            Role::Required => {
                required = Some(match required {
                    Some(before) => before.intersection(&docs).copied().collect(),
                    None => docs,
                });
            }
        }
    }
    let mut docs = required.unwrap_or(optional);
    docs.retain(|doc| !excluded.contains(doc));
    Ok(docs)
}

/// The entries of a segment that a leaf is true of.
fn holders(snapshot: &Snapshot, segment: &Segment, search: &Search, leaf: &Leaf) -> Result<FxHashSet<DocId>, Error> {
    let query = &search.query;
    match leaf {
        Leaf::Word(word) => any_form(snapshot, segment, query, word, Match::Forms, &Field::ALL),
        Leaf::Prefix(prefix) => any_form(snapshot, segment, query, prefix, Match::Prefix, &Field::ALL),
        Leaf::Title(word) => any_form(snapshot, segment, query, word, Match::Forms, &[Field::Title]),
        Leaf::Phrase(text) => phrase::holders(snapshot, segment, &[words_of(text)]),
        Leaf::Tag(tag) => {
            let mut found = FxHashSet::default();
            read(segment, snapshot.columns.tag, &tag.to_lowercase(), &mut found)?;
            Ok(found)
        }
        Leaf::Path(path) => below(snapshot, segment, path),
    }
}

/// The entries that hold every token of `word`, each in any form, in one of `fields`.
fn any_form(
    snapshot: &Snapshot,
    segment: &Segment,
    query: &Query,
    word: &str,
    matching: Match,
    fields: &[Field],
) -> Result<FxHashSet<DocId>, Error> {
    let mut all: Option<FxHashSet<DocId>> = None;
    for token in words_of(word) {
        let mut found = FxHashSet::default();
        for (form, _) in forms(snapshot, query, &token, matching)? {
            for field in fields {
                read(segment, snapshot.columns.text(*field), &form, &mut found)?;
            }
        }
        all = Some(match all {
            Some(before) => before.intersection(&found).copied().collect(),
            None => found,
        });
    }
    Ok(all.unwrap_or_default())
}

/// The entries whose path starts with `part`, or has a component that does.
fn below(snapshot: &Snapshot, segment: &Segment, part: &str) -> Result<FxHashSet<DocId>, Error> {
    let mut found = FxHashSet::default();
    let inverted = segment.reader.inverted_index(snapshot.columns.path)?;
    let inside = format!("/{part}");
    let mut paths = inverted.terms().stream()?;
    while paths.advance() {
        let Ok(path) = std::str::from_utf8(paths.key()) else { continue };
        if path.starts_with(part) || path.contains(&inside) {
            read(segment, snapshot.columns.path, path, &mut found)?;
        }
    }
    Ok(found)
}

/// Adds the living entries that hold `term` in a column.
fn read(segment: &Segment, column: Column, term: &str, found: &mut FxHashSet<DocId>) -> Result<(), Error> {
    let inverted = segment.reader.inverted_index(column)?;
    let term = Term::from_field_text(column, term);
    let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
        return Ok(());
    };
    while postings.doc() != TERMINATED {
        if segment.is_alive(postings.doc()) {
            found.insert(postings.doc());
        }
        postings.advance();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let show = |item: &Item| {
            let sign = match item.role {
                Role::Optional => "?",
                Role::Required => "+",
                Role::Excluded => "-",
            };
            format!("{sign}{:?}", item.leaf).replace("\\\"", "\u{1}").replace('"', "'").replace('\u{1}', "\"")
        };
        let found: Vec<String> =
            groups(&lex(text)).iter().map(|group| group.iter().map(show).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(found.join(" | "), expected, "{text}");
    }

    #[test]
    fn plain_words_are_optional() {
        check("cache directory", "?Word('cache') ?Word('directory')");
    }

    #[test]
    fn operators_bind_as_documented() {
        check("a AND b OR c NOT d", "+Word('a') +Word('b') | ?Word('c') -Word('d')");
        check("a AND NOT b", "+Word('a') -Word('b')");
    }

    #[test]
    fn fields_phrases_and_prefixes_are_read() {
        check("\"a b\" conf* tag:auth", "+Phrase('a b') ?Prefix('conf') +Tag('auth')");
        check("title:x in:docs/guide", "+Title('x') +Path('docs/guide')");
        check("title:\"two words\"", "+Title('two words')");
    }

    #[test]
    fn nonsense_is_plain_words() {
        check("AND OR NOT", "");
        check("a AND", "?Word('a')");
        check("NOT a", "?Word('a')");
        check("\"open", "?Word('\"open')");
        check("title: *", "?Word('title:') ?Word('*')");
        check("", "");
    }
}
