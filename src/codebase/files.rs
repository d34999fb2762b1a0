//! Which files the project has: what git tracks and what its rules don't ignore, as they are on disk.
//!
//! Without git it is the walk alone. A tracked file that is gone from the disk is gone, unless a sparse checkout left
//! it out. Names are compared as git has them, so a wrong case is wrong on every system.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use inkwell_code::language::Language;

use super::role::{Role, role};
use crate::walk::{RepoPath, Stamp};

/// A file that the project has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeFile {
    /// Where it is.
    pub path: RepoPath,
    /// What its names are worth.
    pub role: Role,
    /// The language it is written in.
    pub language: Language,
    /// What it was when it was listed; `None` where there is nothing to read: links, submodules, what a sparse checkout
    /// left out.
    pub stamp: Option<Stamp>,
}

/// The files of a project, with look-up.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Every file, by path.
    pub all: Vec<CodeFile>,
    /// Places that the system did not let us look at.
    pub unseen: usize,
    folders: HashSet<String>,
    by_name: HashMap<String, Vec<u32>>,
    submodules: Vec<String>,
    /// The first path of each spelling in lower case, files before folders; made when it is first asked for.
    in_lower: OnceLock<HashMap<String, String>>,
}

impl Files {
    /// Files from a list sorted by path.
    pub fn of(all: Vec<CodeFile>) -> Self {
        let mut folders = HashSet::new();
        let mut by_name: HashMap<String, Vec<u32>> = HashMap::new();
        for (index, file) in all.iter().enumerate() {
            by_name.entry(file.path.name().to_owned()).or_default().push(index as u32);
            let mut folder = file.path.parent();
            while let Some(at) = folder.filter(|at| *at != RepoPath::ROOT && !folders.contains(at.as_str())) {
                folders.insert(at.to_string());
                folder = at.parent();
            }
        }
        Self { all, folders, by_name, ..Self::default() }
    }

    /// The same with other submodules.
    pub fn with_submodules(self, submodules: Vec<String>) -> Self {
        Self { submodules, ..self }
    }

    /// The tops of other repositories.
    pub fn submodules(&self) -> &[String] {
        &self.submodules
    }

    /// The file at exactly this path.
    pub fn find(&self, path: &str) -> Option<u32> {
        self.all.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| at as u32)
    }

    /// Whether a file or folder is at exactly this path.
    pub fn holds(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty()
            || self.find(path).is_some()
            || self.folders.contains(path)
            || self.submodules.iter().any(|top| top == path)
    }

    /// Whether a path lies in another repository, of which nothing is known.
    pub fn is_elsewhere(&self, path: &str) -> bool {
        self.submodules.iter().any(|top| path.strip_prefix(top.as_str()).is_some_and(|rest| rest.starts_with('/')))
    }

    /// The files whose path is `path` or ends with `/` and `path`.
    pub fn with_suffix(&self, path: &str) -> Vec<u32> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_it = |index: &&u32| {
            let whole = self.all[**index as usize].path.as_str();
            whole.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.by_name.get(name).map_or_else(Vec::new, |found| found.iter().filter(is_it).copied().collect())
    }

    /// A folder whose path ends with `/` and `path`.
    pub fn folder_with_suffix(&self, path: &str) -> Option<&str> {
        let tail = format!("/{path}");
        self.folders.iter().filter(|folder| folder.ends_with(&tail)).min().map(String::as_str)
    }

    /// The path that differs from `path` in case only, if one does.
    pub fn in_other_case(&self, path: &str) -> Option<&str> {
        let spellings = self.in_lower.get_or_init(|| {
            let mut folders: Vec<&str> = self.folders().collect();
            folders.sort_unstable();
            let mut found: HashMap<String, String> = HashMap::new();
            for known in self.all.iter().map(|file| file.path.as_str()).chain(folders) {
                found.entry(known.to_lowercase()).or_insert_with(|| known.to_owned());
            }
            found
        });
        spellings.get(&path.to_lowercase()).map(String::as_str)
    }

    /// Whether the first part of a path is a file or folder at the root.
    pub fn starts_at_root(&self, path: &str) -> bool {
        path.split('/').next().is_some_and(|first| !first.is_empty() && self.holds(first))
    }

    /// The folders that hold files.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }
}

impl CodeFile {
    /// A file with its role and language by its path.
    pub fn new(path: RepoPath, stamp: Option<Stamp>) -> Self {
        let (role, language) = (role(path.as_str()), Language::of(path.as_str()));
        Self { path, role, language, stamp }
    }

    /// Whether its names can vouch for what docs say.
    pub fn is_code(&self) -> bool {
        matches!(self.role, Role::Source | Role::Data | Role::Test)
    }
}
