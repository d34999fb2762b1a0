//! The definitions in one file: what it names, as what, and inside what.
//!
//! A file is looked at alone: nothing is resolved across files, and types are never inferred. Real languages are read
//! by tree-sitter and a table of node kinds each; configuration formats by small scanners of our
//! own.

mod bases;
mod budget;
mod grammar;
mod keys;
mod rules;
mod symbols;
mod walk;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::language::Language;

/// The largest file whose outline is read, in bytes.
pub const SIZE_LIMIT: usize = 2_000_000;

/// The definitions in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Everything named, in order of appearance.
    pub symbols: Vec<Symbol>,
    /// What the grammar could not read: first and last line (1-based, inclusive) of each place.
    pub errors: Vec<(u32, u32)>,
}

/// A name that a file gives to something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name as written, without sigils (`$`, `@`, `#`) and quotes.
    pub name: String,
    /// What is named.
    pub kind: SymbolKind,
    /// The enclosing symbol's place in [`Outline::symbols`].
    pub parent: Option<u32>,
    /// The line of the name, 1-based.
    pub line: u32,
    /// The last line of the definition, 1-based.
    pub end_line: u32,
    /// Of types: the last segments of the names of what it inherits from, implements, embeds or mixes in.
    pub bases: Vec<String>,
    /// Whether members can exist that the file does not spell out: macros, metaclasses, partial classes, proxies.
    pub is_dynamic: bool,
}

/// What a [`Symbol`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A module, namespace or package, by its name in full (`com.example.app`, `My.App`); a stage of a Dockerfile.
    Module,
    /// A class, struct, enum, trait, interface, protocol, record, type alias or object.
    Type,
    /// A type that is named here but defined in another file: `impl Foo`, `extension Foo`, `func (f *Foo)`,
    /// `void Foo::run()`. It stands in for the type as the parent of what is added, and defines nothing itself.
    Extension,
    /// A function outside types.
    Function,
    /// A function of a type.
    Method,
    /// A field, property, enum member, variant or constant of a type.
    Member,
    /// A constant, static or variable outside functions and types; `#define`.
    Constant,
    /// A macro.
    Macro,
    /// A parameter of a function, method, closure or macro.
    Parameter,
    /// A variable inside a function.
    Local,
    /// A key of an object, dictionary, hash, table or configuration file; the name of an argument in a call.
    Key,
    /// A name that comes from elsewhere: both the imported and the local name.
    Import,
}

/// Reads the definitions of one file.
///
/// `None` when the language has no outline, the text is larger than [`SIZE_LIMIT`] or nests deeper than code does, or
/// reading it costs out of all proportion to its size.
pub fn outline(language: Language, text: &str) -> Option<Outline> {
    if text.len() > SIZE_LIMIT {
        return None;
    }
    match grammar::of(language) {
        Some(grammar) => walk::read(grammar, text),
        None => keys::read(language, text),
    }
}
