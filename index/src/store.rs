//! The index on disk: where its snapshots are, how they are replaced, and who may write.
//!
//! ```text
//! DIR/CACHEDIR.TAG       backup programs leave the directory out
//! DIR/v2-0.1.0/lock      held by the one writer; never deleted
//! …/current              name of the generation in use, replaced by rename
//! …/gen-1/               a tantivy index; its commit names the manifest that belongs to it
//! …/manifest-…           what the snapshot was made from, named by digest
//! ```
//!
//! A commit is one rename of tantivy's `meta.json`, which carries the manifest's name, so readers see the old or the
//! new snapshot and never a mixture. A directory in another format has another name and isn't looked at.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

use crate::entry::Entry;
use crate::error::Error;
use crate::manifest::{Manifest, is_manifest};
use crate::schema::{Columns, tokenizers};
use crate::snapshot::Snapshot;

/// The directory name of this format. A release may parse or cut pages in another way, so each has its own; the
/// number in front is raised when fields, tokens or the manifest change meaning within one.
const FORMAT: &str = concat!("v2-", env!("CARGO_PKG_VERSION"));
/// Segments past this number are merged at a commit, so that many small updates don't slow reading down.
const SEGMENT_LIMIT: usize = 8;
/// Memory for postings per writer thread, in bytes; more gains nothing (measured on 184,000 sections).
const ARENA: usize = 48 << 20;
/// How often a waiting writer looks again.
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// An index directory.
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// Opens or makes the index directory `dir`.
    ///
    /// # Errors
    /// [`Error::Disk`] when it can't be made.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let inner = dir.join(FORMAT);
        std::fs::create_dir_all(&inner).map_err(Error::disk("create", &inner))?;
        let tag = dir.join("CACHEDIR.TAG");
        if !tag.exists() {
            let text = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of inkwell; safe to delete.\n";
            std::fs::write(&tag, text).map_err(Error::disk("write", &tag))?;
        }
        Ok(Self { dir: inner })
    }

    /// The snapshot that was committed last; `None` where nothing was committed yet.
    ///
    /// # Errors
    /// [`Error::Damaged`] or [`Error::Engine`] when what is there can't be used.
    pub fn snapshot(&self) -> Result<Option<Snapshot>, Error> {
        let mut last = None;
        // A writer may commit and clean up between two reads of ours; then the next look finds the new state.
        for _ in 0..3 {
            match self.try_snapshot() {
                Ok(found) => return Ok(found),
                Err(error) => last = Some(error),
            }
        }
        last.map_or(Ok(None), Err)
    }

    fn try_snapshot(&self) -> Result<Option<Snapshot>, Error> {
        let Some(generation) = self.generation() else {
            return Ok(None);
        };
        let index = open_index(&self.dir.join(generation))?;
        let before = index.load_metas()?;
        let Some(name) = &before.payload else {
            return Ok(None);
        };
        let manifest = Manifest::read(&self.dir, name)?;
        let snapshot = Snapshot::new(&index, manifest)?;
        if index.load_metas()?.payload != before.payload {
            return Err(Error::Damaged("the index changed while it was opened".into()));
        }
        Ok(Some(snapshot))
    }

    /// Becomes the one writer, waiting up to `patience` for another to finish; `None` if it doesn't.
    ///
    /// # Errors
    /// [`Error::Disk`] when the lock can't be made, as in a read-only directory.
    pub fn lock(&self, patience: Duration) -> Result<Option<Lock>, Error> {
        let path = self.dir.join("lock");
        let open = OpenOptions::new().create(true).append(true).open(&path);
        let file = open.map_err(Error::disk("lock", &path))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock { dir: self.dir.clone(), _file: file })),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(source)) => return Err(Error::disk("lock", &path)(source)),
            }
        }
    }

    fn generation(&self) -> Option<String> {
        read_generation(&self.dir)
    }
}

/// The right to write. It ends when the value is dropped or the process dies.
pub struct Lock {
    dir: PathBuf,
    _file: File,
}

impl Lock {
    /// Starts to change the snapshot in use; nothing is visible before [`Writer::commit`].
    ///
    /// `bytes` is about how much text will be added, to size the writer.
    ///
    /// # Errors
    /// [`Error::Damaged`] or [`Error::Engine`] when the index can't be used; then [`Lock::rebuild`].
    pub fn update(&self, bytes: u64) -> Result<Writer, Error> {
        match read_generation(&self.dir) {
            Some(generation) => Writer::open(self.dir.clone(), generation, bytes),
            None => self.rebuild(bytes),
        }
    }

    /// Starts a new, empty generation, which takes the place of what is there at the first commit.
    ///
    /// # Errors
    /// [`Error::Disk`] or [`Error::Engine`] when it can't be made.
    pub fn rebuild(&self, bytes: u64) -> Result<Writer, Error> {
        let last = read_generation(&self.dir);
        let number = last.as_deref().and_then(|name| name.strip_prefix("gen-")?.parse::<u64>().ok()).unwrap_or(0);
        // A killed rebuild may have left the next directory behind.
        let name = format!("gen-{}", number + 1);
        let path = self.dir.join(&name);
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(Error::disk("clear", &path))?;
        }
        std::fs::create_dir_all(&path).map_err(Error::disk("create", &path))?;
        Index::builder()
            .schema(Columns::new().schema)
            .tokenizers(tokenizers())
            .create_in_dir(&path)
            .map_err(Error::Engine)?;
        Writer::open(self.dir.clone(), name, bytes)
    }
}

/// Changes to the index that become visible together.
pub struct Writer {
    dir: PathBuf,
    generation: String,
    columns: Columns,
    writer: IndexWriter,
}

impl Writer {
    fn open(dir: PathBuf, generation: String, bytes: u64) -> Result<Self, Error> {
        let index = open_index(&dir.join(&generation))?;
        // A second thread pays for its arena only above some 8 MB of text (measured).
        let threads = if bytes > 8 << 20 { 2 } else { 1 };
        let writer: IndexWriter = index.writer_with_num_threads(threads, threads * ARENA)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self { dir, generation, columns: Columns::new(), writer })
    }

    /// Takes every entry of `path` out.
    pub fn remove(&mut self, path: &str) {
        self.writer.delete_term(Term::from_field_text(self.columns.path, path));
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// [`Error::Engine`] when the engine has failed.
    pub fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        self.writer.add_document(document(&self.columns, entry))?;
        Ok(())
    }

    /// Makes the changes visible, together with the manifest that describes the result, and goes on.
    ///
    /// # Errors
    /// [`Error::Disk`] or [`Error::Engine`]; then the old snapshot stays.
    pub fn commit(&mut self, manifest: &Manifest) -> Result<(), Error> {
        let name = manifest.write(&self.dir)?;
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&name);
        prepared.commit()?;
        write_generation(&self.dir, &self.generation)?;
        self.merge()?;
        self.clean(&name);
        Ok(())
    }

    /// Merges all segments when they have become many or are mostly deleted.
    fn merge(&mut self) -> Result<(), Error> {
        let metas = self.writer.index().searchable_segment_metas()?;
        let deleted: u32 = metas.iter().map(tantivy::SegmentMeta::num_deleted_docs).sum();
        let alive: u32 = metas.iter().map(tantivy::SegmentMeta::num_docs).sum();
        if metas.len() > SEGMENT_LIMIT || (deleted > alive && deleted > 1000) {
            let ids: Vec<_> = metas.iter().map(tantivy::SegmentMeta::id).collect();
            self.writer.merge(&ids).wait()?;
        }
        Ok(())
    }

    /// Deletes what no reader can come to any more: other manifests and generations. Failing is no harm.
    fn clean(&self, manifest: &str) {
        let Ok(listing) = std::fs::read_dir(&self.dir) else {
            return;
        };
        for path in listing.flatten().map(|item| item.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_manifest(&path) && name != manifest {
                let _ = std::fs::remove_file(&path);
            } else if name.starts_with("gen-") && name != self.generation {
                let _ = std::fs::remove_dir_all(&path);
            }
        }
        drop(self.writer.garbage_collect_files().wait());
    }
}

/// A snapshot of `entries` alone, held in memory.
pub(crate) fn in_memory(entries: &[Entry]) -> Result<Index, Error> {
    let columns = Columns::new();
    let mut writer = Index::builder()
        .schema(columns.schema.clone())
        .tokenizers(tokenizers())
        .single_segment_index_writer(RamDirectory::create(), ARENA)?;
    for entry in entries {
        writer.add_document(document(&columns, entry))?;
    }
    Ok(writer.finalize()?)
}

fn document(columns: &Columns, entry: &Entry) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_text(columns.path, &entry.path);
    document.add_u64(columns.place, crate::schema::place(entry.section, entry.passage));
    document.add_u64(columns.page, crate::entry::page(&entry.path));
    for tag in &entry.tags {
        document.add_text(columns.tag, tag.to_lowercase());
    }
    for name in &entry.names {
        document.add_text(columns.name, name);
    }
    for link in &entry.links {
        document.add_text(columns.link, link);
    }
    for (field, tokens) in &entry.text {
        document.add_text(columns.text(*field), &tokens.encoded);
    }
    document
}

fn open_index(path: &Path) -> Result<Index, Error> {
    let directory = MmapDirectory::open(path).map_err(|source| Error::Damaged(source.to_string()))?;
    let mut index = Index::open(directory)?;
    if index.schema() != Columns::new().schema {
        return Err(Error::Damaged("the fields are not the ones of this version".into()));
    }
    index.set_tokenizers(tokenizers());
    Ok(index)
}

fn read_generation(dir: &Path) -> Option<String> {
    let name = std::fs::read_to_string(dir.join("current")).ok()?;
    let name = name.trim();
    let is_ours = name.strip_prefix("gen-").is_some_and(|number| number.parse::<u64>().is_ok());
    is_ours.then(|| name.to_owned())
}

fn write_generation(dir: &Path, generation: &str) -> Result<(), Error> {
    if read_generation(dir).as_deref() == Some(generation) {
        return Ok(());
    }
    let path = dir.join("current");
    let draft = dir.join("current.tmp");
    std::fs::write(&draft, format!("{generation}\n")).map_err(Error::disk("write", &draft))?;
    std::fs::rename(&draft, &path).map_err(Error::disk("write", &path))
}
