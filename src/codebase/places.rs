//! Where names stand in the code: one look through every file for the names that the docs ask about.
//!
//! What was found is kept per file with the file's stamp, so that the next look reads only what changed, and only for
//! names that were not asked about before.

use std::collections::{BTreeSet, HashMap, HashSet};

use inkwell_code::scan::{Context, Hit, Needles, scan};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::role::Role;
use super::stamp::StampV1;
use super::{CodeFile, Codebase};

/// Most names that are kept although the last look did not ask for them.
const NAME_LIMIT: usize = 8192;

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, an index into the codebase's files.
    pub file: u32,
    /// The 1-based line.
    pub line: u32,
    /// Code, string or comment.
    pub context: Context,
    /// Whether the name is a whole string literal but for leading dashes.
    pub is_quoted: bool,
}

/// Where each of some names stands.
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_name: HashMap<String, Vec<Place>>,
}

impl Places {
    /// The places of a name in files that can vouch, comments excepted, by file and line.
    pub fn of(&self, name: &str) -> &[Place] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a name stands anywhere in code or strings.
    pub fn has(&self, name: &str) -> bool {
        !self.of(name).is_empty()
    }
}

/// What was found in one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct FileHits {
    stamp: StampV1,
    hits: Vec<HitV1>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct HitV1 {
    /// Index into [`Known::names`].
    name: u32,
    line: u32,
    /// [`TEXT`] and [`QUOTED`].
    marks: u8,
}

const TEXT: u8 = 1;
const QUOTED: u8 = 2;

/// What former looks found, to be kept between runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    names: Vec<String>,
    files: HashMap<String, FileHits>,
    /// Whether the last look found anything that was not known.
    #[serde(skip)]
    pub is_changed: bool,
}

impl Known {
    /// Drops the names that nobody asks for now, where they have become many.
    fn forget(&mut self, asked: &BTreeSet<String>) {
        if self.names.len() <= asked.len() + NAME_LIMIT {
            return;
        }
        let mut names = Vec::new();
        let mut places: Vec<Option<u32>> = Vec::with_capacity(self.names.len());
        for name in std::mem::take(&mut self.names) {
            let is_kept = asked.contains(&name);
            places.push(is_kept.then_some(names.len() as u32));
            names.extend(is_kept.then_some(name));
        }
        self.names = names;
        for file in self.files.values_mut() {
            file.hits.retain_mut(|hit| match places.get(hit.name as usize).copied().flatten() {
                Some(place) => {
                    hit.name = place;
                    true
                }
                None => false,
            });
        }
        self.is_changed = true;
    }
}

/// Looks for `names` in every file that can vouch, using and extending what is known.
pub fn look(code: &Codebase<'_>, names: &BTreeSet<String>, known: &mut Known) -> Places {
    known.forget(names);
    let asked: HashSet<&str> = known.names.iter().map(String::as_str).collect();
    let fresh: Vec<String> = names.iter().filter(|name| !asked.contains(name.as_str())).cloned().collect();
    let first_fresh = known.names.len() as u32;
    known.names.extend(fresh.iter().cloned());
    let all_needles = known.names.iter().collect::<Needles>();
    let fresh_needles = fresh.iter().collect::<Needles>();
    let files = &code.files.all;
    let mut old_files: HashMap<u32, FileHits> = HashMap::with_capacity(known.files.len());
    let old_count = known.files.len();
    for (path, hits) in std::mem::take(&mut known.files) {
        let current = code.files.find(&path).filter(|file| {
            let is_disk = code.overlaid(&path).is_none();
            is_disk && files[*file as usize].stamp.is_some_and(|stamp| hits.stamp.is(stamp))
        });
        old_files.extend(current.map(|file| (file, hits)));
    }
    let look_into = |file: u32| -> Option<(u32, bool, Vec<HitV1>)> {
        let old = old_files.get(&file);
        let (needles, base) = match old {
            Some(_) if fresh.is_empty() => return None,
            Some(_) => (&fresh_needles, first_fresh),
            None => (&all_needles, 0),
        };
        let Some(content) = code.read(file) else { return Some((file, false, Vec::new())) };
        if content.iter().take(8192).any(|byte| *byte == 0) {
            return Some((file, true, Vec::new()));
        }
        let hits = scan(files[file as usize].language, &content, needles);
        let of_hit = |hit: &Hit| HitV1 {
            name: base + hit.needle,
            line: hit.line,
            marks: u8::from(hit.context == Context::Text) * TEXT + u8::from(hit.is_quoted) * QUOTED,
        };
        Some((file, true, hits.iter().filter(|hit| hit.context != Context::Comment).map(of_hit).collect()))
    };
    let code_files = (0..files.len() as u32).into_par_iter();
    let has_content = |file: &CodeFile| file.stamp.is_some() || code.overlaid(file.path.as_str()).is_some();
    let code_files = code_files.filter(|file| files[*file as usize].is_code() && has_content(&files[*file as usize]));
    let looked: Vec<(u32, bool, Vec<HitV1>)> = code_files.filter_map(look_into).collect();
    known.is_changed |= !fresh.is_empty() || old_files.len() != old_count;
    // What was read of an overlay, or not at all, is used now and not kept.
    let mut passing: Vec<(u32, FileHits)> = Vec::new();
    for (file, is_read, hits) in looked {
        let stamp = code.kept_stamp(file).filter(|stamp| is_read && *stamp != StampV1::default());
        match (old_files.get_mut(&file), stamp) {
            (Some(old), Some(_)) => old.hits.extend(hits),
            (Some(_), None) => {
                let mut old = old_files.remove(&file).unwrap_or_default();
                old.hits.extend(hits);
                passing.push((file, old));
            }
            (None, Some(stamp)) => {
                known.is_changed = true;
                old_files.insert(file, FileHits { stamp, hits });
            }
            (None, None) => passing.push((file, FileHits { hits, ..FileHits::default() })),
        }
    }
    let places = places(known, names, old_files.iter().chain(passing.iter().map(|(file, hits)| (file, hits))));
    let path = |file: u32| files[file as usize].path.to_string();
    known.files = old_files.into_iter().map(|(file, hits)| (path(file), hits)).collect();
    places
}

/// The places of some names among what was found, by file and in the order in which each was read.
fn places<'a>(known: &Known, names: &BTreeSet<String>, found: impl Iterator<Item = (&'a u32, &'a FileHits)>) -> Places {
    let is_wanted: Vec<bool> = known.names.iter().map(|name| names.contains(name)).collect();
    let mut by_place: Vec<Vec<Place>> = vec![Vec::new(); known.names.len()];
    let mut found: Vec<(&u32, &FileHits)> = found.collect();
    found.sort_unstable_by_key(|(file, _)| **file);
    for (file, hits) in found {
        for hit in hits.hits.iter().filter(|hit| is_wanted.get(hit.name as usize) == Some(&true)) {
            let context = if hit.marks & TEXT == 0 { Context::Code } else { Context::Text };
            let place = Place { file: *file, line: hit.line, context, is_quoted: hit.marks & QUOTED != 0 };
            by_place[hit.name as usize].push(place);
        }
    }
    let filled = by_place.into_iter().zip(&known.names).filter(|(places, _)| !places.is_empty());
    Places { by_name: filled.map(|(places, name)| (name.clone(), places)).collect() }
}

/// The best place to send a reader who looks for a name: own source before data before tests.
pub fn best<'a>(code: &Codebase<'_>, places: &'a [Place]) -> Option<&'a Place> {
    let rank = |place: &&Place| {
        let role = code.files.all[place.file as usize].role;
        let role = match role {
            Role::Source => 0,
            Role::Data => 1,
            Role::Test => 2,
            Role::Doc | Role::Foreign => 3,
        };
        (role, place.context == Context::Text, place.file, place.line)
    };
    places.iter().min_by_key(rank)
}
