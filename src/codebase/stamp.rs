//! What the file system says of a file, in the form in which it is kept between runs, and when that can be trusted.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::walk::Stamp;

/// Two writes of a file that are closer than this may leave the same time behind, on file systems that keep even seconds.
const CLOCK_STEP_NS: i64 = 2_000_000_000;

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

/// A point in time: when a run began to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    ns: i64,
}

impl Moment {
    /// Now.
    pub fn now() -> Self {
        Self { ns: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i64) }
    }

    /// Whether whatever is written to a file from this moment on is sure to change its stamp.
    pub fn settles(self, stamp: Stamp) -> bool {
        stamp.mtime_ns.max(stamp.ctime_ns) < self.ns.saturating_sub(CLOCK_STEP_NS)
    }

    /// The stamp to keep with what is read from this moment on: one that no file has, where another may follow unseen.
    pub fn trusted(self, stamp: Stamp) -> StampV1 {
        if self.settles(stamp) { stamp.into() } else { StampV1::default() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_just_now_is_not_trusted() {
        let moment = Moment { ns: 10_000_000_000 };
        let check = |mtime_ns: i64, ctime_ns: i64, expected: bool| {
            let stamp = Stamp { size: 1, mtime_ns, ctime_ns, inode: 7 };
            assert_eq!(moment.settles(stamp), expected, "{mtime_ns} {ctime_ns}");
            assert_eq!(moment.trusted(stamp).is(stamp), expected, "{mtime_ns} {ctime_ns}");
        };
        check(7_999_999_999, 7_999_999_999, true);
        check(8_000_000_000, 1, false);
        check(1, 8_000_000_000, false);
        check(99_000_000_000, 1, false);
    }
}
