//! Files and manifest → the smallest update that makes the index true.
//!
//! Every question starts here: the tree is compared with what the index was made from, and only files that changed
//! are read again. The index is a cache, so nothing that goes wrong with it stops an answer: what can't be written
//! is kept in memory for this run and said in [`Synced::notes`].

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use inkwell_index::{Entry, Field, FileRecord, Manifest, Snapshot, Store, Writer, count_tokens};
use rayon::prelude::*;

use crate::digest::Digest;
use crate::entries::entries;
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::walk::{DocFile, Listing, Root, SkipReason, Stamp};

/// How long a process waits for another one's update before it answers from memory.
const PATIENCE: Duration = Duration::from_secs(2);
/// Text that is parsed at once, in bytes; bounds memory while large trees are indexed.
const BATCH: u64 = 2 << 20;
/// Time between two commits of a long build: an interrupted build goes on from the last one.
const COMMIT_EVERY: Duration = Duration::from_secs(3);
/// Problems of one file that are kept; a file with more is broken as a whole.
const PROBLEM_LIMIT: usize = 20;
/// A file system clock's step, at most: two writes closer than this may leave the same time behind.
const CLOCK_STEP: Duration = Duration::from_millis(20);
/// The same for file systems that keep whole seconds.
const COARSE_CLOCK_STEP: Duration = Duration::from_secs(2);

/// The index, true as of now.
pub struct Synced {
    /// The index to ask.
    pub snapshot: Snapshot,
    /// What was changed to make it true.
    pub changed: Changed,
    /// Whether the index is on disk for the next run.
    pub is_stored: bool,
    /// What a person should know: damage that was repaired, a cache that can't be written.
    pub notes: Vec<String>,
}

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Paths of the files that were read and whose entries were replaced, in order.
    pub indexed: Vec<String>,
    /// How many files are gone.
    pub removed: usize,
}

/// Told how far an update is: files done, files to do.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Whether what is there may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Read what changed.
    Update,
    /// Read everything, whatever is there.
    Rebuild,
}

/// The files of a project as they are listed now, and how to read them.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    /// Where the files are.
    pub root: &'a Root,
    /// Which files there are.
    pub listing: &'a Listing,
}

/// Makes the index in `store` true for the files of `tree`. Without a store, all is in memory.
///
/// # Errors
/// When the engine fails even in memory.
pub fn sync(
    tree: Tree<'_>,
    store: Option<&Store>,
    mode: Mode,
    progress: Progress<'_>,
) -> Result<Synced, inkwell_index::Error> {
    let mut notes = Vec::new();
    let outcome = store.map_or(Ok(None), |store| on_disk(tree, store, mode, progress, &mut notes));
    match outcome {
        Ok(Some((snapshot, changed))) => return Ok(Synced { snapshot, changed, is_stored: true, notes }),
        Ok(None) => {}
        Err(error) => notes.push(format!("{error}; this run keeps its index in memory")),
    }
    let base = store.and_then(|store| store.snapshot().ok().flatten());
    let (snapshot, changed) = in_memory(tree, base, progress)?;
    Ok(Synced { snapshot, changed, is_stored: false, notes })
}

/// An index of pages that are no files, in memory.
///
/// # Errors
/// When the engine fails.
pub fn of_pages<'a>(pages: impl Iterator<Item = &'a Page>) -> Result<Snapshot, inkwell_index::Error> {
    let mut records = Vec::new();
    let mut all = Vec::new();
    for page in pages {
        let found = entries(page);
        records.push(FileRecord {
            path: page.path.as_str().to_owned(),
            stamp: inkwell_index::Stamp::default(),
            digest: [0; 32],
            entries: found.len() as u32,
            tokens: count_tokens(&found),
            skipped: None,
            problems: Vec::new(),
        });
        all.extend(found);
    }
    Snapshot::of(&all, Manifest { files: records })
}

/// Updates the index on disk. `None` when another process holds it for too long.
fn on_disk(
    tree: Tree<'_>,
    store: &Store,
    mode: Mode,
    progress: Progress<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<(Snapshot, Changed)>, inkwell_index::Error> {
    if mode == Mode::Update
        && let Ok(Some(snapshot)) = store.snapshot()
        && Difference::between(tree.listing, snapshot.manifest()).is_empty()
    {
        return Ok(Some((snapshot, Changed::default())));
    }
    let Some(lock) = store.lock(PATIENCE)? else {
        return Ok(None);
    };
    // Another process may have done the work while this one waited, so look again.
    let usable = match store.snapshot() {
        Ok(snapshot) => snapshot,
        Err(error) => {
            notes.push(format!("{error}; it was built again"));
            None
        }
    };
    let manifest = match (&usable, mode) {
        (Some(snapshot), Mode::Update) => snapshot.manifest().clone(),
        _ => Manifest::default(),
    };
    let difference = Difference::between(tree.listing, &manifest);
    if let (true, Some(snapshot), Mode::Update) = (difference.is_empty(), usable, mode) {
        return Ok(Some((snapshot, Changed::default())));
    }
    let bytes = difference.changed.iter().map(|file| file.stamp.size).sum();
    let writer = if manifest.files.is_empty() { lock.rebuild(bytes) } else { lock.update(bytes) };
    let writer = match writer {
        Ok(writer) => writer,
        Err(error) => {
            notes.push(format!("{error}; it was built again"));
            return rebuilt(tree, store, lock.rebuild(bytes)?, progress);
        }
    };
    let changed = write(tree, writer, &manifest, &difference, progress)?;
    Ok(store.snapshot()?.map(|snapshot| (snapshot, changed)))
}

fn rebuilt(
    tree: Tree<'_>,
    store: &Store,
    writer: Writer,
    progress: Progress<'_>,
) -> Result<Option<(Snapshot, Changed)>, inkwell_index::Error> {
    let empty = Manifest::default();
    let difference = Difference::between(tree.listing, &empty);
    let changed = write(tree, writer, &empty, &difference, progress)?;
    Ok(store.snapshot()?.map(|snapshot| (snapshot, changed)))
}

/// Reads what changed and commits it.
fn write(
    tree: Tree<'_>,
    mut writer: Writer,
    old: &Manifest,
    difference: &Difference<'_>,
    progress: Progress<'_>,
) -> Result<Changed, inkwell_index::Error> {
    let mut records = Records::of(old);
    let mut changed = Changed { indexed: Vec::new(), removed: difference.removed.len() };
    for path in &difference.removed {
        writer.remove(path);
        records.remove(path);
    }
    let mut done = 0;
    let mut last_commit = Instant::now();
    progress(0, difference.changed.len());
    for batch in batches(&difference.changed) {
        for read in read_all(tree, batch, old) {
            if let Some(entries) = &read.entries {
                if old.find(&read.record.path).is_some_and(|record| record.entries > 0) {
                    writer.remove(&read.record.path);
                }
                entries.iter().try_for_each(|entry| writer.add(entry))?;
                if read.record.skipped.is_none() {
                    changed.indexed.push(read.record.path.clone());
                }
            }
            records.set(read.record);
        }
        done += batch.len();
        progress(done, difference.changed.len());
        if last_commit.elapsed() > COMMIT_EVERY && done < difference.changed.len() {
            writer.commit(&records.manifest())?;
            last_commit = Instant::now();
        }
    }
    let manifest = records.manifest();
    if manifest != *old || manifest.files.is_empty() {
        writer.commit(&manifest)?;
    }
    Ok(changed)
}

/// The answer without writing: what changed is laid over the last snapshot, or everything is read.
fn in_memory(
    tree: Tree<'_>,
    base: Option<Snapshot>,
    progress: Progress<'_>,
) -> Result<(Snapshot, Changed), inkwell_index::Error> {
    let old = base.as_ref().map(|base| base.manifest().clone()).unwrap_or_default();
    let difference = Difference::between(tree.listing, &old);
    let mut records = Records::of(&old);
    difference.removed.iter().for_each(|path| records.remove(path));
    let mut replaced: Vec<String> = difference.removed.iter().map(|path| (*path).to_owned()).collect();
    let mut entries = Vec::new();
    let mut indexed = Vec::new();
    let mut done = 0;
    for batch in batches(&difference.changed) {
        for read in read_all(tree, batch, &old) {
            if let Some(found) = read.entries {
                replaced.push(read.record.path.clone());
                entries.extend(found);
                if read.record.skipped.is_none() {
                    indexed.push(read.record.path.clone());
                }
            }
            records.set(read.record);
        }
        done += batch.len();
        progress(done, difference.changed.len());
    }
    let changed = Changed { indexed, removed: difference.removed.len() };
    let manifest = records.manifest();
    let snapshot = match base {
        Some(base) => base.overlay(&replaced, &entries, manifest)?,
        None => Snapshot::of(&entries, manifest)?,
    };
    Ok((snapshot, changed))
}

/// What sets a tree apart from a manifest.
#[derive(Debug, PartialEq)]
struct Difference<'a> {
    /// New files and files whose stamp is another, in path order.
    changed: Vec<&'a DocFile>,
    /// Files of the manifest that are gone, in path order.
    removed: Vec<&'a str>,
}

impl<'a> Difference<'a> {
    fn between(listing: &'a Listing, manifest: &'a Manifest) -> Self {
        let is_new =
            |file: &&DocFile| manifest.find(file.path.as_str()).is_none_or(|record| record.stamp != stamp(&file.stamp));
        let changed = listing.files.iter().filter(is_new).collect();
        let is_listed = |path: &str| listing.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        // A directory that could not be read says nothing about the files below it.
        let is_gone = |path: &&str| !is_listed(path) && !listing.is_unseen(path);
        let removed = manifest.files.iter().map(|record| record.path.as_str()).filter(is_gone).collect();
        Self { changed, removed }
    }

    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The records of a manifest that is being changed.
struct Records(BTreeMap<String, FileRecord>);

impl Records {
    fn of(manifest: &Manifest) -> Self {
        Self(manifest.files.iter().map(|record| (record.path.clone(), record.clone())).collect())
    }

    fn set(&mut self, record: FileRecord) {
        self.0.insert(record.path.clone(), record);
    }

    fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    fn manifest(&self) -> Manifest {
        Manifest { files: self.0.values().cloned().collect() }
    }
}

/// Cuts files into runs of about [`BATCH`] bytes.
fn batches<'a, 'b>(files: &'b [&'a DocFile]) -> impl Iterator<Item = &'b [&'a DocFile]> {
    let mut rest = files;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut size = 0;
        let fits = |file: &&&DocFile| {
            size += file.stamp.size;
            size <= BATCH
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let (batch, after) = rest.split_at(count);
        rest = after;
        Some(batch)
    })
}

/// A file that was read.
struct Read {
    record: FileRecord,
    /// The new entries; `None` when the content is what the index holds already.
    entries: Option<Vec<Entry>>,
}

/// Reads and parses a batch of files, in parallel, in order.
fn read_all(tree: Tree<'_>, files: &[&DocFile], old: &Manifest) -> Vec<Read> {
    settle(files);
    files.par_iter().map(|file| read(tree, file, old.find(file.path.as_str()))).collect()
}

/// Waits until the clocks of the files have moved on, so that a later write can't leave the same stamp behind.
fn settle(files: &[&DocFile]) {
    let newest = files.iter().map(|file| file.stamp.ctime_ns.max(file.stamp.mtime_ns)).max().unwrap_or_default();
    let age = now_ns().saturating_sub(newest);
    let step = CLOCK_STEP.as_nanos() as i64;
    if (0..step).contains(&age) {
        std::thread::sleep(Duration::from_nanos((step - age).unsigned_abs()));
    }
}

fn now_ns() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i64)
}

fn read(tree: Tree<'_>, file: &DocFile, old: Option<&FileRecord>) -> Read {
    match tree.root.read(&file.path) {
        Ok((text, seen)) => {
            let digest = Digest::of(text.as_bytes());
            let stamp = if is_settled(&seen) { stamp(&seen) } else { inkwell_index::Stamp::default() };
            if let Some(old) = old.filter(|old| old.digest == digest.bytes() && old.skipped.is_none()) {
                return Read { record: FileRecord { stamp, ..old.clone() }, entries: None };
            }
            let page = Page::parse(file.path.clone(), text, SiteStyle::default());
            let entries = entries(&page);
            let record = FileRecord {
                path: file.path.as_str().to_owned(),
                stamp,
                digest: digest.bytes(),
                entries: entries.len() as u32,
                tokens: count_tokens(&entries),
                skipped: None,
                problems: problems(&page),
            };
            Read { record, entries: Some(entries) }
        }
        Err(reason) => Read { record: skipped(file, &reason), entries: Some(Vec::new()) },
    }
}

fn skipped(file: &DocFile, reason: &SkipReason) -> FileRecord {
    FileRecord {
        path: file.path.as_str().to_owned(),
        stamp: stamp(&file.stamp),
        digest: [0; 32],
        entries: 0,
        tokens: [0; Field::ALL.len()],
        skipped: Some(reason.to_string()),
        problems: Vec::new(),
    }
}

/// What is wrong with a page, with its line.
fn problems(page: &Page) -> Vec<String> {
    let problems = page.document.problems.iter().take(PROBLEM_LIMIT);
    problems.map(|problem| format!("line {}: {}", page.lines.line(problem.at), problem.message)).collect()
}

/// Whether a later write is sure to change the stamp. File systems that keep whole seconds need two of them.
fn is_settled(stamp: &Stamp) -> bool {
    let newest = stamp.ctime_ns.max(stamp.mtime_ns);
    let is_coarse = newest % 1_000_000_000 == 0;
    !is_coarse || now_ns().saturating_sub(newest) > COARSE_CLOCK_STEP.as_nanos() as i64
}

fn stamp(stamp: &Stamp) -> inkwell_index::Stamp {
    let Stamp { size, mtime_ns, ctime_ns, inode } = *stamp;
    inkwell_index::Stamp { size, mtime_ns, ctime_ns, inode }
}
