//! Verdicts that a judge gave, kept between runs in the project's cache folder.
//!
//! What can't be read is forgotten and what can't be written is not kept: then the judge is asked again.

use std::collections::HashMap;
use std::path::Path;

use inkwell_index::Cache;

use crate::codebase::{Codebase, Role};
use crate::digest::Digest;
use crate::finding::Verdict;

use super::reply;

/// Verdicts that are kept, the newest of all.
const LIMIT: usize = 4096;
/// What is kept, and in which form.
const FORMAT: &str = "judge-1";
/// The name of all verdicts together.
const NAME: &str = "verdicts";

/// The verdicts that are kept for a project.
pub struct Kept {
    cache: Option<Cache>,
    /// Keys and replies, the oldest first.
    replies: Vec<(String, String)>,
    places: HashMap<String, usize>,
    is_changed: bool,
}

impl Kept {
    /// Reads what is kept in a folder; without one nothing is.
    pub fn open(folder: Option<&Path>) -> Self {
        let cache = folder.map(|folder| Cache::new(folder, FORMAT));
        let replies: Vec<(String, String)> = cache.as_ref().and_then(|cache| cache.read(NAME)).unwrap_or_default();
        let places = replies.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        Self { cache, replies, places, is_changed: false }
    }

    /// The verdict that is kept under a key.
    pub fn find(&self, key: Digest) -> Option<Verdict> {
        self.places.get(&key.hex()).and_then(|at| reply::read(&self.replies[*at].1))
    }

    /// Keeps a verdict. `could not corroborate` is not kept: it may come of a slow machine.
    pub fn add(&mut self, key: Digest, verdict: &Verdict) {
        let reply = match verdict {
            Verdict::Uncorroborated => return,
            Verdict::Verified => verdict.phrase().to_owned(),
            Verdict::Drifted(reason) => format!("{}: {reason}", verdict.phrase()),
        };
        self.places.insert(key.hex(), self.replies.len());
        self.replies.push((key.hex(), reply));
        self.is_changed = true;
    }

    /// Writes what is new.
    pub fn save(&self) {
        if let Some(cache) = self.cache.as_ref().filter(|_| self.is_changed) {
            let newest = &self.replies[self.replies.len().saturating_sub(LIMIT)..];
            cache.write(NAME, &newest);
        }
    }
}

/// What stands for the code that a judge may read: every file that isn't docs, as the file system knows it. A judge
/// does not tell what it read, so a verdict holds until any of it changes.
pub fn sources(code: &Codebase<'_>) -> String {
    let mut bytes = Vec::new();
    for file in code.files.all.iter().filter(|file| file.role != Role::Doc) {
        bytes.extend(file.path.as_str().as_bytes());
        bytes.push(0);
        let stamp = file.stamp.map(|stamp| (stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode));
        let (size, mtime, ctime, inode) = stamp.unwrap_or_default();
        bytes.extend([size.to_be_bytes(), mtime.to_be_bytes(), ctime.to_be_bytes(), inode.to_be_bytes()].concat());
    }
    Digest::of(&bytes).hex()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::walk::Root;

    #[test]
    fn verdicts_are_kept_between_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let drifted = Verdict::Drifted("see a.rs: it (always) waits".into());
        let mut kept = Kept::open(Some(folder.path()));
        kept.add(Digest::of(b"1"), &Verdict::Verified);
        kept.add(Digest::of(b"2"), &Verdict::Verified);
        kept.add(Digest::of(b"2"), &drifted);
        kept.add(Digest::of(b"3"), &Verdict::Uncorroborated);
        assert_eq!(kept.find(Digest::of(b"1")), Some(Verdict::Verified));
        kept.save();
        let kept = Kept::open(Some(folder.path()));
        assert_eq!(kept.find(Digest::of(b"1")), Some(Verdict::Verified));
        assert_eq!(kept.find(Digest::of(b"2")), Some(drifted));
        assert_eq!(kept.find(Digest::of(b"3")), None);
    }

    #[test]
    fn only_so_many_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut kept = Kept::open(Some(folder.path()));
        (0..=LIMIT).for_each(|number| kept.add(Digest::of(&number.to_be_bytes()), &Verdict::Verified));
        kept.save();
        let kept = Kept::open(Some(folder.path()));
        let found = [0, 1, LIMIT].map(|number| kept.find(Digest::of(&number.to_be_bytes())).is_some());
        assert_eq!(found, [false, true, true]);
    }

    #[test]
    fn where_nothing_can_be_kept_verdicts_hold_for_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "").expect("a file");
        for place in [None, Some(folder.path().join("file"))] {
            let mut kept = Kept::open(place.as_deref());
            kept.add(Digest::of(b"1"), &Verdict::Verified);
            kept.save();
            assert_eq!(kept.find(Digest::of(b"1")), Some(Verdict::Verified));
        }
    }

    #[test]
    fn any_change_of_code_is_another_state_and_a_change_of_docs_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).expect("a file");
        let state = || sources(&Codebase::open(&Root::open(folder.path()).expect("a root")));
        write("a.rs", "fn a() {}\n");
        write("a.md", "# A\n");
        let first = state();
        write("a.md", "# A\n\nMore.\n");
        assert_eq!(state(), first);
        write("a.rs", "fn a() { b() }\n");
        let second = state();
        write("b.rs", "");
        assert!(first != second && second != state());
    }
}
