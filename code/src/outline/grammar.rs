//! The languages that are read by tree-sitter: a table of node kinds each.

mod c;
mod csharp;
mod elixir;
mod go;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod scripts;
mod swift;

use std::sync::LazyLock;

use super::walk::Compiled;
use crate::language::Language;

macro_rules! compiled {
    ($($name:ident = $grammar:path;)*) => {
        $(static $name: LazyLock<Compiled> = LazyLock::new(|| Compiled::new(&$grammar));)*
    };
}

compiled! {
    RUST = rust::GRAMMAR;
    PYTHON = python::GRAMMAR;
    JAVASCRIPT = javascript::JAVASCRIPT;
    TYPESCRIPT = javascript::TYPESCRIPT;
    TSX = javascript::TSX;
    GO = go::GRAMMAR;
    JAVA = java::GRAMMAR;
    KOTLIN = kotlin::GRAMMAR;
    C = c::C;
    CPP = c::CPP;
    CSHARP = csharp::GRAMMAR;
    RUBY = ruby::GRAMMAR;
    PHP = php::GRAMMAR;
    SWIFT = swift::GRAMMAR;
    SCALA = scala::GRAMMAR;
    ELIXIR = elixir::GRAMMAR;
    LUA = scripts::LUA;
    BASH = scripts::BASH;
}

/// The grammar of a language, if it has one here.
pub(super) fn of(language: Language) -> Option<&'static Compiled> {
    let compiled = match language {
        Language::Rust => &RUST,
        Language::Python => &PYTHON,
        Language::JavaScript => &JAVASCRIPT,
        Language::TypeScript => &TYPESCRIPT,
        Language::Tsx => &TSX,
        Language::Go => &GO,
        Language::Java => &JAVA,
        Language::Kotlin => &KOTLIN,
        Language::C => &C,
        Language::Cpp => &CPP,
        Language::CSharp => &CSHARP,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::Swift => &SWIFT,
        Language::Scala => &SCALA,
        Language::Elixir => &ELIXIR,
        Language::Lua => &LUA,
        Language::Bash => &BASH,
        _ => return None,
    };
    Some(compiled)
}
