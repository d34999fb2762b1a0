//! The first step: what resolves is verified.

use inkwell_code::outline::{Symbol, SymbolKind};
use inkwell_code::scan::Context;

use super::{Absence, Outcome, Scene, Subject, link, member, names, path};
use crate::claim::{Claim, Target, has_mark};
use crate::codebase::{Place, Role, best};
use crate::finding::Rule;

/// Files whose outline is looked at for the definition of a name; more would be a common word.
const FILE_LIMIT: usize = 6;

/// Places in tests that a removed name may have left behind; more are use.
const RESIDUE_LIMIT: usize = 3;

/// Resolves a claim as far as the present state can.
pub fn verify(claim: &Claim, subject: &Subject, scene: &Scene<'_>) -> Outcome {
    match &claim.target {
        Target::Path(path) => path::verify(path, subject, scene),
        Target::PathLine { path, line } => path::verify_line(path, *line, claim, subject, scene),
        Target::PathSymbol { path, parts } => path::verify_symbol(path, parts, subject, scene),
        Target::Link(destination) => link::verify(destination, subject, scene),
        Target::Member(parts) => member::verify(parts, scene),
        Target::Symbol(name) => symbol(name, scene),
        Target::Flag(name) => flag(name, scene),
        Target::Env(name) => variable(name, scene),
        Target::Key(parts) => key(parts, scene),
    }
}

/// A bare name: defined, else mentioned anywhere.
fn symbol(name: &str, scene: &Scene<'_>) -> Outcome {
    let found = scene.places.of(name);
    if let Some(outcome) = named(name, found, scene) {
        return outcome;
    }
    let joints = names::with_joints(name);
    let other = joints[1..].iter().find_map(|other| best(scene.code, scene.places.of(other)));
    match other {
        Some(place) => composed(name, place, scene),
        None => absent(vec![name.to_owned()]),
    }
}

/// A name that the code only holds in another form: its own form may have been renamed.
fn composed(name: &str, place: &Place, scene: &Scene<'_>) -> Outcome {
    Outcome::Absent(Absence {
        names: vec![name.to_owned()],
        still: Some(shown(place, scene)),
        needs_rename: true,
        ..Absence::default()
    })
}

/// A name that stands in the code: where it is defined, else where it is mentioned.
pub fn named(name: &str, found: &[Place], scene: &Scene<'_>) -> Option<Outcome> {
    let mention = best(scene.code, found)?;
    // A plain word is in many files and defined in some: where is not worth parsing them.
    let may_be_defined = has_mark(name) || name.starts_with(|c: char| c.is_uppercase());
    if may_be_defined && let Some((file, line)) = definition(name, found, scene) {
        let at = format!("{}:{line}", scene.code.path(file).as_str());
        return Some(Outcome::Verified(Rule::Defined, Some(at)));
    }
    Some(match is_residue(name, found, scene) {
        true => Outcome::Absent(Absence {
            names: vec![name.to_owned()],
            still: Some(shown(mention, scene)),
            ..Absence::default()
        }),
        false => Outcome::Verified(Rule::Mentioned, Some(shown(mention, scene))),
    })
}

/// Whether only tests and strings still hold a name that can only be code: it may have outlived its definition.
fn is_residue(name: &str, found: &[Place], scene: &Scene<'_>) -> bool {
    let is_weak = |place: &Place| scene.code.files.all[place.file as usize].role == Role::Test;
    has_mark(name) && found.len() <= RESIDUE_LIMIT && found.iter().all(is_weak)
}

/// Where a name is defined: file and 1-based line.
pub fn definition(name: &str, found: &[Place], scene: &Scene<'_>) -> Option<(u32, u32)> {
    let mut files: Vec<u32> =
        found.iter().filter(|place| place.context == Context::Code).map(|place| place.file).collect();
    // Before they are sorted as well: a common name stands many times in each file, one after the other.
    files.dedup();
    files.sort_by_key(|file| (scene.code.files.all[*file as usize].role, *file));
    files.dedup();
    files.into_iter().take(FILE_LIMIT).find_map(|file| {
        let outline = scene.code.outline(file)?;
        let symbol = outline.symbols.iter().find(|symbol| symbol.name == name && defines(symbol))?;
        Some((file, symbol.line))
    })
}

/// Whether a symbol is something that the project declares for others to use.
pub fn defines(symbol: &Symbol) -> bool {
    declares(symbol.kind)
}

/// Whether symbols of a kind are declared for others to use.
pub fn declares(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Module
        | SymbolKind::Type
        | SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Member
        | SymbolKind::Constant
        | SymbolKind::Macro => true,
        SymbolKind::Extension | SymbolKind::Parameter | SymbolKind::Local | SymbolKind::Key | SymbolKind::Import => {
            false
        }
    }
}

/// An option: as a whole literal, or as a name in one of its joints.
fn flag(name: &str, scene: &Scene<'_>) -> Outcome {
    if name.chars().count() == 1 {
        let quoted: Vec<Place> = scene.places.of(name).iter().filter(|place| place.is_quoted).copied().collect();
        return match best(scene.code, &quoted) {
            Some(place) => Outcome::Verified(Rule::Mentioned, Some(shown(place, scene))),
            None => Outcome::Unproven("nothing in the code tells of such an option".to_owned()),
        };
    }
    let mut found: Vec<(bool, &Place)> = Vec::new();
    for other in names::of_flag(name) {
        found.extend(scene.places.of(&other).iter().map(|place| (!place.is_quoted, place)));
    }
    let literal: Vec<Place> = found.iter().filter(|(is_bare, _)| !is_bare).map(|(_, place)| **place).collect();
    let any: Vec<Place> = found.iter().map(|(_, place)| **place).collect();
    if let Some(place) = best(scene.code, &literal) {
        return Outcome::Verified(Rule::Mentioned, Some(shown(place, scene)));
    }
    match best(scene.code, &any) {
        // An identifier of that name may be anything's: a field that an argument parser turns into the option, or not.
        Some(place) => Outcome::Absent(Absence {
            names: names::with_joints(name),
            still: Some(shown(place, scene)),
            needs_rename: true,
            ..Absence::default()
        }),
        None => absent(names::with_joints(name)),
    }
}

/// A variable or constant: itself, or put together from a prefix and a key.
fn variable(name: &str, scene: &Scene<'_>) -> Outcome {
    let found = scene.places.of(name);
    if let Some(outcome) = named(name, found, scene) {
        return outcome;
    }
    for (prefix, rest) in names::splits(name) {
        let is_prefix = scene.places.has(&prefix)
            || scene.places.of(prefix.trim_end_matches('_')).iter().any(|place| place.is_quoted);
        if !is_prefix {
            continue;
        }
        // A literal of the very rest is read with the prefix before it; a field may be anything's.
        if let Some(place) = scene.places.of(&rest).iter().find(|place| place.is_quoted) {
            return Outcome::Verified(Rule::Mentioned, Some(shown(place, scene)));
        }
        let place = names::rests(&rest).into_iter().find_map(|rest| best(scene.code, scene.places.of(&rest)).copied());
        if let Some(place) = place {
            return composed(name, &place, scene);
        }
    }
    absent(vec![name.to_owned()])
}

/// A key: every part stands in the code, in one of its joints.
fn key(parts: &[String], scene: &Scene<'_>) -> Outcome {
    let place =
        |part: &String| names::with_joints(part).iter().find_map(|name| best(scene.code, scene.places.of(name)));
    let Some((leaf, above)) = parts.split_last() else { return Outcome::Unproven("it names nothing".to_owned()) };
    let Some(found) = place(leaf) else {
        return absent(if above.is_empty() { names::with_joints(leaf) } else { vec![leaf.clone()] });
    };
    if above.len() > 1 && above.iter().any(|part| place(part).is_none()) {
        return Outcome::Unproven("its first parts are not in the code".to_owned());
    }
    let own = scene.places.of(leaf);
    match own.is_empty() {
        true => composed(leaf, found, scene),
        false => named(leaf, own, scene).unwrap_or_else(|| composed(leaf, found, scene)),
    }
}

/// An absence of names that history may know.
pub fn absent(names: Vec<String>) -> Outcome {
    let reason = "no such name in the code".to_owned();
    Outcome::Absent(Absence { names, reason, ..Absence::default() })
}

/// A place as `path:line`.
pub fn shown(place: &Place, scene: &Scene<'_>) -> String {
    format!("{}:{}", scene.code.path(place.file).as_str(), place.line)
}
