//! What the code says: which files there are, where names stand, what each file defines, and what git knows of before.
//!
//! Everything is found on demand for the names that claims ask about; nothing indexes the whole tree. It does not know
//! what docs assert, and it decides nothing.

mod files;
mod places;
mod role;
mod stamp;

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use inkwell_code::git::Repo;
use inkwell_code::language::Language;
use inkwell_code::outline::{Outline, outline};

use crate::walk::{RepoPath, Root};

pub use files::{CodeFile, Files};
pub use places::{Known, Place, Places, best, look};
pub use role::{Role, role};

/// The code of a project as it is now.
pub struct Codebase<'a> {
    /// Where the project is.
    pub root: &'a Root,
    /// The repository around it, if it is in one.
    pub repo: Option<Repo>,
    /// Its files.
    pub files: Files,
    /// Contents that stand for what is on disk: what a commit is about to hold.
    overlay: HashMap<String, Vec<u8>>,
    outlines: Vec<OnceLock<Option<Outline>>>,
}

impl<'a> Codebase<'a> {
    /// Opens the code of a project.
    pub fn open(root: &'a Root) -> Self {
        let repo = Repo::open(root.as_path());
        let (files, _) = Files::list(root, repo.as_ref());
        Self::of(root, repo, files, HashMap::new())
    }

    /// A codebase of given files, some with other contents than on disk.
    pub fn of(root: &'a Root, repo: Option<Repo>, files: Files, overlay: HashMap<String, Vec<u8>>) -> Self {
        let outlines = files.all.iter().map(|_| OnceLock::new()).collect();
        Self { root, repo, files, overlay, outlines }
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
            let language = self.files.all[file as usize].language;
            let content = self.read(file)?;
            outline(language, &String::from_utf8_lossy(&content))
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
