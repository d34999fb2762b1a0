//! What is put into the index: one passage of one file.

use std::hash::{Hash, Hasher};

use crate::schema::{Field, Tokens};

/// A passage: a section's own text, or a piece of a very long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file's path, the key that updates go by.
    pub path: String,
    /// The section's place in the file, from 0.
    pub section: u32,
    /// The passage's place in the section, from 0.
    pub passage: u32,
    /// Tags of the page, as written.
    pub tags: Vec<String>,
    /// What links to the section call it: the keys that [`Entry::links`] of other entries are compared with.
    pub names: Vec<String>,
    /// The names of the sections that the entry links to.
    pub links: Vec<String>,
    /// The tokens of each field that has any.
    pub text: Vec<(Field, Tokens)>,
}

/// A number that stands for a path, to bring the sections of one page together.
pub(crate) fn page(path: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    path.hash(&mut hasher);
    hasher.finish()
}

/// Sums the tokens of a file's entries, per field in the order of [`Field::ALL`].
pub fn count_tokens(entries: &[Entry]) -> [u32; Field::ALL.len()] {
    let mut counts = [0; Field::ALL.len()];
    for (field, tokens) in entries.iter().flat_map(|entry| &entry.text) {
        counts[*field as usize] += tokens.count;
    }
    counts
}
