//! What the code says: which files there are, where names stand, what each file defines, and what git knows of before.
//!
//! Everything is found on demand for the names that claims ask about; nothing indexes the whole tree. It does not know
//! what docs assert, and it decides nothing.

mod files;
mod listing;
mod outlines;
mod places;
mod role;
mod stamp;

use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, OnceLock};

use inkwell_code::git::Repo;
use inkwell_code::language::Language;
use inkwell_code::outline::{Outline, outline};

use crate::walk::{RepoPath, Root};

pub use files::{CodeFile, Files};
pub use listing::Listing;
pub use outlines::Outlines;
pub use places::{Known, Place, Places, best, look};
pub use role::{Role, role};
pub use stamp::{Moment, StampV1};

use outlines::Needed;

/// A repository that is opened when it is first asked, which starts a program.
pub type LazyRepo = LazyLock<Option<Repo>, Box<dyn FnOnce() -> Option<Repo> + Send>>;

/// The code of a project as it is now.
pub struct Codebase<'a> {
    /// Where the project is.
    pub root: &'a Root,
    /// The repository around it, if it is in one.
    pub repo: LazyRepo,
    /// Its files.
    pub files: Files,
    /// When it began to be looked at.
    moment: Moment,
    /// Contents that stand for what is on disk: what a commit is about to hold.
    overlay: HashMap<String, Vec<u8>>,
    outlines: Vec<OnceLock<Option<Outline>>>,
    /// What former runs read of them.
    kept: Outlines,
}

impl<'a> Codebase<'a> {
    /// Opens the code of a project.
    pub fn open(root: &'a Root) -> Self {
        let repo = Repo::open(root.as_path());
        let files = Listing::new(root, repo.as_ref()).files();
        Self::of(root, repo, files, HashMap::new())
    }

    /// The code of a project whose files are listed already; git is asked only for what it alone knows.
    pub fn listed(root: &'a Root, listing: &Listing, kept: Outlines) -> Self {
        let place = root.as_path().to_owned();
        let repo: LazyRepo = LazyLock::new(Box::new(move || Repo::open(&place)));
        Self { repo, kept, ..Self::of(root, None, listing.files(), HashMap::new()) }
    }

    /// A codebase of given files, some with other contents than on disk.
    pub fn of(root: &'a Root, repo: Option<Repo>, files: Files, overlay: HashMap<String, Vec<u8>>) -> Self {
        let outlines = files.all.iter().map(|_| OnceLock::new()).collect();
        let repo: LazyRepo = LazyLock::new(Box::new(move || repo));
        Self { root, repo, files, moment: Moment::now(), overlay, outlines, kept: Outlines::default() }
    }

    /// The stamp to keep with what is found in a file; `None` where that is of no later use: there is nothing to read,
    /// or another content stands for it.
    pub fn kept_stamp(&self, file: u32) -> Option<StampV1> {
        let file = &self.files.all[file as usize];
        let is_disk = !self.overlay.contains_key(file.path.as_str());
        file.stamp.filter(|_| is_disk).map(|stamp| self.moment.trusted(stamp))
    }

    /// The outlines that were read so far together with those that were kept; `None` where nothing is new.
    pub fn outlines(&self) -> Option<Outlines> {
        let needed = (0..).zip(&self.outlines).filter_map(|(file, outline)| {
            let (stamp, outline) = (self.kept_stamp(file)?, outline.get()?);
            Some(Needed { path: self.path(file).as_str(), stamp, outline })
        });
        let needed: Vec<Needed<'_>> = needed.collect();
        self.kept.with(&needed, |path, stamp| {
            let file = self.files.find(path).and_then(|file| self.files.all[file as usize].stamp);
            file.is_some_and(|now| stamp.is(now))
        })
    }

    /// The content that stands for a file's on disk, if there is one.
    pub fn overlaid(&self, path: &str) -> Option<&[u8]> {
        self.overlay.get(path).map(Vec::as_slice)
    }

    /// A file's content; `None` where it can't be read.
    pub fn read(&self, file: u32) -> Option<Vec<u8>> {
        let file = &self.files.all[file as usize];
        if let Some(content) = self.overlay.get(file.path.as_str()) {
            return Some(content.clone());
        }
        file.stamp?;
        self.root.read_bytes(&file.path).ok().map(|(content, _)| content)
    }

    /// What a file defines; `None` where its language has no grammar or it can't be read.
    pub fn outline(&self, file: u32) -> Option<&Outline> {
        let find = || {
            let CodeFile { path, language, stamp, .. } = &self.files.all[file as usize];
            let kept = stamp.filter(|_| self.overlaid(path.as_str()).is_none());
            if let Some(known) = kept.and_then(|stamp| self.kept.find(path.as_str(), stamp)) {
                return known;
            }
            let content = self.read(file)?;
            outline(*language, &String::from_utf8_lossy(&content))
        };
        self.outlines[file as usize].get_or_init(find).as_ref()
    }

    /// How many lines a file has.
    pub fn lines(&self, file: u32) -> Option<usize> {
        let content = self.read(file)?;
        let ends = content.iter().filter(|byte| **byte == b'\n').count();
        Some(ends + usize::from(content.last().is_some_and(|last| *last != b'\n')))
    }

    /// A file's path.
    pub fn path(&self, file: u32) -> &RepoPath {
        &self.files.all[file as usize].path
    }

    /// A file's language.
    pub fn language(&self, file: u32) -> Language {
        self.files.all[file as usize].language
    }

    /// Looks for names, remembering what was found in `known`.
    pub fn places(&self, names: &BTreeSet<String>, known: &mut Known) -> Places {
        look(self, names, known)
    }
}
