//! One state of the index, opened for reading, and the overlay for what changed since.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tantivy::columnar::Column;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::store::StoreReader;
use tantivy::{DocId, DocSet, Index, ReloadPolicy, SegmentReader, TERMINATED, TantivyDocument, Term};

use crate::entry::{Entry, page};
use crate::error::Error;
use crate::manifest::{Manifest, Totals};
use crate::schema::{Columns, unpack};
use crate::store::in_memory;

/// How many blocks of stored paths are kept unpacked per segment.
const STORE_CACHE: usize = 50;

/// A state of the index. It does not change while it is held, whatever writers do.
pub struct Snapshot {
    pub(crate) columns: Columns,
    pub(crate) segments: Vec<Segment>,
    pub(crate) totals: Totals,
    pub(crate) page_lengths: FxHashMap<u64, u64>,
    manifest: Arc<Manifest>,
}

/// A segment and which of its entries count.
pub(crate) struct Segment {
    pub reader: SegmentReader,
    pub pages: Column<u64>,
    store: StoreReader,
    /// Entries that an overlay replaced.
    hidden: FxHashSet<DocId>,
}

impl Snapshot {
    pub(crate) fn new(index: &Index, manifest: Manifest) -> Result<Self, Error> {
        let mut snapshot = Self {
            columns: Columns::new(),
            segments: Vec::new(),
            totals: manifest.totals(),
            page_lengths: page_lengths(&manifest),
            manifest: Arc::new(manifest),
        };
        snapshot.open_segments(index)?;
        Ok(snapshot)
    }

    /// A snapshot of nothing.
    ///
    /// # Errors
    /// [`Error::Engine`] when the engine can't be started.
    pub fn empty() -> Result<Self, Error> {
        Self::of(&[], Manifest::default())
    }

    /// A snapshot of `entries` that is only in memory; `manifest` describes them.
    ///
    /// # Errors
    /// [`Error::Engine`] when the engine fails.
    pub fn of(entries: &[Entry], manifest: Manifest) -> Result<Self, Error> {
        Self::new(&in_memory(entries)?, manifest)
    }

    /// This snapshot with the entries of `paths` taken out and `entries` put in; `manifest` describes the result.
    ///
    /// # Errors
    /// [`Error::Engine`] or [`Error::Damaged`] when the engine fails.
    pub fn overlay(mut self, paths: &[String], entries: &[Entry], manifest: Manifest) -> Result<Self, Error> {
        for segment in &mut self.segments {
            let inverted = segment.reader.inverted_index(self.columns.path)?;
            for path in paths {
                let term = Term::from_field_text(self.columns.path, path);
                let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
                    continue;
                };
                while postings.doc() != TERMINATED {
                    segment.hidden.insert(postings.doc());
                    postings.advance();
                }
            }
        }
        self.totals = manifest.totals();
        self.page_lengths = page_lengths(&manifest);
        self.manifest = Arc::new(manifest);
        if !entries.is_empty() {
            self.open_segments(&in_memory(entries)?)?;
        }
        Ok(self)
    }

    /// What the snapshot was made from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many living entries link to a section by one of its names.
    pub(crate) fn links_to(&self, names: &[String]) -> Result<u32, Error> {
        names.iter().map(|name| self.count(&Term::from_field_text(self.columns.link, name))).sum()
    }

    /// How many living entries hold `term`.
    pub(crate) fn count(&self, term: &Term) -> Result<u32, Error> {
        self.segments.iter().map(|segment| segment.count(term)).sum()
    }

    fn open_segments(&mut self, index: &Index) -> Result<(), Error> {
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        for reader in reader.searcher().segment_readers() {
            self.segments.push(Segment {
                pages: reader.fast_fields().u64("page")?,
                store: reader.get_store_reader(STORE_CACHE)?,
                reader: reader.clone(),
                hidden: FxHashSet::default(),
            });
        }
        Ok(())
    }
}

/// Where an entry stands.
pub(crate) struct Place {
    pub path: String,
    pub section: u32,
    pub passage: u32,
    /// What links to the section call it, see [`Entry::names`].
    pub names: Vec<String>,
}

impl Segment {
    /// How many living entries hold `term`.
    pub fn count(&self, term: &Term) -> Result<u32, Error> {
        let inverted = self.reader.inverted_index(term.field())?;
        if self.hidden.is_empty() && !self.reader.has_deletes() {
            return Ok(inverted.doc_freq(term)?);
        }
        let mut count = 0;
        if let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? {
            while postings.doc() != TERMINATED {
                count += u32::from(self.is_alive(postings.doc()));
                postings.advance();
            }
        }
        Ok(count)
    }

    /// Whether the entry counts: neither deleted nor replaced.
    pub fn is_alive(&self, doc: DocId) -> bool {
        !self.reader.is_deleted(doc) && (self.hidden.is_empty() || !self.hidden.contains(&doc))
    }

    /// Where an entry stands.
    pub fn locate(&self, columns: &Columns, doc: DocId) -> Result<Place, Error> {
        let stored: TantivyDocument = self.store.get(doc)?;
        let path = stored.get_first(columns.path).and_then(|value| value.as_str().map(str::to_owned));
        let place = stored.get_first(columns.place).and_then(|value| value.as_u64());
        let (Some(path), Some(place)) = (path, place) else {
            return Err(Error::Damaged("an entry has no place".into()));
        };
        let (section, passage) = unpack(place);
        let names = stored.get_all(columns.name).filter_map(|value| value.as_str().map(str::to_owned)).collect();
        Ok(Place { path, section, passage, names })
    }
}

/// Tokens per page, by the number that stands for its path.
fn page_lengths(manifest: &Manifest) -> FxHashMap<u64, u64> {
    let files = manifest.files.iter().filter(|record| record.entries > 0);
    files.map(|record| (page(&record.path), record.tokens.iter().map(|count| u64::from(*count)).sum())).collect()
}
