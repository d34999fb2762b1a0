//! What a change touches: the pages in it, and the claims that name what it changed or removed.

use std::collections::{BTreeSet, HashMap, HashSet};

use inkwell_code::git::{Change as GitChange, Kind, Repo};
use inkwell_code::language::Language;
use inkwell_code::scan::{Needles, scan};

use super::{Change, Project};
use crate::claim::{Claim, Target};
use crate::codebase::{CodeFile, Codebase, Files, Role, role};
use crate::corroborate::{Subject, wanted};
use crate::error::Error;
use crate::walk::{RepoPath, Root};

/// The code as the next commit will hold it.
///
/// # Errors
/// When git can't tell what is staged.
pub fn staged<'a>(project: &Project<'a>) -> Result<Codebase<'a>, Error> {
    let repo = Repo::open(project.root.as_path()).ok_or_else(no_git)?;
    let tracked = repo.tracked().map_err(failed)?;
    // What may differ between the index and the disk: everything that differs from the last commit in either.
    let changed = repo.changed(None).map_err(failed)?.into_iter().chain(repo.staged().map_err(failed)?);
    let edited: HashSet<String> = changed.map(|change| change.path).collect();
    let mut files: Vec<CodeFile> = Vec::with_capacity(tracked.len());
    let mut submodules = Vec::new();
    for entry in &tracked {
        let Some(path) = RepoPath::new(&entry.path) else { continue };
        match entry.mode {
            inkwell_code::git::Mode::Submodule => submodules.push(path.to_string()),
            _ => files.push(CodeFile::new(path.clone(), project.root.own_stamp(&path).ok())),
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    // What differs on disk is read from the index.
    let of_index: Vec<String> =
        tracked.iter().map(|entry| entry.path.clone()).filter(|path| edited.contains(path)).collect();
    let specs: Vec<String> = of_index.iter().map(|path| format!(":./{path}")).collect();
    let blobs = repo.blobs(&specs).map_err(failed)?;
    let overlay: HashMap<String, Vec<u8>> =
        of_index.into_iter().zip(blobs).map(|(path, blob)| (path, blob.unwrap_or_default())).collect();
    Ok(Codebase::of(project.root, Some(repo), Files::of(files).with_submodules(submodules), overlay))
}

/// Leaves of the subjects what a change touches: pages in it whole, of others the claims that name something in it.
///
/// # Errors
/// When git can't tell what changed.
pub fn narrow(subjects: &mut Vec<Subject>, code: &Codebase<'_>, change: &Change) -> Result<(), Error> {
    let changes = match change {
        Change::Any => return Ok(()),
        Change::Since(revision) => {
            code.repo.as_ref().ok_or_else(no_git)?.changed(revision.as_deref()).map_err(failed)?
        }
        Change::Staged => code.repo.as_ref().ok_or_else(no_git)?.staged().map_err(failed)?,
    };
    let revision = match change {
        Change::Since(Some(revision)) => revision.clone(),
        Change::Any | Change::Since(None) | Change::Staged => "HEAD".to_owned(),
    };
    let touched = Touched::of(&changes, subjects, code, &revision);
    for subject in subjects.iter_mut() {
        if !touched.paths.contains(subject.page.path.as_str()) {
            subject.claims.retain(|claim| touched.names(claim));
        }
    }
    subjects.retain(|subject| !subject.claims.is_empty() || touched.paths.contains(subject.page.path.as_str()));
    Ok(())
}

/// What a change touches.
struct Touched {
    /// Paths before and after.
    paths: HashSet<String>,
    /// Names that stand in a changed file, before or after.
    words: BTreeSet<String>,
}

impl Touched {
    fn of(changes: &[GitChange], subjects: &[Subject], code: &Codebase<'_>, revision: &str) -> Self {
        let mut paths: HashSet<String> = HashSet::new();
        for change in changes {
            paths.insert(change.path.clone());
            if let Kind::Renamed { from } = &change.kind {
                paths.insert(from.clone());
            }
        }
        let names: Vec<String> = wanted(subjects).into_iter().collect();
        let needles: Needles = names.iter().collect();
        let sources: Vec<&String> =
            paths.iter().filter(|path| matches!(role(path), Role::Source | Role::Data | Role::Test)).collect();
        let specs: Vec<String> = sources.iter().map(|path| format!("{revision}:./{path}")).collect();
        let before = code.repo.as_ref().and_then(|repo| repo.blobs(&specs).ok()).unwrap_or_default();
        let mut words = BTreeSet::new();
        for (at, path) in sources.iter().enumerate() {
            let now = code.files.find(path).and_then(|file| code.read(file));
            for content in before.get(at).cloned().flatten().into_iter().chain(now) {
                let hits = scan(Language::of(path), &content, &needles);
                words.extend(hits.iter().map(|hit| names[hit.needle as usize].clone()));
            }
        }
        Self { paths, words }
    }

    /// Whether a claim names something in the change.
    fn names(&self, claim: &Claim) -> bool {
        let is_path = |named: &str| {
            let bare = named.split('#').next().unwrap_or_default().trim_start_matches(['.', '/']).trim_end_matches('/');
            !bare.is_empty()
                && self.paths.iter().any(|path| {
                    path == bare || path.ends_with(&format!("/{bare}")) || path.starts_with(&format!("{bare}/"))
                })
        };
        match &claim.target {
            Target::Path(path) | Target::PathLine { path, .. } => is_path(path),
            Target::PathSymbol { path, parts } => is_path(path) || parts.iter().any(|part| self.words.contains(part)),
            Target::Link(destination) => is_path(destination),
            Target::Member(_) | Target::Symbol(_) | Target::Flag(_) | Target::Env(_) | Target::Key(_) => {
                crate::corroborate::names_of(claim).iter().any(|name| self.words.contains(name))
            }
        }
    }
}

/// Whether a page has changes that are not committed.
pub fn is_edited(root: &Root, path: &RepoPath) -> bool {
    let changes = Repo::open(root.as_path()).and_then(|repo| repo.changed(None).ok()).unwrap_or_default();
    changes.iter().any(|change| change.path == path.as_str())
}

fn no_git() -> Error {
    Error::NoChange { cause: "the project is in no git repository, or git is not installed".to_owned() }
}

fn failed(error: inkwell_code::git::Error) -> Error {
    Error::NoChange { cause: error.to_string() }
}
