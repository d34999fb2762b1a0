//! What the file system says of a file, in the form in which it is kept between runs.

use serde::{Deserialize, Serialize};

use crate::walk::Stamp;

/// A stamp on disk, version 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampV1 {
    size: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    inode: u64,
}

impl StampV1 {
    /// Whether it is of the same state of the same file.
    pub fn is(&self, stamp: Stamp) -> bool {
        *self == Self::from(stamp)
    }
}

impl From<Stamp> for StampV1 {
    fn from(stamp: Stamp) -> Self {
        Self { size: stamp.size, mtime_ns: stamp.mtime_ns, ctime_ns: stamp.ctime_ns, inode: stamp.inode }
    }
}

impl From<StampV1> for Stamp {
    fn from(stamp: StampV1) -> Self {
        Self { size: stamp.size, mtime_ns: stamp.mtime_ns, ctime_ns: stamp.ctime_ns, inode: stamp.inode }
    }
}
