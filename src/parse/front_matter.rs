//! Metadata at the top of a file: YAML between `---` lines, TOML between `+++` lines.
//!
//! What can't be read as YAML or TOML is read line by line as far as it goes; the rest of the file is unharmed.

use serde_json::Value as Json;

use super::{FrontMatter, Problem};
use crate::span::Span;

/// The metadata of a file and what follows it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Split {
    pub(super) front_matter: FrontMatter,
    /// Where the text begins: behind the front matter, or behind the BOM.
    pub(super) body: usize,
    pub(super) problem: Option<Problem>,
}

/// Metadata longer than this is read line by line: nobody writes it, and it may be a bomb.
const MAX_PARSED: usize = 64 * 1024;

/// Splits the metadata off a file. Without a closing fence, or with no key in it, it is ordinary text.
pub(super) fn split(text: &str) -> Split {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    let unmarked = Split { body: bom, ..Split::default() };
    let Some(fenced) = fenced(text, bom) else {
        return unmarked;
    };
    let content = &text[fenced.content.range()];
    let lines = lines(content);
    let (entries, problem) = match fenced.syntax.read(content) {
        Ok(entries) => (entries, None),
        Err((at, message)) => {
            let message = format!("front matter cannot be read as {}: {message}", fenced.syntax.name());
            (None, Some(Problem { at: fenced.content.start + at, message }))
        }
    };
    let is_empty = content.lines().all(|line| line.trim().is_empty() || line.starts_with('#'));
    let entries = match entries {
        Some(entries) => entries,
        None if lines.is_empty() && !is_empty => return unmarked,
        None => lines.clone(),
    };
    let front_matter = FrontMatter { span: fenced.whole, ..described(&with_raw_scalars(entries, &lines)) };
    Split { front_matter, body: fenced.whole.end, problem }
}

#[derive(Clone, Copy, Debug)]
enum Syntax {
    Yaml,
    Toml,
}

/// Where front matter stands.
struct Fenced {
    syntax: Syntax,
    content: Span,
    whole: Span,
}

/// A value, as far as anyone here cares about it.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    One(String),
    /// A number, truth value or date, which the parser may not write as the author did.
    Bare(String),
    Many(Vec<String>),
}

type Entries = Vec<(String, Value)>;

/// Finds the fences, looking from `from` on. Behind a BOM, blank lines may come first: editors that write
/// one also leave those.
fn fenced(text: &str, from: usize) -> Option<Fenced> {
    let blank = text[from..].len() - text[from..].trim_start_matches(['\r', '\n']).len();
    let start = if from > 0 { from + blank } else { from };
    let mut at = line_end(text, start);
    let content = at;
    let (syntax, closing): (_, &[&str]) = match text[start..at].trim_end() {
        "---" => (Syntax::Yaml, &["---", "..."]),
        "+++" => (Syntax::Toml, &["+++"]),
        _ => return None,
    };
    while at < text.len() {
        let end = line_end(text, at);
        if closing.contains(&text[at..end].trim_end()) {
            return Some(Fenced { syntax, content: Span::new(content, at), whole: Span::new(start, end) });
        }
        at = end;
    }
    None
}

impl Syntax {
    fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
        }
    }

    /// The entries of `content`, `None` where it is no table; or where it can't be read, and why.
    fn read(self, content: &str) -> Result<Option<Entries>, (usize, String)> {
        if content.len() > MAX_PARSED {
            return Err((0, format!("it is {} bytes long, more than the {MAX_PARSED} expected", content.len())));
        }
        match self {
            Self::Yaml => yaml(content),
            Self::Toml => toml_entries(content),
        }
    }
}

fn yaml(content: &str) -> Result<Option<Entries>, (usize, String)> {
    let parsed: Result<Json, _> = serde_saphyr::from_str_with_options(content, yaml_options());
    let json = parsed.map_err(|error| {
        let line = error.location().map_or(0, |location| location.line().saturating_sub(1));
        let at = (0..line).fold(0, |at, _| line_end(content, at));
        let message = error.without_snippet().to_string();
        (at.min(content.len()), message.lines().next().unwrap_or("unknown error").to_owned())
    })?;
    let Json::Object(entries) = json else {
        return Ok(None);
    };
    Ok(Some(entries.into_iter().filter_map(|(key, value)| Some((key, json_value(value)?))).collect()))
}

/// Bounds that real metadata never meets and that a file made of nested aliases meets at once.
fn yaml_options() -> serde_saphyr::Options {
    let mut options = serde_saphyr::Options::default();
    options.budget = serde_saphyr::budget! {
        max_depth: 32, max_events: 50_000, max_nodes: 20_000, max_aliases: 100, max_anchors: 100
    };
    options.alias_limits.max_total_replayed_events = 2_000;
    options.alias_limits.max_replay_stack_depth = 8;
    options.duplicate_keys = serde_saphyr::options::DuplicateKeyPolicy::FirstWins;
    options.with_snippet = false;
    options
}

fn json_value(value: Json) -> Option<Value> {
    match value {
        Json::String(text) => Some(Value::One(text)),
        Json::Number(number) => Some(Value::Bare(number.to_string())),
        Json::Bool(truth) => Some(Value::Bare(truth.to_string())),
        Json::Array(items) => Some(Value::Many(items.iter().filter_map(json_item).collect())),
        Json::Null | Json::Object(_) => None,
    }
}

fn json_item(item: &Json) -> Option<String> {
    match item {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Object(entries) => ["label", "name"].iter().find_map(|key| Some(entries.get(*key)?.as_str()?.to_owned())),
        Json::Null | Json::Array(_) => None,
    }
}

fn toml_entries(content: &str) -> Result<Option<Entries>, (usize, String)> {
    let table: toml::Table = toml::from_str(content).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at, error.message().lines().next().unwrap_or("unknown error").to_owned())
    })?;
    Ok(Some(table.into_iter().filter_map(|(key, value)| Some((key, toml_value(value)?))).collect()))
}

fn toml_value(value: toml::Value) -> Option<Value> {
    match value {
        toml::Value::String(text) => Some(Value::One(text)),
        toml::Value::Array(items) => Some(Value::Many(items.into_iter().filter_map(toml_scalar).collect())),
        bare => toml_scalar(bare).map(Value::Bare),
    }
}

fn toml_scalar(value: toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(truth) => Some(truth.to_string()),
        toml::Value::Datetime(time) => Some(time.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

/// Reads `key: value`, `key = value`, `key: [a, b]` and `- item` lines, whatever stands between them.
fn lines(content: &str) -> Entries {
    let mut entries: Entries = Vec::new();
    for line in content.lines() {
        let item = line.trim_start().strip_prefix("- ");
        match (item, entries.last_mut()) {
            (Some(item), Some((_, value))) => match value {
                Value::Many(items) => items.push(scalar(item)),
                Value::One(text) if text.is_empty() => *value = Value::Many(vec![scalar(item)]),
                Value::One(_) | Value::Bare(_) => {}
            },
            _ => entries.extend(key_value(line)),
        }
    }
    entries
}

fn key_value(line: &str) -> Option<(String, Value)> {
    let end = line.find([':', '='])?;
    let key = &line[..end].trim_end_matches(' ').trim_start_matches('\t');
    let rest = &line[end + 1..];
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    if !is_key || !(rest.is_empty() || rest.starts_with([' ', '\t', '\r'])) {
        return None;
    }
    let value = match rest.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        Some(list) => Value::Many(list.split(',').map(scalar).collect()),
        None => Value::One(scalar(rest)),
    };
    Some(((*key).to_owned(), value))
}

/// A scalar without its quotes or comment.
fn scalar(text: &str) -> String {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some((inside, _)) = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside.to_owned();
        }
    }
    text.split(" #").next().unwrap_or(text).trim_end().to_owned()
}

/// Gives numbers, truth values and dates the spelling that their line has.
fn with_raw_scalars(entries: Entries, lines: &Entries) -> Entries {
    let mut by_key = std::collections::BTreeMap::new();
    for (key, value) in lines {
        by_key.entry(key.as_str()).or_insert(value);
    }
    let raw = |key: &str| by_key.get(key).copied();
    let spelled = entries.into_iter().map(|(key, value)| match (value, raw(&key)) {
        (Value::Bare(_), Some(Value::One(raw))) => (key, Value::One(raw.clone())),
        (Value::Bare(text), _) => (key, Value::One(text)),
        (value, _) => (key, value),
    });
    spelled.collect()
}

/// The metadata that `entries` say.
fn described(entries: &Entries) -> FrontMatter {
    FrontMatter {
        span: Span::default(),
        title: one(entries, &["title"]),
        tags: many(entries, &["tags", "keywords"], Splitting::AtCommas),
        template: one(entries, &["template"]),
        updated: one(entries, &["updated", "last_updated", "date"]),
        description: one(entries, &["description", "summary"]),
        aliases: many(entries, &["aliases", "redirect_from", "slug"], Splitting::Whole),
        class: one(entries, &["inkwell"]),
    }
}

/// What a single value is in place of a list.
#[derive(Clone, Copy)]
enum Splitting {
    AtCommas,
    Whole,
}

/// The value of the first of `keys` that has one, white space folded.
fn one(entries: &Entries, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match found(entries, key)? {
        Value::One(text) | Value::Bare(text) => non_blank(text),
        Value::Many(_) => None,
    })
}

/// The values of all of `keys`, each once.
fn many(entries: &Entries, keys: &[&str], splitting: Splitting) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in keys.iter().filter_map(|key| found(entries, key)) {
        let items: Vec<&str> = match (value, splitting) {
            (Value::Many(items), _) => items.iter().map(String::as_str).collect(),
            (Value::One(text) | Value::Bare(text), Splitting::AtCommas) => text.split(',').collect(),
            (Value::One(text) | Value::Bare(text), Splitting::Whole) => vec![text],
        };
        for item in items.into_iter().filter_map(non_blank) {
            if !values.contains(&item) {
                values.push(item);
            }
        }
    }
    values
}

fn found<'a>(entries: &'a Entries, key: &str) -> Option<&'a Value> {
    entries.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value)
}

fn non_blank(text: &str) -> Option<String> {
    let folded: Vec<&str> = text.split_whitespace().collect();
    (!folded.is_empty()).then(|| folded.join(" "))
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |offset| at + offset + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the metadata of a file whose text is `# H`, and that there is no problem.
    fn check(text: &str, expected: &FrontMatter) {
        let found = split(text);
        assert_eq!(found.front_matter, FrontMatter { span: found.front_matter.span, ..expected.clone() }, "{text:?}");
        assert_eq!((&text[found.body..], found.problem), ("# H\n", None), "{text:?}");
    }

    fn check_no_front_matter(text: &str) {
        let body = text.len() - text.trim_start_matches('\u{feff}').len();
        assert_eq!(split(text), Split { body, ..Split::default() }, "{text:?}");
    }

    fn titled(title: &str) -> FrontMatter {
        FrontMatter { title: Some(title.to_owned()), ..FrontMatter::default() }
    }

    fn tagged(tags: &[&str]) -> FrontMatter {
        FrontMatter { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..FrontMatter::default() }
    }

    #[test]
    fn every_field_is_read() {
        let text = "---\ntitle: \"A: b\"\ntemplate: guide\nupdated: 2024-01-05\nsummary: >\n  two\n  lines\n\
                    aliases: [/a, /b]\nslug: /c\ninkwell: historical\n---\n# H\n";
        let expected = FrontMatter {
            span: Span::default(),
            title: Some("A: b".to_owned()),
            tags: Vec::new(),
            template: Some("guide".to_owned()),
            updated: Some("2024-01-05".to_owned()),
            description: Some("two lines".to_owned()),
            aliases: ["/a", "/b", "/c"].map(str::to_owned).to_vec(),
            class: Some("historical".to_owned()),
        };
        check(text, &expected);
    }

    #[test]
    fn tags_come_in_every_form() {
        check("---\ntags: [a, 'b c', 1.10]\n---\n# H\n", &tagged(&["a", "b c", "1.1"]));
        check("---\ntags:\n  - a\n  - b\n---\n# H\n", &tagged(&["a", "b"]));
        check("---\ntags:\n- a\n- b\n---\n# H\n", &tagged(&["a", "b"]));
        check("---\ntags: a, b\n---\n# H\n", &tagged(&["a", "b"]));
        check("---\ntags: [{label: a, permalink: /a}]\nkeywords: [b, a]\n---\n# H\n", &tagged(&["a", "b"]));
        check("---\ntags:\ntitle:\n---\n# H\n", &tagged(&[]));
    }

    #[test]
    fn bare_scalars_keep_their_spelling() {
        check("---\ntitle: 1.10 # current\n---\n# H\n", &titled("1.10"));
        check("---\ntitle: Yes\n---\n# H\n", &titled("Yes"));
        let expected = FrontMatter { updated: Some("20240105".to_owned()), ..titled("007") };
        check("---\ntitle: 007\ndate: 20240105\n---\n# H\n", &expected);
    }

    #[test]
    fn toml_is_read() {
        let expected = FrontMatter { updated: Some("2024-01-05".to_owned()), ..titled("A") };
        check("+++\ntitle = \"A\"\ndate = 2024-01-05\n[extra]\nx = 1\n+++\n# H\n", &expected);
        check("+++\ntags = [\"a\", \"b\"]\n+++\n# H\n", &tagged(&["a", "b"]));
    }

    #[test]
    fn bom_line_ends_and_fence_styles_do_not_matter() {
        check("\u{feff}---\r\ntitle: X\r\n---\r\n# H\n", &titled("X"));
        check("\u{feff}\r\n---\r\ntitle: X\r\n---\r\n# H\n", &titled("X"));
        check("--- \ntitle: X\n...\n# H\n", &titled("X"));
        assert_eq!(split("\u{feff}---\ntitle: X\n---\nrest").front_matter.span, Span::new(3, 20));
        assert_eq!(split("---\ntitle: X\n---").body, 16);
    }

    #[test]
    fn empty_front_matter_is_front_matter() {
        check("---\n---\n# H\n", &FrontMatter::default());
        check("---\n# only a comment\n\n---\n# H\n", &FrontMatter::default());
    }

    #[test]
    fn what_is_not_closed_or_not_metadata_is_text() {
        check_no_front_matter("---\ntitle: X\n\n# H\n");
        check_no_front_matter("\n---\ntitle: X\n---\n");
        check_no_front_matter("text\n---\ntitle: X\n---\n");
        check_no_front_matter("---\n\nA paragraph.\n\n## H\n\n---\n");
        check_no_front_matter("---\n- a list\n---\n");
        check_no_front_matter("----\ntitle: X\n----\n");
        check_no_front_matter("");
    }

    #[test]
    fn unreadable_yaml_is_a_problem_and_its_plain_lines_are_read() {
        let found = split("---\ntitle: X\n\tbad: [\ntags:\n- a\n---\n# H\n");
        let expected = FrontMatter { span: found.front_matter.span, tags: vec!["a".to_owned()], ..titled("X") };
        assert_eq!((found.front_matter, found.body), (expected, 35));
        let problem = found.problem.expect("a problem");
        assert!(problem.message.starts_with("front matter cannot be read as YAML: "), "{}", problem.message);
        assert!((4..35).contains(&problem.at), "{}", problem.at);
    }

    #[test]
    fn yaml_bombs_are_problems() {
        let mut bomb = "---\ntitle: X\na0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
            bomb += &format!("a{level}: &a{level} [{aliases}]\n");
        }
        let found = split(&(bomb + "---\n"));
        assert_eq!(found.front_matter.title.as_deref(), Some("X"));
        assert!(found.problem.is_some());
        assert!(split(&format!("---\ntitle: X\na: {}\n---\n", "[".repeat(10_000))).problem.is_some());
    }

    #[test]
    fn huge_metadata_is_read_line_by_line() {
        let found = split(&format!("---\ntitle: X\nnote: {}\n---\n", "a".repeat(MAX_PARSED)));
        assert_eq!(found.front_matter.title.as_deref(), Some("X"));
        let message = "front matter cannot be read as YAML: it is 65552 bytes long, more than the 65536 expected";
        assert_eq!(found.problem.map(|problem| problem.message).as_deref(), Some(message));
    }
}
