//! TOML: tables, keys and the keys of inline tables.

use rustc_hash::FxHashMap;

use super::{Names, lines};

pub(super) fn read(text: &str, names: &mut Names) {
    let mut reader = Reader { names, paths: FxHashMap::default(), table: None, key: None, depth: 0, string: None };
    for (number, line) in lines(text) {
        reader.line(line, number);
    }
}

struct Reader<'n> {
    names: &'n mut Names,
    /// Keys that are known to hold others, by their holder and name.
    paths: FxHashMap<(Option<u32>, String), u32>,
    table: Option<u32>,
    /// The key whose value is being read.
    key: Option<u32>,
    /// Brackets that its value has open.
    depth: u32,
    /// The closer of a string over several lines.
    string: Option<&'static str>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, number: u32) {
        if self.string.is_some() || self.depth > 0 {
            return self.value(line, number);
        }
        let line = line.trim_start();
        if let Some(header) = line.strip_prefix('[') {
            let path = header.trim_start_matches('[').split(']').next().unwrap_or_default();
            self.table = self.path(None, path, number);
        } else if let Some((key, value)) = split_key(line) {
            self.key = self.path(self.table, key, number);
            self.value(value, number);
        }
    }

    /// Adds the keys of a dotted path; those that are known already are gone through.
    fn path(&mut self, from: Option<u32>, path: &str, number: u32) -> Option<u32> {
        let mut parent = from;
        for name in split_path(path) {
            let known = (parent, name.to_owned());
            let symbol = match self.paths.get(&known) {
                Some(&symbol) => symbol,
                None => {
                    let symbol = self.names.key(name, parent, number)?;
                    self.paths.insert(known, symbol);
                    symbol
                }
            };
            parent = Some(symbol);
        }
        parent
    }

    /// Reads a value, or a line of one: its inline tables have keys, and its end must be known.
    fn value(&mut self, line: &str, number: u32) {
        let mut rest = line;
        if let Some(closer) = self.string {
            let Some((_, after)) = rest.split_once(closer) else { return };
            self.string = None;
            rest = after;
        }
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '#' => return,
                '"' | '\'' => match self.quoted(rest) {
                    Some(after) => after,
                    None => return,
                },
                '[' | '{' => {
                    self.depth += 1;
                    &rest[1..]
                }
                ']' | '}' => {
                    self.depth = self.depth.saturating_sub(1);
                    &rest[1..]
                }
                _ if is_bare(first) => {
                    let end = rest.find(|character| !is_bare(character) && character != '.').unwrap_or(rest.len());
                    if self.depth > 0 && rest[end..].trim_start().starts_with('=') {
                        self.names.key(&rest[..end], self.key, number);
                    }
                    &rest[end..]
                }
                _ => &rest[first.len_utf8()..],
            };
        }
    }

    /// Skips a string; `None` when it goes on in the next line.
    fn quoted<'t>(&mut self, rest: &'t str) -> Option<&'t str> {
        for closer in ["\"\"\"", "'''"] {
            if let Some(inside) = rest.strip_prefix(closer) {
                let after = inside.split_once(closer).map(|(_, after)| after);
                self.string = if after.is_none() { Some(closer) } else { None };
                return after;
            }
        }
        Some(skip_quoted(rest))
    }
}

/// What follows a string on one line.
fn skip_quoted(text: &str) -> &str {
    let mut characters = text.char_indices();
    let Some((_, quote)) = characters.next() else { return text };
    while let Some((at, character)) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote {
            return &text[at + 1..];
        }
    }
    ""
}

fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '-'
}

/// The key before the first sign of equality outside quotes.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        match first {
            '=' => return Some((line[..line.len() - rest.len()].trim_end(), &rest[1..])),
            '#' => return None,
            '"' | '\'' => rest = skip_quoted(rest),
            _ => rest = &rest[first.len_utf8()..],
        }
    }
    None
}

/// The names of a dotted path, of which some may be quoted.
fn split_path(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = path.trim();
    while !rest.is_empty() {
        let after = if rest.starts_with(['"', '\'']) {
            skip_quoted(rest)
        } else {
            &rest[rest.find('.').unwrap_or(rest.len())..]
        };
        let name = rest[..rest.len() - after.len()].trim();
        names.push(name.trim_matches(['"', '\'']));
        rest = after.trim_start().strip_prefix('.').unwrap_or_default().trim_start();
    }
    names
}
