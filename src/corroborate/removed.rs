//! Proofs from history: the project had the file, or defined the name, when the text was written, and removed it since.

use inkwell_code::history::{DocEvent, LINE_LIMIT, NameTrace, PathEvent, Removal};
use inkwell_code::outline::{Outline, SymbolKind};
use inkwell_code::scan::{Context, Needles, scan};

use super::past::Seen;
use super::path;
use super::{Absence, Outcome, Proof, Scene, Subject};
use crate::claim::{Claim, Target, has_mark};
use crate::codebase::{Role, role};
use crate::finding::{Evidence, Rule};

/// Decides what the present state left open.
pub fn prove(claim: &Claim, subject: &Subject, scene: &Scene<'_>, absence: &Absence, seen: &Seen) -> Outcome {
    let proof = match &claim.target {
        Target::Path(_) | Target::PathLine { .. } | Target::PathSymbol { .. } => {
            lost_path(claim, subject, scene, absence, seen)
        }
        Target::Link(_) => lost_link(claim, absence, seen),
        _ => lost_name(claim, subject, absence, seen),
    };
    match proof {
        Ok(proof) => Outcome::Drifted(proof),
        Err(reason) => match &absence.still {
            Some(place) => Outcome::Verified(Rule::Mentioned, Some(place.clone())),
            None => Outcome::Unproven(reason),
        },
    }
}

/// A path that git tracked before.
fn lost_path(
    claim: &Claim,
    subject: &Subject,
    scene: &Scene<'_>,
    absence: &Absence,
    seen: &Seen,
) -> Result<Proof, String> {
    let is_symbol = matches!(claim.target, Target::PathSymbol { .. });
    let Some(path) = absence.paths.first() else { return Err(absence.reason.clone()) };
    let event = seen.trace.as_ref().and_then(|trace| event_of(path, subject, scene, trace.path(path)));
    if let Some(event) = event {
        if !is_symbol && is_younger(claim, subject, &docs_of_path(path, seen), event.order) {
            return Err("the text is younger than the removal".to_owned());
        }
        return Ok(lost_file(claim, path, event, scene));
    }
    let gone = |path: &str| Proof {
        rule: Rule::MissingPath,
        detail: format!("see {path}: file does not exist"),
        evidence: Evidence::default(),
        rename: None,
    };
    if is_symbol {
        return Ok(gone(path));
    }
    // Without any history the first folder speaks for the path (contracts A4).
    let is_ours = path.contains('/') && scene.code.files.starts_at_root(path);
    match (&seen.trace, scene.code.repo.is_some()) {
        (None, false) if is_ours => Ok(gone(path)),
        (_, _) => Err(seen.gap.clone().unwrap_or_else(|| "the repository never had such a file".to_owned())),
    }
}

/// The removal that a path speaks of: of exactly this path, else of one that ends so, tests excepted.
fn event_of<'a>(path: &str, subject: &Subject, scene: &Scene<'_>, events: &'a [PathEvent]) -> Option<&'a PathEvent> {
    let readings = path::readings(path, subject, scene);
    let is_exact = |event: &&PathEvent| {
        readings.iter().any(|reading| {
            event.path == *reading
                || event.path.strip_prefix(reading.as_str()).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let is_suffix =
        |event: &&PathEvent| !matches!(role(&event.path), Role::Test | Role::Foreign) && event.path.ends_with(path);
    events.iter().find(is_exact).or_else(|| events.iter().find(is_suffix))
}

fn lost_file(claim: &Claim, path: &str, event: &PathEvent, scene: &Scene<'_>) -> Proof {
    let now = event.moved_to.as_ref().filter(|_| event.path.ends_with(path)).and_then(|to| current(to, scene));
    let detail = match &now {
        Some(to) => format!("see {to}: moved from {}", event.path),
        None => format!("see {path}: file does not exist"),
    };
    // The old path is replaced by as much of the new one as the text gives of the old one.
    let rename = now.as_ref().and_then(|to| {
        let shown = to.strip_prefix(event.path.strip_suffix(path)?)?;
        claim.text.contains(path).then(|| (path.to_owned(), shown.to_owned()))
    });
    Proof {
        rule: Rule::MissingPath,
        detail,
        evidence: Evidence { removed_in: Some(event.commit.clone()), renamed_to: now, ..Evidence::default() },
        rename,
    }
}

/// The word that stands for a path in the lines that history is asked for: the longest of its last part.
pub fn word_of_path(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).map(|word| word.trim_matches('-'));
    words.filter(|word| !word.is_empty()).max_by_key(|word| word.len())
}

/// The changes of pages whose lines hold a path.
fn docs_of_path(path: &str, seen: &Seen) -> Vec<DocEvent> {
    let of = word_of_path(path).and_then(|word| seen.trace.as_ref()?.name(word));
    let holding = |lines: &[String]| lines.iter().filter(|line| line.contains(path)).cloned().collect::<Vec<_>>();
    let event = |event: &DocEvent| {
        let (added, removed) = (holding(&event.added), holding(&event.removed));
        (!added.is_empty() || !removed.is_empty()).then(|| DocEvent { added, removed, ..event.clone() })
    };
    of.map_or_else(Vec::new, |of| of.docs.iter().filter_map(event).collect())
}

/// A path that something moved to, if it is still there.
fn current(path: &str, scene: &Scene<'_>) -> Option<String> {
    scene.code.files.holds(path).then(|| path.to_owned())
}

/// A link is broken for its reader whatever history says; history tells where its target went.
fn lost_link(claim: &Claim, absence: &Absence, seen: &Seen) -> Result<Proof, String> {
    let Some(path) = absence.paths.first() else { return Err(absence.reason.clone()) };
    let event = seen.trace.as_ref().and_then(|trace| trace.path(path).iter().find(|event| event.path == *path));
    let moved = event.and_then(|event| event.moved_to.clone());
    let detail = match &moved {
        Some(to) => format!("see {to}: moved from {path}"),
        None => format!("see {path}: file does not exist"),
    };
    let _ = claim;
    Ok(Proof {
        rule: Rule::BrokenLink,
        detail,
        evidence: Evidence {
            removed_in: event.map(|event| event.commit.clone()),
            renamed_to: moved,
            ..Evidence::default()
        },
        rename: None,
    })
}

/// A name that the project defined before.
fn lost_name(claim: &Claim, subject: &Subject, absence: &Absence, seen: &Seen) -> Result<Proof, String> {
    let Some(trace) = &seen.trace else {
        return Err(seen.gap.clone().unwrap_or_else(|| absence.reason.clone()));
    };
    if !is_telling(claim) {
        return Err(absence.reason.clone());
    }
    let mut reason = absence.reason.clone();
    for name in &absence.names {
        let Some(of) = trace.name(name) else { continue };
        let Some((removal, kind)) = definition_removed(claim, name, of, seen, absence.still.is_some()) else {
            if !of.removals.is_empty() {
                reason = "the project used the name once and never defined it".to_owned();
            }
            continue;
        };
        if is_younger(claim, subject, &of.docs, removal.order) {
            reason = "the text is younger than the removal".to_owned();
            continue;
        }
        let new = renamed(name, &of.removals, removal);
        if absence.needs_rename && new.is_none() {
            continue;
        }
        return Ok(lost_definition(claim, name, removal, kind, new));
    }
    Err(reason)
}

fn lost_definition(claim: &Claim, name: &str, removal: &Removal, _kind: Defined, new: Option<String>) -> Proof {
    let shown = match &claim.target {
        Target::Flag(_) => format!("--{name}"),
        _ => name.to_owned(),
    };
    let detail = match &new {
        Some(new) => format!("see {}: '{shown}' is now '{new}'", removal.path),
        None => format!("see {}: symbol '{shown}' not found", removal.path),
    };
    let rule = match &claim.target {
        Target::Flag(_) => Rule::UnknownFlag,
        Target::Member(_) => Rule::MissingMember,
        _ => Rule::RemovedName,
    };
    Proof {
        rule,
        detail,
        evidence: Evidence { removed_in: Some(removal.commit.clone()), renamed_to: new.clone(), ..Evidence::default() },
        rename: new.map(|new| (name.to_owned(), new)),
    }
}

/// Whether the name of a claim can only mean something of the project's, so that its absence tells.
fn is_telling(claim: &Claim) -> bool {
    match &claim.target {
        Target::Symbol(name) => has_mark(name) || claim.text.ends_with(')'),
        Target::Member(parts) => parts.last().is_some_and(|leaf| leaf.len() > 3),
        Target::Flag(name) => name.len() > 2,
        Target::Env(_) => true,
        Target::Key(parts) => parts.iter().any(|part| part.contains(['-', '_'])) || parts.len() > 1,
        Target::Path(_) | Target::PathLine { .. } | Target::PathSymbol { .. } | Target::Link(_) => true,
    }
}

/// As what a removed line defined a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Defined {
    /// A declaration.
    Declared,
    /// A parameter.
    Parameter,
    /// A key of a settings file.
    Key,
    /// A whole string literal: an option, a variable, a value.
    Literal,
}

/// The newest removal of a definition.
fn definition_removed<'a>(
    claim: &Claim,
    name: &str,
    of: &'a NameTrace,
    seen: &Seen,
    is_residue: bool,
) -> Option<(&'a Removal, Defined)> {
    of.removals.iter().find_map(|removal| {
        let defined = as_defined(claim, name, removal, seen)?;
        let is_strong = || defined == Defined::Declared || renamed(name, &of.removals, removal).is_some();
        (!is_residue || is_strong()).then_some((removal, defined))
    })
}

/// As what a removed line defined a name, if it did.
fn as_defined(claim: &Claim, name: &str, removal: &Removal, seen: &Seen) -> Option<Defined> {
    let role = role(&removal.path);
    // Docs that name a test by its name mean the test.
    let is_own = matches!(role, Role::Source | Role::Data) || (role == Role::Test && is_test_name(name));
    if !is_own || (role == Role::Data && is_dependency_list(&removal.path)) {
        return None;
    }
    if let Some(outline) = seen.outline(removal)
        && let Some(kind) = kind_at(outline, name, removal.line)
    {
        let defined = match kind {
            SymbolKind::Module
            | SymbolKind::Type
            | SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Member
            | SymbolKind::Constant
            | SymbolKind::Macro => Some(Defined::Declared),
            SymbolKind::Parameter => Some(Defined::Parameter),
            SymbolKind::Key if role == Role::Data || is_manifest(&removal.path) => Some(Defined::Key),
            SymbolKind::Key | SymbolKind::Extension | SymbolKind::Local | SymbolKind::Import => None,
        };
        if defined.is_some() {
            return defined;
        }
    }
    if declares_by_keyword(&removal.text, name) {
        return Some(Defined::Declared);
    }
    let is_literal = matches!(claim.target, Target::Flag(_) | Target::Env(_))
        && role == Role::Source
        && is_whole_literal(name, removal);
    is_literal.then_some(Defined::Literal)
}

/// The kind of the symbol of that name on a line, declarations first.
fn kind_at(outline: &Outline, name: &str, line: u32) -> Option<SymbolKind> {
    let here = outline.symbols.iter().filter(|symbol| symbol.name == name && symbol.line == line);
    here.map(|symbol| symbol.kind).min()
}

fn is_test_name(name: &str) -> bool {
    name.starts_with("test_")
        || name.ends_with("_test")
        || name.strip_suffix("Test").is_some_and(|rest| !rest.is_empty())
}

/// Manifests whose keys are other packages' names.
fn is_dependency_list(path: &str) -> bool {
    let names = [
        "package.json",
        "Cargo.toml",
        "composer.json",
        "Pipfile",
        "deno.json",
        "bower.json",
        "pubspec.yaml",
        "Directory.Packages.props",
    ];
    names.iter().any(|name| path.rsplit('/').next() == Some(name))
}

fn is_manifest(path: &str) -> bool {
    ["setup.py", "conanfile.py", "build.gradle", "Rakefile", "mix.exs", "Package.swift"]
        .iter()
        .any(|name| path.rsplit('/').next() == Some(name))
}

/// `class NAME`, `defmodule App.NAME`: for templates and languages without a grammar.
fn declares_by_keyword(text: &str, name: &str) -> bool {
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
    let Some(at) = text.find(name) else { return false };
    let is_whole = !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let before = text[..at].trim_end_matches(|c: char| !c.is_whitespace());
    // A macro may stand between: `class EXPORT_API Name`.
    let is_macro = |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let mut words = before.split(|c: char| !(c.is_alphanumeric() || c == '_')).rev().filter(|word| !word.is_empty());
    let keyword = words.find(|word| !is_macro(word));
    let is_comment = text.starts_with(['/', '*']) || (text.starts_with('#') && !text.starts_with("#define"));
    is_whole && keyword.is_some_and(|word| KEYWORDS.contains(&word)) && !is_comment
}

fn is_whole_literal(name: &str, removal: &Removal) -> bool {
    let needles: Needles = [name].into_iter().collect();
    let language = inkwell_code::language::Language::of(&removal.path);
    let hits = scan(language, removal.text.as_bytes(), &needles);
    hits.iter().any(|hit| hit.is_quoted && hit.context == Context::Text)
}

/// Whether the claim's text was written after a removal, or with it. What history doesn't know was not committed yet,
/// and so is younger too.
fn is_younger(claim: &Claim, subject: &Subject, docs: &[DocEvent], removed: u32) -> bool {
    let page = &subject.page;
    let (first, last) = page.lines.range(claim.span);
    let own: Vec<&str> = page.text.lines().skip(first - 1).take(last + 1 - first).map(str::trim).collect();
    let is_own = |line: &String| own.iter().any(|own| own.starts_with(line.as_str()) && !line.is_empty());
    // Newest first: the commit that wrote the line as it is; an edit that had the name before goes further back.
    let mut has_met_own = false;
    for event in docs {
        let is_here = event.path == page.path.as_str();
        // Of a page that names it often only some lines are kept.
        let may_be_own = event.added.len() >= LINE_LIMIT || event.added.iter().any(is_own);
        if !(has_met_own || (is_here && may_be_own)) {
            continue;
        }
        has_met_own = true;
        if event.added.is_empty() {
            continue;
        }
        let carries_over = docs.iter().any(|other| other.order == event.order && !other.removed.is_empty());
        if !carries_over {
            // A pure addition elsewhere, older than the line, says nothing about this text's age.
            if is_here || event.order > removed {
                return event.order <= removed;
            }
        }
    }
    !has_met_own
}

/// The name that took the place of a removed one: a line added beside the removed one that is the same but for it.
fn renamed(name: &str, removals: &[Removal], removal: &Removal) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for other in removals.iter().filter(|other| other.commit == removal.commit) {
        found.extend(other.added.iter().filter_map(|line| substitute(&other.text, line, name)));
    }
    found.sort();
    found.dedup();
    let [new] = found.as_slice() else { return None };
    Some(new.clone())
}

/// The word that stands in `new` where `name` stands in `old`, if nothing else differs.
fn substitute(old: &str, new: &str, name: &str) -> Option<String> {
    let (before, after) = tokens(old.trim()).into_iter().zip(tokens(new.trim())).find(|(a, b)| a != b)?;
    if before != name || tokens(old.trim()).len() != tokens(new.trim()).len() {
        return None;
    }
    let rest = tokens(old.trim()).into_iter().zip(tokens(new.trim()));
    let is_same = rest.into_iter().all(|(a, b)| a == b || (a == name && b == after));
    (is_same && after.starts_with(|c: char| c.is_alphabetic() || c == '_')).then(|| after.to_owned())
}

fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        if !first.is_whitespace() {
            found.push(&rest[..end]);
        }
        rest = &rest[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rename_is_a_line_that_differs_in_one_name() {
        let check = |old: &str, new: &str| substitute(old, new, "load");
        assert_eq!(check("pub fn load(path: &str) {", "pub fn read(path: &str) {").as_deref(), Some("read"));
        assert_eq!(check("fn load(load: u8)", "fn read(read: u8)").as_deref(), Some("read"));
        assert_eq!(check("fn load(a: u8)", "fn read(b: u8)"), None);
        assert_eq!(check("fn load()", "fn load2(x)"), None);
    }

    #[test]
    fn declarations_are_told_by_their_keyword() {
        assert!(declares_by_keyword("defmodule <%= web %>.PageView do", "PageView"));
        assert!(declares_by_keyword("  class Cache:", "Cache"));
        assert!(!declares_by_keyword("return PageView", "PageView"));
        assert!(!declares_by_keyword("// class Cache", "Cache"));
    }
}
