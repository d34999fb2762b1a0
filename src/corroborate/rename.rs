//! The name that took the place of a removed one: a line added beside the removed one that is the same but for it.

use inkwell_code::history::Removal;
use inkwell_code::scan::{Needles, scan};

use super::{Scene, verify};
use crate::claim::words_of;

/// The new name, where all removals of the commit agree on it, it has a word of the old one, and the code still has it.
pub fn renamed(name: &str, removals: &[Removal], removal: &Removal, scene: &Scene<'_>) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for other in removals.iter().filter(|other| other.commit == removal.commit) {
        found.extend(other.added.iter().filter_map(|line| substitute(&other.text, line, name)));
    }
    found.sort();
    found.dedup();
    let [new] = found.as_slice() else { return None };
    let old = words_of(name);
    let shares_word = words_of(new).iter().any(|word| old.contains(word));
    (shares_word && removals.iter().any(|other| is_there(new, other, scene))).then(|| new.clone())
}

/// Whether the file of a removal defines a name now, or holds it as a literal.
fn is_there(name: &str, removal: &Removal, scene: &Scene<'_>) -> bool {
    let Some(file) = scene.code.files.find(&removal.path) else { return false };
    let defined = scene.code.outline(file).is_some_and(|outline| {
        outline.symbols.iter().any(|symbol| symbol.name == name && (verify::defines(symbol) || is_argument(symbol)))
    });
    defined
        || scene.code.read(file).is_some_and(|content| {
            let needles: Needles = [name].into_iter().collect();
            scan(scene.code.language(file), &content, &needles).iter().any(|hit| hit.is_quoted)
        })
}

fn is_argument(symbol: &inkwell_code::outline::Symbol) -> bool {
    use inkwell_code::outline::SymbolKind;
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
