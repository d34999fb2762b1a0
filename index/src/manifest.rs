//! What a snapshot of the index was made from: one record per file, enough to tell whether it still holds.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::schema::Field;

/// The files that a snapshot holds, sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// One record per file, sorted by path, no path twice.
    pub files: Vec<FileRecord>,
}

/// What is known of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file's path, the key that updates go by.
    pub path: String,
    /// What the file system said when the file was read.
    pub stamp: Stamp,
    /// SHA-256 of the bytes that were read; zero for a file that could not be read.
    pub digest: [u8; 32],
    /// How many entries the file has in the index.
    pub entries: u32,
    /// Tokens over all entries, per field in the order of [`Field::ALL`].
    pub tokens: [u32; Field::ALL.len()],
    /// Why the file is not indexed, in words; `None` for an indexed file.
    pub skipped: Option<String>,
    /// What is wrong with the file although it is indexed, a line of words each.
    pub problems: Vec<String>,
}

/// What the file system says of a file, compared to tell whether it changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Status change time, nanoseconds since 1970; 0 where the system has none. It moves when a tool sets `mtime`.
    pub ctime_ns: i64,
    /// Inode number; 0 where the system has none. It moves when a file is replaced.
    pub inode: u64,
}

/// The sums that scores need, over all files of a manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub entries: u64,
    pub tokens: [u64; Field::ALL.len()],
    pub pages: u64,
}

impl Manifest {
    /// The record of `path`.
    pub fn find(&self, path: &str) -> Option<&FileRecord> {
        let at = self.files.binary_search_by(|record| record.path.as_str().cmp(path)).ok()?;
        Some(&self.files[at])
    }

    pub(crate) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for record in self.files.iter().filter(|record| record.entries > 0) {
            totals.entries += u64::from(record.entries);
            totals.pages += 1;
            for (total, count) in totals.tokens.iter_mut().zip(record.tokens) {
                *total += u64::from(count);
            }
        }
        totals
    }

    /// Writes the manifest into `dir` under a name made of its content's digest, and returns the name.
    pub(crate) fn write(&self, dir: &Path) -> Result<String, Error> {
        let bytes = self.encode()?;
        let name = name_of(&bytes);
        let path = dir.join(&name);
        let draft = dir.join(format!("{name}.{}.tmp", std::process::id()));
        write_durably(&draft, &bytes).map_err(Error::disk("write", &draft))?;
        std::fs::rename(&draft, &path).map_err(Error::disk("write", &path))?;
        Ok(name)
    }

    /// Reads the manifest called `name`, whose digest must agree with its name.
    pub(crate) fn read(dir: &Path, name: &str) -> Result<Self, Error> {
        let bytes = std::fs::read(dir.join(name))?;
        if name_of(&bytes) != name {
            return Err(Error::Damaged(format!("`{name}` does not hold what was written")));
        }
        postcard::from_bytes(&bytes).map_err(|source| Error::Damaged(format!("`{name}`: {source}")))
    }

    fn encode(&self) -> Result<Vec<u8>, Error> {
        postcard::to_stdvec(self).map_err(|source| Error::Damaged(source.to_string()))
    }
}

/// Whether a file in the index directory is a manifest, finished or not.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("manifest-"))
}

fn name_of(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("manifest-{hex}")
}

fn write_durably(path: &PathBuf, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str, entries: u32) -> FileRecord {
        let tokens = [entries, 1, 2, 3, 4];
        FileRecord {
            path: path.into(),
            stamp: Stamp::default(),
            digest: [7; 32],
            entries,
            tokens,
            skipped: None,
            problems: vec![],
        }
    }

    #[test]
    fn a_manifest_survives_the_disk() {
        let dir = tempfile::tempdir().expect("a directory");
        let manifest = Manifest { files: vec![record("a.md", 2), record("b.md", 0)] };
        let name = manifest.write(dir.path()).expect("written");
        assert_eq!(Manifest::read(dir.path(), &name).expect("read"), manifest);
        assert_eq!(manifest.find("b.md"), Some(&manifest.files[1]));
        assert_eq!(manifest.find("c.md"), None);
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let dir = tempfile::tempdir().expect("a directory");
        let name = Manifest { files: vec![record("a.md", 2)] }.write(dir.path()).expect("written");
        let path = dir.path().join(&name);
        let mut bytes = std::fs::read(&path).expect("read");
        bytes[3] ^= 1;
        std::fs::write(&path, bytes).expect("written");
        let message = Manifest::read(dir.path(), &name).expect_err("damaged").to_string();
        assert_eq!(message, format!("the index is damaged: `{name}` does not hold what was written"));
    }

    #[test]
    fn files_without_entries_do_not_count() {
        let totals = Manifest { files: vec![record("a.md", 2), record("b.md", 0)] }.totals();
        assert_eq!((totals.entries, totals.pages, totals.tokens), (2, 1, [2, 1, 2, 3, 4]));
    }
}
