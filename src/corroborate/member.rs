//! Members of containers: `Config::load`, `module.func`, `obj.method()`.

use inkwell_code::outline::SymbolKind;

use super::{Absence, Outcome, Proof, Scene, verify};
use crate::claim::words_of;
use crate::codebase::{Place, best};
use crate::finding::{Evidence, Rule};

/// Definitions of a container that are looked at; more would be a common word.
const CONTAINER_LIMIT: usize = 8;

/// Resolves a qualified name by its last two parts.
pub fn verify(parts: &[String], scene: &Scene<'_>) -> Outcome {
    let [.., container, leaf] = parts else { return Outcome::Unproven("it names nothing".to_owned()) };
    let found = scene.places.of(leaf);
    let holders = containers(container, scene);
    if let Some((file, line)) = member_of(&holders, leaf, scene) {
        return Outcome::Verified(Rule::Defined, Some(format!("{}:{line}", scene.code.path(file))));
    }
    let Some(mention) = best(scene.code, found) else {
        return match missing(container, leaf, &holders, scene) {
            Some(proof) => Outcome::Drifted(proof),
            None => Outcome::Absent(Absence {
                names: vec![leaf.clone()],
                reason: format!("the code has no `{leaf}`"),
                ..Absence::default()
            }),
        };
    };
    let is_instance = container.starts_with(|c: char| c.is_lowercase() || c == '_');
    let together = || found.iter().any(|place| scene.places.of(container).iter().any(|other| other.file == place.file));
    if is_instance || together() {
        // A member of something that is defined elsewhere, or a variable's: the name is there.
        let named = verify::named(leaf, found, scene);
        return named.unwrap_or_else(|| Outcome::Verified(Rule::Mentioned, Some(verify::shown(mention, scene))));
    }
    if scene.places.has(container) {
        // Both are there but nowhere together: the leaf may be another thing of the same name.
        return Outcome::Absent(Absence {
            names: vec![leaf.clone()],
            still: Some(verify::shown(mention, scene)),
            ..Absence::default()
        });
    }
    Outcome::Unproven(format!("the code has no `{container}`"))
}

/// A definition of a container.
struct Holder {
    file: u32,
    symbol: u32,
    /// Whether all its members are spelt out where it is defined.
    is_closed: bool,
}

/// Where a container is defined.
fn containers(name: &str, scene: &Scene<'_>) -> Vec<Holder> {
    let mut files: Vec<u32> = scene.places.of(name).iter().map(|place: &Place| place.file).collect();
    files.dedup();
    files.sort_by_key(|file| (scene.code.files.all[*file as usize].role, *file));
    let mut found = Vec::new();
    for file in files.into_iter().take(CONTAINER_LIMIT) {
        let Some(outline) = scene.code.outline(file) else { continue };
        for (at, symbol) in outline.symbols.iter().enumerate() {
            let is_container = matches!(symbol.kind, SymbolKind::Type | SymbolKind::Module | SymbolKind::Extension);
            if symbol.name == name && is_container {
                let is_broken =
                    outline.errors.iter().any(|(first, last)| *first <= symbol.end_line && *last >= symbol.line);
                let is_closed =
                    symbol.kind == SymbolKind::Type && !symbol.is_dynamic && symbol.bases.is_empty() && !is_broken;
                found.push(Holder { file, symbol: at as u32, is_closed });
            }
        }
    }
    found
}

/// Where one of the containers defines a member.
fn member_of(holders: &[Holder], leaf: &str, scene: &Scene<'_>) -> Option<(u32, u32)> {
    holders.iter().find_map(|holder| {
        let outline = scene.code.outline(holder.file)?;
        let is_it =
            |symbol: &&inkwell_code::outline::Symbol| symbol.name == leaf && symbol.parent == Some(holder.symbol);
        outline.symbols.iter().find(is_it).map(|symbol| (holder.file, symbol.line))
    })
}

/// A proof that a container of ours, all of whose members are known, has no such member but one that is spelt nearly so.
fn missing(container: &str, leaf: &str, holders: &[Holder], scene: &Scene<'_>) -> Option<Proof> {
    let types: Vec<&Holder> = holders
        .iter()
        .filter(|holder| scene.code.files.all[holder.file as usize].role == crate::codebase::Role::Source)
        .collect();
    if types.is_empty() || types.iter().any(|holder| !holder.is_closed) {
        return None;
    }
    let mut near: Vec<(String, u32, u32)> = Vec::new();
    for holder in &types {
        let outline = scene.code.outline(holder.file)?;
        let members =
            outline.symbols.iter().filter(|symbol| symbol.parent == Some(holder.symbol) && verify::defines(symbol));
        let near_by = members.filter(|symbol| is_near(leaf, &symbol.name) && !scene.documented.contains(&symbol.name));
        near.extend(near_by.map(|symbol| (symbol.name.clone(), holder.file, symbol.line)));
    }
    near.sort();
    near.dedup_by(|a, b| a.0 == b.0);
    let [(name, file, line)] = near.as_slice() else { return None };
    let path = scene.code.path(*file);
    Some(Proof {
        rule: Rule::MissingMember,
        detail: format!("see {path}: symbol '{leaf}' not found"),
        evidence: Evidence {
            defined_at: Some(format!("{path}:{line}")),
            near: Some(format!("{container}.{name}")),
            ..Evidence::default()
        },
        rename: None,
    })
}

/// Whether two names differ by a slip or by one word of several.
pub fn is_near(a: &str, b: &str) -> bool {
    let (first, second) = (words_of(a), words_of(b));
    let differing = first.iter().zip(&second).filter(|(a, b)| a != b).count();
    let same_words = first.len() == second.len() && first.len() >= 2 && differing == 1;
    a != b && (strsim::osa_distance(a, b) <= 2 && a.len() > 4 || same_words)
}
