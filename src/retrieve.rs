//! Question → passages: asks the index, reads the files it names, and picks the sections to cite.
//!
//! Everything that is cited later was read from disk here. A file that changed since it was indexed is told as
//! [`Retrieved::is_stale`], so that the caller brings the index up to date and asks again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use inkwell_index::{
    FEEDBACK_PASSAGES, Found, Hit, Language, Manifest, Parts, Query, Rarity, Search, Slip, Snapshot, Weights,
    feed_back, filtered, search,
};

use crate::digest::Digest;
use crate::page::Page;
use crate::parse::anchor::SiteStyle;
use crate::walk::{RepoPath, Root};

/// Sections of one page among the cited, unless there is nothing else. Three of five is what the contract starts
/// from; longer lists let a page keep the same share.
fn page_limit(limit: usize) -> usize {
    (limit * 3).div_ceil(5).max(3)
}

/// A passage that was found, on the page it stands on.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The page, as it is on disk.
    pub page: Arc<Page>,
    /// The section, an index into [`Page::sections`].
    pub section: usize,
    /// The blocks that were searched, a range of the page's blocks.
    pub blocks: Range<usize>,
    /// What the order goes by; comparable within one question.
    pub score: f32,
    /// What the score was made of.
    pub parts: Parts,
    /// Which units of the query the passage holds, a bit each.
    pub matched: u64,
    /// Which units it doesn't hold but a word that may stand for them.
    pub related: u64,
    /// Which units its heading holds.
    pub in_heading: u64,
}

impl Passage {
    /// Whether the passage is of this section.
    fn is_of(&self, path: &str, section: usize) -> bool {
        self.page.path.as_str() == path && self.section == section
    }

    /// Whether another passage holds the same words, as copies of a page for several versions do.
    fn says_the_same(&self, other: &Self) -> bool {
        fn texts(passage: &Passage) -> impl Iterator<Item = &str> {
            passage.page.document.blocks[passage.blocks.clone()].iter().map(|block| block.text.as_str())
        }
        !self.blocks.is_empty() && self.blocks.len() == other.blocks.len() && texts(self).eq(texts(other))
    }

    /// The fragment of a link to the section; empty where the page has no heading.
    pub fn anchor(&self) -> &str {
        self.page.anchor(self.section).unwrap_or_default()
    }
}

/// What was found for a question.
pub struct Retrieved {
    /// The question, read.
    pub query: Query,
    /// How rare each unit of the query is.
    pub units: Vec<Rarity>,
    /// Words that no text holds and that were read as near ones.
    pub slips: Vec<Slip>,
    /// Best first, each section once.
    pub passages: Vec<Passage>,
    /// How many passages hold a word of the question.
    pub total: usize,
    /// A file that was found is not the file that was indexed.
    pub is_stale: bool,
}

/// What passages are read from.
pub struct Library<'a> {
    /// Where pages are.
    pub pages: Pages<'a>,
    /// The index.
    pub snapshot: &'a Snapshot,
    /// Which word forms are joined.
    pub language: Language,
    /// What the parts of a score weigh.
    pub weights: Weights,
}

/// Where the pages of an index are.
#[derive(Clone, Copy)]
pub enum Pages<'a> {
    /// In files below a root: read when they are found, and parsed with the anchors of a style.
    Files(&'a Root, SiteStyle),
    /// In memory, by path.
    Given(&'a BTreeMap<String, Arc<Page>>),
}

/// Finds the sections that answer `question` best, at most `limit`, only such that can be cited.
///
/// # Errors
/// When the index can't be read.
pub fn retrieve(library: &Library<'_>, question: &str, limit: usize) -> Result<Retrieved, inkwell_index::Error> {
    let query = Query::weighed(question, library.language, library.weights);
    let found = search(library.snapshot, &query, candidates(limit))?;
    pick(library, query, found, limit, Citable::Only)
}

/// Finds passages by the syntax of the search command, at most `limit`; also on pages without headings.
///
/// # Errors
/// When the index can't be read.
pub fn look_up(library: &Library<'_>, text: &str, limit: usize) -> Result<Retrieved, inkwell_index::Error> {
    let search = Search::read(text, library.language);
    let found = filtered(library.snapshot, &search, candidates(limit))?;
    pick(library, search.into_query(), found, limit, Citable::Any)
}

/// How many hits to look through for `limit` sections: passages of one section and of one page crowd together.
fn candidates(limit: usize) -> usize {
    (limit * 8).max(200)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Citable {
    /// Only sections that a link can point into.
    Only,
    /// Everything that was found.
    Any,
}

fn pick(
    library: &Library<'_>,
    query: Query,
    mut found: Found,
    limit: usize,
    citable: Citable,
) -> Result<Retrieved, inkwell_index::Error> {
    let mut shelf = Shelf { library, pages: BTreeMap::new(), is_stale: false };
    if query.weights.feedback > 0.0 {
        let texts: Vec<String> = found.hits.iter().take(FEEDBACK_PASSAGES).map(|hit| shelf.text(hit)).collect();
        feed_back(library.snapshot, &query, &mut found, &texts)?;
    }
    let mut passages: Vec<Passage> = Vec::new();
    let mut later = Vec::new();
    let per_page = if citable == Citable::Any { usize::MAX } else { page_limit(limit) };
    for hit in &found.hits {
        if passages.len() == limit {
            break;
        }
        if passages.iter().any(|known| known.is_of(&hit.path, hit.section as usize)) {
            continue;
        }
        let Some(passage) = shelf.passage(hit, citable) else {
            continue;
        };
        let of_page = passages.iter().filter(|known| known.page.path == passage.page.path).count();
        let is_repeated = citable == Citable::Only && passages.iter().any(|known| known.says_the_same(&passage));
        if of_page >= per_page || is_repeated {
            later.push(passage);
        } else {
            passages.push(passage);
        }
    }
    // What crowds the list or repeats it is better than an empty place in it.
    for passage in later {
        let is_known = passages.iter().any(|known| known.is_of(passage.page.path.as_str(), passage.section));
        if passages.len() < limit && !is_known {
            passages.push(passage);
        }
    }
    let Found { units, slips, total, .. } = found;
    Ok(Retrieved { query, units, slips, passages, total, is_stale: shelf.is_stale })
}

/// The pages that were read for one question.
struct Shelf<'a> {
    library: &'a Library<'a>,
    pages: BTreeMap<String, Option<Arc<Page>>>,
    is_stale: bool,
}

impl Shelf<'_> {
    /// The page and the blocks that a hit names, read from disk; `None` where the file is not what was indexed.
    fn blocks(&mut self, hit: &Hit) -> Option<(Arc<Page>, Range<usize>)> {
        let page = self.page(&hit.path)?;
        let section = hit.section as usize;
        page.sections.get(section)?;
        let blocks = page.passages(section).into_iter().nth(hit.passage as usize)?;
        Some((page, blocks))
    }

    /// The passage a hit names; `None` also where there is nothing to cite.
    fn passage(&mut self, hit: &Hit, citable: Citable) -> Option<Passage> {
        let (page, blocks) = self.blocks(hit)?;
        let section = hit.section as usize;
        if citable == Citable::Only {
            page.anchor(section)?;
        }
        let Hit { score, parts, matched, related, in_heading, .. } = *hit;
        Some(Passage { page, section, blocks, score, parts, matched, related, in_heading })
    }

    /// The heading and the text of a hit; empty where the file is not what was indexed.
    fn text(&mut self, hit: &Hit) -> String {
        let Some((page, blocks)) = self.blocks(hit) else { return String::new() };
        let texts = page.document.blocks[blocks].iter().map(|block| block.text.as_str());
        std::iter::once(page.heading(hit.section as usize)).chain(texts).collect::<Vec<_>>().join("\n")
    }

    fn page(&mut self, path: &str) -> Option<Arc<Page>> {
        if let Some(known) = self.pages.get(path) {
            return known.clone();
        }
        let page = match self.library.pages {
            Pages::Files(root, style) => self.read(root, path, style).map(Arc::new),
            Pages::Given(pages) => pages.get(path).cloned(),
        };
        self.is_stale |= page.is_none();
        self.pages.insert(path.to_owned(), page.clone());
        page
    }

    fn read(&self, root: &Root, path: &str, style: SiteStyle) -> Option<Page> {
        let path = RepoPath::new(path)?;
        let (text, _) = root.read(&path).ok()?;
        is_current(self.library.snapshot.manifest(), &path, &text).then(|| Page::parse(path, text, style))
    }
}

/// Whether `text` is what the index was made from.
fn is_current(manifest: &Manifest, path: &RepoPath, text: &str) -> bool {
    manifest.find(path.as_str()).is_some_and(|record| record.digest == Digest::of(text.as_bytes()).bytes())
}
