//! Where names stand in the code: one look through every file for the names that the docs ask about.
//!
//! What was found is kept per file with the file's stamp, so that the next look reads only what changed, and only for
//! names that were not asked about before.

use std::collections::{BTreeSet, HashMap};

use inkwell_code::scan::{Context, Needles, scan};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Codebase;
use super::role::Role;
use super::stamp::StampV1;

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
pub struct FileHits {
    stamp: StampV1,
    hits: Vec<HitV1>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct HitV1 {
    /// Index into [`Known::names`].
    name: u32,
    line: u32,
    is_text: bool,
    is_quoted: bool,
}

/// What former looks found, to be kept between runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    names: Vec<String>,
    files: HashMap<String, FileHits>,
    /// Whether the last look found anything that was not known.
    #[serde(skip)]
    pub is_changed: bool,
}

/// Looks for `names` in every file that can vouch, using and extending what is known.
pub fn look(code: &Codebase<'_>, names: &BTreeSet<String>, known: &mut Known) -> Places {
    let asked: HashMap<&str, u32> =
        known.names.iter().enumerate().map(|(at, name)| (name.as_str(), at as u32)).collect();
    let fresh: Vec<String> = names.iter().filter(|name| !asked.contains_key(name.as_str())).cloned().collect();
    drop(asked);
    let first_fresh = known.names.len() as u32;
    known.names.extend(fresh.iter().cloned());
    let all_needles = known.names.iter().collect::<Needles>();
    let fresh_needles = fresh.iter().collect::<Needles>();
    let files = &code.files.all;
    let looked: Vec<(u32, bool, FileHits)> = (0..files.len() as u32)
        .into_par_iter()
        .filter(|file| files[*file as usize].is_code())
        .filter_map(|file| {
            let of = &files[file as usize];
            let stamp = of.stamp?;
            let old = known.files.get(of.path.as_str()).filter(|old| old.stamp.is(stamp));
            let mut found = FileHits { stamp: stamp.into(), hits: old.map_or_else(Vec::new, |old| old.hits.clone()) };
            let (needles, base) = match old {
                Some(_) if fresh.is_empty() => return Some((file, false, found)),
                Some(_) => (&fresh_needles, first_fresh),
                None => (&all_needles, 0),
            };
            let content = code.read(file)?;
            if content.iter().take(8192).any(|byte| *byte == 0) {
                return Some((file, true, found));
            }
            let hits = scan(of.language, &content, needles);
            found.hits.extend(hits.iter().filter(|hit| hit.context != Context::Comment).map(|hit| HitV1 {
                name: base + hit.needle,
                line: hit.line,
                is_text: hit.context == Context::Text,
                is_quoted: hit.is_quoted,
            }));
            Some((file, true, found))
        })
        .collect();
    let is_wanted: Vec<bool> = known.names.iter().map(|name| names.contains(name)).collect();
    let mut places = Places::default();
    let mut kept = HashMap::with_capacity(looked.len());
    let count = looked.len();
    for (file, is_new, found) in looked {
        known.is_changed |= is_new;
        for hit in found.hits.iter().filter(|hit| is_wanted[hit.name as usize]) {
            let context = if hit.is_text { Context::Text } else { Context::Code };
            let place = Place { file, line: hit.line, context, is_quoted: hit.is_quoted };
            match places.by_name.get_mut(&known.names[hit.name as usize]) {
                Some(found) => found.push(place),
                None => drop(places.by_name.insert(known.names[hit.name as usize].clone(), vec![place])),
            }
        }
        kept.insert(files[file as usize].path.to_string(), found);
    }
    known.is_changed |= count != known.files.len();
    known.files = kept;
    places
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
