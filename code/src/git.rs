//! What git knows of a repository now: which files it tracks, ignores and has changed, and what objects hold.
//!
//! git is asked through its command line, of which only plumbing is used, and never to do anything: see `run` for
//! what is switched off. Nothing here reads history (see [`crate::history`]) or writes to the repository.

mod change;
mod index;
mod object;
pub(crate) mod run;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub use change::{Change, Kind};
pub use index::{Mode, Tracked};
pub use object::BLOB_BUDGET;
pub(crate) use object::Found;
pub use run::Error;
pub(crate) use run::Git;

/// A git repository, seen from a folder inside it.
///
/// Every path that goes in or comes out is relative to that folder, with `/` between its parts, and nothing outside
/// of it is ever named. Names that aren't UTF-8 come out with replacement characters.
#[derive(Debug, Clone)]
pub struct Repo {
    root: PathBuf,
    top: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    is_shallow: bool,
}

impl Repo {
    /// Opens the repository that holds the folder `root`; `None` where there is none, or git can't or won't read it.
    pub fn open(root: &Path) -> Option<Repo> {
        Repo::try_open(root).ok()
    }

    /// Opens the repository that holds the folder `root`, or says why it can't.
    ///
    /// `root` may be a folder inside a work tree, a linked work tree or a submodule. A bare repository isn't opened,
    /// because a folder of a hostile work tree can be made to look like one.
    ///
    /// # Errors
    ///
    /// [`Error::NoRepository`] and [`Error::NoGit`] as they say; [`Error::Git`] with git's own words where it refuses:
    /// a repository of another user, a format it doesn't know, a damaged folder.
    pub fn try_open(root: &Path) -> Result<Repo, Error> {
        let no_repository = || Error::NoRepository { root: root.to_path_buf() };
        let root = root.canonicalize().map_err(|_| no_repository())?;
        let top = root.ancestors().find(|folder| has_git(folder)).ok_or_else(no_repository)?;
        let args = ["rev-parse", "--is-shallow-repository", "--absolute-git-dir", "--git-common-dir"];
        let output = Git::found_from(top).args(args).output()?;
        let text = String::from_utf8_lossy(&output);
        let [is_shallow, git_dir, common_dir] = text.lines().collect::<Vec<_>>()[..] else {
            return Err(Error::Git { attempt: "rev-parse".into(), said: "an unexpected answer".into() });
        };
        let git_dir = PathBuf::from(git_dir);
        // The common folder is told relative to where git runs.
        let common_dir = top.join(common_dir).canonicalize().unwrap_or_else(|_| git_dir.clone());
        Ok(Repo { top: top.to_path_buf(), git_dir, common_dir, is_shallow: is_shallow == "true", root })
    }

    /// Returns the folder that paths are relative to.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder with the repository's own files, of this work tree where there are several.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Tells whether commits were left out when the repository was cloned.
    pub fn is_shallow(&self) -> bool {
        self.is_shallow
    }

    /// Tells whether trees or blobs were left out when the repository was cloned, to be fetched when needed.
    ///
    /// They are never fetched from here.
    pub fn is_partial(&self) -> bool {
        let Ok(packs) = fs::read_dir(self.common_dir.join("objects/pack")) else { return false };
        packs.flatten().any(|pack| pack.path().extension().is_some_and(|it| it == "promisor"))
    }

    /// Returns the id of the commit that is checked out; `None` before the first one.
    pub fn head(&self) -> Option<String> {
        self.commit("HEAD").ok()
    }

    /// Returns the id of the commit that a user's word names: a branch, a tag, an id, `HEAD~3`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRevision`] where it names none; what looks like an option is no revision.
    pub fn commit(&self, revision: &str) -> Result<String, Error> {
        let unknown = || Error::UnknownRevision { revision: revision.to_owned() };
        if revision.starts_with('-') || revision.contains(['\0', '\n']) {
            return Err(unknown());
        }
        let asked = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &asked];
        let output = self.git().args(args).output().map_err(|error| match error {
            Error::Git { .. } => unknown(),
            other => other,
        })?;
        let id = String::from_utf8_lossy(&output).trim().to_owned();
        if is_id(&id) { Ok(id) } else { Err(unknown()) }
    }

    /// Lists the files whose change means that the checked-out commit or the index is another; some may be absent.
    pub fn stamp_files(&self) -> Vec<PathBuf> {
        let head = self.git_dir.join("HEAD");
        let branch =
            fs::read_to_string(&head).ok().and_then(|text| Some(text.strip_prefix("ref: ")?.trim().to_owned()));
        let branch = branch.filter(|name| name.starts_with("refs/") && !name.contains(".."));
        let index = self.staging().unwrap_or_else(|| self.git_dir.join("index"));
        let shared = ["packed-refs", "shallow", "reftable/tables.list"].map(|name| self.common_dir.join(name));
        let branch = branch.map(|name| self.common_dir.join(name));
        [index, head].into_iter().chain(branch).chain(shared).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Prepares a question to git, asked from the root.
    pub(crate) fn git(&self) -> Git {
        let git = Git::known_at(&self.root, &self.git_dir, &self.top);
        match self.staging() {
            Some(index) => git.index(&index),
            None => git,
        }
    }

    /// Returns the index that git gives to its hooks, `git commit -a` and `git commit <path>` use one of their own.
    ///
    /// Only a file of this repository counts: a hook of another one may have started us.
    fn staging(&self) -> Option<PathBuf> {
        let index = self.top.join(std::env::var_os("GIT_INDEX_FILE").filter(|it| !it.is_empty())?);
        let folder = index.parent()?.canonicalize().ok()?;
        let is_ours = self.git_dir.canonicalize().is_ok_and(|ours| folder == ours);
        is_ours.then(|| folder.join(index.file_name().unwrap_or_default()))
    }
}

/// Tells whether a folder looks like the top of a work tree; git has the last word.
fn has_git(folder: &Path) -> bool {
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").exists()
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(all(test, unix))]
pub(crate) mod sample;
#[cfg(all(test, unix))]
mod tests;
