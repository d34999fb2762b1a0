//! Searches a stretch of history for names and paths: which versions of files have which lines, and what that makes.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::event::{Pick, Search};
use super::hunk::hunks;
use super::spot::{Spot, Words, shown};
use super::walk::{self, Changes, Log, NONE};
use super::{Ask, LINE_BUDGET, LINE_LIMIT, NameTrace, Trace, gone, is_test_name};
use crate::git::{Error, Found, Repo};

/// Most bytes of one version of a file that are searched; longer ones are rarely written by hand, and much of the time
/// (7 % of efcore's bytes are in 0.1 % of its versions).
const TEXT_BUDGET: u64 = 1 << 20;

/// Fewest versions of files that are worth another run of git.
const CHUNK_SIZE: usize = 512;

/// What a path's lines are to us.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Source,
    /// Source that counts for names of tests only.
    Test,
    Doc,
    Other,
}

/// Where the words stand in every version of the files that matter.
#[derive(Default)]
pub(super) struct Texts {
    /// By place in [`Changes::blobs`]; a version without any of the words isn't here.
    pub spots: FxHashMap<u32, Vec<Spot>>,
    /// The lines by their digests, fit to be kept.
    pub lines: FxHashMap<u64, String>,
    unread: usize,
}

/// Searches the newest `count` commits.
pub(super) fn seek(repo: &Repo, log: &Log, count: usize, ask: &Ask) -> Result<Trace, Error> {
    let changes = walk::changes(repo, log, count)?;
    let classes: Vec<Class> = changes.paths.texts.par_iter().map(|path| class(path, ask)).collect();
    let texts = if ask.names.is_empty() { Texts::default() } else { read(repo, &changes, &classes, ask.names)? };
    let search = Search { log, changes: &changes, classes: &classes, texts: &texts, names: ask.names };
    let mut found = search.run();
    fill_added(repo, &changes, &mut found)?;
    let traces = found.into_iter().map(|(mut trace, picks): (NameTrace, Vec<Pick>)| {
        trace.removals = picks.into_iter().map(|pick| pick.removal).collect();
        trace
    });
    Ok(Trace {
        head: log.commits.first().cloned().unwrap_or_default(),
        commits: count,
        is_cut: log.is_cut || changes.is_cut,
        unread: texts.unread,
        names: ask.names.iter().cloned().zip(traces).collect(),
        paths: gone::deletions(repo, log, &changes, ask.paths),
    })
}

fn class(path: &str, ask: &Ask) -> Class {
    if is_left_out(path) {
        return Class::Other;
    }
    match ((ask.is_doc)(path), (ask.is_source)(path)) {
        (true, _) => Class::Doc,
        (false, true) if (ask.is_test)(path) => Class::Test,
        (false, true) => Class::Source,
        (false, false) => Class::Other,
    }
}

/// Tells whether a file is other people's or a machine's, whatever its name ends in.
fn is_left_out(path: &str) -> bool {
    const FOLDERS: &[&str] = &["vendor", "node_modules", "third_party", "dist"];
    const ENDINGS: &[&str] = &[".lock", "-lock.json", "-lock.yaml", ".min.js", ".min.css", ".map", ".svg", ".snap"];
    let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
    folders.split('/').any(|folder| FOLDERS.contains(&folder)) || ENDINGS.iter().any(|it| path.ends_with(it))
}

/// Reads each version once, in the order of history, which suits how git stores them.
fn read(repo: &Repo, changes: &Changes, classes: &[Class], names: &[String]) -> Result<Texts, Error> {
    let words = Words::new(names);
    let of_tests: Vec<String> = names.iter().map(|name| test_name(name)).collect();
    let test_words = of_tests.iter().any(|name| !name.is_empty()).then(|| Words::new(&of_tests));
    let mut seen = FxHashSet::default();
    // What is source as well as a test's is read as source.
    let of = |class: fn(Class) -> bool| changes.list.iter().filter(move |it| class(classes[it.path as usize]));
    let plain = of(|class| matches!(class, Class::Source | Class::Doc)).map(|change| (change, Some(&words)));
    let tests = of(|class| class == Class::Test).map(|change| (change, test_words.as_ref()));
    let versions = plain.chain(tests).filter_map(|(change, words)| Some((change, words?)));
    let versions = versions.flat_map(|(change, words)| [(change.new, words), (change.old, words)]);
    let wanted: Vec<(u32, &Words)> = versions.filter(|&(blob, _)| blob != NONE && seen.insert(blob)).collect();
    // Some more chunks than processors, as their lengths differ.
    let size = wanted.len().div_ceil(rayon::current_num_threads() * 4).max(CHUNK_SIZE);
    let parts = wanted.par_chunks(size).map(|chunk| read_chunk(repo, changes, chunk));
    let parts = parts.collect::<Result<Vec<Texts>, Error>>()?;
    Ok(parts.into_iter().reduce(join).unwrap_or_default())
}

/// The name where it is one of a test, else nothing, which is never found.
fn test_name(name: &str) -> String {
    if is_test_name(name) { name.to_owned() } else { String::new() }
}

fn join(mut whole: Texts, part: Texts) -> Texts {
    whole.spots.extend(part.spots);
    whole.lines.extend(part.lines);
    whole.unread += part.unread;
    whole
}

fn read_chunk(repo: &Repo, changes: &Changes, chunk: &[(u32, &Words)]) -> Result<Texts, Error> {
    let ids: Vec<&str> = chunk.iter().map(|&(blob, _)| changes.blobs.text(blob)).collect();
    let mut texts = Texts::default();
    repo.each_blob(&ids, TEXT_BUDGET, |place, found| match found {
        Found::Blob(bytes) if is_binary(bytes) => {}
        Found::Blob(bytes) => {
            let lines = &mut texts.lines;
            let (blob, words) = chunk[place];
            let spots = words.spots(bytes, |digest, line| {
                lines.entry(digest).or_insert_with(|| shown(line, LINE_BUDGET));
            });
            if !spots.is_empty() {
                texts.spots.insert(blob, spots);
            }
        }
        Found::Long | Found::Absent => texts.unread += 1,
    })?;
    Ok(texts)
}

/// Tells text from other bytes as git does.
fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(8000)].contains(&0)
}

/// Finds what came in the place of the lines that were picked.
fn fill_added(repo: &Repo, changes: &Changes, found: &mut [(NameTrace, Vec<Pick>)]) -> Result<(), Error> {
    let picks = found.iter().flat_map(|(_, picks)| picks).filter(|pick| pick.new != NONE);
    let mut pairs: Vec<(u32, u32)> = picks.map(|pick| (pick.old, pick.new)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let ids: Vec<&str> = pairs.iter().flat_map(|&(old, new)| [old, new]).map(|it| changes.blobs.text(it)).collect();
    let mut by_pair: FxHashMap<(u32, u32), Vec<&mut Pick>> = FxHashMap::default();
    for pick in found.iter_mut().flat_map(|(_, picks)| picks) {
        by_pair.entry((pick.old, pick.new)).or_default().push(pick);
    }
    let mut old = Vec::new();
    repo.each_blob(&ids, TEXT_BUDGET, |place, content| {
        let bytes = if let Found::Blob(bytes) = content { bytes } else { &[] };
        if place % 2 == 0 {
            old = bytes.to_vec();
            return;
        }
        let (before, after): (Vec<&[u8]>, Vec<&[u8]>) = (lines(&old), lines(bytes));
        let hunks = hunks(&before, &after);
        for pick in by_pair.get_mut(&pairs[place / 2]).into_iter().flatten() {
            let at = pick.removal.line as usize - 1;
            let hunk = hunks.iter().find(|hunk| hunk.old.contains(&at));
            pick.removal.added = hunk.map_or_else(Vec::new, |it| near(&after[it.new.clone()], at - it.old.start));
        }
    })
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|&byte| byte == b'\n').collect()
}

/// Chooses the lines around a place, without blank ones.
fn near(lines: &[&[u8]], place: usize) -> Vec<String> {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let start = place.saturating_sub(LINE_LIMIT / 3).min(lines.len().saturating_sub(LINE_LIMIT));
    lines[start..].iter().take(LINE_LIMIT).map(|line| shown(line, LINE_BUDGET)).collect()
}
