//! As what a removed line defined a name: the difference between what the project had and what it only used.

use inkwell_code::history::{NameTrace, Removal};
use inkwell_code::language::Language;
use inkwell_code::outline::{Outline, Symbol, SymbolKind};
use inkwell_code::scan::{Context, Needles, scan};

use super::past::Seen;
use super::removed::is_template;
use super::verify::declares;
use crate::claim::{Claim, Target};
use crate::codebase::{Role, role};

/// As what a removed line defined a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Defined {
    /// A declaration.
    Declared,
    /// A parameter that callers name.
    Parameter,
    /// A key of a settings file.
    Key,
    /// A whole string literal: an option or a variable, or of other claims a value.
    Literal,
}

/// The removals that took a definition of a name away, the newest first.
pub fn definitions_removed<'a>(
    claim: &'a Claim,
    name: &'a str,
    of: &'a NameTrace,
    seen: &'a Seen,
) -> impl Iterator<Item = (&'a Removal, Defined)> {
    of.removals.iter().filter_map(move |removal| Some((removal, as_defined(claim, name, removal, seen)?)))
}

fn as_defined(claim: &Claim, name: &str, removal: &Removal, seen: &Seen) -> Option<Defined> {
    let role = role(&removal.path);
    // Docs that name a test by its name mean the test.
    let is_own = matches!(role, Role::Source | Role::Data) || (role == Role::Test && is_test_name(name));
    if !is_own || (role == Role::Data && is_others(&removal.path)) {
        return None;
    }
    let outline = seen.outline(removal);
    if let Some(outline) = outline {
        // What wraps another package's thing of the same name is that package's.
        let is_import =
            |symbol: &Symbol| symbol.kind == SymbolKind::Import || symbol.bases.iter().any(|base| base == name);
        if outline.symbols.iter().any(|symbol| symbol.name == name && is_import(symbol)) {
            return None;
        }
        // What a template declares is the reader's; only its modules and types give the generated project its shape.
        let kind = kind_at(outline, name, removal.line);
        let is_shape = |kind: &SymbolKind| matches!(kind, SymbolKind::Module | SymbolKind::Type);
        let kind = kind.filter(|kind| is_shape(kind) || !is_template(&removal.path));
        if let Some(defined) = kind.and_then(|kind| of_kind(kind, claim, removal)) {
            return Some(defined);
        }
    }
    let keyword = declares_by_keyword(&removal.text, name);
    let is_shape = |keyword: &str| keyword.ends_with("module") || keyword == "class";
    if keyword.is_some_and(|keyword| is_shape(keyword) || !is_template(&removal.path)) {
        return Some(Defined::Declared);
    }
    let is_literal = role == Role::Source && is_whole_literal(name, removal);
    is_literal.then_some(Defined::Literal)
}

fn of_kind(kind: SymbolKind, claim: &Claim, removal: &Removal) -> Option<Defined> {
    let names_key = matches!(claim.target, Target::Symbol(_) | Target::Key(_) | Target::Env(_));
    let is_setting = role(&removal.path) == Role::Data || is_manifest(&removal.path);
    let is_parameter = kind == SymbolKind::Parameter && has_named_arguments(&removal.path);
    let is_key = kind == SymbolKind::Key && names_key && is_setting;
    match () {
        () if declares(kind) => Some(Defined::Declared),
        () if is_parameter => Some(Defined::Parameter),
        () => is_key.then_some(Defined::Key),
    }
}

/// The kind of the symbol of that name on a line, declarations first.
fn kind_at(outline: &Outline, name: &str, line: u32) -> Option<SymbolKind> {
    let here = outline.symbols.iter().filter(|symbol| symbol.name == name && symbol.line == line);
    here.map(|symbol| symbol.kind).min()
}

/// Languages whose callers write a parameter's name.
fn has_named_arguments(path: &str) -> bool {
    use Language::{CSharp, Kotlin, Php, Python, Ruby, Scala, Swift};
    matches!(Language::of(path), Python | Kotlin | Swift | CSharp | Ruby | Php | Scala)
}

fn is_test_name(name: &str) -> bool {
    name.starts_with("test_")
        || name.ends_with("_test")
        || name.strip_suffix("Test").is_some_and(|rest| !rest.is_empty())
}

/// Settings of other programs, and manifests whose keys are other packages' names.
fn is_others(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "package.json",
        "Cargo.toml",
        "composer.json",
        "Pipfile",
        "deno.json",
        "bower.json",
        "pubspec.yaml",
        "pyproject.toml",
        "tsconfig.json",
        "jsconfig.json",
        "mkdocs.yml",
        "_config.yml",
        "codecov.yml",
        "appveyor.yml",
        "docker-compose.yml",
        "docker-compose.yaml",
        "compose.yaml",
        "compose.yml",
        "renovate.json",
        "netlify.toml",
        "vercel.json",
        "lerna.json",
        "nx.json",
        "turbo.json",
        "angular.json",
        "azure-pipelines.yml",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    path.split('/').any(|part| part.starts_with('.')) || NAMES.contains(&name)
}

/// Manifests that are code, whose arguments are settings.
fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["setup.py", "conanfile.py", "build.gradle", "Rakefile", "mix.exs", "Package.swift"].contains(&name)
}

/// The keyword of `class NAME`, `defmodule App.NAME`: for templates and languages without a grammar.
fn declares_by_keyword<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    const KEYWORDS: &[&str] = &[
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "module",
        "defmodule",
        "def",
        "defp",
        "defmacro",
        "fn",
        "func",
        "function",
        "fun",
        "type",
        "object",
        "record",
        "protocol",
        "define",
        "macro_rules",
        "typedef",
        "namespace",
    ];
    let at = text.find(name)?;
    let is_whole = !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    // A qualifier may stand before, also one that a template fills in: `defmodule <%= web %>.Name`.
    let before = text[..at].trim_end_matches(|c: char| c.is_alphanumeric() || "_.:".contains(c));
    let before = match before.strip_suffix("%>").and_then(|filled| filled.rfind("<%")) {
        Some(start) => &before[..start],
        None => before,
    };
    // A macro may stand between: `class EXPORT_API Name`.
    let is_macro = |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let is_attribute = |word: &&str| word.starts_with("[[") || word.starts_with('@');
    let mut words = before.split_whitespace().rev();
    let keyword =
        words.find(|word| !is_macro(word) && !is_attribute(word)).map(|word| word.trim_start_matches(['#', '(']));
    let is_comment = text.starts_with(['/', '*']) || (text.starts_with('#') && !text.starts_with("#define"));
    keyword.filter(|word| is_whole && before.ends_with(char::is_whitespace) && KEYWORDS.contains(word) && !is_comment)
}

fn is_whole_literal(name: &str, removal: &Removal) -> bool {
    let needles: Needles = [name].into_iter().collect();
    let hits = scan(Language::of(&removal.path), removal.text.as_bytes(), &needles);
    hits.iter().any(|hit| hit.is_quoted && hit.context == Context::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_told_by_their_keyword() {
        for text in [
            "defmodule <%= web %>.PageView do",
            "  class PageView:",
            "class GTEST_API_ [[nodiscard]] PageView : public A",
            "#define PageView(x)",
        ] {
            assert!(declares_by_keyword(text, "PageView").is_some(), "{text}");
        }
        for text in [
            "return PageView",
            "// class PageView",
            "class Other(PageView)",
            "class Other : PageView",
            "class PageViewModel",
        ] {
            assert_eq!(declares_by_keyword(text, "PageView"), None, "{text}");
        }
    }
}
