//! The name that took the place of a removed one: a line added beside the removed one that is the same but for it.

use inkwell_code::history::Removal;
use inkwell_code::outline::{Symbol, SymbolKind};
use inkwell_code::scan::{Needles, scan};

use super::{Scene, verify};
use crate::claim::words_of;

/// What a name was replaced with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The new name.
    pub name: String,
    /// Where it stands now, `path:line`.
    pub at: String,
}

/// The new name, where all removals of the commit agree on it and the code still has it. It must have a word of the old
/// one, unless the line that defined the old one defines it.
pub fn renamed(name: &str, removals: &[Removal], removal: &Removal, scene: &Scene<'_>) -> Option<Renamed> {
    let new = |other: &Removal| -> Vec<String> {
        other.added.iter().filter_map(|line| substitute(&other.text, line, name)).collect()
    };
    let mut found: Vec<String> = removals.iter().filter(|other| other.commit == removal.commit).flat_map(new).collect();
    found.sort();
    found.dedup();
    let [only] = found.as_slice() else { return None };
    let old = words_of(name);
    let shares_word = words_of(only).iter().any(|word| old.contains(word));
    if !shares_word && new(removal) != [only.clone()] {
        return None;
    }
    let at = removals.iter().find_map(|other| place(only, other, scene))?;
    Some(Renamed { name: only.clone(), at })
}

/// Where the file of a removal defines a name now, or holds it as a literal.
fn place(name: &str, removal: &Removal, scene: &Scene<'_>) -> Option<String> {
    let file = scene.code.files.find(&removal.path)?;
    let of_outline = || {
        let outline = scene.code.outline(file)?;
        let mut own = outline.symbols.iter().filter(|symbol| symbol.name == name);
        own.find(|symbol| verify::defines(symbol) || is_argument(symbol)).map(|symbol| symbol.line)
    };
    let of_literal = || {
        let needles: Needles = [name].into_iter().collect();
        let hits = scan(scene.code.language(file), &scene.code.read(file)?, &needles);
        hits.iter().find(|hit| hit.is_quoted).map(|hit| hit.line)
    };
    Some(format!("{}:{}", removal.path, of_outline().or_else(of_literal)?))
}

fn is_argument(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::Key)
}

/// The word that stands in `new` where `name` stands in `old`, if nothing else differs.
fn substitute(old: &str, new: &str, name: &str) -> Option<String> {
    let (old, new) = (tokens(old.trim()), tokens(new.trim()));
    let (before, after) = old.iter().zip(&new).find(|(a, b)| a != b)?;
    if *before != name || old.len() != new.len() {
        return None;
    }
    let is_same = old.iter().zip(&new).all(|(a, b)| a == b || (*a == name && b == after));
    (is_same && after.starts_with(|c: char| c.is_alphabetic() || c == '_')).then(|| (*after).to_owned())
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
            found.push(rest[..end].trim_start_matches('-'));
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
        assert_eq!(check(".arg(\"--load\")", ".arg(\"--read\")").as_deref(), Some("read"));
        assert_eq!(check("fn load(a: u8)", "fn read(b: u8)"), None);
        assert_eq!(check("fn load()", "fn load2(x)"), None);
    }
}
