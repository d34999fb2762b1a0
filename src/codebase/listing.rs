//! Which files a project has, in the form in which it is kept between runs: with all that tells, by stamps alone and
//! without starting a program, whether it still holds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use inkwell_code::git::{Mode, Repo};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::files::{CodeFile, Files};
use super::stamp::{Moment, StampV1};
use crate::digest::Digest;
use crate::walk::{self, RepoPath, Root, Sort, Stamp};

/// The files of a project at some moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// By path.
    files: Vec<FileV1>,
    submodules: Vec<String>,
    unseen: usize,
    /// The commit that was checked out.
    head: Option<String>,
    /// The folders that were read.
    folders: Vec<(String, StampV1)>,
    /// Git's own files and those with ignore rules, whether they exist or not.
    places: Vec<(PathBuf, Option<StampV1>)>,
    /// Tracked files that are not on disk.
    absent: Vec<String>,
    /// Whether no folder or place was changed so shortly before that another change could go unseen.
    is_settled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileV1 {
    path: String,
    stamp: Option<StampV1>,
    /// Of the content, where the stamp alone can't be trusted.
    digest: Option<[u8; 32]>,
}

impl Listing {
    /// Lists the files of `root`; `repo` is the git repository around it, if there is one. What git tracks and its
    /// rules don't ignore is there, as it is on disk.
    pub fn new(root: &Root, repo: Option<&Repo>) -> Self {
        let moment = Moment::now();
        // Git's files before it is asked, so that what changes meanwhile shows.
        let git = repo.map(Repo::stamp_files).unwrap_or_default();
        let mut places: Vec<PathBuf> = git.into_iter().chain(walk::rules_above(root)).collect();
        let mut stamps: Vec<Option<Stamp>> = places.iter().map(|place| walk::stamp_at(place)).collect();
        let every = walk::every(root);
        let mut found: BTreeMap<RepoPath, Option<Stamp>> = BTreeMap::new();
        let mut listing = Self { unseen: every.unseen, head: repo.and_then(Repo::head), ..Self::default() };
        for entry in every.entries {
            match entry.sort {
                Sort::File => drop(found.insert(entry.path, Some(entry.stamp))),
                Sort::Link => drop(found.insert(entry.path, None)),
                Sort::Repository => listing.submodules.push(entry.path.to_string()),
            }
        }
        for tracked in repo.and_then(|repo| repo.tracked().ok()).unwrap_or_default() {
            let Some(path) = RepoPath::new(&tracked.path) else { continue };
            match tracked.mode {
                Mode::Submodule => listing.submodules.push(path.to_string()),
                _ if found.contains_key(&path) => {}
                _ if tracked.is_skipped => drop(found.insert(path, None)),
                // Tracked and ignored all the same, or below a folder that the walk leaves out; or not there.
                _ => match (root.stamp(&path), root.own_stamp(&path)) {
                    (Ok(stamp), Ok(own)) => drop(found.insert(path, Some(own).filter(|own| *own == stamp))),
                    (Ok(_) | Err(_), _) => listing.absent.push(path.to_string()),
                },
            }
        }
        places.extend(every.rules.iter().map(|(path, _)| root.join(path)));
        stamps.extend(every.rules.iter().map(|(_, stamp)| Some(*stamp)));
        let mut looked = every.folders.iter().map(|(_, stamp)| *stamp).chain(stamps.iter().copied().flatten());
        listing.is_settled = looked.all(|stamp| moment.settles(stamp));
        listing.folders = every.folders.into_iter().map(|(path, stamp)| (path.to_string(), stamp.into())).collect();
        listing.places = places.into_iter().zip(stamps.into_iter().map(|stamp| stamp.map(StampV1::from))).collect();
        let file = |(path, stamp): (RepoPath, Option<Stamp>)| FileV1 {
            path: path.to_string(),
            stamp: stamp.map(StampV1::from),
            digest: None,
        };
        listing.files = found.into_iter().map(file).collect();
        listing
    }

    /// The listing as a new one would be now, found by looking at stamps; `None` where a new one has to be made,
    /// because a folder, git's files or the rules changed.
    pub fn again(&self, root: &Root) -> Option<Self> {
        let own = |path: &str| RepoPath::new(path).and_then(|path| root.own_stamp(&path).ok());
        let is_whole = self.is_settled
            && self.unseen == 0
            && self.folders.par_iter().all(|(path, stamp)| own(path).is_some_and(|now| stamp.is(now)))
            && self.places.iter().all(|(place, stamp)| walk::stamp_at(place).map(StampV1::from) == *stamp)
            && self.absent.iter().all(|path| own(path).is_none());
        if !is_whole {
            return None;
        }
        let again = |file: &FileV1| match file.stamp {
            Some(_) => Some(FileV1 { path: file.path.clone(), stamp: Some(own(&file.path)?.into()), digest: None }),
            None => Some(file.clone()),
        };
        let files = self.files.par_iter().map(again).collect::<Option<Vec<FileV1>>>()?;
        Some(Self { files, ..self.clone() })
    }

    /// Notes the content of the files whose stamps can't be trusted later. It has to come before anything of them is
    /// looked at.
    pub fn settle(&mut self, root: &Root, moment: Moment) {
        self.files.par_iter_mut().for_each(|file| {
            if file.stamp.is_some_and(|stamp| !moment.settles(stamp.into())) {
                file.digest = digest(root, &file.path);
            }
        });
    }

    /// Whether an older listing is of the same files with the same content, at the same commit and under the same rules.
    pub fn is_as(&self, old: &Self, root: &Root) -> bool {
        let is_same = |(now, old): (&FileV1, &FileV1)| {
            let is_content =
                || old.digest.is_none_or(|known| now.digest.or_else(|| digest(root, &now.path)) == Some(known));
            now.path == old.path && now.stamp == old.stamp && is_content()
        };
        self.head == old.head
            && self.submodules == old.submodules
            && self.unseen == old.unseen
            && self.places == old.places
            && self.files.len() == old.files.len()
            && self.files.par_iter().zip(&old.files).all(is_same)
    }

    /// Whether the next look can tell by stamps alone that it still holds.
    pub fn is_settled(&self) -> bool {
        self.is_settled && self.files.iter().all(|file| file.digest.is_none())
    }

    /// The commit that is checked out.
    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Whether the file at a path has exactly this stamp, links not followed.
    pub fn has(&self, path: &str, stamp: Stamp) -> bool {
        let found = self.files.binary_search_by(|file| file.path.as_str().cmp(path));
        found.is_ok_and(|at| self.files[at].stamp.is_some_and(|known| known.is(stamp)))
    }

    /// The files, for look-up.
    pub fn files(&self) -> Files {
        let file = |file: &FileV1| Some(CodeFile::new(RepoPath::new(&file.path)?, file.stamp.map(Stamp::from)));
        let mut files = Files::of(self.files.iter().filter_map(file).collect());
        files.unseen = self.unseen;
        files.with_submodules(self.submodules.clone())
    }
}

/// The digest of a file's content; zeros where it can't be read.
fn digest(root: &Root, path: &str) -> Option<[u8; 32]> {
    let content = RepoPath::new(path).and_then(|path| root.read_bytes(&path).ok());
    Some(content.map_or([0; 32], |(content, _)| Digest::of(&content).bytes()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> (tempfile::TempDir, Root) {
        let temp = tempfile::tempdir().expect("a folder");
        let top = temp.path().join("p");
        for (path, text) in [("src/a.rs", "fn a() {}"), ("src/b.rs", "fn b() {}"), (".gitignore", "*.log\n")] {
            fs::create_dir_all(top.join(path).parent().expect("below")).expect("folders");
            fs::write(top.join(path), text).expect("written");
        }
        let root = Root::open(&top).expect("a root");
        (temp, root)
    }

    /// A listing whose folders count as settled, as they would be two seconds later.
    fn listed(root: &Root) -> Listing {
        Listing { is_settled: true, ..Listing::new(root, None) }
    }

    #[test]
    fn a_listing_holds_until_a_file_comes_or_goes() {
        let (_temp, root) = project();
        let old = listed(&root);
        assert_eq!(old.again(&root), Some(old.clone()));
        fs::write(root.as_path().join("src/c.rs"), "").expect("written");
        assert_eq!(old.again(&root), None);
        let old = listed(&root);
        fs::remove_file(root.as_path().join("src/c.rs")).expect("removed");
        assert_eq!(old.again(&root), None);
    }

    #[test]
    fn what_was_listed_just_now_is_listed_again() {
        let (_temp, root) = project();
        assert_eq!(Listing::new(&root, None).again(&root), None);
    }

    #[test]
    fn rules_and_repositories_around_the_root_count() {
        let (temp, root) = project();
        for path in ["p/.gitignore", ".gitignore", ".git"] {
            let old = listed(&root);
            fs::write(temp.path().join(path), "*.rs and more\n").expect("written");
            assert_eq!(old.again(&root), None, "{path}");
        }
    }

    #[test]
    fn an_edit_changes_only_its_file() {
        let (_temp, root) = project();
        let old = listed(&root);
        fs::write(root.as_path().join("src/a.rs"), "fn aa() {}").expect("written");
        let now = old.again(&root).expect("the same files");
        assert!(!now.is_as(&old, &root));
        assert_eq!(now.files().all.len(), 3);
        let differ: Vec<&str> =
            now.files.iter().zip(&old.files).filter(|(a, b)| a != b).map(|(a, _)| a.path.as_str()).collect();
        assert_eq!(differ, ["src/a.rs"]);
    }

    #[test]
    fn an_edit_that_leaves_the_same_stamp_is_seen_by_its_content() {
        let (_temp, root) = project();
        let mut old = listed(&root);
        old.settle(&root, Moment::now());
        assert!(old.again(&root).expect("the same files").is_as(&old, &root));
        fs::write(root.as_path().join("src/a.rs"), "fn c() {}").expect("written");
        // As if the clock had stood still.
        let now =
            Listing { files: old.files.iter().map(|f| FileV1 { digest: None, ..f.clone() }).collect(), ..old.clone() };
        assert!(!now.is_as(&old, &root));
    }
}
