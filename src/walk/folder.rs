//! One folder: its docs, the folders below it, and the links in it.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::path::{RepoPath, Root};
use super::read::{SkipReason, Stamp};
use super::rules::{GitEntry, RuleFiles, Rules, Ruling};
use super::{DocFile, Skipped, is_markdown};

/// Left out of the root when the whole of it is searched: build output and other people's code.
const NOT_OURS: [&str; 2] = ["target", "vendor"];

/// "Too many levels of symbolic links"; `io::ErrorKind` has no stable name for it.
const ELOOP: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 40 } else { 62 };

/// What is searched.
pub(super) struct Search<'a> {
    pub root: &'a Root,
    pub trees: &'a [RepoPath],
}

/// A folder to read.
pub(super) struct Folder {
    /// Its path in citations.
    pub shown: RepoPath,
    /// Its absolute path without links.
    pub real: PathBuf,
    /// The rules of the folders above.
    pub rules: Rules,
    /// Whether the user named it.
    pub is_tree: bool,
}

/// What a folder holds.
#[derive(Default)]
pub(super) struct Found {
    pub files: Vec<DocFile>,
    pub folders: Vec<Folder>,
    pub links: Vec<Link>,
    pub skipped: Vec<Skipped>,
    pub incomplete: Vec<RepoPath>,
}

/// A symbolic link to something inside the root.
pub(super) struct Link {
    pub shown: RepoPath,
    /// The folder it stands in.
    pub holder: PathBuf,
    /// What it leads to, without further links.
    pub real: PathBuf,
    pub target: Target,
}

/// What a link leads to.
pub(super) enum Target {
    File(Stamp),
    Folder,
}

struct Entry {
    on_disk: DirEntry,
    /// With what is not UTF-8 replaced.
    name: String,
    is_utf8: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, socket or device.
    Special,
}

impl Folder {
    /// Reads the folder.
    pub fn list(&self, search: &Search) -> Found {
        let mut found = Found::default();
        let Some((entries, rule_files)) = self.entries(&mut found) else {
            return found;
        };
        if rule_files.git == Some(GitEntry::File) && !self.is_tree && is_worktree(&self.real) {
            return found;
        }
        let rules = self.rules.enter(&self.real, rule_files);
        for entry in entries {
            if !self.keeps(search, &rules, &entry) {
                continue;
            }
            let shown = self.shown.child(&entry.name);
            match entry.kind {
                _ if !entry.is_utf8 => found.skip(shown.to_string(), SkipReason::NotUtf8Name),
                Kind::File => found.file(search, shown, entry.on_disk.metadata()),
                Kind::Folder => {
                    let (real, rules) = (entry.on_disk.path(), rules.clone());
                    found.folders.push(Self { shown, real, rules, is_tree: false });
                }
                Kind::Link => match fs::canonicalize(entry.on_disk.path()) {
                    Ok(target) => found.link(search, &self.real, shown, target),
                    Err(error) => found.broken_link(shown, &error),
                },
                Kind::Special => found.skip(shown.to_string(), SkipReason::NotAFile),
            }
        }
        found
    }

    /// The entries that could matter; `None` if the folder can't be read.
    fn entries(&self, found: &mut Found) -> Option<(Vec<Entry>, RuleFiles)> {
        let listing = fs::read_dir(&self.real).map_err(|error| found.unseen(self.shown.clone(), &error));
        let mut entries = Vec::new();
        let mut rule_files = RuleFiles::default();
        for on_disk in listing.ok()? {
            let typed = on_disk.and_then(|entry| Ok((entry.file_type()?, entry)));
            let (kind, on_disk) = match typed {
                Ok(typed) => typed,
                Err(error) => {
                    found.unseen(self.shown.clone(), &error);
                    continue;
                }
            };
            let (name, is_utf8) = match on_disk.file_name().into_string() {
                Ok(name) => (name, true),
                Err(name) => (name.to_string_lossy().into_owned(), false),
            };
            rule_files.note(&name, kind);
            let kind = Kind::of(kind);
            if matches!(kind, Kind::Folder | Kind::Link) || is_markdown(&name) {
                entries.push(Entry { on_disk, name, is_utf8, kind });
            }
        }
        Some((entries, rule_files))
    }

    fn keeps(&self, search: &Search, rules: &Rules, entry: &Entry) -> bool {
        let name = entry.name.as_str();
        let is_partial = entry.kind != Kind::Folder && name.starts_with('_') && has_extension_md(name);
        if name == ".git" || is_partial || search.is_template(&self.shown, name) {
            return false;
        }
        match rules.judge(&self.real, name, entry.kind == Kind::Folder) {
            Ruling::Wanted => true,
            Ruling::Ignored => false,
            Ruling::Open => {
                let is_others = self.shown == RepoPath::ROOT && NOT_OURS.contains(&name);
                !name.starts_with('.') && name != "node_modules" && !is_others
            }
        }
    }
}

impl Kind {
    fn of(kind: fs::FileType) -> Self {
        if kind.is_symlink() {
            return Self::Link;
        }
        match (kind.is_file(), kind.is_dir()) {
            (true, _) => Self::File,
            (_, true) => Self::Folder,
            (false, false) => Self::Special,
        }
    }
}

impl Search<'_> {
    /// Whether an entry is the folder of page templates, which the response contract leaves out (A3).
    fn is_template(&self, folder: &RepoPath, name: &str) -> bool {
        name == "templates" && (folder.as_str() == "docs" || self.trees.contains(folder))
    }

    /// Whether a link may lead to this place inside the root: not into a repository's workings or templates.
    fn is_open(&self, inside: &Path) -> bool {
        let mut folder = RepoPath::ROOT;
        inside.iter().all(|piece| {
            let name = piece.to_string_lossy();
            let open = name != ".git" && !self.is_template(&folder, &name);
            folder = folder.child(&name);
            open
        })
    }
}

impl Found {
    /// Notes something that is left out.
    pub fn skip(&mut self, path: String, reason: SkipReason) {
        self.skipped.push(Skipped { path, reason });
    }

    /// Notes a place that the system did not let us look at; what vanished in the meantime is no such place.
    pub fn unseen(&mut self, shown: RepoPath, error: &io::Error) {
        match SkipReason::of(error) {
            SkipReason::Missing => {}
            reason => {
                self.skip(shown.to_string(), reason);
                self.incomplete.push(shown);
            }
        }
    }

    /// Adds a Markdown file.
    pub fn file(&mut self, search: &Search, shown: RepoPath, found: io::Result<Metadata>) {
        match found {
            Ok(found) => {
                let stamp = self.accept(search, &shown, &found);
                self.files.extend(stamp.map(|stamp| DocFile { path: shown, stamp }));
            }
            Err(error) => self.unseen(shown, &error),
        }
    }

    /// The stamp of a file that can be read; what can't is noted.
    fn accept(&mut self, search: &Search, shown: &RepoPath, found: &Metadata) -> Option<Stamp> {
        let (size, limit) = (found.len(), search.root.size_limit());
        let reason = match found.is_file() {
            true if size <= limit => return Some(Stamp::of(found)),
            true => SkipReason::TooLarge { size, limit },
            false => SkipReason::NotAFile,
        };
        self.skip(shown.to_string(), reason);
        None
    }

    /// Adds a link in the folder `holder` that leads to `real`.
    pub fn link(&mut self, search: &Search, holder: &Path, shown: RepoPath, real: PathBuf) {
        let found = match fs::metadata(&real) {
            Ok(found) => found,
            Err(error) => return self.unseen(shown, &error),
        };
        if !found.is_dir() && !is_markdown(shown.name()) {
            return;
        }
        let Ok(inside) = real.strip_prefix(search.root.as_path()) else {
            return self.skip(shown.to_string(), SkipReason::LeavesRoot);
        };
        if !search.is_open(inside) {
            return;
        }
        let target = match found.is_dir() {
            true => Some(Target::Folder),
            false => self.accept(search, &shown, &found).map(Target::File),
        };
        let holder = holder.to_owned();
        self.links.extend(target.map(|target| Link { shown, holder, real, target }));
    }

    /// Notes a link that leads nowhere, unless it plainly stood for something other than docs.
    pub fn broken_link(&mut self, shown: RepoPath, error: &io::Error) {
        if shown.name().contains('.') && !is_markdown(shown.name()) {
            return;
        }
        match (error.kind(), error.raw_os_error()) {
            (io::ErrorKind::NotFound, _) => self.skip(shown.to_string(), SkipReason::DanglingLink),
            (_, Some(ELOOP)) => self.skip(shown.to_string(), SkipReason::LinkLoop),
            _ => self.unseen(shown, error),
        }
    }
}

impl Link {
    /// The key that links are followed in the order of.
    pub fn order(&self) -> String {
        match self.target {
            Target::File(_) => self.shown.as_str().to_owned(),
            Target::Folder => [self.shown.as_str(), "/"].concat(),
        }
    }
}

fn has_extension_md(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("md"))
}

/// Whether the `.git` file of a folder makes it a linked worktree, a second copy of some repository, rather than a
/// submodule, whose `gitdir` lies in `modules/`.
fn is_worktree(folder: &Path) -> bool {
    let Ok((text, _)) = super::read_text(&folder.join(".git"), 4096) else { return false };
    let git_folder = text.trim_end().strip_prefix("gitdir: ").map(Path::new);
    git_folder.and_then(Path::parent).is_some_and(|parent| parent.ends_with("worktrees"))
}
