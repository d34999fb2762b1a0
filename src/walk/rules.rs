//! Which entries of a folder git's ignore rules and `.inkwellignore` leave out.
//!
//! `.gitignore` files from the top of the enclosing git repository downwards and its `.git/info/exclude` count.
//! The user's global gitignore doesn't, so every machine gives the same verdict; neither do `.ignore`,
//! `.dockerignore`, `.prettierignore`, which speak to other tools (zilliztech/claude-context#372).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::read_text;

/// Rules are written by hand: a file above this many bytes is left unread rather than compiled.
const RULES_SIZE_LIMIT: u64 = 1 << 20;

/// The rules that hold in one folder, its parents' included.
#[derive(Clone, Default)]
pub(super) struct Rules {
    inkwell: Option<Arc<Layer>>,
    git: Option<Arc<Layer>>,
}

/// The rules of one file, and those of the folders above.
struct Layer {
    matcher: Gitignore,
    above: Option<Arc<Layer>>,
}

/// What rules say of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// `.inkwellignore` asks for it with `!`, even where a built-in rule would leave it out.
    Wanted,
    /// It is left out.
    Ignored,
    /// No rule names it, or git's rules take it back in.
    Open,
}

/// The files of a folder that change the rules below it.
#[derive(Clone, Copy, Default)]
pub(super) struct RuleFiles {
    pub git: Option<GitEntry>,
    pub gitignore: bool,
    pub inkwellignore: bool,
}

/// What a folder's `.git` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GitEntry {
    /// The top of a repository.
    Folder,
    /// The top of a linked worktree or a submodule: the file says where the repository is.
    File,
}

impl RuleFiles {
    /// Takes note of an entry of the folder.
    ///
    /// Like git since 2.32, a `.gitignore` that is a symbolic link is not followed.
    pub fn note(&mut self, name: &str, kind: fs::FileType) {
        match name {
            ".git" if kind.is_dir() => self.git = Some(GitEntry::Folder),
            ".git" if kind.is_file() => self.git = Some(GitEntry::File),
            ".gitignore" => self.gitignore = kind.is_file(),
            ".inkwellignore" => self.inkwellignore = kind.is_file(),
            _ => {}
        }
    }

    /// Looks for them in a folder that is not listed.
    pub fn of(folder: &Path) -> Self {
        let mut files = Self::default();
        for name in [".git", ".gitignore", ".inkwellignore"] {
            if let Ok(found) = fs::symlink_metadata(folder.join(name)) {
                files.note(name, found.file_type());
            }
        }
        files
    }
}

impl Rules {
    /// The rules that `folder`, a folder inside `root`, gets from the folders above it.
    ///
    /// `.inkwellignore` counts from the root downwards, git's files from the top of the repository, which may be
    /// above the root.
    pub fn above(root: &Path, folder: &Path) -> Self {
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let top = root.ancestors().find(is_top).unwrap_or(root);
        let Some(parent) = folder.parent().filter(|parent| parent.starts_with(top)) else {
            return Self::default();
        };
        let mut way: Vec<&Path> = parent.ancestors().take_while(|at| at.starts_with(top)).collect();
        way.reverse();
        way.into_iter().fold(Self::default(), |rules, at| {
            let found = RuleFiles::of(at);
            let inkwellignore = found.inkwellignore && at.starts_with(root);
            rules.enter(at, RuleFiles { inkwellignore, ..found })
        })
    }

    /// The rules inside `folder`, which holds `files`.
    pub fn enter(&self, folder: &Path, files: RuleFiles) -> Self {
        let mut rules = self.clone();
        if files.git.is_some() {
            // Another repository begins here; the one around it has no say in it.
            rules.git = None;
        }
        if files.git == Some(GitEntry::Folder) {
            push(&mut rules.git, folder, &folder.join(".git/info/exclude"));
        }
        if files.gitignore {
            push(&mut rules.git, folder, &folder.join(".gitignore"));
        }
        if files.inkwellignore {
            push(&mut rules.inkwell, folder, &folder.join(".inkwellignore"));
        }
        rules
    }

    /// Rules on an entry of `folder`, which is given by its real path.
    pub fn judge(&self, folder: &Path, name: &str, is_folder: bool) -> Ruling {
        if self.inkwell.is_none() && self.git.is_none() {
            return Ruling::Open;
        }
        let path = folder.join(name);
        match judge(self.inkwell.as_deref(), &path, is_folder) {
            Match::Whitelist(()) => return Ruling::Wanted,
            Match::Ignore(()) => return Ruling::Ignored,
            Match::None => {}
        }
        match judge(self.git.as_deref(), &path, is_folder) {
            Match::Ignore(()) => Ruling::Ignored,
            Match::Whitelist(()) | Match::None => Ruling::Open,
        }
    }

    /// Whether git's rules leave an entry of `folder` out.
    pub fn is_ignored(&self, folder: &Path, name: &str, is_folder: bool) -> bool {
        self.git.is_some() && judge(self.git.as_deref(), &folder.join(name), is_folder).is_ignore()
    }
}

/// Asks the nearest file first; the first that names the entry decides.
fn judge(mut layer: Option<&Layer>, path: &Path, is_folder: bool) -> Match<()> {
    while let Some(Layer { matcher, above }) = layer {
        let ruling = matcher.matched(path, is_folder).map(|_| ());
        if !ruling.is_none() {
            return ruling;
        }
        layer = above.as_deref();
    }
    Match::None
}

/// Lays the rules of `file` over those above. A file that can't be read has none, and a line that is no pattern is
/// passed over, as git does both.
fn push(layers: &mut Option<Arc<Layer>>, folder: &Path, file: &Path) {
    let Ok((text, _)) = read_text(file, RULES_SIZE_LIMIT) else { return };
    let mut rules = GitignoreBuilder::new(folder);
    for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
        let _ = rules.add_line(None, line);
    }
    let Ok(matcher) = rules.build() else { return };
    if !matcher.is_empty() {
        *layers = Some(Arc::new(Layer { matcher, above: layers.take() }));
    }
}
