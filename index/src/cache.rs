//! Values that are kept between runs beside the index: a folder of small files, each read and written whole.
//!
//! Nothing here is ever needed: what can't be read, was damaged or is of another version is forgotten, and what can't
//! be written is not kept. A file is drafted under a name of the process's own and renamed, so that a reader sees one
//! whole state whoever else writes, and it begins with a digest of the rest, so that what was torn is noticed.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes of the digest that a file begins with.
const DIGEST_SIZE: usize = 16;
/// The longest file that is read or written, in bytes.
const SIZE_LIMIT: u64 = 256 << 20;

/// A folder of kept values.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The values of one `format` below the index directory `dir`. A release may mean something else by the same bytes,
    /// so each has its own folder, as other formats have.
    pub fn new(dir: &Path, format: &str) -> Self {
        Self { folder: dir.join(format!("{format}-{}", env!("CARGO_PKG_VERSION"))) }
    }

    /// Reads the value called `name`; `None` where there is none that can be used.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let path = self.folder.join(name);
        let is_small = fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= SIZE_LIMIT);
        let bytes = fs::read(&path).ok().filter(|_| is_small)?;
        let (digest, body) = bytes.split_at_checked(DIGEST_SIZE)?;
        if *digest != digest_of(body) {
            return None;
        }
        postcard::from_bytes(body).ok()
    }

    /// Writes the value called `name` in place of what was there; `false` where it could not be kept.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> bool {
        let Ok(mut bytes) = postcard::to_extend(value, vec![0; DIGEST_SIZE]) else { return false };
        let digest = digest_of(&bytes[DIGEST_SIZE..]);
        bytes[..DIGEST_SIZE].copy_from_slice(&digest);
        if bytes.len() as u64 > SIZE_LIMIT || fs::create_dir_all(&self.folder).is_err() {
            return false;
        }
        self.clear_drafts(name);
        let draft = self.folder.join(format!("{name}.{}.tmp", std::process::id()));
        let written = fs::write(&draft, &bytes).and_then(|()| fs::rename(&draft, self.folder.join(name)));
        if written.is_err() {
            // Half a draft, on a full disk, would take room for nothing.
            drop(fs::remove_file(&draft));
        }
        written.is_ok()
    }

    /// Deletes what killed processes left. Who still writes it finds its draft gone, and what it has is not kept.
    fn clear_drafts(&self, name: &str) {
        let start = format!("{name}.");
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let found = entry.file_name();
            let is_draft = found.to_str().is_some_and(|found| found.starts_with(&start) && found.ends_with(".tmp"));
            if is_draft {
                drop(fs::remove_file(entry.path()));
            }
        }
    }
}

/// A value in the form in which it is kept, to be read only when it is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed(Vec<u8>);

impl Packed {
    /// Packs a value; `None` where it has no such form.
    pub fn of<T: Serialize>(value: &T) -> Option<Self> {
        postcard::to_stdvec(value).ok().map(Self)
    }

    /// Reads the value; `None` where it is of another type.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        postcard::from_bytes(&self.0).ok()
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

impl Serialize for Packed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Borrowed from the file's bytes and copied once, instead of byte by byte.
        <&[u8]>::deserialize(deserializer).map(|bytes| Self(bytes.to_vec()))
    }
}

fn digest_of(body: &[u8]) -> [u8; DIGEST_SIZE] {
    let mut short = [0; DIGEST_SIZE];
    short.copy_from_slice(&Sha256::digest(body)[..DIGEST_SIZE]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let dir = tempfile::tempdir().expect("a directory");
        let cache = Cache::new(dir.path(), "kept-1");
        (dir, cache)
    }

    fn file(cache: &Cache, name: &str) -> PathBuf {
        cache.folder.join(name)
    }

    #[test]
    fn what_was_written_last_is_read() {
        let (_dir, cache) = cache();
        assert_eq!(cache.read::<Vec<String>>("names"), None);
        assert!(cache.write("names", &vec!["a".to_owned()]));
        assert!(cache.write("names", &vec!["b".to_owned(), "c".to_owned()]));
        assert_eq!(cache.read::<Vec<String>>("names"), Some(vec!["b".to_owned(), "c".to_owned()]));
        assert_eq!(fs::read_dir(&cache.folder).expect("a folder").count(), 1);
    }

    #[test]
    fn another_format_is_not_read() {
        let (dir, cache) = cache();
        assert!(cache.write("names", &1u32));
        assert_eq!(Cache::new(dir.path(), "kept-2").read::<u32>("names"), None);
    }

    #[test]
    fn damage_is_forgotten() {
        let (_dir, cache) = cache();
        assert!(cache.write("names", &vec![1u32, 2, 3]));
        let whole = fs::read(file(&cache, "names")).expect("written");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(file(&cache, "names"), &bytes).expect("written");
            assert_eq!(cache.read::<Vec<u32>>("names"), None, "byte {at}");
            fs::write(file(&cache, "names"), &whole[..at]).expect("written");
            assert_eq!(cache.read::<Vec<u32>>("names"), None, "cut at {at}");
        }
    }

    #[test]
    fn drafts_of_the_killed_are_cleared() {
        let (_dir, cache) = cache();
        assert!(cache.write("names", &1u32));
        fs::write(file(&cache, "names.1.tmp"), "half").expect("written");
        fs::write(file(&cache, "names2.1.tmp"), "half").expect("written");
        assert!(cache.write("names", &2u32));
        assert!(!file(&cache, "names.1.tmp").exists() && file(&cache, "names2.1.tmp").exists());
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("index"), "a file").expect("written");
        let cache = Cache::new(&dir.path().join("index"), "kept-1");
        assert!(!cache.write("names", &1u32));
        assert_eq!(cache.read::<u32>("names"), None);
    }

    #[test]
    fn packed_values_are_read_when_needed() {
        let (_dir, cache) = cache();
        let packed = vec![Packed::of(&("a".to_owned(), 7u32)).expect("it has a form"), Packed::default()];
        assert!(cache.write("packed", &packed));
        let read = cache.read::<Vec<Packed>>("packed").expect("kept");
        assert_eq!(read, packed);
        assert_eq!((read[0].read::<(String, u32)>(), read[1].read::<u32>()), (Some(("a".to_owned(), 7)), None));
    }
}
