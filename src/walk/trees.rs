//! Where else a repository may keep its docs.

use super::{RepoPath, Root, docs};

/// Where projects keep docs, most telling first.
const USUAL: [&str; 18] = [
    "docs",
    "doc",
    "documentation",
    "book/src",
    "website/docs",
    "site/docs",
    "docs/src",
    "doc/src",
    "doc/book/src",
    "guide",
    "guides",
    "manual",
    "handbook",
    "wiki",
    "content",
    "website/content",
    "pages",
    "README.md",
];

/// A place with docs that nobody asked to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherTree {
    /// A folder or a file.
    pub path: RepoPath,
    /// How many Markdown files it holds.
    pub files: usize,
}

/// Finds the places where projects usually keep docs and this one does, for a hint when the configured trees do
/// not exist. Only folders of well-known names are searched, never the whole root.
pub fn other_trees(root: &Root) -> Vec<OtherTree> {
    let root = root.clone().with_size_limit(u64::MAX);
    let mut found: Vec<OtherTree> = Vec::new();
    for path in USUAL.iter().filter_map(|name| RepoPath::new(name)) {
        if found.iter().any(|outer| path.is_within(&outer.path)) {
            continue;
        }
        let listing = docs(&root, std::slice::from_ref(&path));
        let files = listing.map_or(0, |listing| listing.files.len());
        if files > 0 {
            found.push(OtherTree { path, files });
        }
    }
    found
}
