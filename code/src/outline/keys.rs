//! Configuration and build files, read by small scanners of our own: their grammars are big and their outlines small.

mod assignments;
mod build;
mod json;
mod schema;
mod toml;
mod yaml;

use super::{Outline, Symbol, SymbolKind};
use crate::language::Language;

/// Reads the names in a configuration or build file, if its format is known here.
pub(super) fn read(language: Language, text: &str) -> Option<Outline> {
    let mut names = Names::default();
    match language {
        Language::Yaml => yaml::read(text, &mut names),
        Language::Toml => toml::read(text, &mut names),
        Language::Json => json::read(text, &mut names),
        Language::Ini => assignments::read_ini(text, &mut names),
        Language::Hcl => assignments::read_hcl(text, &mut names),
        Language::Makefile => build::read_make(text, &mut names),
        Language::Just => build::read_just(text, &mut names),
        Language::Dockerfile => build::read_docker(text, &mut names),
        Language::CMake => build::read_cmake(text, &mut names),
        Language::Protobuf => schema::read_protobuf(text, &mut names),
        _ => return None,
    }
    Some(Outline { symbols: names.into_symbols(), errors: Vec::new() })
}

/// The names found so far.
#[derive(Default)]
struct Names(Vec<Symbol>);

impl Names {
    /// Adds a name; `line` is 1-based. Without a name nothing is added.
    fn push(&mut self, name: &str, kind: SymbolKind, parent: Option<u32>, line: u32) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        self.0.push(Symbol {
            name: name.to_owned(),
            kind,
            parent,
            line,
            end_line: line,
            bases: Vec::new(),
            is_dynamic: false,
        });
        Some((self.0.len() - 1) as u32)
    }

    fn key(&mut self, name: &str, parent: Option<u32>, line: u32) -> Option<u32> {
        self.push(name, SymbolKind::Key, parent, line)
    }

    /// Lets every symbol reach as far as what is in it.
    fn into_symbols(self) -> Vec<Symbol> {
        let mut symbols = self.0;
        for index in (0..symbols.len()).rev() {
            let end_line = symbols[index].end_line;
            if let Some(parent) = symbols[index].parent {
                let parent = &mut symbols[parent as usize];
                parent.end_line = parent.end_line.max(end_line);
            }
        }
        symbols
    }
}

/// The lines of a text with their numbers, from 1.
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines())
}

/// The bytes of white space before a line's first character.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The identifier at the start of the text, with these characters allowed besides letters, digits and `_`.
fn word<'t>(text: &'t str, also: &[char]) -> &'t str {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || also.contains(&character);
    let end = text.find(|character| !is_part(character)).unwrap_or(text.len());
    &text[..end]
}
