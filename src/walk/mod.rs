//! Which files are docs, and their text.
//!
//! A tree of docs is searched for Markdown that git's ignore rules and `.inkwellignore` let through; symbolic links
//! are followed as long as they stay inside the root, and every real file is listed once. What could not be read
//! is listed beside the docs with its reason. Nothing here parses, and nothing here decides which trees to search.

mod every;
mod folder;
mod path;
mod read;
mod rules;
mod trees;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::Error;
use folder::{Folder, Found, Link, Search, Target};
use rules::Rules;

pub use every::{Entry, Every, Sort, every, is_ignored, names, rules_above, stamp_at};
pub use path::{RepoPath, Root, SIZE_LIMIT};
pub(crate) use read::read_text;
pub use read::{SkipReason, Stamp};
pub use trees::{OtherTree, other_trees};

/// A Markdown file among the docs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocFile {
    /// Where it is: the real path where that lies in a docs tree, else the path of the first link to it.
    pub path: RepoPath,
    /// What it was when it was listed.
    pub stamp: Stamp,
}

/// A file or folder that should have been among the docs but is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its path for people: what is not UTF-8 is replaced, what a terminal would obey is not.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// The docs of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every file, each once, in byte order of the paths.
    pub files: Vec<DocFile>,
    /// What was left out for a reason that people should know, in order. What rules leave out is not here.
    pub skipped: Vec<Skipped>,
    /// Trees that do not exist.
    pub missing: Vec<RepoPath>,
    /// Folders and files that the system did not let us look at: what used to be there may still be there.
    pub incomplete: Vec<RepoPath>,
}

impl Listing {
    /// Whether a path that is not among the files may be a doc all the same, because the system did not let us
    /// look: a folder without permission is no reason to forget its files (basicmachines-co/basic-memory#1007).
    pub fn is_unseen(&self, path: &str) -> bool {
        self.incomplete.iter().any(|unseen| unseen.holds(path))
    }
}

/// Whether a file of this name is Markdown: `.md`, `.markdown` or `.mdx`, in any case.
pub fn is_markdown(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && ["md", "markdown", "mdx"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Lists the docs in some trees: folders or single files, which may overlap and need not exist.
///
/// A tree that is named is searched even where it is hidden or ignored itself. Left out without a word:
/// - `templates/` at the top of a tree, and `_*.md` (the response contract, A3). `_*.mdx` and `_*.markdown` stay:
///   these are partials that other pages include, and their text would be found nowhere else.
/// - `.git`, git worktrees inside the root (MinishLab/semble#126), hidden entries and `node_modules`; in the root
///   also `target` and `vendor`. `.inkwellignore` can bring the last four back with `!`.
///
/// Fails only if the root itself is gone.
pub fn docs(root: &Root, trees: &[RepoPath]) -> Result<Listing, Error> {
    let opening = |source| Error::OpenRoot { path: root.as_path().to_owned(), source };
    fs::metadata(root.as_path()).map_err(opening)?;
    let mut walk = Walk::new(Search { root, trees });
    let start = trees.iter().filter_map(|tree| walk.start(tree)).collect();
    walk.list_trees(start);
    walk.follow_links();
    Ok(walk.finish())
}

/// A walk under way.
///
/// Folders are read level by level, a level's folders in parallel: a recursion would be as deep as the tree.
struct Walk<'a> {
    search: Search<'a>,
    listing: Listing,
    /// Folders that were read, by their real path: none is read twice, whatever the links say.
    seen: HashSet<PathBuf>,
    /// Links to follow, by their path; a folder's ends with `/` and so sorts like the files below it.
    links: BTreeMap<String, Link>,
}

impl<'a> Walk<'a> {
    fn new(search: Search<'a>) -> Self {
        Self { search, listing: Listing::default(), seen: HashSet::new(), links: BTreeMap::new() }
    }

    /// Where a tree begins; `None` if it is a file, which is taken, a link, which is followed later, or nothing.
    fn start(&mut self, tree: &RepoPath) -> Option<Folder> {
        let root = self.search.root.as_path();
        let path = self.search.root.join(tree);
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) => return self.start_failed(tree, &path, &error),
        };
        // Where names are not case-sensitive, the tree's own spelling of its name counts, not the user's.
        let spelled = real.strip_prefix(root).ok().and_then(Path::to_str).and_then(RepoPath::new);
        let same = spelled.filter(|real| real.as_str().eq_ignore_ascii_case(tree.as_str()));
        let mut found = Found::default();
        let Some(shown) = same else {
            let holder = path.parent().unwrap_or(root);
            found.link(&self.search, holder, tree.clone(), real);
            self.take(found);
            return None;
        };
        if real.is_dir() {
            return Some(Folder { rules: Rules::above(root, &real), shown, real, is_tree: true });
        }
        if is_markdown(shown.name()) {
            found.file(&self.search, shown, fs::metadata(&real));
        } else {
            found.skip(shown.to_string(), SkipReason::NotMarkdown);
        }
        let files = self.take(found);
        self.listing.files.extend(files);
        None
    }

    fn start_failed(&mut self, tree: &RepoPath, path: &Path, error: &io::Error) -> Option<Folder> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let mut found = Found::default();
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !is_link => {
                self.listing.missing.push(tree.clone());
            }
            _ if is_link => found.broken_link(tree.clone(), error),
            _ => found.unseen(tree.clone(), error),
        }
        self.take(found);
        None
    }

    /// Lists everything in the trees without following links.
    fn list_trees(&mut self, start: Vec<Folder>) {
        for (_, files) in self.list_below(start) {
            self.listing.files.extend(files);
        }
        // Trees that are single files may lie in trees that are folders.
        self.listing.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.listing.files.dedup_by(|a, b| a.path == b.path);
    }

    /// Adds what only links lead to. The first link in order wins, and links that are found on the way queue up.
    fn follow_links(&mut self) {
        let mut linked = Vec::new();
        let mut taken = HashSet::new();
        while let Some((_, link)) = self.links.pop_first() {
            let found = match link.target {
                Target::File(stamp) => {
                    vec![(link.real, DocFile { path: link.shown, stamp })]
                }
                Target::Folder => self.follow_folder(link),
            };
            for (real, file) in found {
                if !self.is_listed(&real) && taken.insert(real) {
                    linked.push(file);
                }
            }
        }
        self.listing.files.extend(linked);
    }

    /// The files behind a link to a folder, each with its real path.
    fn follow_folder(&mut self, link: Link) -> Vec<(PathBuf, DocFile)> {
        let Link { shown, real, holder, .. } = link;
        if self.seen.contains(&real) {
            return Vec::new();
        }
        if holder.starts_with(&real) {
            let reason = SkipReason::LinkLoop;
            self.listing.skipped.push(Skipped { path: shown.to_string(), reason });
            return Vec::new();
        }
        let rules = Rules::above(self.search.root.as_path(), &real);
        let start = Folder { shown, real, rules, is_tree: false };
        let found = self.list_below(vec![start]);
        let with_real = |(folder, files): (PathBuf, Vec<DocFile>)| {
            files.into_iter().map(move |file| (folder.join(file.path.name()), file))
        };
        found.into_iter().flat_map(with_real).collect()
    }

    /// Reads these folders and all below them: the real path of each and the files in it.
    fn list_below(&mut self, mut level: Vec<Folder>) -> Vec<(PathBuf, Vec<DocFile>)> {
        let mut listed = Vec::new();
        while !level.is_empty() {
            level.retain(|folder| self.seen.insert(folder.real.clone()));
            let search = &self.search;
            let found: Vec<Found> = level.par_iter().map(|folder| folder.list(search)).collect();
            let mut next = Vec::new();
            for (folder, mut found) in level.into_iter().zip(found) {
                next.append(&mut found.folders);
                listed.push((folder.real, self.take(found)));
            }
            level = next;
        }
        listed
    }

    /// Keeps everything that was found but the files, which it hands back.
    fn take(&mut self, found: Found) -> Vec<DocFile> {
        self.listing.skipped.extend(found.skipped);
        self.listing.incomplete.extend(found.incomplete);
        self.links.extend(found.links.into_iter().map(|link| (link.order(), link)));
        found.files
    }

    /// Whether a real path was listed before links were followed.
    fn is_listed(&self, real: &Path) -> bool {
        let inside = real.strip_prefix(self.search.root.as_path()).ok().and_then(Path::to_str);
        let Some(path) = inside.and_then(RepoPath::new) else { return false };
        self.listing.files.binary_search_by(|file| file.path.cmp(&path)).is_ok()
    }

    fn finish(self) -> Listing {
        let mut listing = self.listing;
        listing.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        listing.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        listing.skipped.dedup();
        listing.incomplete.sort_unstable();
        listing
    }
}

#[cfg(all(test, unix))]
mod tests;
