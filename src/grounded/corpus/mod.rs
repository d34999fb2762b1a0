//! JSON or a folder of Markdown → the sources that an answer may quote.
//!
//! This is the strict reading: a source without id, title or text is a finding. What is done with the sources is not
//! decided here.

mod folder;

use std::collections::HashMap;

use super::json::Json;

pub use folder::{Extent, Folder};

/// A source, its strings without white space at their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// Its name, unlike that of any other source.
    pub id: &'a str,
    /// What people call it.
    pub title: &'a str,
    /// What it says.
    pub text: &'a str,
}

/// Sources with different ids, in the order in which they were supplied.
#[derive(Clone, Debug, Default)]
pub struct Corpus<'a> {
    /// The sources.
    pub sources: Vec<Source<'a>>,
    by_id: HashMap<&'a str, usize>,
}

impl<'a> Corpus<'a> {
    /// Reads the sources of a supplied corpus, and what is wrong with it in the words of contracts B.
    pub fn read(value: &'a Json<'a>) -> (Self, Vec<String>) {
        let mut corpus = Self::default();
        let mut findings = Vec::new();
        if value.items().is_empty() {
            findings.push("corpus must be a non-empty array".to_owned());
        }
        for item in value.items() {
            match source(item) {
                None => findings.push("every corpus source requires non-empty id, title, and text".to_owned()),
                Some(source) if corpus.by_id.contains_key(source.id) => {
                    findings.push(format!("duplicate corpus source id: {}", source.id));
                }
                Some(source) => {
                    corpus.by_id.insert(source.id, corpus.sources.len());
                    corpus.sources.push(source);
                }
            }
        }
        (corpus, findings)
    }

    /// The place of a source among the sources.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

fn source<'a>(item: &'a Json<'a>) -> Option<Source<'a>> {
    let field = |name| item.field(name).and_then(Json::text);
    Some(Source { id: field("id")?, title: field("title")?, text: field("text")? })
}

#[cfg(test)]
mod tests {
    use super::super::json::read;
    use super::*;

    /// Checks the ids that are read and the findings.
    fn check(json: &str, ids: &[&str], findings: &[&str]) {
        let value = read(json.as_bytes()).expect("JSON");
        let (corpus, found) = Corpus::read(&value);
        assert_eq!(corpus.sources.iter().map(|source| source.id).collect::<Vec<_>>(), ids, "{json}");
        assert_eq!(found, findings, "{json}");
    }

    #[test]
    fn a_corpus_is_an_array_with_something_in_it() {
        for json in ["[]", "null", "{}", "\"[]\"", "7", r#"{"0": {"id": "a", "title": "A", "text": "x"}}"#] {
            check(json, &[], &["corpus must be a non-empty array"]);
        }
    }

    #[test]
    fn every_bad_source_is_a_finding() {
        let bad = "every corpus source requires non-empty id, title, and text";
        let json = r#"[{"id": " a ", "title": "A", "text": "x"}, 7, {"id": "b", "title": " ", "text": "y"}]"#;
        check(json, &["a"], &[bad, bad]);
    }

    #[test]
    fn ids_are_compared_without_white_space_around_them() {
        let json = r#"[{"id": "a", "title": "A", "text": "x"}, {"id": "\ta", "title": "B", "text": "y"},
            {"id": "A", "title": "A", "text": "x"}]"#;
        check(json, &["a", "A"], &["duplicate corpus source id: a"]);
    }

    #[test]
    fn sources_are_found_by_id() {
        let value = read(br#"[{"id": "a", "title": " T ", "text": "\n x y "}]"#).expect("JSON");
        let (corpus, _) = Corpus::read(&value);
        assert_eq!(corpus.find("a").map(|at| corpus.sources[at]), Some(Source { id: "a", title: "T", text: "x y" }));
        assert_eq!(corpus.find("b"), None);
    }
}
