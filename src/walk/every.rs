//! Every file of the project that git's ignore rules let through, code and docs alike, without following links.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::path::{RepoPath, Root};
use super::read::Stamp;
use super::rules::{RuleFiles, Rules};

/// What an entry of the project is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A regular file.
    File,
    /// A symbolic link, which is not followed.
    Link,
    /// The top of another repository, a submodule or a linked worktree, which is not entered.
    Repository,
}

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub path: RepoPath,
    /// What it is.
    pub sort: Sort,
    /// What the file system said of it; of a link, of the link itself.
    pub stamp: Stamp,
}

/// The files of a project and the folders that were read for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Every {
    /// Files, links and tops of other repositories, by path.
    pub entries: Vec<Entry>,
    /// The folders that were read, with their stamps from before they were read, by path; the tops of other
    /// repositories among them.
    pub folders: Vec<(RepoPath, Stamp)>,
    /// The `.gitignore` files that hold in them, by path; some ignore themselves and are no entries.
    pub rules: Vec<(RepoPath, Stamp)>,
    /// How many places the system did not let us look at.
    pub unseen: usize,
}

/// Lists every file below the root that git's rules don't ignore. `.git` and `node_modules` are not entered, names that
/// are not UTF-8 are passed over. What can't be read is counted, not an error.
pub fn every(root: &Root) -> Every {
    let top = Level {
        path: RepoPath::ROOT,
        real: root.as_path().to_owned(),
        rules: Rules::above(root.as_path(), root.as_path()),
    };
    let mut found = Every::default();
    let mut level = vec![top];
    while !level.is_empty() {
        let listed: Vec<Listed> = level.into_par_iter().map(Level::list).collect();
        level = Vec::new();
        for listed in listed {
            found.entries.extend(listed.entries);
            found.folders.extend(listed.folder);
            found.rules.extend(listed.rules);
            found.unseen += listed.unseen;
            level.extend(listed.below);
        }
    }
    found.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found.folders.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found.rules.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found
}

/// A folder to read.
struct Level {
    path: RepoPath,
    real: PathBuf,
    rules: Rules,
}

#[derive(Default)]
struct Listed {
    entries: Vec<Entry>,
    folder: Option<(RepoPath, Stamp)>,
    rules: Option<(RepoPath, Stamp)>,
    below: Vec<Level>,
    unseen: usize,
}

impl Level {
    fn list(self) -> Listed {
        let mut listed = Listed::default();
        let (Ok(own), Ok(reader)) = (fs::symlink_metadata(&self.real), fs::read_dir(&self.real)) else {
            return Listed { unseen: 1, ..listed };
        };
        let mut names: Vec<(String, fs::DirEntry, fs::FileType)> = Vec::new();
        let mut rule_files = RuleFiles::default();
        for entry in reader {
            let Ok((kind, entry)) = entry.and_then(|entry| Ok((entry.file_type()?, entry))) else {
                listed.unseen += 1;
                continue;
            };
            let Ok(name) = entry.file_name().into_string() else { continue };
            rule_files.note(&name, kind);
            names.push((name, entry, kind));
        }
        let is_other = self.path != RepoPath::ROOT && rule_files.git.is_some();
        if is_other {
            let stamp = Stamp::of(&own);
            let entry = Entry { path: self.path.clone(), sort: Sort::Repository, stamp };
            return Listed { entries: vec![entry], folder: Some((self.path, stamp)), ..listed };
        }
        if rule_files.gitignore {
            let stamp = stamp_at(&self.real.join(".gitignore"));
            listed.rules = stamp.map(|stamp| (self.path.child(".gitignore"), stamp));
        }
        let rules = self.rules.enter(&self.real, RuleFiles { inkwellignore: false, ..rule_files });
        for (name, entry, kind) in names {
            let is_folder = kind.is_dir();
            if name == ".git" || (is_folder && name == "node_modules") || rules.is_ignored(&self.real, &name, is_folder)
            {
                continue;
            }
            let path = self.path.child(&name);
            if is_folder {
                listed.below.push(Self { path, real: entry.path(), rules: rules.clone() });
                continue;
            }
            let sort = if kind.is_symlink() { Sort::Link } else { Sort::File };
            match entry.metadata() {
                Ok(found) if found.is_file() || kind.is_symlink() => {
                    listed.entries.push(Entry { path, sort, stamp: Stamp::of(&found) });
                }
                Ok(_) => {}
                Err(_) => listed.unseen += 1,
            }
        }
        listed.folder = Some((self.path, Stamp::of(&own)));
        listed
    }
}

/// What the file system says of any place now, of a link of the link itself; `None` where there is nothing.
pub fn stamp_at(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().map(|found| Stamp::of(&found))
}

/// The places above a root whose files decide what is ignored in it and which repository it is in, whether they exist
/// or not.
pub fn rules_above(root: &Root) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in root.as_path().ancestors() {
        let git = folder.join(".git");
        if folder != root.as_path() {
            found.push(folder.join(".gitignore"));
        }
        if git.exists() {
            found.extend([git.join("info/exclude"), git.join("HEAD")]);
            break;
        }
        found.push(git);
    }
    found
}

/// The names of the files in a folder of the project, sorted; none where it can't be read.
pub fn names(root: &Root, folder: &RepoPath) -> Vec<String> {
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Whether a path of the project, present or not, is ignored by git's rules as they are on disk.
pub fn is_ignored(root: &Root, path: &str) -> bool {
    let mut rules = Rules::above(root.as_path(), root.as_path());
    let mut folder: PathBuf = root.as_path().to_owned();
    let pieces: Vec<&str> = path.split('/').filter(|piece| !piece.is_empty()).collect();
    for (at, piece) in pieces.iter().enumerate() {
        rules = rules.enter(&folder, RuleFiles { inkwellignore: false, ..RuleFiles::of(&folder) });
        let is_folder = at + 1 < pieces.len() || path.ends_with('/');
        if rules.is_ignored(&folder, piece, is_folder) {
            return true;
        }
        folder = Path::new(&folder).join(piece);
    }
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_git_would_show_is_listed() {
        let temp = tempfile::tempdir().expect("a folder");
        let top = temp.path();
        for (path, text) in [
            (".git/config", ""),
            (".gitignore", "/build\n*.log\n"),
            ("src/a.rs", ""),
            ("src/x.log", ""),
            ("build/out.rs", ""),
            (".github/ci.yml", ""),
            ("node_modules/m/index.js", ""),
            ("sub/.git/HEAD", ""),
            ("sub/inner.rs", ""),
        ] {
            fs::create_dir_all(top.join(path).parent().expect("below")).expect("folders");
            fs::write(top.join(path), text).expect("written");
        }
        std::os::unix::fs::symlink("/etc", top.join("out")).expect("a link");
        let root = Root::open(top).expect("a root");
        let found = every(&root);
        let shown: Vec<String> = found.entries.iter().map(|e| format!("{} {:?}", e.path, e.sort)).collect();
        assert_eq!(shown, [".github/ci.yml File", ".gitignore File", "out Link", "src/a.rs File", "sub Repository"]);
        let folders: Vec<&str> = found.folders.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(folders, ["", ".github", "src", "sub"]);
        let rules: Vec<&str> = found.rules.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(rules, [".gitignore"]);
        assert!(is_ignored(&root, "build/gone.rs") && is_ignored(&root, "deep/er/a.log"));
        assert!(!is_ignored(&root, "src/gone.rs"));
    }
}
