//! Compares two versions of a file by lines, to tell what came in the place of a line.
//!
//! Lines that occur once on both sides are anchors (as in patience diff); what lies between two anchors and isn't
//! equal at its ends is one change. That is coarser than git's own, and never slow.

use rustc_hash::FxHashMap;

/// The places in the old and in the new file, half-open, that one change is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    pub old: std::ops::Range<usize>,
    pub new: std::ops::Range<usize>,
}

/// How often a change is looked into for smaller ones; texts made to nest deeper get coarser ones.
const DEPTH_LIMIT: usize = 64;

/// Finds the changes between two files, in order.
pub(super) fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    collect(old, new, Hunk { old: 0..old.len(), new: 0..new.len() }, DEPTH_LIMIT, &mut hunks);
    hunks
}

fn collect(old: &[&[u8]], new: &[&[u8]], part: Hunk, depth: usize, hunks: &mut Vec<Hunk>) {
    let (mut olds, mut news) = (part.old, part.new);
    while !olds.is_empty() && !news.is_empty() && old[olds.start] == new[news.start] {
        (olds.start, news.start) = (olds.start + 1, news.start + 1);
    }
    while !olds.is_empty() && !news.is_empty() && old[olds.end - 1] == new[news.end - 1] {
        (olds.end, news.end) = (olds.end - 1, news.end - 1);
    }
    if olds.is_empty() && news.is_empty() {
        return;
    }
    let anchors = anchors(&old[olds.clone()], &new[news.clone()]);
    if anchors.is_empty() || depth == 0 {
        hunks.push(Hunk { old: olds, new: news });
        return;
    }
    let (first_old, first_new) = (olds.start, news.start);
    for (at_old, at_new) in anchors {
        let (at_old, at_new) = (first_old + at_old, first_new + at_new);
        collect(old, new, Hunk { old: olds.start..at_old, new: news.start..at_new }, depth - 1, hunks);
        (olds.start, news.start) = (at_old + 1, at_new + 1);
    }
    collect(old, new, Hunk { old: olds, new: news }, depth - 1, hunks);
}

/// Pairs the lines that occur once on both sides, as many as stand in the same order.
fn anchors(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let (in_old, in_new) = (once(old), once(new));
    let pairs = old.iter().enumerate().filter_map(|(place, line)| {
        in_old.get(line)?.as_ref()?;
        Some((place, (*in_new.get(line)?)?))
    });
    rising(&pairs.collect::<Vec<_>>())
}

/// Maps each line to its place, or to `None` where it occurs again.
fn once<'a>(lines: &[&'a [u8]]) -> FxHashMap<&'a [u8], Option<usize>> {
    let mut places = FxHashMap::default();
    for (place, line) in lines.iter().enumerate() {
        places.entry(*line).and_modify(|it| *it = None).or_insert(Some(place));
    }
    places
}

/// Keeps a longest run of pairs whose second places rise; the first ones do already.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best run of each length, and for every pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (place, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before[place] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut run: Vec<_> =
        std::iter::successors(ends.last().copied(), |&place| before[place]).map(|place| pairs[place]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the changes between two texts whose lines are single letters.
    fn check(old: &str, new: &str, expected: &[(&str, &str)]) {
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) =
            (old.as_bytes().chunks(1).collect(), new.as_bytes().chunks(1).collect());
        let text = |lines: &[&[u8]]| String::from_utf8(lines.concat()).expect("works");
        let found = hunks(&old, &new).into_iter().map(|it| (text(&old[it.old]), text(&new[it.new])));
        let expected: Vec<_> = expected.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn changes_lie_between_lines_that_stayed() {
        check("abc", "abc", &[]);
        check("abc", "axc", &[("b", "x")]);
        check("abcdefg", "abXdefYZ", &[("c", "X"), ("g", "YZ")]);
        check("", "ab", &[("", "ab")]);
        check("ab", "", &[("ab", "")]);
    }

    #[test]
    fn lines_that_occur_often_are_no_anchors() {
        check("a}b}c}", "x}b}y}", &[("a", "x"), ("c", "y")]);
        check("}}}}", "}}}", &[("}", "")]);
    }

    #[test]
    fn of_lines_that_changed_places_one_stays() {
        check("xabcy", "xbcay", &[("a", ""), ("", "a")]);
    }
}
