//! What a code span names, told by its shape alone: one class per span, refusals first, no second chance.
//!
//! A span that is no name of anything a repository can hold (a command, a URL, a version, a route) is refused and is
//! no claim at all. A name that may only stand for one (a placeholder, a plain word) is a claim that can be verified
//! but whose absence proves nothing; [`Named::doubt`] says why.

use crate::finding::Kind;

use super::cue::Doubt;
use super::extension::{is_domain, is_file_extension};

/// Longer spans are programs, not names, in bytes.
const LENGTH_LIMIT: usize = 160;

/// What a span names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The thing.
    pub target: Target,
    /// Why its absence would prove nothing; `None` where it would.
    pub doubt: Option<Doubt>,
}

/// The thing that a claim names, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file or folder, `/`-separated as written, a final `/` kept.
    Path(String),
    /// A symbol in a file.
    PathSymbol {
        /// The file.
        path: String,
        /// The symbol's name, and the containers before it, outermost first.
        parts: Vec<String>,
    },
    /// A line of a file, or the last of a range of them, 1-based.
    PathLine {
        /// The file.
        path: String,
        /// The line.
        line: usize,
    },
    /// A name with the containers before it, outermost first; at least two parts.
    Member(Vec<String>),
    /// A bare name.
    Symbol(String),
    /// An option without its leading dashes and value.
    Flag(String),
    /// A name in capitals: an environment variable or a constant.
    Env(String),
    /// A configuration key in parts.
    Key(Vec<String>),
    /// A link's destination, as written.
    Link(String),
}

impl Target {
    /// The kind of thing.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Path(_) => Kind::Path,
            Self::PathSymbol { .. } => Kind::PathSymbol,
            Self::PathLine { .. } => Kind::PathLine,
            Self::Member(_) => Kind::Member,
            Self::Symbol(_) => Kind::Symbol,
            Self::Flag(_) => Kind::Flag,
            Self::Env(_) => Kind::Env,
            Self::Key(_) => Kind::Key,
            Self::Link(_) => Kind::Link,
        }
    }
}

/// Reads a code span; `None` where it names nothing that can be looked up.
pub fn read(text: &str) -> Option<Named> {
    let text = text.trim();
    if text.is_empty() || text.len() > LENGTH_LIMIT || text.chars().any(char::is_control) {
        return None;
    }
    if text.starts_with('-') {
        return flag(text);
    }
    if is_refused(text) {
        return None;
    }
    let named = variable(text).or_else(|| place(text)).or_else(|| name(text))?;
    Some(named)
}

fn sure(target: Target) -> Named {
    Named { target, doubt: None }
}

fn doubted(target: Target, doubt: Doubt) -> Named {
    Named { target, doubt: Some(doubt) }
}

/// A name with a doubt where one of its parts is a stand-in.
fn weighed(target: Target, parts: &[&str]) -> Named {
    match parts.iter().any(|part| is_placeholder(part)) {
        true => doubted(target, Doubt::Placeholder),
        false => sure(target),
    }
}

/// What names nothing in a repository, whatever else it looks like.
fn is_refused(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_address =
        text.contains("://") || ["www.", "mailto:", "localhost", "//"].iter().any(|s| lower.starts_with(s));
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "^~=<>!+#%&|;,".contains(c));
    let is_package = text.starts_with('@') && text.contains('/');
    is_address || is_number || is_package || is_version(text) || is_media_type(&lower) || lower.starts_with("~/")
}

/// `v1`, `v1.2.3-beta`.
fn is_version(text: &str) -> bool {
    let digits = text.strip_prefix(['v', 'V']).unwrap_or_default();
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(is_part)
        && (digits.contains('.') || digits.chars().all(|c| c.is_ascii_digit() || c == 'x'))
}

fn is_media_type(lower: &str) -> bool {
    let families = ["application", "text", "image", "audio", "video", "multipart", "font", "model"];
    let (family, rest) = lower.split_once('/').unwrap_or_default();
    families.contains(&family) && !rest.contains('/') && !is_file_name(rest)
}

/// `--flag`, `-f`, `--flag=value`, `--flag VALUE`, `-f/--flag`, `-f, --flag`.
fn flag(text: &str) -> Option<Named> {
    let long = text.split(['/', ',', ' ', '|']).find(|word| word.trim().starts_with("--")).map(str::trim);
    let word = long.unwrap_or_else(|| text.split([' ', ',', '/', '|']).next().unwrap_or_default());
    let name = word.trim_start_matches('-').split(['=', '[', '<', ':']).next().unwrap_or_default();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if !is_name || word.starts_with("---") {
        return None;
    }
    let target = Target::Flag(name.trim_end_matches(['.', '-']).to_owned());
    if !word.starts_with("--") {
        return Some(doubted(target, Doubt::ShortOption));
    }
    Some(weighed(target, &name.split('-').collect::<Vec<_>>()))
}

/// `$NAME`, `${NAME}`, `%NAME%`, `NAME=value`, `LOG_LEVEL`.
fn variable(text: &str) -> Option<Named> {
    let name = text.split_once('=').filter(|(name, _)| is_constant(name)).map_or(text, |(name, _)| name);
    let bare = name
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .or_else(|| name.strip_prefix('$'))
        .or_else(|| name.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')))
        .or_else(|| name.strip_prefix("env."))
        .unwrap_or(name);
    let parts: Vec<&str> = bare.split('_').collect();
    (is_constant(bare) && bare.contains('_')).then(|| weighed(Target::Env(bare.to_owned()), &parts))
}

/// Capitals, digits and underscores, at least two letters.
fn is_constant(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.len() > 2
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// A path, alone or with a line or symbol behind it.
fn place(text: &str) -> Option<Named> {
    if text.contains(char::is_whitespace) || text.contains('\\') || text.contains('(') {
        return None;
    }
    let (first, _) = text.split_once('/').unwrap_or_default();
    // `example.com/x` is an address, and `/wp-json/v1/` a route; a lone `/docs/` may be a folder.
    let is_route = text.starts_with('/') && text.trim_matches('/').contains('/') && !is_file_name(last_segment(text));
    if is_domain(first) || is_route {
        return None;
    }
    if let Some(named) = place_with_tail(text) {
        return Some(named);
    }
    let (path, is_pattern) = match text.trim_end_matches('*') {
        folder if folder.len() < text.len() && folder.ends_with('/') => (folder, true),
        _ => (text, false),
    };
    if !path.chars().all(is_path_character) {
        return None;
    }
    let is_path = match path.contains('/') {
        true => path.chars().any(char::is_alphanumeric),
        false => is_file_name(path),
    };
    if !is_path || is_arity(path) || path.starts_with("./..") || path.trim_matches(['.', '/']).is_empty() {
        return None;
    }
    let target = Target::Path(path.to_owned());
    if is_pattern {
        return Some(doubted(target, Doubt::Pattern));
    }
    let words: Vec<&str> = path.split(['/', '.', '-', '_']).collect();
    Some(weighed(target, &words))
}

/// `a/b.rs:42`, `a.rs:10-20`, `a.rs#L42`, `a.rs:parse`, `a.rs::Parser::parse`, `a.rs#parse`.
fn place_with_tail(text: &str) -> Option<Named> {
    let at = text.find([':', '#'])?;
    let path = &text[..at];
    let tail = text[at..].trim_start_matches([':', '#']);
    if tail.is_empty() || !path.chars().all(is_path_character) || !is_file_name(last_segment(path)) {
        return None;
    }
    let words: Vec<&str> = path.split(['/', '.', '-', '_']).collect();
    let number = tail.trim_start_matches('L');
    if number.starts_with(|c: char| c.is_ascii_digit()) {
        let last = number.split(['-', ':', ',']).next_back().unwrap_or(number).trim_start_matches('L');
        // `a.rs:42:7` is a line and a column.
        let pieces: Vec<&str> = number.split(':').collect();
        let line = if pieces.len() == 2 { pieces[0] } else { last }.parse().ok()?;
        return Some(weighed(Target::PathLine { path: path.to_owned(), line }, &words));
    }
    let parts = parts_of(tail)?;
    Some(weighed(Target::PathSymbol { path: path.to_owned(), parts }, &words))
}

fn is_path_character(c: char) -> bool {
    c.is_alphanumeric() || "/._-+@~[]$".contains(c)
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name that ends like a file's: `a.rs`, `.gitignore`, `Dockerfile`.
fn is_file_name(text: &str) -> bool {
    match text.rsplit_once('.') {
        Some((stem, extension)) => !stem.is_empty() && is_file_extension(extension) && !is_domain(text),
        None => ["Dockerfile", "Makefile", "Justfile", "justfile", "Gemfile", "Rakefile", "LICENSE", "Procfile"]
            .contains(&text),
    }
}

/// `name/2`, the way Elixir and Erlang write functions.
fn is_arity(text: &str) -> bool {
    let Some((name, arity)) = text.split_once('/') else { return false };
    arity.len() <= 2 && !arity.is_empty() && arity.chars().all(|c| c.is_ascii_digit()) && !name.is_empty()
}

/// A name, alone or with containers.
fn name(text: &str) -> Option<Named> {
    let bare = unquoted(text);
    let bare = if is_arity(bare) { bare.split_once('/').map_or(bare, |(name, _)| name) } else { bare };
    let called =
        bare.find('(').map(|at| &bare[..at]).filter(|_| bare.trim_end_matches(['!', ';', '?', '.']).ends_with(')'));
    let bare = without_generics(called.unwrap_or(bare))?;
    if bare.contains(char::is_whitespace) {
        return None;
    }
    let parts = parts_of(&bare)?;
    // `_SUFFIX` is a piece of names, and `items[name].field` a pattern of them.
    let is_piece = called.is_none()
        && parts.len() == 1
        && parts
            .iter()
            .any(|part| part.len() > 1 && (part.ends_with('_') || part.starts_with('_') && is_constant(&part[1..])));
    if is_piece || (text.contains("].") && !text.contains("[]")) {
        return Some(doubted(Target::Symbol(parts.last()?.clone()), Doubt::Pattern));
    }
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let is_quoted = bare.len() < text.len() && unquoted(text).len() < text.len();
    let named = match &words[..] {
        [one] if is_kebab(one) => weighed(Target::Key(vec![(*one).to_owned()]), &one.split('-').collect::<Vec<_>>()),
        [one] => symbol(one, called.is_some()),
        _ if is_domain(&bare) => return None,
        _ if called.is_none() && words.iter().all(|word| is_key_part(word)) && bare.contains('.') => {
            weighed(Target::Key(parts.clone()), &words)
        }
        _ => weighed(Target::Member(parts.clone()), &words),
    };
    Some(match is_quoted {
        true => doubted(named.target, Doubt::Value),
        false => named,
    })
}

fn symbol(name: &str, is_called: bool) -> Named {
    let target = Target::Symbol(name.to_owned());
    match has_mark(name) || (is_called && name.len() > 3) {
        true => weighed(target, &words_of(name).iter().map(String::as_str).collect::<Vec<_>>()),
        false => doubted(target, Doubt::PlainWord),
    }
}

/// Whether a name can only be code: an inner capital, an underscore, or a digit inside.
pub fn has_mark(name: &str) -> bool {
    let inner = name.trim_matches(['_', '?', '!']);
    let mut chars = inner.chars();
    let Some(first) = chars.next() else { return false };
    let has_inner_capital = chars.clone().any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
    let has_letter = first.is_alphabetic();
    has_letter && inner.chars().count() > 3 && (has_inner_capital || inner.contains('_')) && !is_acronym_plural(inner)
}

/// `URLs`, `APIs`, `iOS`, `macOS`, `GitHub`-like trade names are words, not code.
fn is_acronym_plural(name: &str) -> bool {
    let known = [
        "JavaScript",
        "TypeScript",
        "GitHub",
        "GitLab",
        "macOS",
        "CamelCase",
        "PascalCase",
        "camelCase",
        "snake_case",
        "kebab_case",
        "PowerShell",
        "PostgreSQL",
        "MySQL",
        "GraphQL",
        "WebSocket",
        "SHOUTY_SNAKE_CASE",
        "UPPER_CASE",
        "upperCase",
        "lowerCase",
    ];
    known.contains(&name) || name.strip_suffix('s').is_some_and(|stem| stem.chars().all(char::is_uppercase))
}

fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('\'', '\''), (':', ':')];
    let inner = pairs.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(text)
}

/// A name without `<T>` and `[]`; `None` where angle brackets hold a whole placeholder (`<name>`).
fn without_generics(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' if depth > 0 && !out.ends_with('-') => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    (depth == 0 && !out.is_empty()).then_some(out)
}

/// The parts of a qualified name; `None` where it isn't one.
fn parts_of(text: &str) -> Option<Vec<String>> {
    let text = text.split('(').next().unwrap_or(text);
    let text =
        text.trim_start_matches([':', '@', '&', '$', '.', '\\', '*', '#']).trim_end_matches([';', ',', '=', ':']);
    let joined = text.replace("::", "\0").replace("->", "\0").replace("?.", "\0").replace(['#', '\\'], "\0");
    let joined = joined.replace("...", "\u{1}").replace('.', "\0");
    let parts: Vec<String> =
        joined.split('\0').map(|part| part.trim_start_matches(['$', '@', ':']).to_owned()).collect();
    let is_part = |part: &String| {
        let inner = part.trim_end_matches(['?', '!']);
        inner.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && inner.chars().all(|c| c.is_alphanumeric() || "_$-".contains(c))
            && inner.chars().any(char::is_alphanumeric)
            && (!inner.contains('-') || is_kebab(inner))
    };
    (!parts.is_empty() && parts.len() <= 8 && parts.iter().all(is_part))
        .then(|| parts.into_iter().map(|part| part.trim_end_matches(['?', '!']).to_owned()).collect())
}

/// `max-size`: lower-case words joined by hyphens.
fn is_kebab(text: &str) -> bool {
    text.contains('-')
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.contains("--")
        && !text.ends_with('-')
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c))
}

/// A part of a configuration key: `max_size`, `maxSize`, `max-size`.
fn is_key_part(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// The words of an identifier, lower-cased.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        let breaks = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if breaks && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a word stands for the reader's own.
pub fn is_placeholder(word: &str) -> bool {
    const STAND_INS: [&str; 33] = [
        "foo",
        "bar",
        "baz",
        "qux",
        "quux",
        "xyz",
        "abc",
        "xxx",
        "my",
        "your",
        "some",
        "dummy",
        "acme",
        "example",
        "examples",
        "sample",
        "hello",
        "helloworld",
        "myapp",
        "mypackage",
        "yourapp",
        "placeholder",
        "something",
        "whatever",
        "fizz",
        "buzz",
        "lorem",
        "ipsum",
        "foobar",
        "todo",
        "username",
        "yourname",
        "hi",
    ];
    words_of(word).iter().any(|word| {
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        STAND_INS.contains(&bare) || (word.len() > 1 && word.chars().all(|c| c == 'x'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = read(text).map_or("nothing".to_owned(), |named| {
            let doubt = named.doubt.map_or(String::new(), |doubt| format!(" ({})", doubt.reason()));
            format!("{:?}{doubt}", named.target)
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn paths_are_told_from_names() {
        check("src/a.rs", "Path(\"src/a.rs\")");
        check("deps.py", "Path(\"deps.py\")");
        check("site/_docs", "Path(\"site/_docs\")");
        check("src/cli/**", "Path(\"src/cli/\") (a pattern)");
        check("fastify.log", "Key([\"fastify\", \"log\"])");
        check("github.com", "nothing");
        check("application/json", "nothing");
        check(".svelte", "Symbol(\"svelte\") (a plain word)");
        check("src/a.rs:42", "PathLine { path: \"src/a.rs\", line: 42 }");
        check("src/a.rs:42-50", "PathLine { path: \"src/a.rs\", line: 50 }");
        check("src/a.rs:42:7", "PathLine { path: \"src/a.rs\", line: 42 }");
        check("src/a.ts:parse", "PathSymbol { path: \"src/a.ts\", parts: [\"parse\"] }");
        check("src/a.rs::Parser::parse", "PathSymbol { path: \"src/a.rs\", parts: [\"Parser\", \"parse\"] }");
    }

    #[test]
    fn names_are_taken_apart() {
        check("Composer\\IO\\IOInterface", "Member([\"Composer\", \"IO\", \"IOInterface\"])");
        check("$event->getArguments()", "Member([\"event\", \"getArguments\"])");
        check("http.ServerResponse#setHeader", "Member([\"http\", \"ServerResponse\", \"setHeader\"])");
        check("::testing::TestInfo", "Member([\"testing\", \"TestInfo\"])");
        check("Accounts.create_token/1", "Member([\"Accounts\", \"create_token\"])");
        check("Builder<T>", "Symbol(\"Builder\") (a plain word)");
        check("CompositeBuilder<T>", "Symbol(\"CompositeBuilder\")");
        check("prepend(prefix, s)", "Symbol(\"prepend\")");
        check(".send()", "Symbol(\"send\")");
        check("MyClass", "Symbol(\"MyClass\") (a placeholder)");
        check("'non_field_errors'", "Symbol(\"non_field_errors\") (a value)");
        check("ignore-comments", "Key([\"ignore-comments\"])");
    }

    #[test]
    fn flags_and_variables() {
        check("--dry-run", "Flag(\"dry-run\")");
        check("--level=debug", "Flag(\"level\")");
        check("-t/--taskfile", "Flag(\"taskfile\")");
        check("-W", "Flag(\"W\") (a short option)");
        check("LOG_LEVEL", "Env(\"LOG_LEVEL\")");
        check("${LOG_LEVEL}", "Env(\"LOG_LEVEL\")");
        check("LOG_LEVEL=debug", "Env(\"LOG_LEVEL\")");
        check("MY_TOKEN", "Env(\"MY_TOKEN\") (a placeholder)");
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for text in [
            "",
            "git commit",
            "https://a.b",
            "v1.2",
            "^3.4",
            "1.2.3",
            "<name>",
            "{x}",
            "@scope/pkg",
            "~/a",
            "*",
            "...",
            "text/html",
        ] {
            check(text, "nothing");
        }
    }
}
