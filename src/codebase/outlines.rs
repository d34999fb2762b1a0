//! Outlines that former runs read, each in the form in which it is kept until somebody asks for it.

use std::collections::HashMap;

use inkwell_code::outline::Outline;
use inkwell_index::Packed;
use serde::{Deserialize, Serialize};

use super::stamp::StampV1;
use crate::walk::Stamp;

/// Most bytes that are kept; what the last run did not need goes first.
const BUDGET: usize = 96 << 20;

/// What files defined when they had the stamps that are kept with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlines {
    files: HashMap<String, (StampV1, Packed)>,
}

/// An outline that a run needed.
pub struct Needed<'a> {
    /// The file's path.
    pub path: &'a str,
    /// The stamp to keep it with.
    pub stamp: StampV1,
    /// The outline; `None` where there is none.
    pub outline: &'a Option<Outline>,
}

impl Outlines {
    /// The outline of a file in a state; `None` where it is not known, and `Some(None)` where it has none.
    pub fn find(&self, path: &str, stamp: Stamp) -> Option<Option<Outline>> {
        let (_, packed) = self.files.get(path).filter(|(known, _)| known.is(stamp))?;
        packed.read()
    }

    /// Adds what a run needed, and drops what is of files that are no longer there; `None` where that changes nothing.
    pub fn with(&self, needed: &[Needed<'_>], is_current: impl Fn(&str, &StampV1) -> bool) -> Option<Self> {
        let is_new = |one: &&Needed<'_>| self.files.get(one.path).is_none_or(|(known, _)| *known != one.stamp);
        let fresh: Vec<&Needed<'_>> =
            needed.iter().filter(|one| one.stamp != StampV1::default()).filter(is_new).collect();
        let is_kept = |(path, (stamp, _)): &(&String, &(StampV1, Packed))| is_current(path, stamp);
        let old: Vec<_> = self.files.iter().filter(is_kept).collect();
        if fresh.is_empty() && old.len() == self.files.len() {
            return None;
        }
        let mut files: HashMap<String, (StampV1, Packed)> =
            old.into_iter().map(|(path, known)| (path.clone(), known.clone())).collect();
        for one in fresh {
            files.extend(Packed::of(one.outline).map(|packed| (one.path.to_owned(), (one.stamp, packed))));
        }
        if files.values().map(|(_, packed)| packed.size()).sum::<usize>() > BUDGET {
            let paths: std::collections::HashSet<&str> = needed.iter().map(|one| one.path).collect();
            files.retain(|path, _| paths.contains(path.as_str()));
        }
        Some(Self { files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell_code::language::Language;
    use inkwell_code::outline::outline;

    #[test]
    fn an_outline_is_known_as_long_as_its_file_stays() {
        let stamp = |size| Stamp { size, mtime_ns: 1, ctime_ns: 1, inode: 1 };
        let read = outline(Language::of("a.rs"), "pub struct A { b: u8 }");
        assert!(read.is_some());
        let needed = [
            Needed { path: "a.rs", stamp: stamp(1).into(), outline: &read },
            Needed { path: "b.rs", stamp: StampV1::default(), outline: &read },
            Needed { path: "c.txt", stamp: stamp(3).into(), outline: &None },
        ];
        let kept = Outlines::default().with(&needed, |_, _| true).expect("news");
        assert_eq!(kept.find("a.rs", stamp(1)), Some(read.clone()));
        assert_eq!(kept.find("a.rs", stamp(2)), None);
        assert_eq!(kept.find("b.rs", stamp(2)), None);
        assert_eq!(kept.find("c.txt", stamp(3)), Some(None));
        assert_eq!(kept.with(&needed, |_, _| true), None);
        let less = kept.with(&[], |path, _| path == "a.rs").expect("one is gone");
        assert_eq!((less.find("a.rs", stamp(1)), less.find("c.txt", stamp(3))), (Some(read), None));
    }
}
