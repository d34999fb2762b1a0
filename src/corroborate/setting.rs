//! Lists of options and settings whose other entries stand in one file of the code: the one entry that nothing backs is
//! wrong.
//!
//! An option needs three neighbours in the file that reads them; a variable or key needs five, and a name in that file
//! that is spelt nearly so and that the docs don't know. A near name alone proves nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::member::is_near;
use super::{Outcome, Proof, Scene, Subject, names};
use crate::claim::{Claim, Target};
use crate::codebase::Role;
use crate::finding::{Evidence, Rule};
use crate::parse::BlockKind;

/// Neighbours that an option's list needs.
const OPTIONS: usize = 3;
/// Neighbours that a list of settings needs.
const SETTINGS: usize = 5;
/// The share of the list that must stand in one file.
const SHARE: f32 = 0.8;

/// Options that argument parsers add by themselves, or that come with a library.
const BUILT_IN: &[&str] = &[
    "help",
    "version",
    "verbose",
    "quiet",
    "color",
    "colour",
    "no-color",
    "colors",
    "install-completion",
    "show-completion",
    "completion",
    "usage",
    "h",
    "v",
    "q",
];

/// Looks at the lists of a page for the one entry that nothing backs.
pub fn compare_neighbours(subject: &Subject, outcomes: &mut [Outcome], scene: &Scene<'_>) {
    for list in lists(subject) {
        let absent: Vec<usize> = list.iter().copied().filter(|at| is_absent(&outcomes[*at])).collect();
        let backed: Vec<usize> = list.iter().copied().filter(|at| is_backed(&outcomes[*at])).collect();
        if absent.is_empty() || absent.len() > 2 || (backed.len() as f32) < SHARE * (list.len() - 1) as f32 {
            continue;
        }
        let Some((file, count)) = shared_file(subject, &backed, scene) else { continue };
        for at in absent {
            let claim = &subject.claims[at];
            let proof = match &claim.target {
                Target::Flag(name) if count >= OPTIONS && !BUILT_IN.contains(&name.as_str()) => {
                    Some(option(name, file, scene))
                }
                Target::Env(name) if count >= SETTINGS => variable(name, file, scene),
                _ => None,
            };
            if let Some(proof) = proof.filter(|_| claim.doubt.is_none()) {
                outcomes[at] = Outcome::Drifted(proof);
            }
        }
    }
}

fn is_backed(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Verified(..) => true,
        Outcome::Absent(absence) => absence.still.is_some(),
        Outcome::Drifted(_) | Outcome::Shifted(..) | Outcome::Unproven(_) => false,
    }
}

fn is_absent(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Absent(absence) if absence.still.is_none())
}

/// The claims that open the entries of one table or list and are of one kind, list by list.
fn lists(subject: &Subject) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<(usize, u8), Vec<usize>> = BTreeMap::new();
    let mut opened: BTreeSet<usize> = BTreeSet::new();
    for (at, claim) in subject.claims.iter().enumerate() {
        let Some(block) = claim.block.filter(|block| opens(subject, claim, *block)) else { continue };
        let kind = match claim.target {
            Target::Flag(_) => 0,
            Target::Env(_) => 1,
            _ => continue,
        };
        if opened.insert(block) {
            found.entry((list_of(subject, block), kind)).or_default().push(at);
        }
    }
    found.into_values().collect()
}

/// Whether a claim is the first thing in a row or an item.
fn opens(subject: &Subject, claim: &Claim, block: usize) -> bool {
    let block = subject.page.block(block);
    let is_entry = matches!(block.kind, BlockKind::Row | BlockKind::Item { .. });
    let before = &subject.page.text[block.span.start.min(claim.span.start)..claim.span.start];
    // `-s`, `--long`: what stands before may be the short form.
    is_entry
        && before.len() < 24
        && !before.chars().any(|c| c.is_whitespace() && before.trim().contains(char::is_whitespace))
}

/// The first block of the table or list that a block is in.
fn list_of(subject: &Subject, block: usize) -> usize {
    let blocks = &subject.page.document.blocks;
    let is_row = blocks[block].kind == BlockKind::Row;
    let section = subject.page.sections.partition_point(|section| section.blocks.start <= block);
    let is_same = |at: &usize| match blocks[*at].kind {
        BlockKind::Row | BlockKind::HeaderRow => is_row,
        BlockKind::Item { .. } => !is_row,
        _ => false,
    };
    let start = section.checked_sub(1).map_or(0, |section| subject.page.sections[section].blocks.start);
    (start..=block).rev().take_while(is_same).last().unwrap_or(block)
}

/// The file of the project's own code that most entries stand in, and how many: nearly all of them.
fn shared_file(subject: &Subject, backed: &[usize], scene: &Scene<'_>) -> Option<(u32, usize)> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for at in backed {
        let names = names::wanted(&subject.claims[*at].target);
        let places = names.iter().flat_map(|name| scene.places.of(name));
        let files: BTreeSet<u32> = places.map(|place| place.file).collect();
        let own = files.into_iter().filter(|file| scene.code.files.all[*file as usize].role == Role::Source);
        own.for_each(|file| *counts.entry(file).or_default() += 1);
    }
    let (file, count) = counts.into_iter().max_by_key(|(file, count)| (*count, std::cmp::Reverse(*file)))?;
    (count as f32 >= SHARE * backed.len() as f32).then_some((file, count))
}

fn option(name: &str, file: u32, scene: &Scene<'_>) -> Proof {
    Proof {
        rule: Rule::UnknownFlag,
        detail: format!("see {}: symbol '--{name}' not found", scene.code.path(file)),
        evidence: Evidence::default(),
        rename: None,
    }
}

fn variable(name: &str, file: u32, scene: &Scene<'_>) -> Option<Proof> {
    let content = scene.code.read(file)?;
    let text = String::from_utf8_lossy(&content);
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let near: BTreeSet<&str> = words
        .filter(|word| {
            word.contains('_') && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        })
        .filter(|word| is_near(name, word) && !scene.documented.contains(*word))
        .collect();
    let mut near = near.into_iter();
    let (Some(only), None) = (near.next(), near.next()) else { return None };
    Some(Proof {
        rule: Rule::UnknownSetting,
        detail: format!("see {}: symbol '{name}' not found", scene.code.path(file)),
        evidence: Evidence { near: Some(only.to_owned()), ..Evidence::default() },
        rename: None,
    })
}
