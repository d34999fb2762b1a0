//! Which pages are checked, and their text.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::Project;
use crate::codebase::Codebase;
use crate::error::Error;
use crate::finding::Remark;
use crate::page::Page;
use crate::walk::{self, RepoPath, is_markdown};

/// Which pages are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The docs trees, and the files at the root that speak for the project.
    All,
    /// These files and folders.
    Paths(Vec<RepoPath>),
}

/// Names of files outside the docs trees that speak for the project, without extension.
const SPEAKING: &[&str] =
    &["readme", "contributing", "agents", "claude", "security", "development", "hacking", "install", "architecture"];

/// Reads the pages of a scope, sorted by path. What can't be read is a remark.
///
/// # Errors
/// When the root is gone, or a path that was asked for does not exist.
pub fn pages(
    project: &Project<'_>,
    scope: &Scope,
    code: &Codebase<'_>,
) -> Result<(Vec<Arc<Page>>, Vec<Remark>), Error> {
    let (trees, is_asked) = match scope {
        Scope::All => (project.docs.to_vec(), false),
        Scope::Paths(paths) => (paths.clone(), true),
    };
    let listing = walk::docs(project.root, &trees)?;
    if is_asked && let Some(missing) = listing.missing.first() {
        return Err(Error::NoSuchDocs { path: missing.to_string() });
    }
    let mut wanted: BTreeMap<RepoPath, ()> = listing.files.into_iter().map(|file| (file.path, ())).collect();
    if !is_asked {
        wanted.extend(speaking(project).into_iter().map(|path| (path, ())));
    }
    let mut remarks: Vec<Remark> = listing
        .skipped
        .into_iter()
        .map(|skipped| Remark { place: Some((skipped.path, 1)), text: format!("not checked: {}", skipped.reason) })
        .collect();
    let wanted: Vec<RepoPath> = wanted.into_keys().collect();
    let read: Vec<Result<Arc<Page>, Remark>> = wanted
        .into_par_iter()
        .map(|path| match text(project, &path, code) {
            Ok(text) => Ok(Arc::new(Page::parse(path, text, project.style))),
            Err(reason) => Err(Remark { place: Some((path.to_string(), 1)), text: format!("not checked: {reason}") }),
        })
        .collect();
    let mut pages = Vec::with_capacity(read.len());
    for page in read {
        match page {
            Ok(page) => pages.push(page),
            Err(remark) => remarks.push(remark),
        }
    }
    Ok((pages, remarks))
}

/// A page's text: what the next commit holds, where that is judged, else what is on disk.
fn text(project: &Project<'_>, path: &RepoPath, code: &Codebase<'_>) -> Result<String, String> {
    match code.overlaid(path.as_str()) {
        Some(content) => String::from_utf8(content.to_vec()).map_err(|_| "it is not UTF-8".to_owned()),
        None => project.root.read(path).map(|(text, _)| text).map_err(|reason| reason.to_string()),
    }
}

/// The Markdown files at the root and in `.github` that speak for the project.
fn speaking(project: &Project<'_>) -> Vec<RepoPath> {
    let mut found = Vec::new();
    for folder in ["", ".github"] {
        let Some(folder) = RepoPath::new(folder) else { continue };
        for name in walk::names(project.root, &folder) {
            let stem = name.split('.').next().unwrap_or_default().to_lowercase();
            if is_markdown(&name)
                && SPEAKING.iter().any(|known| stem == *known || stem.starts_with(&format!("{known}-")))
            {
                found.extend(RepoPath::new(&format!("{folder}/{name}").replace("./", "")));
            }
        }
    }
    found
}
